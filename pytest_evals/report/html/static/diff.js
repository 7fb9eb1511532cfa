// The difference of two texts, word by word (Myers, "An O(ND) difference algorithm", 1986).

const MOST_WORDS = 6000;
const MOST_CHANGES = 1500;

/** Words, white space and punctuation, each a part. */
function wordsOf(text) {
  return text.match(/\s+|[\p{L}\p{N}_]+|[^\s\p{L}\p{N}_]/gu) || [];
}

/** Steps from one text to the other: [["same" | "gone" | "new", text], …], and how alike they are from 0 to 1. */
function wordDiff(before, after) {
  const a = wordsOf(before);
  const b = wordsOf(after);
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start++;
  let end = 0;
  while (end < a.length - start && end < b.length - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end++;
  const middle = shortest(a.slice(start, a.length - end), b.slice(start, b.length - end));
  const steps = [];
  push(steps, "same", a.slice(0, start));
  for (const [kind, word] of middle) push(steps, kind, [word]);
  push(steps, "same", a.slice(a.length - end));
  const letters = (text) => text.replace(/\s+/g, "").length;
  const size = letters(before) + letters(after);
  const kept = steps.reduce((sum, [kind, text]) => (kind === "same" ? sum + letters(text) : sum), 0);
  return { steps: tidied(steps), alike: size ? (2 * kept) / size : 1 };
}

function push(steps, kind, words) {
  if (!words.length) return;
  const last = steps[steps.length - 1];
  if (last && last[0] === kind) last[1] += words.join("");
  else steps.push([kind, words.join("")]);
}

/** The shortest list of steps; when it would be too long to find or to read, all is gone and all is new. */
function shortest(a, b) {
  const all = [...a.map((word) => ["gone", word]), ...b.map((word) => ["new", word])];
  if (!a.length || !b.length || a.length > MOST_WORDS || b.length > MOST_WORDS) return all;
  const most = Math.min(a.length + b.length, MOST_CHANGES);
  const furthest = new Int32Array(2 * most + 2);
  const trace = [];
  for (let d = 0; d <= most; d++) {
    trace.push(furthest.slice(most - d, most + d + 2));
    for (let k = -d; k <= d; k += 2) {
      const down = k === -d || (k !== d && furthest[most + k - 1] < furthest[most + k + 1]);
      let x = down ? furthest[most + k + 1] : furthest[most + k - 1] + 1;
      while (x < a.length && x - k < b.length && a[x] === b[x - k]) x++;
      furthest[most + k] = x;
      if (x >= a.length && x - k >= b.length) return walkBack(trace, a, b, d);
    }
  }
  return all;
}

function walkBack(trace, a, b, changes) {
  const steps = [];
  let x = a.length;
  let y = b.length;
  for (let d = changes; d >= 0; d--) {
    const at = (k) => trace[d][k + d];
    const k = x - y;
    const down = k === -d || (k !== d && at(k - 1) < at(k + 1));
    const from = down ? k + 1 : k - 1;
    const fromX = d === 0 ? 0 : at(from);
    const fromY = d === 0 ? 0 : fromX - from;
    while (x > fromX && y > fromY) {
      steps.push(["same", a[--x]]);
      y--;
    }
    if (d > 0 && x === fromX && y > fromY) steps.push(["new", b[--y]]);
    else if (d > 0 && x > fromX) steps.push(["gone", a[--x]]);
  }
  return steps.reverse();
}

/** White space alone between changes joins them, and what is gone comes before what is new. */
function tidied(steps) {
  const joined = [];
  let gone = "";
  let fresh = "";
  const flush = () => {
    if (gone) joined.push(["gone", gone]);
    if (fresh) joined.push(["new", fresh]);
    gone = fresh = "";
  };
  steps.forEach(([kind, text], n) => {
    const between = kind === "same" && !text.trim() && (gone || fresh) && n < steps.length - 1;
    if (kind === "gone" || between) gone += text;
    if (kind === "new" || between) fresh += text;
    if (kind === "same" && !between) {
      flush();
      joined.push([kind, text]);
    }
  });
  flush();
  return joined;
}

/** The steps as elements: what is gone is struck through, what is new underlined. */
function diffElement(steps) {
  const tags = { gone: "del", new: "ins" };
  return el("div.text.diff", null, steps.map(([kind, text]) => (tags[kind] ? el(tags[kind], null, text) : text)));
}
