"""Sessions that end before their end: Ctrl-C, -x, kill -9. What was finished is kept."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from click.testing import CliRunner
from histories import query
from projects import OTHERS

from pytest_evals.cli import main
from pytest_evals.store.connect import reading
from pytest_evals.store.location import Location, locate
from pytest_evals.store.results import case_results
from pytest_evals.store.runs import list_runs

CASES = 12

BOT = """
import os, time

def answer(question):
    time.sleep(float(os.environ.get("SLEEP", "0.01")))
    if question == os.environ.get("STUCK"):
        time.sleep(60)
    return question
"""

TOLD = """
# Says which cases are finished: those whose deciding report has reached the session, and its hooks.
import os, pytest

FILE = os.environ.get("TOLD") if "PYTEST_XDIST_WORKER" not in os.environ else None
HANDLE = os.open(FILE, os.O_WRONLY | os.O_CREAT | os.O_APPEND) if FILE else None

@pytest.hookimpl(trylast=True)
def pytest_runtest_logreport(report):
    if HANDLE is not None and (report.when == "call" or report.failed):
        os.write(HANDLE, report.nodeid.encode() + b"\\n")

@pytest.hookimpl(trylast=True)
def pytest_unconfigure(config):
    if HANDLE is not None:
        os.write(HANDLE, b"ended\\n")
