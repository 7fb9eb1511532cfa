// Which cases are shown: choices of values, a text, and the bar they are made in.

const FACETS = [
  { name: "suite", title: "Suite", of: (entry) => [entry.suite] },
  { name: "category", title: "Category", of: (entry) => (entry.category ? [entry.category] : []) },
  { name: "tag", title: "Tag", of: (entry) => entry.tags || [] },
  { name: "variant", title: "Variant", of: (entry) => (entry.variant_id || entry.variant ? [entry.variant_id || entry.variant] : []) },
  { name: "criterion", title: "Criterion", of: criteriaOf },
  { name: "change", title: "Since baseline", of: (entry) => [entry.change, ...(entry.flags || [])].filter(Boolean) },
];

/** Each criterion that a case asks, and "missed tone" for those it missed. */
function criteriaOf(entry) {
  const values = [];
  for (const [name, , passed] of entry.criteria || []) {
    values.push(name);
    if (passed === false) values.push(`missed ${name}`);
  }
  return values;
}

/** The entries that the filters leave, in their order. Within a filter any value will do, between filters all must. */
function filtered(entries, state) {
  const chosen = FACETS.filter((facet) => state[facet.name].length).map((facet) => [facet.of, new Set(state[facet.name])]);
  const outcomes = new Set(state.outcome);
  const words = state.text.toLowerCase().split(/\s+/).filter(Boolean);
  return entries.filter((entry) => {
    if (outcomes.size && !outcomes.has(entry.outcome)) return false;
    for (const [of, values] of chosen) if (!of(entry).some((value) => values.has(value))) return false;
    return words.every((word) => entry.plain.includes(word) || (entry.texts || "").includes(word));
  });
}

/** How many filters are set. */
function filtersSet(state) {
  return state.outcome.length + FACETS.reduce((sum, facet) => sum + state[facet.name].length, 0) + (state.text ? 1 : 0);
}

/** The bar above the table. `change(part)` is called with what is to be different in the state. */
class FilterBar {
  constructor(entries, change) {
    this.change = change;
    this.search = el("input", { type: "search", id: "search", placeholder: "Search ids, inputs, answers, reasons", "aria-label": "Search" });
    this.search.addEventListener("input", debounced(() => change({ text: this.search.value }), 120));
    this.note = el("span.muted", { role: "status", "aria-live": "polite" });
    this.clear = el("button.plain", { type: "button", onclick: () => change(this.nothing()) }, "Clear filters");
    this.outcomes = this.outcomeChips(entries);
    this.menus = FACETS.map((facet) => new Menu(facet, entries, (values) => change({ [facet.name]: values }))).filter(
      (menu) => menu.useful,
    );
    const box = el("label.search", null, icon("search"), this.search);
    this.element = el(
      "div.filters",
      { role: "search" },
      el("div.filter-row", null, box, this.menus.map((menu) => menu.element), this.clear),
      el("div.filter-row", null, el("div.chips", { role: "group", "aria-label": "Outcome" }, [...this.outcomes.values()]), this.note),
    );
  }

  nothing() {
    const empty = { outcome: [], text: "" };
    for (const facet of FACETS) empty[facet.name] = [];
    return empty;
  }

  outcomeChips(entries) {
    const numbers = new Map();
    for (const entry of entries) numbers.set(entry.outcome, (numbers.get(entry.outcome) || 0) + 1);
    const chips = new Map();
    for (const [word, known] of Object.entries(OUTCOMES)) {
      if (!numbers.has(word)) continue;
      const inside = [icon(known.icon), el("span", null, word), el("span.number", null, counted(numbers.get(word)))];
      chips.set(word, el(`button.chip.${known.tone}`, { type: "button", "aria-pressed": "false", onclick: () => this.toggle(word) }, inside));
    }
    return chips;
  }

  toggle(word) {
    const chosen = [...this.outcomes].filter(([, chip]) => chip.getAttribute("aria-pressed") === "true").map(([name]) => name);
    this.change({ outcome: chosen.includes(word) ? chosen.filter((name) => name !== word) : [...chosen, word] });
  }

  /** Shows the state. */
  show(state, note) {
    if (document.activeElement !== this.search) this.search.value = state.text;
    for (const [word, chip] of this.outcomes) chip.setAttribute("aria-pressed", state.outcome.includes(word));
    for (const menu of this.menus) menu.show(state[menu.facet.name]);
    this.clear.classList.toggle("gone", !filtersSet(state));
    this.note.textContent = note;
  }
}

/** A filter of many values: a button that opens a list of boxes to tick. */
class Menu {
  constructor(facet, entries, change) {
    this.facet = facet;
    const numbers = new Map();
    for (const entry of entries) for (const value of facet.of(entry)) numbers.set(value, (numbers.get(value) || 0) + 1);
    const values = [...numbers.keys()].sort((a, b) => (facet.name === "change" ? CHANGES.indexOf(a) - CHANGES.indexOf(b) : a.localeCompare(b)));
    this.useful = values.length > 1 || (values.length === 1 && numbers.get(values[0]) < entries.length);
    this.boxes = new Map();
    this.change = change;
    this.label = el("span", null, facet.title);
    this.list = el("div.menu-list", { role: "group", "aria-label": facet.title });
    this.summary = el("summary", null, this.label, icon("chevron"));
    this.element = el("details.menu", null, this.summary, this.list);
    this.element.addEventListener("toggle", () => this.element.open && this.fillList(values, numbers));
    this.element.addEventListener("keydown", (event) => event.key === "Escape" && this.close(true));
    document.addEventListener("click", (event) => this.element.contains(event.target) || this.close(false));
    this.chosen = [];
  }

  close(focus) {
    if (!this.element.open) return;
    this.element.open = false;
    if (focus) this.summary.focus();
  }

  fillList(values, numbers) {
    if (!this.boxes.size) {
      for (const value of values) {
        const box = el("input", { type: "checkbox", onchange: () => this.ticked() });
        this.boxes.set(value, box);
        this.list.append(el("label", null, box, el("span.value", null, value), el("span.number", null, counted(numbers.get(value)))));
      }
    }
    this.tick();
  }

  ticked() {
    this.change([...this.boxes].filter(([, box]) => box.checked).map(([value]) => value));
  }

  tick() {
    for (const [value, box] of this.boxes) box.checked = this.chosen.includes(value);
  }

  show(chosen) {
    this.chosen = chosen;
    this.tick();
    const said = chosen.length === 1 ? `: ${chosen[0]}` : chosen.length ? `: ${chosen.length}` : "";
    this.label.textContent = this.facet.title + said;
    this.element.classList.toggle("set", chosen.length > 0);
  }
}
