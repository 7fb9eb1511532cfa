// Elements. Text from cases becomes text nodes and attribute values, never markup.

const SVG = "http://www.w3.org/2000/svg";

/** An element: el("div.note", {title: "x", onclick: f}, "text", child). Nothing, false and null are left out. */
function el(name, props, ...children) {
  const [tag, ...classes] = name.split(".");
  return fill(document.createElement(tag), classes, props, children);
}

/** The same for SVG. */
function svg(name, props, ...children) {
  const [tag, ...classes] = name.split(".");
  return fill(document.createElementNS(SVG, tag), classes, props, children);
}

function fill(node, classes, props, children) {
  if (classes.length) node.classList.add(...classes);
  for (const [key, value] of Object.entries(props || {})) {
    if (value === null || value === undefined || value === false) continue;
    if (key.startsWith("on")) node.addEventListener(key.slice(2), value);
    else if (key === "style") for (const [name, part] of Object.entries(value)) node.style.setProperty(name, part);
    else if (key === "class") node.classList.add(...value.split(" ").filter(Boolean));
    else node.setAttribute(key, value === true ? "" : value);
  }
  node.append(...children.flat(2).filter((child) => child !== null && child !== undefined && child !== false));
  return node;
}

const SHAPES = {
  check: "M3.5 8.5l3 3 6-7",
  cross: "M4 4l8 8M12 4l-8 8",
  triangle: "M8 2.8L14 13.2H2zM8 6.8v3M8 11.6v.2",
  bang: "M8 3v6.4M8 12.4v.2",
  dash: "M3.5 8h9",
  dot: "M8 7.4a.6.6 0 1 0 .01 0M8 7.9v.2",
  ring: "M8 3.2a4.8 4.8 0 1 0 .01 0M6.2 6.2l3.6 3.6M9.8 6.2l-3.6 3.6",
  question: "M5.8 6.2a2.2 2.2 0 1 1 3 2c-.6.3-.8.6-.8 1.4M8 12.4v.2",
  chevron: "M6 3.5l4.5 4.5-4.5 4.5",
  copy: "M5.5 5.5h7v8h-7zM3.5 10.5v-8h7",
  search: "M7 3a4 4 0 1 0 .01 0M10 10l3.5 3.5",
  sun: "M8 5.2a2.8 2.8 0 1 0 .01 0M8 1.5v1.2M8 13.3v1.2M1.5 8h1.2M13.3 8h1.2M3.4 3.4l.8.8M11.8 11.8l.8.8M3.4 12.6l.8-.8M11.8 4.2l.8-.8",
  printer: "M4.5 6V2.5h7V6M4.5 11.5h-2V6h11v5.5h-2M4.5 9.5h7v4h-7z",
  up: "M8 12.5v-9M4.5 7L8 3.5 11.5 7",
  down: "M8 3.5v9M4.5 9L8 12.5 11.5 9",
};

/** A line drawing of 16 by 16; it only repeats what words beside it say. */
function icon(name) {
  const shape = svg("path", { d: SHAPES[name] });
  return svg("svg.icon", { viewBox: "0 0 16 16", "aria-hidden": "true", focusable: "false" }, shape);
}

/** Puts text on the clipboard and says so on the button for a moment. */
async function copyText(text, button) {
  let done = false;
  try {
    await navigator.clipboard.writeText(text);
    done = true;
  } catch {
    const area = el("textarea.offscreen", { "aria-hidden": "true", tabindex: "-1" });
    area.value = text;
    document.body.append(area);
    area.select();
    done = document.execCommand("copy");
    area.remove();
    button.focus();
  }
  const label = button.querySelector("span");
  const said = button.dataset.label || label.textContent;
  button.dataset.label = said;
  label.textContent = done ? "copied" : "not allowed";
  clearTimeout(button.restoring);
  button.restoring = setTimeout(() => (label.textContent = said), 1600);
}

/** Calls once when a burst of calls has ended. */
function debounced(call, ms) {
  let timer = 0;
  return (...given) => {
    clearTimeout(timer);
    timer = setTimeout(() => call(...given), ms);
  };
}
