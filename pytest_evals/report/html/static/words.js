// Outcomes and changes as people see them: a word, a shape and, last, a colour.

const OUTCOMES = {
  failed: { icon: "cross", tone: "red", rank: 0 },
  errored: { icon: "bang", tone: "purple", rank: 1 },
  missed: { icon: "ring", tone: "amber", rank: 2 },
  warned: { icon: "triangle", tone: "amber", rank: 3 },
  xpassed: { icon: "check", tone: "amber", rank: 4 },
  xfailed: { icon: "ring", tone: "grey", rank: 5 },
  skipped: { icon: "dash", tone: "grey", rank: 6 },
  scored: { icon: "dot", tone: "blue", rank: 7 },
  passed: { icon: "check", tone: "green", rank: 8 },
};

const CHANGES = ["broken", "errored", "worse", "answered", "fixed", "better", "new", "gone", "same", "left out"];
const CHANGE_TONES = { broken: "red", errored: "purple", worse: "amber", fixed: "green", better: "green", new: "blue" };
const STYLE_TONES = { red: "red", green: "green", yellow: "amber", cyan: "blue" };
const VERDICTS = {
  passed: ["check", "green"],
  failed: ["cross", "red"],
  inconclusive: ["question", "amber"],
  incomplete: ["dash", "amber"],
  unknown: ["question", "amber"],
  held: ["check", "green"],
  broken: ["cross", "red"],
  undecided: ["question", "amber"],
  "not asked": ["dash", "grey"],
};
const SIGNS = { "✓": ["check", "green", "reached"], "✗": ["cross", "red", "missed"] };
const OTHER_SIGNS = { "!": ["bang", "purple", "not scored"], "·": ["dot", "grey", "no verdict"] };

/** A word with the shape and colour of its outcome. */
function outcomeBadge(word) {
  const known = OUTCOMES[word] || { icon: "dot", tone: "grey" };
  return el(`span.badge.${known.tone}`, null, icon(known.icon), el("span", null, word));
}

/** A word with the shape and colour of a verdict. */
function verdictBadge(word) {
  const [shape, tone] = VERDICTS[word] || ["dot", "grey"];
  return el(`span.badge.${tone}`, null, icon(shape), el("span", null, word));
}

/** Whether a criterion was reached. */
function signBadge(sign) {
  const [shape, tone, said] = SIGNS[sign] || OTHER_SIGNS[sign] || OTHER_SIGNS["·"];
  return el(`span.sign.${tone}`, { title: said }, icon(shape), el("span.offscreen", null, said));
}

/** A number with its thousands apart. */
function counted(number) {
  return number.toLocaleString("en-US");
}

/** "1 case", "10,000 cases". */
function countedNoun(number, noun) {
  return `${counted(number)} ${noun}${number === 1 ? "" : "s"}`;
}
