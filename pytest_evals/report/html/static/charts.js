// Charts as inline SVG. Each is a figure whose caption says in words what there is to see.

/** A chart of the overview. */
function chart(made) {
  return made.kind === "trend" ? trendChart(made) : histogramChart(made);
}

function figure(made, ...inside) {
  const said = el("figcaption", null, el("h3", null, made.title), el("p.muted", null, made.summary));
  return el("figure.chart", null, said, ...inside);
}

function histogramChart(made) {
  const most = Math.max(...made.bars.map((bar) => bar.n), 1);
  const width = 100 / made.bars.length;
  const bars = made.bars.map((bar, n) => {
    // a single value among thousands stays visible
    const height = bar.n ? Math.max((bar.n / most) * 100, 1.5) : 0;
    const place = { x: n * width + width * 0.06, y: 100 - height, width: width * 0.88, height };
    const hover = svg("rect.hover", { x: n * width, y: 0, width, height: 100 }, svg("title", null, bar.said));
    return [svg("rect.bar", place), hover];
  });
  const marks = made.marks.map((mark) =>
    svg("line.mark", { x1: mark.at * 100, x2: mark.at * 100, y1: 0, y2: 100, "vector-effect": "non-scaling-stroke" }),
  );
  const label = `${made.title}: ${made.summary}`;
  const drawing = svg(
    "svg",
    { viewBox: "0 0 100 100", preserveAspectRatio: "none", role: "img", "aria-label": label },
    bars,
    marks,
  );
  const labels = made.marks.map((mark, n) => {
    const side = mark.at > 0.5 ? "before" : "after";
    const style = side === "after" ? { left: `${mark.at * 100}%` } : { right: `${100 - mark.at * 100}%` };
    return el(`span.mark-label.${side}`, { style: { ...style, top: `${n * 1.35}em` } }, mark.label);
  });
  const axis = el("div.axis", null, made.edges.map((edge) => el("span", null, edge)));
  return figure(made, el("div.plot", { "aria-hidden": "true" }, labels), el("div.drawing", null, drawing), axis);
}

function trendChart(made) {
  const points = made.points;
  const at = (n) => (points.length > 1 ? (n / (points.length - 1)) * 96 + 2 : 50);
  const known = points.map((point, n) => ({ ...point, n })).filter((point) => point.value !== null);
  const y = (value) => 96 - value * 92;
  const lines = stretches(known).map((stretch) =>
    svg("polyline.trend-line", {
      points: stretch.map((point) => `${at(point.n)},${y(point.value)}`).join(" "),
      "vector-effect": "non-scaling-stroke",
    }),
  );
  const levels = [0, 0.5, 1].map((value) =>
    svg("line.level", { x1: 0, x2: 100, y1: y(value), y2: y(value), "vector-effect": "non-scaling-stroke" }),
  );
  const drawing = svg(
    "svg",
    { viewBox: "0 0 100 100", preserveAspectRatio: "none", role: "img", "aria-label": `${made.title}: ${made.summary}` },
    levels,
    lines,
  );
  const dots = known.map((point) =>
    el(`span.dot${point.current ? ".current" : ""}`, {
      style: { left: `${at(point.n)}%`, top: `${y(point.value)}%` },
      title: point.said,
    }),
  );
  const ends = made.levels.map((text, n) => el("span.level-label", { style: { top: `${y(n)}%` } }, text));
  const axis = el("div.axis", null, el("span", null, points[0].label), el("span", null, points[points.length - 1].label));
  return figure(made, el("div.drawing.trend", null, drawing, dots, ends), axis);
}

/** Points that follow one another; a run without the figure is a gap, not a straight line. */
function stretches(points) {
  const found = [];
  points.forEach((point, n) => {
    if (n && point.n === points[n - 1].n + 1) found[found.length - 1].push(point);
    else found.push([point]);
  });
  return found;
}
