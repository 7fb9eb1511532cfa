"""``kill -9`` of the whole process group, at any moment, loses no finished case."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from pathlib import Path

import pytest
from factories import result
from histories import history, query, record

from pytest_evals.store.connect import reading
from pytest_evals.store.results import case_results
from pytest_evals.store.runs import list_runs

MOMENTS = 50
CASES = 40

DRIVER = '''
"""Runs sessions, each in a process group of its own with a helper, and kills the group after so many milliseconds.

Prints for each what it had finished (a case counts when ``append`` has returned) and whether it got to its end.
"""
import json, os, signal, sys, time

sys.path[:0] = json.loads(sys.argv[1])
folder, moments = sys.argv[2], json.loads(sys.argv[3])

from pathlib import Path

from factories import criterion, result, session
from histories import STARTED, history, record, start
from pytest_evals.model.codec import result_to_json
from pytest_evals.report.rows import row_of
from pytest_evals.workflow.history import record_session

location = history(Path(folder))
record(history(Path(folder) / "warm"), [result("passed")])  # loads what is loaded late


def one_session(number, said):
    """Append and say so, case by case, then store the run: what the plugin does, without pytest."""
    results = [
        result("passed" if n % 7 else "failed", f"case-{n}", output=f"answer {n} " * 50, criteria=(criterion(),))
        for n in range(CASES)
    ]
    journal = start(location, session_id=f"session-{number}")
    for one in results:
        journal.append(result_to_json(one), one.key)
        os.write(said, f"{one.case_id}\\n".encode())
        time.sleep(0.0005)
    ended = session([row_of(r) for r in results], session_id=f"session-{number}", started_at=STARTED, exit_status=1)
    record_session(location, ended, journal)
    os.write(said, b"stored\\n")
    journal.finish()
    os.write(said, b"finished\\n")


for number, moment in enumerate(moments):
    heard, said = os.pipe()
    child = os.fork()
    if child == 0:
        os.setsid()
        os.close(heard)
        if os.fork() == 0:  # a worker of the session: it holds what it inherits, and dies with the group
            time.sleep(60)
            os._exit(0)
        try:
            one_session(number, said)
        except BaseException as error:
            os.write(said, f"error: {error!r}\\n".encode())
        if moment is None:
            os.killpg(0, signal.SIGKILL)
        time.sleep(60)
        os._exit(0)
    os.close(said)
    while os.getpgid(child) != child:  # it has not got to setsid yet
        time.sleep(0.0001)
    began = time.perf_counter()
    if moment is not None:
        time.sleep(moment / 1000)
        os.killpg(child, signal.SIGKILL)
    os.waitpid(child, 0)
    took = (time.perf_counter() - began) * 1000
    with os.fdopen(heard, "rb") as pipe:  # the end comes when the whole group is dead
        words = pipe.read().decode().splitlines()
    print(json.dumps({"took_ms": took, "words": words}), flush=True)
'''.replace("CASES", str(CASES))


def drive(folder: Path, moments: list[float | None]) -> list[dict]:
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", DRIVER, json.dumps(sys.path), str(folder), json.dumps(moments)],
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_every_finished_case_is_in_the_history_whenever_the_group_was_killed(tmp_path):
    seed = int(os.environ.get("EVALS_TEST_SEED", random.randrange(10**6)))
    print(f"seed {seed}; to repeat: EVALS_TEST_SEED={seed}")
    chance = random.Random(seed)
    whole = max(run["took_ms"] for run in drive(tmp_path / "whole", [None] * 3))
    moments: list[float | None] = [chance.uniform(0, whole * 1.1) for _ in range(MOMENTS)]
    killed = drive(tmp_path, moments)
    assert len(killed) == MOMENTS
    assert [w for run in killed for w in run["words"] if w.startswith("error")] == []

    location = history(tmp_path)
    (mine,) = record(location, [result("passed")], session_id="next")  # the next session is not disturbed
    assert mine.status == "passed"

    with reading(location) as connection:
        runs = {run.session_id: run for run in list_runs(connection)}
        kept = {name: {r.case_id: r for r in case_results(connection, run)} for name, run in runs.items()}
    middle = 0
    for number, run in enumerate(killed):
        name = f"session-{number}"
        finished = [word for word in run["words"] if word.startswith("case-")]
        assert set(finished) <= set(kept.get(name, {})), (name, moments[number])
        for case_id, one in kept.get(name, {}).items():
            assert one.output == f"answer {case_id.removeprefix('case-')} " * 50
        if name in runs:
            ended = len(kept[name]) == CASES and runs[name].exit_status == 1
            assert runs[name].status == ("failed" if ended else "cancelled")
            assert ended or "stored" not in run["words"]
        middle += 0 < len(finished) < CASES
    assert middle >= 5, "the moments were not spread over the session"
    assert [*location.journals.glob("*.jsonl")] == []
    assert query(location, "PRAGMA integrity_check") == [("ok",)]
    assert query(location, "SELECT count(*) FROM experiment_runs") == [(len(runs),)]  # none twice
