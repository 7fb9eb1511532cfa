"""Several trials of a case in a session: what is asked, what is shown, stored and reported."""

from __future__ import annotations

import json
import sqlite3

import pytest
from projects import Project

BOT = """
import pathlib
async def answer(question, trial, session_id):
    with open("calls.txt", "a") as file: file.write(f"{question.replace(' ', '')} {trial} {session_id}\\n")
    said = question.split()[trial - 1]
    print("trial", trial, "said", said)
    if said == "err": raise ConnectionError("down")
    return said
"""
SUITE = """
suite: s
target: bot.py:answer
defaults: {trials: 3, criteria: [contains], expected_output: "y", retries: 0}
cases:
  - {id: good, input: y y y}
  - {id: bad, input: y n y}
  - {id: either, input: n y n, pass_if: any}
  - {id: most, input: y n y, pass_if: majority}
  - {id: broken, input: err y y, pass_if: all}
  - {id: single, input: y, trials: 1}
"""


def calls(ran):
    return [line.split() for line in (ran.path / "calls.txt").read_text().splitlines()]


def test_cases_with_several_trials_alone_and_with_workers(project):
    ran = project({"bot.py": BOT, "s.eval.yaml": SUITE})
    assert ran.outcomes == {
        "good": "passed", "bad": "failed", "either": "passed", "most": "passed", "broken": "errored", "single": "passed",
    }  # fmt: skip
    asked = calls(ran)
    assert len({session for _, _, session in asked}) == len(asked) == 3 + 2 + 2 + 3 + 3 + 1
    assert ran.status == 1
    assert "1 of 2 trials passed, all 3 must: contains 0 < 1" in ran.out
    assert "1 of 3 trials errored, 2 passed, all 3 must: ConnectionError: down" in ran.out
    assert "  trials     13 of 15, 2 saved: they could not change a decision, 1 errored" in ran.out
    assert "  3 cases are flaky: their trials disagree" in ran.out
    trials = ran.report["summary"]["trials"]
    assert {name: trials[name] for name in trials if name != "of_k"} == {
        "cases": 5, "planned": 15, "ran": 13, "saved": 2, "errored": 1, "flaky": 3, "maybe_flaky": 1,
    }  # fmt: skip
    assert [flaky["id"] for flaky in ran.report["flaky"]] == ["bad", "either", "most"]
    bad = ran.case("bad")
    assert [trial["output"] for trial in bad["trials"]] == ["y", "n"]
    assert (bad["planned_trials"], bad["pass_if"], bad["shown_trial"], bad["output"], bad["score"]) == (
        3, "all", 2, "n", 0.5,
    )  # fmt: skip
    assert (ran.case("single")["pass_if"], ran.case("single")["flaky"]) == ("", False)


def test_the_explanation_shows_every_trial(alone):
    ran = alone({"bot.py": BOT, "s.eval.yaml": SUITE}, "s.eval.yaml::bad", "--evals-all-trials")
    assert "trials (2 of 3 trials passed, all 3 must):" in ran.out
    assert "output of trial 2: n" in ran.out
    for line in ("trial 1 said y", "trial 2 said n", "trial 3 said y"):
        assert line in ran.out
    ran = alone({}, "s.eval.yaml::bad")
    assert "1 trial was not asked: nothing they said could change the decision" in ran.out


def test_the_command_line_has_the_last_word_and_the_ini_file_the_first(alone):
    files = {
        "bot.py": "def answer(q): return 'y'",
        "s.eval.yaml": """
target: bot.py:answer
defaults: {criteria: [contains], expected_output: "y"}
cases:
  - {id: silent, input: q}
  - {id: says, input: q, trials: 2}
  - {id: names, input: q, pass_if: 1 of 3}
""",
        "pytest.ini": "[pytest]\nevals_trials = 4\nevals_pass_if = majority\nevals_all_trials = true\n",
    }
    said = lambda ran: {c["id"]: (c["planned_trials"], c["pass_if"], len(c["trials"])) for c in ran.report["cases"]}  # noqa: E731
    assert said(alone(files)) == {
        "silent": (4, "majority", 4), "says": (2, "majority", 2), "names": (3, "1 of 3", 3),
    }  # fmt: skip
    assert said(alone({}, "--evals-trials=5")) == {
        "silent": (5, "majority", 5), "says": (5, "majority", 5), "names": (3, "1 of 3", 3),
    }  # fmt: skip
    ran = alone({}, "--evals-trials=0")
    assert (ran.status, "--evals-trials: 0 is not a number of trials from 1 to 1000" in ran.out) == (4, True)