"""


def suite(size=CASES, extra=""):
    """The fourth case of every five fails, and one is errored."""
    cases = "".join(
        f"  - {{id: c{n}, input: answer {n}, expected_output: answer {'x' if n % 5 == 3 else n}}}\n"
        for n in range(size)
    )
    return (
        "suite: long\ntarget: bot.py:answer\ndefaults: {criteria: [exact_match]}\n"
        f"gates: ['pass_rate >= 10%', 'score.mean >= 0.1']\n{extra}cases:\n{cases}"
    )


@pytest.fixture
def folder(tmp_path, monkeypatch):
    for name in ("HISTORY", "NO_HISTORY"):
        monkeypatch.delenv(f"PYTEST_EVALS_{name}", raising=False)
    (tmp_path / "bot.py").write_text(BOT)
    (tmp_path / "conftest.py").write_text(TOLD)
    (tmp_path / "long.eval.yaml").write_text(suite())
    (tmp_path / "pytest.ini").write_text("[pytest]\n")
    return tmp_path


WORDS = ["-p", "no:cacheprovider", "-q", *(word for name in OTHERS for word in ("-p", f"no:{name}"))]


def environment() -> dict[str, str]:
    """Ours, in which a session does not take itself for a worker when these tests run in one."""
    return {key: value for key, value in os.environ.items() if not key.startswith("PYTEST_XDIST")}


def start(folder: Path, *words: str, **environ: str) -> subprocess.Popen[str]:
    """A real session, in a process group of its own."""
    return subprocess.Popen(
        [sys.executable, "-m", "pytest", *WORDS, *words],
        cwd=folder,
        env={**environment(), "TOLD": str(folder / "told"), **environ},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )


def told(path: Path) -> list[str]:
    """The ids of the cases that were finished, and ``ended``."""
    return [line.rpartition("::")[2] for line in path.read_text().splitlines()] if path.exists() else []


def wait_for(path: Path, size: int) -> None:
    until = time.monotonic() + 60
    while len(told(path)) < size:
        assert time.monotonic() < until, told(path)
        time.sleep(0.005)


def kept(location: Location):
    with reading(location) as connection:
        return [(run, {r.case_id: r for r in case_results(connection, run)}) for run in list_runs(connection)]


WAYS = pytest.mark.parametrize("workers", [[], ["-n2"]], ids=["alone", "n2"])


# -- ends that are said -----------------------------------------------------------------------------------------------


@WAYS
def test_ctrl_c_keeps_what_was_finished_in_a_cancelled_run(folder, workers):
    child = start(folder, *workers, STUCK="answer 9", SLEEP="0.02")
    wait_for(folder / "told", 9 if not workers else 6)
    time.sleep(0.3)
    began = time.perf_counter()
    child.send_signal(signal.SIGINT) if not workers else os.killpg(child.pid, signal.SIGINT)  # as a terminal does
    said, _ = child.communicate(timeout=30)
    assert time.perf_counter() - began < 10
    assert child.returncode == 2, said
    ((run, results),) = kept(locate(None, folder))
    assert run.status == "cancelled"
    assert run.exit_status == 2
    assert run.stopped
    finished = set(told(folder / "told")) - {"ended"}
    assert finished <= set(results)
    assert run.results == len(results)
    assert run.n_cancelled == CASES - len(results) > 0
    assert run.selected_cases == run.defined_cases == CASES
    assert {gate["verdict"] for gate in run.gates} == {"undecided"}
    assert f"run {run.uid}: cancelled" in said
    assert not locate(None, folder).journals.exists()


@WAYS
def test_sigterm_keeps_what_was_finished_in_a_cancelled_run(folder, workers):
    child = start(folder, *workers, STUCK="answer 9", SLEEP="0.02")
    wait_for(folder / "told", 6)
    child.send_signal(signal.SIGTERM)  # as CI does, seconds before it kills
    said, _ = child.communicate(timeout=30)
    assert child.returncode != 0, said
    ((run, results),) = kept(locate(None, folder))
    assert run.status == "cancelled"
    assert set(told(folder / "told")) - {"ended"} <= set(results)
    assert run.n_cancelled == CASES - len(results) > 0
    assert not locate(None, folder).journals.exists()


@WAYS
def test_stopping_at_the_first_failure_is_a_failed_run(folder, workers):
    (folder / "long.eval.yaml").write_text(suite().replace("gates: ['pass_rate >= 10%', ", "gates: ["))
    child = start(folder, "-x", *workers, SLEEP="0.03")
    said, _ = child.communicate(timeout=60)
    assert child.returncode == 1, said
    ((run, results),) = kept(locate(None, folder))
    assert (run.status, run.exit_status) == ("failed", 1)
    assert "stopping after 1 failures" in run.stopped
    assert set(told(folder / "told")) - {"ended"} <= set(results)
    assert results["c3"].outcome == "failed"
    assert run.n_cancelled == CASES - len(results) > 0
    assert f"run {run.uid}: failed" in said


@WAYS
def test_an_exit_of_the_target_keeps_what_was_finished_in_a_cancelled_run(folder, workers):
    (folder / "bot.py").write_text(
        "import pytest\ndef answer(q):\n    if q == 'answer 7': pytest.exit('the service is down')\n    return q\n"
    )
    child = start(folder, *workers)
    said, _ = child.communicate(timeout=60)
    assert child.returncode == 2, said
    ((run, results),) = kept(locate(None, folder))
    assert run.status == "cancelled"
    assert set(told(folder / "told")) - {"ended"} <= set(results)
    if not workers:
        assert "the service is down" in run.stopped
        assert len(results) == 7


def test_a_worker_that_dies_leaves_its_case_errored_and_no_run_cancelled(folder):
    (folder / "bot.py").write_text("import os\ndef answer(q):\n    if q == 'answer 7': os._exit(9)\n    return q\n")
    child = start(folder, "-n2")
    said, _ = child.communicate(timeout=60)
    assert child.returncode == 1, said
    ((run, results),) = kept(locate(None, folder))
    assert (run.status, run.n_cancelled, len(results)) == ("failed", 0, CASES)
    assert results["c7"].error.kind == "crash"


# -- kill -9 ----------------------------------------------------------------------------------------------------------

DRIVER = '''
"""Runs sessions of pytest, each in a process group of its own that is killed at a moment; prints what came of each."""
import json, os, signal, sys, time

sys.path[:0] = json.loads(sys.argv[1])
folder, sessions = sys.argv[2], json.loads(sys.argv[3])
os.chdir(folder)

import pytest
import pytest_evals.plugin.activate, pytest_evals.plugin.session, pytest_evals.plugin.state, pytest_evals.plugin.ahead
import pytest_evals.plugin.reports, pytest_evals.suite.reader, pytest_evals.engine.runner, pytest_evals.workflow.history
import pytest_evals.store.connect, pytest_evals.store.writer, pytest_evals.report.terminal

for name, words, moment in sessions:
    file = f"told-{name}"
    began = time.perf_counter()
    child = os.fork()
    if child == 0:
        os.setsid()
        os.environ["TOLD"] = file
        output = os.open(f"said-{name}", os.O_WRONLY | os.O_CREAT, 0o644)
        os.dup2(output, 1), os.dup2(output, 2)
        os._exit(pytest.main([*words, f"--evals-run-name={name}"]))
    first = last = None
    while True:
        ended, status = os.waitpid(child, os.WNOHANG)
        now = time.perf_counter()
        if ended:
            break
        lines = open(file).read().count("\\n") if os.path.exists(file) else 0
        if first is None and lines:
            first = now
        if last is None and lines >= CASES:
            last = now
        since = first if moment and moment[0] == "first" else began
        if moment and since is not None and now - since >= moment[1]:
            os.killpg(child, signal.SIGKILL)
            os.waitpid(child, 0)
            break
        time.sleep(0.002)
    times = None if last is None else [first - began, last - first, now - last]
    print(json.dumps({"times": times, "killed": not ended, "status": status if ended else None}), flush=True)
'''.replace("CASES", str(CASES))


def drive(folder: Path, sessions: list) -> list[dict]:
    done = subprocess.run(
        [sys.executable, "-c", DRIVER, json.dumps(sys.path), str(folder), json.dumps(sessions)],
        env=environment(),
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


MOMENTS = 50


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_kill_9_of_a_session_and_its_workers_at_any_moment_loses_no_finished_case(folder):
    seed = int(os.environ.get("EVALS_TEST_SEED", random.randrange(10**6)))
    print(f"seed {seed}; to repeat: EVALS_TEST_SEED={seed}")
    chance = random.Random(seed)
    ways = [["--evals-concurrency=1"], ["--evals-concurrency=4"], ["-n2"]]
    unhurt = drive(folder, [(f"unhurt-{n}", [*WORDS, *ways[n % 3]], None) for n in range(6)])
    sessions = []
    for number in range(MOMENTS):
        way = number % 5 % 3  # of five sessions two run in turn, two look ahead, one has workers
        before, cases, after = (min(pair) for pair in zip(unhurt[way]["times"], unhurt[way + 3]["times"], strict=True))
        # most moments while cases run, some while the run is stored, some anywhere
        moment = ["first", chance.uniform(0, cases) if number % 4 else chance.uniform(cases, cases + after)]
        if number % 7 == 0:
            moment = ["start", chance.uniform(0, before + cases + after)]
        sessions.append((f"killed-{number}", [*WORDS, *ways[way]], moment))
    ended = dict(zip([name for name, _, _ in sessions], drive(folder, sessions), strict=True))
    # the next session stores what the last one left, and is not disturbed
    ended |= dict(zip(["next"], drive(folder, [("next", WORDS, None)]), strict=True))
    assert os.waitstatus_to_exitcode(ended["next"]["status"]) == 0, (folder / "said-next").read_text()

    location = locate(None, folder)
    runs = kept(location)
    by_name = {run.name: (run, results) for run, results in runs}
    assert len(by_name) == len(runs)  # none twice
    in_the_middle = 0
    for name, one in ended.items():
        run, results = by_name.get(name, (None, {}))
        finished = [word for word in told(folder / f"told-{name}") if word != "ended"]
        assert set(finished) <= set(results), (name, one)
        assert {result.output for result in results.values()} == {f"answer {case_id[1:]}" for case_id in results}
        if not one["killed"]:
            assert (run.status, run.exit_status, len(results)) == ("passed", 0, CASES), (name, one)
        elif 0 < len(results) < CASES:
            in_the_middle += 1
            assert (run.status, run.exit_status, run.n_cancelled) == ("cancelled", None, CASES - len(results))
        elif run is not None:  # all was finished; whether the session could still say how it ended is chance
            assert (run.status, run.exit_status) in {("cancelled", None), ("passed", 0)}, (name, one)
    print(f"{sum(one['killed'] for one in ended.values())} killed, {in_the_middle} of them between first and last case")
    assert in_the_middle >= 5, "the moments were not spread over the sessions"
    assert not location.journals.exists()
    assert query(location, "PRAGMA integrity_check") == [("ok",)]


@WAYS
def test_a_killed_session_is_recovered_on_demand(folder, workers):
    child = start(folder, *workers, STUCK="answer 9")
    wait_for(folder / "told", 5)
    location = locate(None, folder)
    (journal,) = location.journals.glob("*.jsonl")
    alive = CliRunner().invoke(main, ["history", "recover", "--history", str(location.path)])
    assert alive.exit_code == 0
    assert alive.stdout == f"There is nothing to recover.\nLeft alone: {journal} of a session that runs.\n"
    os.killpg(child.pid, signal.SIGKILL)
    child.communicate(timeout=30)
    finished = set(told(folder / "told"))
    done = CliRunner().invoke(main, ["history", "recover", "--history", str(location.path)])
    assert done.exit_code == 0, done.output
    ((run, results),) = kept(location)
    assert finished <= set(results)
    assert done.stdout == (f"Recovered run {run.uid} of experiment default: cancelled, {len(results)} results.\n")
    assert (run.status, run.n_cancelled) == ("cancelled", CASES - len(results))
    assert (run.defined_cases, run.selected_cases) == (CASES, CASES)
    assert run.params["command"][0] == "pytest"
    assert not location.journals.exists()
