"""What large data sets cost to collect, compared with as many ordinary parametrised tests.

    python benchmarks/bench_datasets.py [--rows 100000] [--repeats 3] [--workers 2]

pytest collects in child processes, in turns, so that a busy moment of the machine hits each; medians are compared.
Exits with 1 when a bound is missed: wall time and peak memory of collecting a suite of one CSV or JSON Lines file
within 1.5 times those of the parametrised tests. The same cases in the YAML of the suite are shown beside. With
``--workers``, the rows of the CSV file and the parametrised tests are also run by that many xdist workers, once.
"""

from __future__ import annotations

import argparse
import csv
import json
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

TESTS = """\
import pytest


@pytest.mark.parametrize("number", range({rows}))
def test_trivial(number):
    assert number >= 0
"""
HEAD = "suite: many\ntarget: echo\ndefaults: {criteria: [exact_match], tags: [large]}\ncases:\n"
ENTRY = "  - {{file: {name}, map: {{input: question, expected_output: answer}}}}\n"
CASE = "  - {{id: case-{0}, input: 'question {0}', expected_output: 'question {0}'}}\n"
COLUMNS = ("id", "question", "answer", "language")


@dataclass(frozen=True, slots=True)
class Cost:
    """What one child process took."""

    wall_s: float
    memory_mb: float
    """The most it held at a time."""


def run(folder: Path, *arguments: str) -> Cost:
    """Run pytest in ``folder``; ends the benchmark when that fails."""
    # the same set of plugins everywhere, whatever else is installed here
    environment = {**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTHONHASHSEED": "0"}
    plugin = ("-p", "pytest_evals.plugin", "--evals-no-history") if any(folder.glob("*.eval.yaml")) else ()
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *plugin, *arguments, "."]
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
    return Cost(wall, usage.ru_maxrss / 1024)


def write(root: Path, rows: int) -> dict[str, Path]:
    """A folder for each way to have that many tests."""
    folders = {name: root / name for name in ("parametrised", "csv", "jsonl", "yaml")}
    for folder in folders.values():
        folder.mkdir()
        (folder / "pytest.ini").write_text("[pytest]\n")
    (folders["parametrised"] / "test_many.py").write_text(TESTS.format(rows=rows))
    (folders["yaml"] / "many.eval.yaml").write_text(HEAD + "".join(CASE.format(n) for n in range(rows)))
    for kind in ("csv", "jsonl"):
        (folders[kind] / "many.eval.yaml").write_text(HEAD + ENTRY.format(name=f"rows.{kind}"))
    values = [(f"case-{n}", f"question {n}", f"question {n}", ("en", "de")[n % 2]) for n in range(rows)]
    with (folders["csv"] / "rows.csv").open("w", newline="") as file:
        csv.writer(file).writerows([COLUMNS, *values])
    with (folders["jsonl"] / "rows.jsonl").open("w") as file:
        file.writelines(json.dumps(dict(zip(COLUMNS, row, strict=True))) + "\n" for row in values)
    return folders


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--rows", type=int, default=100_000)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--workers", type=int, default=0, help="of xdist, to run the rows too")
    options = parser.parse_args()

    costs: dict[str, list[Cost]] = {}
    together: dict[str, Cost] = {}
    with tempfile.TemporaryDirectory() as name:
        folders = write(Path(name), options.rows)
        for _ in range(options.repeats):
            for kind, folder in folders.items():
                costs.setdefault(kind, []).append(run(folder, "--collect-only"))
        if options.workers:
            workers = ("-p", "xdist.plugin", "-n", str(options.workers))
            together = {kind: run(folders[kind], *workers) for kind in ("parametrised", "csv")}

    print(f"collecting {options.rows} items, medians of {options.repeats}, in turns")
    theirs = Cost(*(median(getattr(cost, field) for cost in costs["parametrised"]) for field in Cost.__slots__))
    held = True
    for kind, several in costs.items():
        ours = Cost(*(median(getattr(cost, field) for cost in several) for field in Cost.__slots__))
        time_x, memory_x = ours.wall_s / theirs.wall_s, ours.memory_mb / theirs.memory_mb
        bounded = kind in ("csv", "jsonl")
        kept = time_x <= MOST_TIME and memory_x <= MOST_MEMORY
        held &= kept or not bounded
        verdict = f"at most {MOST_TIME} x and {MOST_MEMORY} x  {'held' if kept else 'MISSED'}" if bounded else ""
        print(f"{kind:<13}{ours.wall_s:8.2f} s {time_x:5.2f} x {ours.memory_mb:8.0f} MB {memory_x:5.2f} x  {verdict}")
    for kind, cost in together.items():
        print(f"{kind:<13}{cost.wall_s:8.2f} s to run with {options.workers} workers")
    return 0 if held else 1


if __name__ == "__main__":
    sys.exit(main())
