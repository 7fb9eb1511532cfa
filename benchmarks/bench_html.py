"""What an HTML report of many cases weighs, and how soon it can be used in a browser.

    python benchmarks/bench_html.py [--cases 10000] [--characters 300] [--repeats 3]

Writes a report of cases with inputs, expected texts and answers of so many characters, a fifth of which failed, and
opens it in headless Chromium, each time in a new browser context. Exits with 1 when a bound is missed: 15 MB, and 2 s
from opening the file until the first click on a filter has narrowed the table. Shown beside: how long writing takes,
and the first search through all texts. Exits with 0 where there is no Chromium.
"""

from __future__ import annotations

import argparse
import random
import shutil
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from typing import Any

from pytest_evals.model.outcome import Outcome
from pytest_evals.model.response import Usage
from pytest_evals.model.result import Attempt, CaseResult, CriterionResult, Trial
from pytest_evals.model.run import SessionResult, SuiteCount
from pytest_evals.report.html import write_html
from pytest_evals.report.rows import row_of
from pytest_evals.stats import summarize

MOST_BYTES = 15_000_000
MOST_SECONDS = 2.0
PROGRAMS = ("chromium", "chromium-browser", "google-chrome", "chrome")

CLICK = """async () => {
  const shown = () => document.querySelector(".filters [role=status]").textContent;
  document.querySelector(".chip.red").click();
  while (!shown().includes(" of ")) await new Promise(requestAnimationFrame);
  return performance.now();
}"""
SEARCH = """async (word) => {
  const started = performance.now();
  const box = document.getElementById("search");
  box.value = word;
  box.dispatchEvent(new Event("input"));
  while (!location.hash.includes("text=")) await new Promise(requestAnimationFrame);
  const note = document.querySelector(".filters [role=status]");
  while (note.textContent.includes("reading")) await new Promise(requestAnimationFrame);
  return performance.now() - started;
}"""


def texts(characters: int) -> Iterator[str]:
    """Texts of random words: they compress as poorly as real ones."""
    chance = random.Random(1)
    letters = "etaoinshrdlucmfwypvbgkjqxz"
    words = ["".join(chance.choices(letters, range(26, 0, -1), k=chance.randint(2, 9))) for _ in range(4000)]
    while True:
        text = " ".join(chance.choices(words, k=characters // 5))
        yield text[:characters]


def results(cases: int, characters: int) -> list[CaseResult]:
    """So many results, in four categories."""
    source = texts(characters)
    chance = random.Random(2)
    return [_result(n, next(source), next(source), chance) for n in range(cases)]


def _result(n: int, expected: str, answer: str, chance: random.Random) -> CaseResult:
    score = chance.random()
    outcome = Outcome.FAILED if n % 5 == 0 else Outcome.PASSED
    criteria = (
        CriterionResult("similarity", "similarity", 0.7, score, score >= 0.7, reason=f"{score:.3f} alike"),
        CriterionResult("tone", "llm_judge", 0.7, 0.8, True, reason=answer[:80]),
    )
    latency = chance.lognormvariate(6, 0.5)
    usage = Usage(len(expected) // 4, len(answer) // 4)
    trial = Trial(outcome, answer, score, criteria, attempts=(Attempt(latency),), latency_ms=latency, usage=usage)
    return CaseResult(
        "support",
        f"case-{n:05d}",
        outcome,
        (trial,),
        node_id=f"evals/support.eval.yaml::case-{n:05d}",
        source=f"evals/support.eval.yaml:{n}",
        category=f"category-{n % 4}",
        tags=(f"tag-{n % 7}",),
        input=expected[: len(expected) // 2],
        expected_output=expected,
        score=score,
    )


def session_of(found: list[CaseResult]) -> SessionResult:
    """The session that had these results."""
    rows = [row_of(result) for result in found]
    return SessionResult(
        session_id="bench",
        started_at="2026-01-05T10:00:00+00:00",
        finished_at="2026-01-05T10:10:00+00:00",
        duration_s=600.0,
        rows=rows,
        suites=[SuiteCount("support", "evals/support.eval.yaml", len(rows), len(rows))],
        summary=summarize(rows),
        exit_status=1,
    )


def opened(browser: Any, path: Path) -> tuple[float, float, float]:
    """Seconds until the page is complete and until the first click has taken effect, and those of a search."""
    context = browser.new_context()
    page = context.new_page()
    page.goto(f"{path.as_uri()}#cases")
    page.wait_for_selector("html[data-ready]")
    ready = page.evaluate("performance.now()") / 1000
    clicked = page.evaluate(CLICK) / 1000
    searched = page.evaluate(SEARCH, "zz") / 1000
    context.close()
    return ready, clicked, searched


def verdict(held: bool) -> str:
    return "held" if held else "MISSED"


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--cases", type=int, default=10_000)
    parser.add_argument("--characters", type=int, default=300)
    parser.add_argument("--repeats", type=int, default=3)
    options = parser.parse_args()

    program = next(filter(None, map(shutil.which, PROGRAMS)), None)
    if program is None:
        print("there is no Chromium here: nothing to measure")
        return 0
    from playwright.sync_api import sync_playwright

    found = results(options.cases, options.characters)
    session = session_of(found)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        path = Path(folder, "report.html")
        started = time.perf_counter()
        write_html(path, session, found)
        wrote = time.perf_counter() - started
        size = path.stat().st_size
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox", "--disable-gpu"])
        times = [opened(browser, path) for _ in range(options.repeats)]
        browser.close()
    ready, clicked, searched = (median(each) for each in zip(*times, strict=True))
    small, soon = size <= MOST_BYTES, clicked <= MOST_SECONDS
    print(f"{options.cases} cases with answers of {options.characters} characters, medians of {options.repeats}")
    print(f"written in         {wrote:6.2f} s")
    print(f"size               {size / 1e6:6.2f} MB  at most {MOST_BYTES // 1_000_000} MB  {verdict(small)}")
    print(f"complete after     {ready:6.2f} s")
    print(f"first click after  {clicked:6.2f} s   at most {MOST_SECONDS:.0f} s   {verdict(soon)}")
    print(f"first search       {searched:6.2f} s")
    return 0 if small and soon else 1


if __name__ == "__main__":
    sys.exit(main())
