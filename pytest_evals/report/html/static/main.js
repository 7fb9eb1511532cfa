// Puts the views together, and keeps them and the address of the page the same.

const PRINTED = 1000; // cases on paper; more are counted

function start() {
  const page = JSON.parse(document.getElementById("page").textContent);
  const app = document.getElementById("app");
  const views = { overview: el("main.view.overview", { id: "overview", tabindex: "-1" }, overview(page, linkToCases)) };
  const links = { overview: el("a", { href: "#overview" }, "Overview"), cases: el("a", { href: "#cases" }, "Cases") };
  const nav = el("nav", { "aria-label": "Views" }, Object.values(links));
  const tools = el("div.tools", null, themeButton(), el("button.plain.tool", { type: "button", onclick: () => print(), title: "Print" }, icon("printer"), el("span.offscreen", null, "Print")));
  app.append(
    el("a.skip", { href: "#cases" }, "Skip to the cases"),
    el("header.bar", null, el("div.bar-inside", null, el("h1", null, page.title), verdictBadge(page.verdict.word), nav, tools)),
    views.overview,
  );
  let tables = null;
  let state = readAddress(location.hash);

  const show = () => {
    const known = views[state.view] ? state.view : tables ? "overview" : state.view;
    for (const [name, view] of Object.entries(views)) view.hidden = name !== known;
    for (const [name, link] of Object.entries(links)) {
      if (name === known) link.setAttribute("aria-current", "page");
      else link.removeAttribute("aria-current");
    }
    if (tables && tables[known]) tables[known].show(state);
  };
  const change = (part, quiet) => {
    state = { ...state, ...part };
    history.replaceState(null, "", writeAddress(state));
    if (!quiet) show();
  };
  window.addEventListener("hashchange", () => {
    const before = state.view;
    state = readAddress(location.hash);
    show();
    if (state.view !== before) window.scrollTo(0, 0);
  });
  document.addEventListener("keydown", (event) => searchKey(event, () => state.view === "cases" || (location.hash = "#cases")));
  show();
  // the data comes after this script in the file
  document.addEventListener("DOMContentLoaded", async () => {
    const cases = new Cases(await unpack("index"));
    tables = { cases: new CaseTable(cases, change) };
    links.cases.append(el("span.number", null, counted(cases.entries.length)));
    if (cases.entries.some((entry) => entry.variant_id)) {
      tables.variants = new VariantTable(cases, change);
      links.variants = el("a", { href: "#variants" }, "Variants");
      nav.append(links.variants);
    }
    for (const [name, table] of Object.entries(tables)) {
      views[name] = table.element;
      app.append(table.element);
    }
    show();
    preparePrinting(tables.cases, views, () => state, show);
    document.documentElement.dataset.ready = "yes";
  });
}

/** "/" goes to the search, as in many tools. */
function searchKey(event, goThere) {
  const typing = event.target.closest("input, textarea, select, [contenteditable]");
  if (event.key !== "/" || typing || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  goThere();
  requestAnimationFrame(() => document.getElementById("search")?.focus());
}

/** On paper stand the overview and the cases that the filters leave. */
function preparePrinting(table, views, state, show) {
  window.addEventListener("beforeprint", () => {
    const found = sorted(filtered(table.cases.entries, state()), table.columns, state().sort);
    const left = found.length - PRINTED;
    table.printed.textContent = left > 0 ? `and ${counted(left)} more cases: filter to print others` : "";
    for (const [name, view] of Object.entries(views)) view.hidden = name === "variants";
    table.list.printing = true;
    table.list.show(found.slice(0, PRINTED), state().open);
  });
  window.addEventListener("afterprint", () => {
    table.list.printing = false;
    show();
  });
}

function themeButton() {
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const root = document.documentElement;
  const remembered = () => {
    try {
      return localStorage.getItem("pytest-evals-theme");
    } catch {
      return null; // pages from a file have no storage in some browsers
    }
  };
  const button = el("button.plain.tool", { type: "button", title: "Light or dark" }, icon("sun"), el("span.offscreen", null, "Dark theme"));
  const shown = () => root.dataset.theme || (dark.matches ? "dark" : "light");
  const use = (theme) => {
    if (theme) root.dataset.theme = theme;
    button.setAttribute("aria-pressed", shown() === "dark");
  };
  button.addEventListener("click", () => {
    use(shown() === "dark" ? "light" : "dark");
    try {
      localStorage.setItem("pytest-evals-theme", root.dataset.theme);
    } catch {
      // it then lasts as long as the page
    }
  });
  dark.addEventListener("change", () => use(""));
  use(remembered());
  return button;
}

start();
