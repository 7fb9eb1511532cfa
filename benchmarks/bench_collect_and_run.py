"""What cases cost, compared with ordinary parametrised tests, and what the plugin costs where there is no suite.

    python benchmarks/bench_collect_and_run.py [--cases 10000] [--repeats 3] [--start-ups 25]

Both sides run in child processes, in turns, so that a busy moment of the machine hits both; medians are compared.
Exits with 1 when a bound is missed: wall time and peak memory of a run within 1.5 times those of the parametrised
tests, less than 15 ms of CPU per start of pytest in a folder without suites.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
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


def compare_runs(root: Path, cases: int, repeats: int) -> tuple[list[Cost], list[Cost]]:
    """Costs of running the cases, and of running the parametrised tests."""
    ours, theirs = root / "suite", root / "parametrised"
    for folder in (ours, theirs):
        folder.mkdir()
        (folder / "pytest.ini").write_text("[pytest]\n")
    (ours / "many.eval.yaml").write_text(SUITE_HEAD + "".join(CASE.format(n) for n in range(cases)))
    (theirs / "test_many.py").write_text(TRIVIAL.format(cases=cases))
    pairs = [(run(ours, *WITH), run(theirs, *WITHOUT)) for _ in range(repeats)]
    return [pair[0] for pair in pairs], [pair[1] for pair in pairs]


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


def row(name: str, ours: float, theirs: float, unit: str, bound: float) -> bool:
    ratio = ours / theirs
    held = ratio <= bound
    print(
        f"{name:<22}{ours:>10.2f} {unit:<3}{theirs:>13.2f} {unit:<3}{ratio:>8.2f} x"
        f"   at most {bound:.2f} x   {'held' if held else 'MISSED'}"
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
        ours, theirs = compare_runs(root, options.cases, options.repeats)
        added = compare_start_ups(root, options.start_ups)

    print(f"{options.cases} items, medians of {options.repeats} runs each, in turns")
    print(f"{'':<22}{'cases':>14}{'parametrised':>17}")
    held = [
        row("wall time", median(c.wall_s for c in ours), median(c.wall_s for c in theirs), "s", MOST_TIME),
        row("peak memory", median(c.memory_mb for c in ours), median(c.memory_mb for c in theirs), "MB", MOST_MEMORY),
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
