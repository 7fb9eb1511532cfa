// The first view: verdict, figures, gates, comparison, tables, charts.

/** The whole of it. */
function overview(page, linkTo) {
  const panel = (made) => tablePanel(made, linkTo);
  const first = page.tables.filter((made) => made.name === "gates");
  const others = page.tables.filter((made) => made.name !== "gates");
  return [
    verdictPanel(page, linkTo),
    page.charts.length ? el(`section.charts.of-${page.charts.length}`, { "aria-label": "Charts" }, page.charts.map(chart)) : null,
    page.no_baseline ? el("p.notice", null, page.no_baseline) : null,
    el("div.panels", null, first.map(panel), figuresPanel(page), others.map(panel), notRun(page)),
  ];
}

function verdictPanel(page, linkTo) {
  const total = page.outcomes.reduce((sum, outcome) => sum + outcome.n, 0);
  const segments = page.outcomes.map((outcome) =>
    el(`span.${OUTCOMES[outcome.word].tone}`, { style: { "flex-grow": outcome.n }, title: `${outcome.shown} ${outcome.word}` }),
  );
  const legend = page.outcomes.map((outcome) => {
    const known = OUTCOMES[outcome.word];
    const inside = [icon(known.icon), el("strong", null, outcome.shown), ` ${outcome.word}`];
    return el("li", null, el(`a.legend.${known.tone}`, { href: linkTo({ outcome: [outcome.word] }) }, inside));
  });
  const said = page.outcomes.map((outcome) => `${outcome.shown} ${outcome.word}`).join(", ");
  const bar = el("div.outcome-bar", { role: "img", "aria-label": `${countedNoun(total, "case")}: ${said}` }, segments);
  const facts = el("p.facts", null, page.verdict.facts.join(" · "));
  const badge = el("div.big-verdict", null, verdictBadge(page.verdict.word), facts);
  const stopped = page.incomplete ? el("p.notice", null, `The session was stopped early: ${page.incomplete}`) : null;
  const outcomes = total ? el("div", null, bar, el("ul.legends", null, legend)) : null;
  const about = el("dl.about", null, page.about.map(([name, text]) => el("div", null, el("dt", null, name), el("dd", null, text))));
  const tiles = el("div.tiles", null, page.tiles.map((made) => tile(made, linkTo)));
  return el("section.panel.top", { "aria-label": "Verdict" }, badge, stopped, outcomes, tiles, about);
}

function tile(made, linkTo) {
  const value = el("span.value", { class: STYLE_TONES[made.style] || "" }, made.value);
  const shown = made.link ? el("a", { href: linkTo(made.link) }, value) : value;
  return el("div.tile", null, el("span.label", null, made.label), shown, interval(made), el("span.muted", null, made.note));
}

/** A line from 0 to 1 with the value and its interval; the note beneath says it in words. */
function interval(made) {
  if (!made.between || made.share === null) return null;
  const [low, high] = made.between;
  return el(
    "span.interval",
    { "aria-hidden": "true" },
    el("span.range", { style: { left: `${low * 100}%`, width: `${(high - low) * 100}%` } }),
    el("span.point", { style: { left: `${made.share * 100}%` } }),
  );
}

function tablePanel(made, linkTo) {
  const head = el("h2", null, made.title);
  const parts = [head];
  if (made.verdict) {
    const [word, style] = made.verdict;
    const changes = (made.changes || []).map(([change, number]) =>
      el("li", null, el("a", { href: linkTo({ change: [change] }) }, el("strong", null, number), ` ${change}`)),
    );
    parts.push(el("div.changes", null, el("strong", { class: STYLE_TONES[style] || "" }, word), el("ul", null, changes)));
  }
  parts.push(figureTable(made, linkTo));
  if (made.note) parts.push(el("p.muted", null, made.note));
  return el(`section.panel.${made.wide ? "wide" : "narrow"}`, { "aria-label": made.title }, parts);
}

function figuresPanel(page) {
  const rows = page.figures.map(([label, parts]) => {
    const spans = parts.flatMap(([text, style], n) => [n ? ", " : "", el("span", { class: STYLE_TONES[style] || style }, text)]);
    return el("div", null, el("dt", null, label), el("dd", null, spans));
  });
  if (!rows.length) return null;
  return el("section.panel.narrow", { "aria-label": "All figures" }, el("h2", null, "All figures"), el("dl.list", null, rows));
}

function notRun(page) {
  if (!page.not_run.length) return null;
  const shown = page.not_run.slice(0, 200).map((node) => el("li", null, el("code", null, node)));
  const left = page.not_run.length - shown.length;
  const more = left ? el("p.muted", null, `and ${counted(left)} more`) : null;
  const title = `${countedNoun(page.not_run.length, "case")} never ran`;
  return el("section.panel.narrow", { "aria-label": title }, el("h2", null, title), el("ul.plain", null, shown), more);
}
