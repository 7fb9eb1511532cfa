"""Hundreds of calls in flight: how close a session comes to the limit, and how flat its memory stays.

    python benchmarks/bench_lookahead.py            # exits 1 when a bound is missed

500 cases whose target takes 200 ms, 100 calls in flight: the limit is 1.0 s. Each figure is the wall time beyond the
same suite without the wait, run in turns with it. The memory part runs 10,000 failing cases with answers of 20 kB.
"""

from __future__ import annotations

import argparse
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

BOT = """
import asyncio, time
async def wait(question):
    await asyncio.sleep(0.2)
    return question
async def at_once(question):
    return question
def block(question):
    time.sleep(0.2)
    return question
def big(question):
    return "x" * 20_000
"""
# other plugins keep things of their own for every failure (rerunfailures: the whole traceback)
WITHOUT = [word for name in ("cacheprovider", "randomly", "rerunfailures", "asyncio") for word in ("-p", f"no:{name}")]
QUIET = ("-q", *WITHOUT, "--evals-no-history", "--tb=no", "-rN")


@dataclass(frozen=True)
class Bound:
    """One figure with what it must not exceed."""

    what: str
    value: float
    limit: float | None
    unit: str = "s"

    def line(self) -> str:
        verdict = "" if self.limit is None else f"<= {self.limit:g} {self.unit}   {'held' if self.held else 'MISSED'}"
        return f"{self.what:58} {self.value:8.2f} {self.unit:3} {verdict}"

    @property
    def held(self) -> bool:
        return self.limit is None or self.value <= self.limit


def suite(folder: Path, name: str, cases: int, target: str, expected: str = "q") -> str:
    rows = "".join(f"  - {{id: c{i}, input: q{i}, expected_output: {expected}}}\n" for i in range(cases))
    text = f"suite: {name}\ntarget: bot.py:{target}\ndefaults: {{criteria: [contains]}}\ncases:\n{rows}"
    (folder / f"{name}.eval.yaml").write_text(text)
    return f"{name}.eval.yaml"


def run(folder: Path, *args: str) -> tuple[float, int]:
    """Wall time and exit status of a session."""
    started = time.perf_counter()
    ended = subprocess.run(
        [sys.executable, "-m", "pytest", *QUIET, *args], cwd=folder, capture_output=True, check=False
    )
    return time.perf_counter() - started, ended.returncode


def beyond(folder: Path, repeats: int, with_wait: list[str], without: list[str]) -> float:
    """Median of what the wait adds, both run in turns."""
    differences = []
    for _ in range(repeats):
        slow, status = run(folder, *with_wait)
        assert status == 0, f"status {status}"
        differences.append(slow - run(folder, *without)[0])
    return statistics.median(differences)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--memory-cases", type=int, default=10_000)
    options = parser.parse_args()
    bounds: list[Bound] = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "bot.py").write_text(BOT)
        wait, none = suite(folder, "wait", 500, "wait"), suite(folder, "none", 500, "at_once")
        block = suite(folder, "block", 500, "block")
        many = "--evals-concurrency=100"
        one = beyond(folder, options.repeats, [wait, many], [none, many])
        bounds.append(Bound("async target, 100 in flight: beyond no wait", one, 1.6))
        bounds.append(Bound("   as a multiple of the limit (1.0 s)", one / 1.0, None, "x"))
        threads = beyond(folder, options.repeats, [block, many], [none, many])
        bounds.append(Bound("sync target, 100 in flight: beyond no wait", threads, 2.5))
        half = "--evals-concurrency=50"
        two = beyond(folder, options.repeats, [wait, half, "-n2"], [none, half, "-n2"])
        bounds.append(Bound("async target, -n 2, 50 in flight each: beyond no wait", two, one + 1.0))
        plain = beyond(folder, 1, [wait, "--evals-concurrency=1", "-n2"], [none, "--evals-concurrency=1", "-n2"])
        bounds.append(Bound("   -n 2 without look-ahead, for comparison", plain, None))
        bounds.append(Bound("   -n 2 without look-ahead / one process with it", plain / one, None, "x"))
        big = suite(folder, "big", options.memory_cases, "big", expected="y")
        seconds, status = run(folder, big, many)
        assert status == 1, f"status {status}"
        peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
        bounds.append(Bound(f"{options.memory_cases} failing cases with 20 kB answers: peak memory", peak, 300, "MB"))
        bounds.append(Bound(f"{options.memory_cases} failing cases with 20 kB answers: session", seconds, 60))
    print(f"{os.cpu_count()} processors, medians of {options.repeats}")
    for bound in bounds:
        print(bound.line())
    return 0 if all(bound.held for bound in bounds) else 1


if __name__ == "__main__":
    raise SystemExit(main())
