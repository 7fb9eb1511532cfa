// The state of the page in the part of its address after "#": the view, the filters, the order, the open cases.

const LISTS = ["outcome", "suite", "category", "tag", "variant", "criterion", "change", "open"];
const VIEWS = ["overview", "cases", "variants"];

/** "#cases?outcome=failed&sort=-latency" as {view, outcome: ["failed"], …, sort, text}. */
function readAddress(hash) {
  const [view, query] = splitOnce(hash.replace(/^#/, ""), "?");
  const params = new URLSearchParams(query);
  const state = { view: VIEWS.includes(view) ? view : "overview", text: params.get("text") || "", sort: params.get("sort") || "" };
  state.differing = params.get("differing") !== "no";
  for (const name of LISTS) state[name] = params.getAll(name);
  return state;
}

/** The other way round; what is empty is left out. */
function writeAddress(state) {
  const params = new URLSearchParams();
  for (const name of LISTS) for (const value of state[name] || []) params.append(name, value);
  if (state.text) params.set("text", state.text);
  if (state.sort) params.set("sort", state.sort);
  if (state.differing === false) params.set("differing", "no");
  const query = params.toString();
  return `#${state.view}${query ? `?${query}` : ""}`;
}

/** A link to the cases with these filters. */
function linkToCases(filters) {
  return writeAddress({ view: "cases", ...filters });
}

function splitOnce(text, mark) {
  const at = text.indexOf(mark);
  return at < 0 ? [text, ""] : [text.slice(0, at), text.slice(at + 1)];
}
