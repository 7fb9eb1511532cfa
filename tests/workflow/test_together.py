"""Sessions that write one history at the same time lose nothing."""

from __future__ import annotations

import json
import subprocess
import sys

from histories import query

from pytest_evals.store.connect import reading
from pytest_evals.store.runs import list_runs

SESSION = """
import json, sys
sys.path[:0] = json.loads(sys.argv[1])
from pathlib import Path
from factories import criterion, result
from histories import record
from pytest_evals.store.location import locate

location = locate(sys.argv[5] or None, Path(sys.argv[2]))
sys.stdin.readline()  # all begin at once
for n in range(int(sys.argv[4])):
    results = [
        result("passed", f"case-{k}", criteria=(criterion(score=1.0),), experiment=f"experiment-{k % 2}")
        for k in range(50)
    ]
    record(location, results, session_id=f"{sys.argv[3]}-{n}")
print("done")
"""


def run_together(location, tmp_path, processes: int, sessions: int) -> None:
    where = [json.dumps(sys.path), str(tmp_path)]
    children = [
        subprocess.Popen(
            [sys.executable, "-c", SESSION, *where, str(number), str(sessions), location.url or ""],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for number in range(processes)
    ]
    for child in children:
        child.stdin.write("go\n")
        child.stdin.flush()
    for child in children:
        said, complaints = child.communicate(timeout=120)
        assert said.strip() == "done", complaints


def test_fault_C06_eight_processes_that_write_one_history_at_once_lose_nothing(location, tmp_path):
    run_together(location, tmp_path, processes=8, sessions=4)
    with reading(location) as connection:
        runs = list_runs(connection)
    assert len(runs) == 8 * 4 * 2
    assert {(run.status, run.total_cases) for run in runs} == {("passed", 25)}
    assert len({(run.session_id, run.experiment) for run in runs}) == 64
    assert query(location, "SELECT count(*) FROM case_runs") == [(1600,)]
    assert query(location, "SELECT count(*) FROM case_scores") == [(1600,)]
    assert query(location, "SELECT count(*) FROM experiments") == [(2,)]
    assert query(location, "SELECT count(*) FROM experiment_cases") == [(50,)]
    if location.path is not None:
        assert query(location, "PRAGMA integrity_check") == [("ok",)]
        assert query(location, "PRAGMA foreign_key_check") == []
    assert not location.journals.exists()


def test_fault_C06_two_sessions_finish_while_a_viewer_looks(location, tmp_path):
    run_together(location, tmp_path, processes=1, sessions=1)
    with reading(location) as viewer:
        assert len(list_runs(viewer)) == 2
        run_together(location, tmp_path, processes=1, sessions=3)
        assert len(list_runs(viewer)) == 2
    with reading(location) as viewer:
        assert len(list_runs(viewer)) == 6
