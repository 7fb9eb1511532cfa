// The packed data of the page: an index of all cases, and blocks of details that are unpacked when asked for.

/** The JSON value in the packed script element with this id. */
async function unpack(id) {
  const bytes = fromBase64(document.getElementById(id).textContent);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return JSON.parse(await new Response(stream).text());
}

function fromBase64(text) {
  if (Uint8Array.fromBase64) return Uint8Array.fromBase64(text);
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let n = 0; n < binary.length; n++) bytes[n] = binary.charCodeAt(n);
  return bytes;
}

/** All cases; details are read block by block. */
class Cases {
  constructor(index) {
    this.entries = index.cases;
    this.entries.forEach((entry, order) => {
      entry.order = order;
      entry.key = `${entry.suite}::${entry.id}${entry.variant ? `[${entry.variant}]` : ""}`;
      entry.plain = [entry.key, entry.name, entry.category, entry.why, ...(entry.tags || [])].join("\n").toLowerCase();
    });
    this.blocks = new Map();
    this.whole = false;
  }

  /** What is shown when a case is opened. */
  async detail(entry) {
    const [block, at] = entry.at;
    return (await this.block(block))[at];
  }

  block(number) {
    if (!this.blocks.has(number)) this.blocks.set(number, unpack(`block-${number}`));
    return this.blocks.get(number);
  }

  /** Makes the texts of all cases searchable; calls between with the share that is done. */
  async readTexts(between) {
    if (this.whole) return;
    const last = this.entries.reduce((most, entry) => Math.max(most, entry.at[0]), -1);
    const groups = Array.from({ length: last + 1 }, () => []);
    for (const entry of this.entries) groups[entry.at[0]].push(entry);
    for (let number = 0; number <= last; number++) {
      const values = await (this.blocks.get(number) || unpack(`block-${number}`));
      for (const entry of groups[number]) entry.texts ??= searchable(values[entry.at[1]]);
      if (number % 8 === 7) between((number + 1) / (last + 1));
    }
    this.whole = true;
  }
}

/** Input, expected text and answers of a case, in lower case. */
function searchable(detail) {
  const texts = [detail.input, detail.context, detail.expected, ...(detail.references || [])];
  for (const trial of detail.trials || []) {
    texts.push(trial.output, ...(trial.criteria || []).map((criterion) => criterion.reason));
  }
  return texts.filter(Boolean).map(wholeText).join("\n").toLowerCase();
}

/** A text, whether it was cut or not. */
function wholeText(text) {
  return Array.isArray(text) ? text[0] : text;
}
