"""How fast the viewer answers: every page of a history of a million results.

    python benchmarks/bench_history.py --folder FOLDER    # makes the history, and leaves it there
    python benchmarks/bench_viewer.py --folder FOLDER [--repeats 20]

Each page is asked for without a network, in the process of the viewer. Of each the first answer and the 95th percentile
of the later ones are told. Exits with 1 when the 95th percentile of all later answers is above 150 ms.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

from starlette.testclient import TestClient

from pytest_evals.store.location import locate
from pytest_evals.viewer.app import make_app
from pytest_evals.viewer.source import Source

MOST_MS = 150.0

PAGES = (
    ("overview", "/"),
    ("experiment with many runs", "/experiments/{small}"),
    ("experiment with large runs", "/experiments/{large}"),
    ("run of 100 cases", "/runs/copy-small-5"),
    ("run of 10,000 cases", "/runs/copy-large-5"),
    ("its failures", "/runs/copy-large-5?outcome=failures"),
    ("its cases with a text", "/runs/copy-large-5?text=4321"),
    ("its cases by score, page 50", "/runs/copy-large-5?sort=-score&offset=5000"),
    ("its cases that changed", "/runs/copy-large-5?changed=any"),
    ("result", "/results/500000"),
    ("case over many runs", "/history?suite=small&case=case-50"),
    ("two runs of 10,000 cases side by side", "/compare?run=copy-large-5&run=copy-large-6"),
    ("the API's list of cases", "/api/evals/runs/copy-large-5/cases?limit=1000"),
)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--folder", type=Path, required=True, help="that of bench_history.py")
    parser.add_argument("--repeats", type=int, default=20)
    options = parser.parse_args()
    location = locate(None, options.folder)
    client = TestClient(make_app(Source(location, options.folder / "atif")), base_url="http://127.0.0.1")
    numbers = {e["name"]: e["id"] for e in client.get("/api/evals/").json()["experiments"]}
    later: list[float] = []
    for name, path in PAGES:
        times = []
        for _ in range(options.repeats + 1):
            began = time.perf_counter()
            answer = client.get(path.format(**numbers))
            times.append((time.perf_counter() - began) * 1000)
            assert answer.status_code == 200, answer.text[:500]
        first, *others = times
        later += others
        size = len(answer.content) / 1024
        print(f"{name:<40} first {first:7.0f} ms, then p95 {percentile(others):6.0f} ms, {size:5.0f} kB", flush=True)
    overall = percentile(later)
    print(f"p95 of all later answers: {overall:.0f} ms  (bound {MOST_MS:g} ms)")
    return 0 if overall <= MOST_MS else 1


def percentile(times: list[float]) -> float:
    """The 95th, by nearest rank."""
    return sorted(times)[-(-len(times) * 95 // 100) - 1]


if __name__ == "__main__":
    sys.exit(main())
