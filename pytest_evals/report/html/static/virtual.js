// A list of any length, of which only what is on the screen is in the page. Rows have one height; open ones are taller.

const BEYOND = 600; // pixels above and below the screen that are kept ready

class VirtualList {
  /**
   * `row(item, number)` makes the line of an item, with one element `.toggle` in it; `inside(item)` what an open item
   * shows beneath, now or later. `opened(keys)` is told when somebody opens or closes one.
   */
  constructor({ row, inside, opened, label }) {
    this.makeRow = row;
    this.makeInside = inside;
    this.opened = opened;
    this.items = [];
    this.open = new Map(); // key of an item -> height of what it shows, in pixels
    this.nodes = new Map(); // number of an item -> its element
    this.element = el("div.virtual", { role: "rowgroup", "aria-label": label });
    this.sizes = new ResizeObserver((changes) => this.measured(changes));
    const draw = () => this.soon();
    window.addEventListener("scroll", draw, { passive: true });
    window.addEventListener("resize", draw);
    this.element.addEventListener("keydown", (event) => this.key(event));
    this.element.addEventListener("click", (event) => this.click(event));
  }

  /** Shows these items; those whose keys are in `open` are open. */
  show(items, open) {
    this.items = items;
    const heights = this.open;
    this.open = new Map(open.map((key) => [key, heights.get(key) || 0]));
    for (const node of this.nodes.values()) this.remove(node);
    this.nodes.clear();
    this.draw();
  }

  soon() {
    if (this.pending || this.element.offsetParent === null) return;
    this.pending = requestAnimationFrame(() => {
      this.pending = 0;
      this.draw();
    });
  }

  rowHeight() {
    return parseFloat(getComputedStyle(this.element).getPropertyValue("--row")) || 40;
  }

  /** The numbers of open items with the height they add, in order. */
  tall() {
    const found = [];
    if (this.open.size) {
      this.items.forEach((item, number) => this.open.has(item.key) && found.push([number, this.open.get(item.key)]));
    }
    return found;
  }

  draw() {
    const row = this.rowHeight();
    const tall = this.tall();
    const top = (number) => tall.reduce((sum, [at, height]) => (at < number ? sum + height : sum), number * row);
    this.top = top;
    this.element.style.height = `${top(this.items.length)}px`;
    const box = this.element.getBoundingClientRect();
    const first = this.at(top, -box.top - BEYOND);
    const last = this.printing ? this.items.length - 1 : this.at(top, window.innerHeight - box.top + BEYOND);
    const focused = [...this.nodes].find(([, node]) => node.contains(document.activeElement));
    for (const [number, node] of this.nodes) {
      if ((number < first || number > last) && !(focused && focused[0] === number)) {
        this.remove(node);
        this.nodes.delete(number);
      }
    }
    let next = null;
    for (let number = Math.min(last, this.items.length - 1); number >= Math.max(first, 0); number--) {
      const node = this.nodes.get(number) || this.make(number);
      node.style.transform = `translateY(${top(number)}px)`;
      if (!node.isConnected || (next && node.nextSibling !== next)) this.element.insertBefore(node, next);
      next = node;
    }
  }

  /** The number of the item at a height of the list. */
  at(top, y) {
    let low = 0;
    let high = this.items.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (top(middle) <= y) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  make(number) {
    const item = this.items[number];
    const line = this.makeRow(item, number);
    line.setAttribute("role", "row");
    line.setAttribute("aria-rowindex", number + 2);
    const node = el("div.virtual-row", { role: "presentation" }, line);
    node.number = number;
    this.nodes.set(number, node);
    if (this.open.has(item.key)) this.unfold(node, item);
    else line.querySelector(".toggle").setAttribute("aria-expanded", "false");
    return node;
  }

  remove(node) {
    if (node.inside) this.sizes.unobserve(node.inside);
    node.remove();
  }

  unfold(node, item) {
    node.classList.add("open");
    node.querySelector(".toggle").setAttribute("aria-expanded", "true");
    node.inside = el("div.inside", { role: "row" });
    const height = this.open.get(item.key);
    const cell = el("div", { role: "cell" }, el("p.muted", null, "unpacking …"));
    if (height) node.inside.style.minHeight = `${height}px`; // no jump while it is made again
    node.inside.append(cell);
    node.append(node.inside);
    this.sizes.observe(node.inside);
    const inside = node.inside;
    this.makeInside(item).then((made) => {
      cell.replaceChildren(made);
      inside.style.minHeight = "";
    });
  }

  measured(changes) {
    let changed = false;
    for (const change of changes) {
      const node = change.target.parentNode;
      const item = node && this.items[node.number];
      const height = Math.ceil(change.target.getBoundingClientRect().height);
      if (!item || !height || this.open.get(item.key) === height || !this.open.has(item.key)) continue;
      this.open.set(item.key, height);
      changed = true;
    }
    if (changed) this.draw();
  }

  click(event) {
    const line = event.target.closest("[aria-rowindex]");
    if (!line || event.target.closest("a, input, select")) return;
    const button = event.target.closest("button");
    if (button && !button.classList.contains("toggle")) return;
    if (!button && String(getSelection())) return; // somebody marks text
    this.toggle(line.parentNode);
  }

  toggle(node) {
    const item = this.items[node.number];
    if (this.open.has(item.key)) {
      this.open.delete(item.key);
      node.classList.remove("open");
      node.querySelector(".toggle").setAttribute("aria-expanded", "false");
      this.sizes.unobserve(node.inside);
      node.inside.remove();
      node.inside = null;
    } else {
      this.open.set(item.key, 0);
      this.unfold(node, item);
    }
    this.draw();
    this.opened([...this.open.keys()]);
  }

  key(event) {
    if (!event.target.classList.contains("toggle") || event.ctrlKey || event.metaKey || event.altKey) return;
    const number = event.target.closest(".virtual-row").number;
    const page = Math.max(1, Math.floor(window.innerHeight / this.rowHeight()) - 4);
    const last = this.items.length - 1;
    const moves = { ArrowDown: number + 1, ArrowUp: number - 1, PageDown: number + page, PageUp: number - page, Home: 0, End: last };
    if (!(event.key in moves)) return;
    event.preventDefault();
    this.focus(Math.min(Math.max(moves[event.key], 0), last));
  }

  /** Puts an item on the screen and the focus on it. */
  focus(number) {
    const box = this.element.getBoundingClientRect();
    const y = box.top + this.top(number);
    const head = parseFloat(getComputedStyle(this.element).scrollMarginTop) || 0;
    if (y < head + 8) window.scrollBy(0, y - head - 8);
    else if (y + this.rowHeight() > window.innerHeight - 8) window.scrollBy(0, y + this.rowHeight() - window.innerHeight + 8);
    this.draw();
    this.nodes.get(number).querySelector(".toggle").focus({ preventScroll: true });
  }
}
