"""Ctrl-C in the middle of a long run, and going on with it: nothing that was answered is paid for twice."""

from __future__ import annotations

from histories import query

from pytest_evals.store.location import locate

BOT = """
import asyncio, os, signal
from pathlib import Path
from pytest_evals import Response, Usage

HERE = Path(__file__).parent
OTHERS = asyncio.Event()
answered = 0

async def answer(input, trial):
    global answered
    if input == "stop" and not (HERE / "go").exists():
        await OTHERS.wait()
        os.kill(int((HERE / "pid").read_text()) if (HERE / "pid").exists() else os.getpid(), signal.SIGINT)
        await asyncio.Event().wait()
    with (HERE / "calls.txt").open("a") as calls:
        calls.write(f"{input}{trial}\\n")
    answered += 1
    if answered == 9:
        OTHERS.set()
    return Response(input.upper(), cost_usd=0.5, usage=Usage(3, 4))
"""
CONFTEST = """
import pytest

@pytest.fixture
def own_scorer():
    return lambda actual: actual.isupper()
"""
SUITE = """
suite: shop
target: bot.py:answer
defaults: {timeout: 10s, retries: 0}
gates: [pass_rate >= 90%]
cases:
  - {id: a, input: a, criteria: [exact_match: A]}
  - {id: stop, input: stop, criteria: [exact_match: STOP]}
  - {id: b, input: b, criteria: [exact_match: B]}
  - {id: c, input: c, criteria: [own]}
  - {id: d, input: d, criteria: [exact_match: Q]}
  - {id: e, input: e, trials: 3, criteria: [exact_match: E]}
  - {id: f, input: f, trials: 3, criteria: [own]}
  - {id: g, input: g, criteria: [own, exact_match: G]}
"""
FILES = {"pytest.ini": "[pytest]\n", "conftest.py": CONFTEST, "bot.py": BOT, "shop.eval.yaml": SUITE}
ALL = sorted(["a1", "stop1", "b1", "c1", "d1", "e1", "e2", "e3", "f1", "f2", "f3", "g1"])


def calls(path):
    """What was answered since the last time."""
    file = path / "calls.txt"
    answered = file.read_text("utf-8").split()
    file.unlink()
    return sorted(answered)


def stopped(alone):
    ran = alone(FILES, "--evals-concurrency=4", subprocess=True)
    assert ran.status == 2
    answered = calls(ran.path)
    assert len(answered) == 9
    alone.write({"go": ""})
    return ran, answered


def test_what_was_answered_when_ctrl_c_came_is_not_asked_again(alone):
    ran, answered = stopped(alone)
    assert ran.outcomes == {"a": "passed"}
    assert "6 cases were answered and have no result yet; --evals-resume takes that over, too" in ran.out
    resumed = alone.run("--evals-resume")
    asked = calls(ran.path)
    assert sorted([*answered, *asked]) == ALL
    # of a case whose scorer nobody had, one trial was asked before its turn
    assert asked == ["f2", "f3", "stop1"]
    assert resumed.outcomes == {case: "failed" if case == "d" else "passed" for case in ("a", "stop", *"bcdefg")}
    assert (resumed.report["earlier"]["cases"], resumed.report["earlier"]["answers"]) == (1, 6)
    assert "6 cases answered when it was stopped" in resumed.out
    # every answer is paid for in one of the runs
    location = locate(None, ran.path)
    assert query(location, "select cost_usd from experiment_runs order by id") == [(0.5,), (5.5,)]
    assert not (location.path.parent / "answers").exists()


def test_what_a_second_interruption_leaves_is_kept_too(alone):
    ran, answered = stopped(alone)
    alone.write({"shop.eval.yaml": SUITE.replace("gates: [pass_rate >= 90%]\n", "")})
    again = alone.run("--evals-resume", "-x")
    assert sorted(again.outcomes) == ["a", "b", "c", "d", "stop"]
    last = alone.run("--evals-resume")
    assert len(last.outcomes) == 8
    # in three sessions each question was answered once
    assert sorted([*answered, *calls(ran.path)]) == ALL
    assert not (ran.path / ".evals" / "answers").exists()


def test_answers_to_another_question_are_asked_again(alone):
    ran, _ = stopped(alone)
    alone.write({"shop.eval.yaml": SUITE.replace("input: c", "input: z").replace("exact_match: B", "exact_match: Y")})
    resumed = alone.run("--evals-resume")
    assert calls(ran.path) == ["b1", "f2", "f3", "stop1", "z1"]
    assert resumed.outcomes["b"] == "failed"


def test_nothing_is_kept_without_a_history(alone):
    ran = alone(FILES, "--evals-concurrency=4", "--evals-no-history", subprocess=True)
    assert ran.status == 2
    assert not (ran.path / ".evals").exists()
