// Variants side by side: one row a case, one column a variant, cases with differing answers first.

class VariantTable {
  constructor(cases, change) {
    this.cases = cases;
    this.suites = groupedByVariant(cases.entries);
    this.change = change;
    this.note = el("span.muted", { role: "status" });
    this.choice = el("select", { "aria-label": "Suite", onchange: () => change({ suite: [this.choice.value] }) });
    for (const suite of this.suites.keys()) this.choice.append(el("option", { value: suite }, suite));
    this.box = el("input", { type: "checkbox", onchange: () => change({ differing: this.box.checked }) });
    this.list = new VirtualList({
      row: (group) => this.row(group),
      inside: (group) => this.inside(group),
      opened: (keys) => change({ open: keys }, true),
      label: "Cases by variant",
    });
    this.head = el("div.variant-line.head", { role: "row", "aria-rowindex": "1" });
    this.table = el("div.variant-table", { role: "table", "aria-label": "Variants side by side" }, this.head, this.list.element);
    const controls = [this.suites.size > 1 ? el("label", null, "Suite ", this.choice) : null, el("label.tick", null, this.box, " only cases whose variants differ"), this.note];
    this.element = el("section.view", { "aria-label": "Variants" }, el("div.filters", null, el("div.filter-row", null, controls)), this.table);
  }

  show(state) {
    const suite = this.suites.has(state.suite[0]) ? state.suite[0] : [...this.suites.keys()][0];
    const { variants, groups } = this.suites.get(suite);
    this.variants = variants;
    this.choice.value = suite;
    this.box.checked = state.differing;
    const shown = state.differing ? groups.filter((group) => group.rank < 2) : groups;
    const differing = groups.filter((group) => group.rank < 2).length;
    this.note.textContent = `${counted(differing)} of ${countedNoun(groups.length, "case")} with differing outcomes or answers`;
    this.element.style.setProperty("--variants", variants.length);
    const heads = ["Case", ...variants].map((name) => el("span", { role: "columnheader" }, name));
    this.head.replaceChildren(el("span.column-toggle", { role: "columnheader" }, el("span.offscreen", null, "open")), ...heads);
    this.list.show(shown, state.open);
  }

  row(group) {
    const toggle = el("button.toggle", { type: "button", "aria-label": group.id }, icon("chevron"));
    const cells = this.variants.map((variant) => {
      const entry = group.entries.get(variant);
      if (!entry) return el("span.muted", { role: "cell" }, "–");
      const begins = entry.answer && entry.answer.begins;
      const answer = begins ? begins + (entry.answer.cut ? "…" : "") : entry.why || "";
      const top = el("span.answer-top", null, outcomeBadge(entry.outcome), el("span.number", null, entry.score_shown));
      return el("span.answer-cell", { role: "cell" }, top, el("span.said", { title: answer }, answer));
    });
    return el("div.variant-line", null, el("span.column-toggle", { role: "cell" }, toggle), el("span.id", { role: "cell", title: group.id }, group.id), cells);
  }

  /** The whole answers, each but the first with its difference from the first. */
  async inside(group) {
    const columns = [];
    let first = null;
    let asked = null;
    for (const variant of this.variants) {
      const entry = group.entries.get(variant);
      if (!entry) continue;
      const detail = await this.cases.detail(entry);
      const trial = (detail.trials || [])[detail.shown] || {};
      asked ??= detail;
      const differs = first !== null && trial.output ? differenceBlock(`${first.variant} → ${variant}`, first.output, trial.output) : null;
      const link = el("a", { href: linkToCases({ text: group.id, variant: [variant], open: [entry.key] }) }, "all of this case");
      const head = el("h3", null, variant, " ", outcomeBadge(entry.outcome));
      columns.push(el("div", null, head, entry.why ? el("p.muted", null, entry.why) : null, textBlock("Answer", trial.output ?? null), differs, el("p", null, link)));
      if (trial.output) first ??= { variant, output: trial.output };
    }
    const expected = asked.expected === undefined ? null : textBlock("Expected", asked.expected);
    return el("article.case", { "aria-label": group.id }, el("div.pair", null, textBlock("Input", asked.input), expected), el("div.side-by-side", null, columns));
  }
}

/** By suite its variants, and its cases: those whose outcomes differ, then whose answers do, then the others. */
function groupedByVariant(entries) {
  const suites = new Map();
  for (const entry of entries) {
    if (!entry.variant_id) continue;
    if (!suites.has(entry.suite)) suites.set(entry.suite, { variants: [], cases: new Map() });
    const { variants, cases } = suites.get(entry.suite);
    if (!variants.includes(entry.variant_id)) variants.push(entry.variant_id);
    if (!cases.has(entry.id)) cases.set(entry.id, { id: entry.id, key: `${entry.suite}::${entry.id}`, entries: new Map() });
    cases.get(entry.id).entries.set(entry.variant_id, entry);
  }
  for (const suite of suites.values()) {
    suite.groups = [...suite.cases.values()];
    for (const group of suite.groups) group.rank = differingRank([...group.entries.values()]);
    suite.groups.sort((one, other) => one.rank - other.rank);
  }
  return suites;
}

function differingRank(entries) {
  const outcomes = new Set(entries.map((entry) => entry.outcome));
  const answers = new Set(entries.map((entry) => (entry.answer ? entry.answer.is : "")));
  return outcomes.size > 1 ? 0 : answers.size > 1 ? 1 : 2;
}
