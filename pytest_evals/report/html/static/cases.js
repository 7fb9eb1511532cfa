// The table of cases: filters above, a head that sorts, one row a case.

const COLUMNS = [
  { name: "outcome", title: "Outcome", by: (entry) => (OUTCOMES[entry.outcome] || { rank: 9 }).rank },
  { name: "id", title: "Case", by: (entry) => entry.key },
  { name: "change", title: "Baseline", by: (entry) => CHANGES.indexOf(entry.change), when: (entries) => entries.some((entry) => entry.change) },
  { name: "score", title: "Score", right: true, by: (entry) => entry.score },
  { name: "latency", title: "Latency", right: true, by: (entry) => entry.latency, when: (entries) => entries.some((entry) => entry.latency !== undefined) },
  { name: "cost", title: "Cost", right: true, by: (entry) => entry.cost, when: (entries) => entries.some((entry) => entry.cost !== undefined) },
];

class CaseTable {
  constructor(cases, change) {
    this.cases = cases;
    this.change = change;
    this.columns = COLUMNS.filter((column) => !column.when || column.when(cases.entries));
    this.severalSuites = new Set(cases.entries.map((entry) => entry.suite)).size > 1;
    this.filters = new FilterBar(cases.entries, change);
    this.list = new VirtualList({
      row: (entry) => this.row(entry),
      inside: async (entry) => caseDetail(entry, await cases.detail(entry)),
      opened: (keys) => change({ open: keys }, true),
      label: "Cases",
    });
    this.heads = this.columns.map((column) => this.head(column));
    this.nothing = el("p.nothing.gone", null, "No case fits the filters.");
    this.printed = el("p.printed.muted");
    const head = el("div.case-line.head", { role: "row", "aria-rowindex": "1" }, el("span.column-toggle", { role: "columnheader" }, el("span.offscreen", null, "open")), this.heads);
    this.table = el(`div.case-table.with-${this.columns.map((column) => column.name).join("-")}`, { role: "table", "aria-label": "Cases" }, head, this.list.element);
    this.element = el("section.view", { "aria-label": "Cases" }, this.filters.element, this.table, this.nothing, this.printed);
    this.table.style.setProperty("--columns", this.columns.map((column) => `var(--column-${column.name})`).join(" "));
  }

  head(column) {
    const button = el("button.sort", { type: "button", onclick: () => this.change({ sort: this.nextSort(column.name) }) }, el("span", null, column.title));
    return el(`span.column-${column.name}${column.right ? ".right" : ""}`, { role: "columnheader" }, button);
  }

  /** Up, down, then the order of the files again. */
  nextSort(name) {
    return this.sort === name ? `-${name}` : this.sort === `-${name}` ? "" : name;
  }

  /** Shows the cases that the state asks for. */
  show(state) {
    this.sort = state.sort;
    const found = sorted(filtered(this.cases.entries, state), this.columns, state.sort);
    const total = this.cases.entries.length;
    const said = found.length === total ? countedNoun(total, "case") : `${counted(found.length)} of ${countedNoun(total, "case")}`;
    this.filters.show(state, said);
    this.heads.forEach((head, n) => this.showSort(head, this.columns[n].name));
    this.table.setAttribute("aria-rowcount", found.length + 1);
    this.table.classList.toggle("gone", !found.length);
    this.nothing.classList.toggle("gone", found.length > 0);
    this.list.show(found, state.open);
    if (state.text && !this.cases.whole) this.readTexts(said);
  }

  showSort(head, name) {
    const way = this.sort === name ? "ascending" : this.sort === `-${name}` ? "descending" : null;
    if (way) head.setAttribute("aria-sort", way);
    else head.removeAttribute("aria-sort");
    head.querySelector(".icon")?.remove();
    if (way) head.querySelector("button").append(icon(way === "ascending" ? "up" : "down"));
  }

  /** A search looks into all texts, which are unpacked the first time. */
  async readTexts(said) {
    if (this.reading) return;
    this.reading = true;
    this.filters.note.textContent = `${said}, reading the texts …`;
    await this.cases.readTexts((share) => (this.filters.note.textContent = `${said}, reading the texts: ${Math.floor(share * 100)}%`));
    this.reading = false;
    this.change({}, false);
  }

  row(entry) {
    const label = [this.severalSuites ? el("span.muted", null, `${entry.suite} / `) : null, el("span.id", null, entry.id)];
    const toggle = el("button.toggle", { type: "button", "aria-label": `${entry.key}, ${entry.outcome}` }, icon("chevron"));
    const cells = this.columns.map((column) => {
      const cell = el(`span.column-${column.name}${column.right ? ".right" : ""}`, { role: "cell" });
      if (column.name === "outcome") cell.append(outcomeBadge(entry.outcome));
      else if (column.name === "id") cell.append(this.caseCell(entry, label));
      else if (column.name === "score") cell.append(scoreCell(entry));
      else if (column.name === "change") cell.append(changeCell(entry));
      else cell.append(entry[`${column.name}_shown`] || "–");
      return cell;
    });
    return el("div.case-line", null, el("span.column-toggle", { role: "cell" }, toggle), cells);
  }

  caseCell(entry, label) {
    const variant = entry.variant ? el("span.tag", null, entry.variant) : null;
    const flaky = entry.flaky ? el("span.tag.amber", null, "flaky") : null;
    const said = entry.why || entry.name || "";
    return el("span.one-line", { title: [entry.key, said].filter(Boolean).join("\n") }, el("span.label", null, label), variant, flaky, el("span.said", null, said));
  }
}

function scoreCell(entry) {
  const bar = el("span.share", { "aria-hidden": "true" }, el("span", { style: { width: `${(entry.score || 0) * 100}%` } }));
  return el("span.with-share", null, entry.score === undefined ? null : bar, el("span", null, entry.score_shown || "–"));
}

function changeCell(entry) {
  if (!entry.change || entry.change === "same") return el("span.muted", null, entry.change ? "same" : "–");
  return el("span", { class: CHANGE_TONES[entry.change] || "" }, entry.change);
}

/** In the order of a column; unknown values come last, whichever way. */
function sorted(entries, columns, sort) {
  const name = sort.replace(/^-/, "");
  const column = columns.find((one) => one.name === name);
  if (!column) return entries;
  const way = sort.startsWith("-") ? -1 : 1;
  return entries
    .map((entry) => [column.by(entry), entry])
    .sort(([a, one], [b, other]) => {
      const unknown = (a === undefined) - (b === undefined);
      return unknown || (a < b ? -way : a > b ? way : one.order - other.order);
    })
    .map(([, entry]) => entry);
}
