// Small tables of figures: heads, rows of cells (text, style, and a share for a bar behind it), links to cases.

/** A table as the overview describes it. */
function figureTable(made, linkTo) {
  const heads = made.heads.map(([name, right]) => el("th", { scope: "col", class: right ? "right" : "" }, name));
  const rows = made.rows.map((row) =>
    el("tr", null, row.cells.map((cell, n) => figureCell(row, cell, n, made.heads[n][1], linkTo))),
  );
  const table = el("table.figures", null, el("thead", null, el("tr", null, heads)), el("tbody", null, rows));
  return el("div.scroll", { tabindex: "0", role: "region", "aria-label": made.title }, table);
}

function figureCell(row, [text, style, share, parts], n, right, linkTo) {
  const classes = [right ? "right" : "", STYLE_TONES[style] || style || ""].join(" ");
  if (n === 0) {
    const link = row.link && linkTo ? el("a", { href: linkTo(row.link) }, text) : text;
    return el("th", { scope: "row", title: row.title }, link);
  }
  if (row.sign && text === row.sign) return el("td", null, verdictBadge(text));
  if (parts) return el("td", { class: classes }, el("span.with-share", null, partsBar(parts), el("span", null, text)));
  if (share === undefined || share === null) return el("td", { class: classes }, text);
  const bar = el("span.share", { "aria-hidden": "true" }, el("span", { style: { width: `${share * 100}%` } }));
  return el("td", { class: classes }, el("span.with-share", null, bar, el("span", null, text)));
}

/** A bar of parts side by side; the numbers of the row say the same. */
function partsBar(parts) {
  const segments = parts.map(([word, share]) => el(`span.${word}`, { style: { width: `${share * 100}%` }, title: word }));
  return el("span.parts", { "aria-hidden": "true" }, segments);
}
