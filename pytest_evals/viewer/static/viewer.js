// Light or dark as chosen before; lists that narrow as soon as something is chosen.

const root = document.documentElement;
const kept = (() => {
  try {
    return localStorage;
  } catch {
    return null;
  }
})();
const chosen = kept && kept.getItem("theme");
if (chosen === "light" || chosen === "dark") root.dataset.theme = chosen;

document.getElementById("theme").addEventListener("click", () => {
  const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = dark ? "light" : "dark";
  if (kept) kept.setItem("theme", root.dataset.theme);
});

for (const form of document.querySelectorAll("form.filter-row")) {
  form.addEventListener("change", (event) => {
    if (event.target.matches("select")) form.requestSubmit();
  });
  // an address without the parameters that were left empty
  form.addEventListener("formdata", (event) => {
    for (const [name, value] of [...event.formData.entries()]) if (!value) event.formData.delete(name);
  });
}

// a page about what still changes is read again when the server says that something has
const main = document.getElementById("main");
if ("live" in main.dataset) {
  let waiting = false;
  let again = false;
  const refresh = async () => {
    if (waiting) {
      again = true;
      return;
    }
    waiting = true;
    try {
      const answer = await fetch(location.href, { cache: "no-store" });
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      const fresh = page.getElementById("main");
      if (answer.ok && fresh && !main.contains(document.activeElement)) replace(fresh);
      else if (answer.ok && fresh) main.addEventListener("focusout", () => replace(fresh), { once: true });
    } catch {
      // the server has ended: what is shown stays
    }
    setTimeout(() => {
      waiting = false;
      if (again) {
        again = false;
        refresh();
      }
    }, 500);
  };
  const replace = (fresh) => {
    const open = [...main.querySelectorAll("details")].map((details) => details.open);
    main.replaceChildren(...fresh.childNodes);
    main.dataset.version = fresh.dataset.version;
    if ("live" in fresh.dataset === false) delete main.dataset.live;
    [...main.querySelectorAll("details")].forEach((details, n) => {
      if (open[n] !== undefined) details.open = open[n];
    });
  };
  const events = new EventSource(main.dataset.events);
  const heard = (event) => {
    if (String(JSON.parse(event.data).version) !== main.dataset.version) refresh();
  };
  events.addEventListener("hello", heard);
  events.addEventListener("changed", heard);
  addEventListener("pagehide", () => events.close());
}

// the steps of a trajectory: those that mention a text, all of them open or closed
const find = document.getElementById("find-step");
if (find) {
  const steps = [...document.querySelectorAll("#main > .steps > .step")];
  const details = (step) => step.querySelectorAll("details");
  const search = () => {
    const text = find.value.trim().toLowerCase();
    let shown = 0;
    for (const step of steps) {
      step.hidden = text !== "" && !step.textContent.toLowerCase().includes(text);
      shown += !step.hidden;
    }
    document.getElementById("found").textContent = text ? `${shown} of ${steps.length} steps` : "";
  };
  find.addEventListener("input", search);
  for (const [id, open] of [["open-all", true], ["close-all", false]]) {
    document.getElementById(id).addEventListener("click", () => {
      for (const step of steps) for (const one of details(step)) one.open = open;
    });
  }
}
