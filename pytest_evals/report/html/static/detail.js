// An open case: input, expected text and answer with their difference, criteria, trials, attempts, tool calls.

const ALIKE = 0.25; // less alike texts have a difference that is longer than both

/** Everything known about a case. */
function caseDetail(entry, detail) {
  const holder = el("div.trial");
  const trials = detail.trials || [];
  const show = (number) => {
    holder.replaceChildren(...trialParts(entry, detail, trials[number]));
    tabs.forEach((tab, n) => tab.setAttribute("aria-pressed", n === number));
  };
  const tabs = trials.length > 1 || detail.trials_said ? trials.map((trial, n) => trialTab(trial, n, () => show(n))) : [];
  const list = tabs.length
    ? el("section.block", null, el("h3", null, "Trials"), el("p.muted", null, trialsSaid(detail)), el("div.chips", { role: "group", "aria-label": "Trials" }, tabs))
    : null;
  if (trials.length) show(detail.shown);
  else holder.append(...trialParts(entry, detail, null));
  return el("article.case", { "aria-label": entry.key }, caseHead(entry, detail), list, holder, logs(detail.logs), more("Metadata of the case", detail.metadata));
}

function trialsSaid(detail) {
  const left = detail.trials_left;
  const saved = left ? `; ${countedNoun(left, "trial")} not asked: nothing they said could change the decision` : "";
  return (detail.trials_said || countedNoun(detail.trials.length, "trial")) + saved;
}

function trialTab(trial, number, show) {
  const known = OUTCOMES[trial.outcome] || OUTCOMES.scored;
  const inside = [icon(known.icon), el("span", null, `${number + 1} ${trial.outcome}`), el("span.number", null, trial.score)];
  return el(`button.chip.${known.tone}`, { type: "button", onclick: show, title: trial.why || "" }, inside);
}

function caseHead(entry, detail) {
  const facts = [
    ["why", entry.why],
    ["name", entry.name],
    ["source", detail.source],
    ["target", detail.target],
    ["experiment", detail.experiment],
    ["category", entry.category],
    ["tags", (entry.tags || []).join(", ")],
    ["xfail", wholeText(detail.xfail)],
    ["skipped", wholeText(detail.skip_reason)],
    ["score", detail.weighted],
  ].filter(([, text]) => text);
  const list = el("dl.facts-list", null, facts.map(([name, text]) => el("div", null, el("dt", null, name), el("dd", null, text))));
  const buttons = [];
  if (detail.brief) buttons.push(copyButton("Copy brief", detail.brief));
  if (detail.command) buttons.push(copyButton("Copy command", detail.command));
  return el("header.case-head", null, list, buttons.length ? el("div.buttons", null, buttons) : null);
}

function copyButton(label, text) {
  const button = el("button.plain", { type: "button" }, icon("copy"), el("span", { "aria-live": "polite" }, label));
  button.addEventListener("click", () => copyText(wholeText(text), button));
  return button;
}

function trialParts(entry, detail, trial) {
  const output = trial ? trial.output : null;
  const parts = [el("div.pair", null, textBlock("Input", detail.input), detail.context ? textBlock("Context", detail.context) : null)];
  parts.push(answerBlocks(detail, output, trial));
  if (detail.baseline) parts.push(baselineBlock(detail.baseline, output));
  const error = (trial && trial.error) || detail.error;
  if (error) parts.push(errorBlock(error));
  if (trial && trial.criteria && trial.criteria.length) parts.push(criteriaBlock(trial.criteria));
  if (trial && trial.tool_calls) parts.push(toolCalls(trial.tool_calls));
  for (const made of (trial && trial.trajectories) || []) parts.push(tableBlock(made));
  if (trial) parts.push(measures(trial));
  if (trial) parts.push(more("Metadata of the answer", trial.metadata));
  return parts.filter(Boolean);
}

function answerBlocks(detail, output, trial) {
  const answer = textBlock("Answer", output ?? null, trial && !trial.error ? "" : "no answer");
  const references = (detail.references || []).map((text, n) => textBlock(`Reference ${n + 1}`, text));
  const expected = detail.expected === undefined ? null : textBlock("Expected", detail.expected);
  const blocks = el("div.pair", null, expected, answer, references);
  const difference = differenceBlock("Expected → answer", detail.expected, output);
  return el("div", null, blocks, difference);
}

/** The difference of two texts, where it says more than the two side by side. */
function differenceBlock(title, before, after) {
  const [a, b] = [wholeText(before), wholeText(after)];
  if (!a || !b || a === b) return null;
  const { steps, alike } = wordDiff(a, b);
  if (alike < ALIKE) return null;
  const legend = el("span.muted", null, el("del", null, "gone"), " ", el("ins", null, "new"));
  return el("section.block.difference", null, el("h3", null, title, " ", legend), scrolling(title, diffElement(steps)));
}

