"""What cases cost, compared with ordinary parametrised tests, and what the plugin costs where there is no suite.

    python benchmarks/bench_collect_and_run.py [--cases 10000] [--repeats 3] [--start-ups 25]

All run in child processes, in turns, so that a busy moment of the machine hits each; medians are compared. Exits with 1
when a bound is missed: wall time and peak memory of collecting and running the cases within 1.5 times those of the
parametrised tests, less than 15 ms of CPU per start of pytest in a folder without suites. What keeping the run in the
history adds is shown beside; its own bound is in ``bench_history.py``.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from statistics import median

MOST_TIME = 1.5
MOST_MEMORY = 1.5
MOST_START_UP_MS = 15.0

TRIVIAL = """\
import pytest


@pytest.mark.parametrize("number", range({cases}))
def test_trivial(number):
    assert number >= 0
"""

SUITE_HEAD = "suite: many\ntarget: echo\ncases:\n"
CASE = "  - {{id: case-{0}, input: 'answer {0}', expected_output: 'answer {0}', criteria: [exact_match]}}\n"


@dataclass(frozen=True, slots=True)
class Cost:
    """What one child process took."""

    wall_s: float
    cpu_s: float
    memory_mb: float
    """The most it held at a time."""


def run(folder: Path, *arguments: str) -> Cost:
    """Run pytest in ``folder``; ends the benchmark when the tests fail."""
    # the same set of plugins everywhere, whatever else is installed here
    environment = {**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTHONHASHSEED": "0"}
    command = [sys.executable, "-m", "pytest", "-q", "-p", "xdist", "-p", "no:cacheprovider", *arguments, "."]
    log = folder / "output.txt"
    with log.open("wb") as output:
        started = time.perf_counter()
        child = subprocess.Popen(command, cwd=folder, env=environment, stdout=output, stderr=subprocess.STDOUT)
        _, status, usage = os.wait4(child.pid, 0)
        wall = time.perf_counter() - started
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode != 0:
        tail = "\n".join(log.read_text("utf-8", "replace").splitlines()[-20:])
        sys.exit(f"{' '.join(command)} exited with {child.returncode}:\n{tail}")
    return Cost(wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024)


WITH = ("-p", "pytest_evals.plugin")
WITHOUT = ("-p", "no:evals")
NO_HISTORY = "--evals-no-history"


@dataclass(frozen=True, slots=True)
class Costs:
    """Of the same number of items, a run each."""

    parametrised: list[Cost]
    cases: list[Cost]
    kept: list[Cost]
    """Of the cases, with the run kept in a new history."""


def compare_runs(root: Path, cases: int, repeats: int) -> Costs:
    ours, theirs = root / "suite", root / "parametrised"
    for folder in (ours, theirs):
        folder.mkdir()
        (folder / "pytest.ini").write_text("[pytest]\n")
    (ours / "many.eval.yaml").write_text(SUITE_HEAD + "".join(CASE.format(n) for n in range(cases)))
    (theirs / "test_many.py").write_text(TRIVIAL.format(cases=cases))
    costs = Costs([], [], [])
    for _ in range(repeats):
        costs.parametrised.append(run(theirs, *WITHOUT))
        costs.cases.append(run(ours, *WITH, NO_HISTORY))
        costs.kept.append(run(ours, *WITH))
        shutil.rmtree(ours / ".evals")
    return costs


def compare_start_ups(root: Path, repeats: int) -> list[float]:
    """Milliseconds of CPU that the plugin adds to each start of pytest in a folder without suites."""
    folder = root / "no-suites"
    folder.mkdir()
    (folder / "pytest.ini").write_text("[pytest]\n")
    (folder / "test_one.py").write_text("def test_one():\n    assert 1 + 1 == 2\n")
    run(folder, *WITH)  # byte code is compiled once
    run(folder, *WITHOUT)
    differences = []
    for number in range(repeats):
        # whoever goes second finds warmer caches: take turns
        first, second = (WITH, WITHOUT) if number % 2 else (WITHOUT, WITH)
        costs = {first: run(folder, *first).cpu_s, second: run(folder, *second).cpu_s}
        differences.append(1000 * (costs[WITH] - costs[WITHOUT]))
    return differences


def row(name: str, costs: Costs, figure: Callable[[Cost], float], unit: str, bound: float) -> bool:
    """Print a figure of all three; returns whether the bound held."""
    theirs, ours, kept = (median(map(figure, some)) for some in (costs.parametrised, costs.cases, costs.kept))
    held = ours / theirs <= bound
    print(
        f"{name:<12}{theirs:>9.2f} {unit:<2}{ours:>9.2f} {unit:<2}{ours / theirs:>7.2f} x  at most {bound:.2f} x"
        f"  {'held' if held else 'MISSED':<6}{kept:>10.2f} {unit:<2}{kept / theirs:>7.2f} x"
    )
    return held


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--cases", type=int, default=10_000)
    parser.add_argument("--repeats", type=int, default=3, help="of the whole run, for each side")
    parser.add_argument("--start-ups", type=int, default=25, help="pairs of starts without suites")
    options = parser.parse_args()

    with tempfile.TemporaryDirectory() as name:
        root = Path(name)
        costs = compare_runs(root, options.cases, options.repeats)
        added = compare_start_ups(root, options.start_ups)

    print(f"{options.cases} items, medians of {options.repeats} runs each, in turns")
    print(f"{'':<12}{'parametrised':>12}{'cases':>12}{'':>36}{'kept in a history':>22}")
    held = [
        row("wall time", costs, lambda cost: cost.wall_s, "s", MOST_TIME),
        row("peak memory", costs, lambda cost: cost.memory_mb, "MB", MOST_MEMORY),
    ]
    cost = median(added)
    held.append(cost < MOST_START_UP_MS)
    print(
        f"start without suites: {cost:+.1f} ms of CPU (median of {len(added)} pairs)"
        f"   less than {MOST_START_UP_MS:.0f} ms   {'held' if held[-1] else 'MISSED'}"
    )
    return 0 if all(held) else 1


if __name__ == "__main__":
    sys.exit(main())