def test_the_history_keeps_every_trial(alone):
    ran = alone({"bot.py": BOT, "s.eval.yaml": SUITE})
    with sqlite3.connect(ran.path / ".evals" / "history.db") as history:
        [(trials, *columns)] = history.execute(
            "SELECT trials, planned_trials, pass_if, trial_outcomes, flaky, score FROM case_runs WHERE case_name = 'bad'"
        )
        assert columns == [3, "all", '{"passed":1,"failed":1}', 1, 0.5]
        assert [(t["outcome"], t["output"], t["criteria"][0]["score"]) for t in json.loads(trials)] == [
            ("passed", "y", 1.0),
            ("failed", "n", 0.0),
        ]
        [(score, passed)] = history.execute(
            "SELECT s.score, s.passed FROM case_scores s JOIN case_runs c ON c.id = s.case_run_id WHERE case_name = 'bad'"
        )
        assert (score, passed) == (0.5, 0)
        assert history.execute("SELECT trial_outcomes, flaky FROM case_runs WHERE case_name = 'single'").fetchall() == [
            (None, None)
        ]
    history.close()


def test_a_case_whose_trials_the_budget_cuts_off_is_skipped(alone):
    bot = """
from pytest_evals import Response
async def answer(question, trial):
    return Response("y", cost_usd=0.4)
"""
    suite = """
target: bot.py:answer
defaults: {criteria: [contains], expected_output: "y", retries: 0}
cases:
  - {id: a, input: q, trials: 2}
  - {id: b, input: q, trials: 5}
  - {id: c, input: q}
"""
    ran = alone({"bot.py": bot, "s.eval.yaml": suite}, "--evals-max-cost=1.5", "--evals-concurrency=1")
    assert ran.outcomes == {"a": "passed", "b": "skipped", "c": "skipped"}
    assert ran.report["budget"][0]["spent"] == pytest.approx(1.6)
    assert ran.status == 75


def test_a_scorer_of_function_scope_leaves_later_trials_to_the_turn_of_the_case(alone):
    conftest = """
import pytest
from projects import Project
@pytest.fixture
def odd_scorer(request):
    return lambda actual: actual == "y"
"""
    suite = SUITE.replace("[contains]", "[odd]")
    ran = alone({"bot.py": BOT, "conftest.py": conftest, "s.eval.yaml": suite})
    assert ran.outcomes["bad"] == "failed"
    assert ran.outcomes["most"] == "passed"
    assert len(calls(ran)) == 14


def test_a_dry_run_counts_all_trials_and_calls_nothing(alone):
    ran = alone({"bot.py": BOT, "s.eval.yaml": SUITE}, "--evals-dry-run")
    assert "16 calls, at a price that is not known" in ran.out
    assert "fewer where a case with several trials stops" in ran.out
    assert not (ran.path / "calls.txt").exists()


def test_a_trial_that_kills_its_worker_loses_its_case_alone(pytester):
    bot = """
import asyncio, os
async def answer(question, trial):
    await asyncio.sleep(0.02)
    if question == "die" and trial == 2: os._exit(9)
    return "y"
"""
    suite = """
target: bot.py:answer
defaults: {trials: 3, criteria: [contains], expected_output: "y", retries: 0}
cases:
  - {id: a, input: q}
  - {id: b, input: die}
  - {id: c, input: q}
  - {id: d, input: q, pass_if: majority}
"""
    ran = Project(pytester, ["-n2"])({"bot.py": bot, "s.eval.yaml": suite})
    assert ran.outcomes == {"a": "passed", "b": "errored", "c": "passed", "d": "passed"}
    assert ran.case("b")["error"]["kind"] == "crash"
    assert [len(ran.case(name)["trials"]) for name in "abcd"] == [3, 0, 3, 2]