function baselineBlock(baseline, output) {
  const said = [baseline.change, baseline.before && `was ${baseline.before}`, ...(baseline.flags || [])].filter(Boolean).join(", ");
  const parts = [el("h3", null, "Since the baseline"), el("p", null, el("span", { class: CHANGE_TONES[baseline.change] || "" }, said)), baseline.why ? el("p.muted", null, baseline.why) : null];
  if (baseline.answer) {
    const difference = differenceBlock("Baseline's answer → answer", baseline.answer, output);
    parts.push(difference || textBlock("Baseline's answer", baseline.answer));
  }
  return el("section.block", null, parts);
}

function criteriaBlock(criteria) {
  const rows = criteria.map((criterion) => {
    const extra = criterion.detail ? more("measured", criterion.detail) : null;
    const trace = criterion.error && criterion.error.detail ? more("traceback", criterion.error.detail) : null;
    const name = [criterion.name, criterion.scorer ? el("span.muted", null, ` by ${criterion.scorer}`) : null];
    return el(
      "tr",
      null,
      el("td.tight", null, signBadge(criterion.sign)),
      el("th", { scope: "row" }, name),
      el("td.right.tight", null, criterion.standing),
      el("td.reason", null, criterion.reason || "", extra, trace),
    );
  });
  const heads = ["", "criterion", "score", "reason"].map((head, n) => el("th", { scope: "col", class: n === 2 ? "right" : "" }, head || el("span.offscreen", null, "reached")));
  const table = el("table.figures.criteria", null, el("thead", null, el("tr", null, heads)), el("tbody", null, rows));
  return el("section.block", null, el("h3", null, "Criteria"), el("div.scroll", null, table));
}

function errorBlock(error) {
  const trace = error.detail ? scrolling("Traceback", el("pre.text", null, wholeText(error.detail))) : null;
  return el("section.block.error", null, el("h3", null, `Error (${error.kind})`), el("p", null, error.message), trace);
}

function toolCalls(calls) {
  const items = calls.map((call) => el("li", null, el("code", null, call.name), call.args ? el("pre.text", null, wholeText(call.args)) : null));
  return el("section.block", null, el("h3", null, countedNoun(calls.length, "tool call")), el("ol.calls", null, items));
}

function tableBlock(made) {
  return el("section.block", null, el("h3", null, made.title), figureTable(made), made.note ? el("p.muted", null, made.note) : null);
}

function measures(trial) {
  const facts = [
    ["latency", trial.latency],
    ["scoring", trial.scoring],
    ["tokens in", trial.tokens_in],
    ["tokens out", trial.tokens_out],
    ["cached tokens", trial.tokens_cached],
    ["cost", trial.cost],
    ["conversation", trial.session_id],
  ].filter(([, text]) => text && text !== "–");
  const list = facts.length ? el("dl.facts-list", null, facts.map(([name, text]) => el("div", null, el("dt", null, name), el("dd", null, text)))) : null;
  const attempts = trial.attempts || [];
  const table = attempts.length > 1 ? attemptsTable(attempts) : null;
  return list || table ? el("section.block", null, el("h3", null, "Measured"), list, table) : null;
}

function attemptsTable(attempts) {
  const made = {
    title: "Attempts",
    heads: [["attempt", false], ["latency", true], ["waited", true], ["what came", false]],
    rows: attempts.map((attempt, n) => ({ cells: [[String(n + 1), ""], [attempt.latency, ""], [attempt.queue, ""], [attempt.said, ""]] })),
  };
  return figureTable(made);
}

/** What the case printed and logged. */
function logs(streams) {
  return (streams || []).map(([stream, text]) => more(stream === "log" ? "Log" : `Printed (${stream})`, text));
}

/** A titled text; what was cut says so. */
function textBlock(title, text, empty) {
  const whole = wholeText(text);
  const left = Array.isArray(text) ? el("p.muted", null, `${text[1]} more characters are not in this report`) : null;
  const none = whole === "" ? "(empty)" : empty || "(none)";
  const inside = whole ? scrolling(title, el("div.text", null, whole)) : el("p.muted", null, none);
  return el("section.block", null, el("h3", null, title), inside, left);
}

/** A box that scrolls by keyboard, too. */
function scrolling(label, inside) {
  return el("div.box", { tabindex: "0", role: "region", "aria-label": label }, inside);
}

function more(title, text) {
  if (!text) return null;
  return el("details.more", null, el("summary", null, title), el("pre.text", null, wholeText(text)));
}
