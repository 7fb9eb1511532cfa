"""The viewer in a real browser: no page may cause a message in the console, or a request elsewhere."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import pytest
from factories import result
from histories import history, record, start
from viewer_records import record_small

uvicorn = pytest.importorskip("uvicorn", reason="needs the extra: pip install 'pytest-evals-suite[view]'")
pytest.importorskip("starlette", reason="needs the extra: pip install 'pytest-evals-suite[view]'")

from pytest_evals.experiments import Trajectory
from pytest_evals.experiments import start as start_run
from pytest_evals.model.codec import result_to_json
from pytest_evals.model.run import SuiteCount
from pytest_evals.viewer.app import make_app
from pytest_evals.viewer.serve import _listen
from pytest_evals.viewer.source import Source
from pytest_evals.workflow.history import suite_facts


@contextmanager
def served(source: Source) -> Iterator[str]:
    """The viewer on a free port, in a thread of its own."""
    listening = _listen("127.0.0.1", 0)
    server = uvicorn.Server(uvicorn.Config(make_app(source), log_level="error", timeout_graceful_shutdown=1))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
    thread.start()
    try:
        yield f"http://127.0.0.1:{listening.getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join()
        listening.close()
        source.live.close()


@dataclass
class Visit:
    """A page of the viewer."""

    page: Any
    base: str
    console: list[str] = field(default_factory=list)
    foreign: list[str] = field(default_factory=list)

    def open(self, path: str) -> Any:
        self.page.goto(self.base + path)
        return self.page

    def outcomes(self) -> list[str]:
        return self.page.locator("#cases tbody .badge:first-child").all_inner_texts()

    def ids(self) -> list[str]:
        return self.page.locator("#cases tbody th a").all_inner_texts()


@pytest.fixture
def source(tmp_path) -> Source:
    location = history(tmp_path)
    return Source(location, tmp_path / ".evals" / "atif", author="Ada")


@pytest.fixture
def visit(browser, source) -> Iterator[Visit]:
    with served(source) as base:
        context = browser.new_context(viewport={"width": 1280, "height": 900})
        page = context.new_page()
        page.set_default_timeout(10_000)
        made = Visit(page, base)
        page.on("console", lambda message: made.console.append(message.text))
        page.on("pageerror", lambda error: made.console.append(str(error)))
        page.on("dialog", lambda dialog: (made.console.append(dialog.message), dialog.dismiss()))
        page.on("response", lambda answer: answer.status < 400 or made.console.append(f"{answer.status} {answer.url}"))
        page.on("request", lambda request: request.url.startswith(base) or made.foreign.append(request.url))
        yield made
        context.close()
    assert (made.console, made.foreign) == ([], [])


@pytest.fixture
def filled(visit, source) -> Visit:
    """With two runs, and a trajectory."""
    record_small(source.location, 1)
    record_small(source.location, 2, run_name="second")
    return visit


STEPS = [
    {"step_id": 1, "source": "user", "message": "Order two mugs."},
    *(
        {
            "step_id": n,
            "source": "agent",
            "timestamp": f"2026-03-01T10:{n // 60 % 60:02}:{n % 60:02}Z",
            "message": f"I look at shelf {n}.",
            "tool_calls": [{"tool_call_id": f"c{n}", "function_name": "look", "arguments": {"shelf": n}}],
            "observation": {"results": [{"source_call_id": f"c{n}", "content": "<script>alert(1)</script>"}]},
        }
        for n in range(2, 2001)
    ),
]


def trajectory(source: Source, steps: list[dict[str, Any]]) -> str:
    """Records a run with a trajectory of these steps, and returns its id."""
    document = {"schema_version": "ATIF-v1.8", "agent": {"name": "shop-agent", "version": "1"}, "steps": steps}
    document["trajectory_id"] = "order-1"
    with start_run("shop", history=source.location.path) as run:
        run.record("agent", "mugs", answer="Done.", trajectories=[Trajectory(document, kind="query")])
    return "order-1"


def test_every_page_opens_by_its_links(filled, source):
    trajectory(source, STEPS[:4])
    page = filled.open("/")
    seen: dict[str, int] = {}
    waiting = ["/"]
    while waiting:
        path = waiting.pop(0)
        kind = path.split("?")[0].split("/")[1]
        if seen.get(kind, 0) >= 3:
            continue
        seen[kind] = seen.get(kind, 0) + 1
        answer = page.goto(filled.base + path)
        assert answer.status == 200, path
        if "application/json" in answer.headers["content-type"]:
            continue
        assert page.locator("h1").count() == 1, path
        links = page.eval_on_selector_all(
            "a[href]:not([download])", "links => links.map(link => link.getAttribute('href'))"
        )
        waiting += [link for link in links if link.startswith("/")]
    assert set(seen) >= {"", "experiments", "runs", "results", "history", "compare", "trajectories", "api"}


def test_an_empty_history_says_how_it_is_filled(visit):
    page = visit.open("/")
    assert "There is no history yet." in page.inner_text("main")
    assert "there is no run yet" in visit.open("/compare").inner_text("main")


def test_cases_are_narrowed_and_the_address_keeps_it(filled):
    page = filled.open("/runs/second")
    assert filled.ids() == ["opening-hours", "refund-window", "slow", "later", "voucher"]
    page.click("nav[aria-label=Outcomes] >> text=failed")
    page.wait_for_url("**outcome=failed*")
    assert filled.ids() == ["refund-window"]
    page.click("nav[aria-label=Outcomes] >> text=all")
    page.wait_for_selector("text=voucher")
    page.select_option("select[name=tag]", "smoke")
    page.wait_for_url("**tag=smoke*")
    assert filled.ids() == ["refund-window", "slow"]
    page.fill("input[name=text]", "14 days")
    page.press("input[name=text]", "Enter")
    page.wait_for_url("**text=14*")
    assert filled.ids() == ["refund-window"]
    page.reload()
    assert filled.ids() == ["refund-window"]
    assert page.input_value("select[name=tag]") == "smoke"


def test_a_person_judges_a_case_and_takes_it_back(filled):
    page = filled.open("/runs/second")
    page.click("text=refund-window")
    page.check("input[name=verdict][value=pass]")
    page.fill("input[name=note]", "It is right after all.")
    page.click("text=save")
    said = page.locator("#people .said li")
    assert "It is right after all. Ada" in said.inner_text().replace("\n", " ")
    page.click("#people >> text=undo")
    page.wait_for_selector("text=taken back")
    page.click("#people >> text=restore")
    page.wait_for_selector("#people >> text=undo")


def test_a_running_session_appears_grows_and_is_finished_without_a_reload(visit, source):
    page = visit.open("/")
    page.evaluate("window.same = true")
    journal = start(source.location, [result("passed", "one", score=1.0)])
    journal.note({"suites": suite_facts([SuiteCount("bot", "bot.eval.yaml", 3, 3)])})
    page.wait_for_selector("text=Running now")
    page.wait_for_selector("text=1 of 3")
    for name in ("two", "three"):
        one = result("passed", name, score=1.0)
        journal.append(result_to_json(one), one.key)
    page.wait_for_selector("text=3 of 3")
    record(source.location, [result("passed", n, score=1.0) for n in ("one", "two", "three")], run_name="finished")
    journal.finish()
    page.wait_for_selector("text=finished")
    assert page.locator("text=Running now").count() == 0
    assert page.evaluate("window.same") is True


def test_runs_stand_side_by_side_those_that_differ_first(visit, source):
    for number, outcomes in enumerate((("passed", "passed"), ("passed", "failed")), 1):
        results = [
            result(outcome, f"case-{n}", score=float(outcome == "passed"), output=f"{outcome} in run {number}")
            for n, outcome in enumerate(outcomes)
        ]
        record(
            source.location,
            results,
            session_id=f"s{number}",
            run_name=f"run{number}",
            started_at=f"2026-03-0{number}T10:00:00+00:00",
        )
    page = visit.open("/compare")
    for box in page.locator("input[name=run]").all():
        box.check()
    page.get_by_role("button", name="compare").click()
    page.wait_for_url("**run=*run=*")
    first = page.locator(".side tbody tr").first.inner_text()
    assert "case-1" in first
    assert "failed in run 2" in first
    page.click("nav >> text=different")
    page.wait_for_url("**show=different*")
    assert page.locator(".side tbody tr").count() == 1


def test_a_long_trace_is_searched_and_opened(visit, source):
    page = visit.open(f"/trajectories/{trajectory(source, STEPS)}")
    assert page.locator(".step").count() == 2000
    page.fill("#find-step", "shelf 1234")
    page.wait_for_selector("text=1 of 2000 steps")
    step = page.locator(".step:not([hidden])")
    step.locator("summary").first.click()
    step.locator(".call summary").click()
    assert "<script>alert(1)</script>" in step.locator(".result pre").inner_text()
    page.fill("#find-step", "")
    page.click("text=open all")
    assert page.locator(".step > details[open]").count() == 2000


def test_it_is_used_with_the_keyboard(filled):
    page = filled.open("/runs/second")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.innerText") == "to the content"
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "main"
    names = page.evaluate(
        """() => [...document.querySelectorAll('a, button, input:not([type=hidden]), select, summary, [tabindex="0"]')]
          .filter(e => !(e.innerText.trim() || e.getAttribute('aria-label') || (e.labels && e.labels.length)))
          .map(e => e.outerHTML)"""
    )
    assert names == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_stands_out_and_nothing_is_wider_than_a_narrow_screen(filled, scheme):
    page = filled.page
    page.emulate_media(color_scheme=scheme)
    page.set_viewport_size({"width": 390, "height": 800})
    for path in ("/", "/runs/second", "/results/2", "/experiments/1", "/compare?run=second"):
        filled.open(path)
        assert page.evaluate("document.documentElement.scrollWidth") <= 390, path
        assert page.evaluate(FAINT) == [], path


FAINT = """() => {
  const rgb = (text) => text.match(/[\\d.]+/g).map(Number);
  const light = ([r, g, b]) => [r, g, b].map((c) => c / 255).map((c) => c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4)
    .reduce((sum, c, n) => sum + c * [0.2126, 0.7152, 0.0722][n], 0);
  const behind = (e) => {
    for (let at = e; at; at = at.parentElement) {
      const c = rgb(getComputedStyle(at).backgroundColor);
      if (c.length < 4 || c[3] === 1) return c;
    }
    return [255, 255, 255];
  };
  const faint = [];
  for (const e of document.querySelectorAll("main *")) {
    const own = [...e.childNodes].some((n) => n.nodeType === 3 && n.data.trim());
    if (!own || !e.getClientRects().length || e.closest("option, svg")) continue;
    const [a, b] = [light(rgb(getComputedStyle(e).color)), light(behind(e))].sort((x, y) => y - x);
    if ((a + 0.05) / (b + 0.05) < 4.5) faint.push(e.outerHTML.slice(0, 120));
  }
  return faint;
}"""
