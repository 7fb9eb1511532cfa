"""Going on with an interrupted run: what it answered is taken over, everything else is asked."""

from __future__ import annotations

import json
from pathlib import Path

from histories import query

from pytest_evals.store.location import locate

BOT = """
import os, signal
from pathlib import Path
from pytest_evals import Response, Usage

HERE = Path(__file__).parent

def answer(input):
    with (HERE / "calls.txt").open("a") as calls:
        calls.write(input + "\\n")
    if input == "die" and not (HERE / "go").exists():
        os.kill(os.getpid(), signal.SIGKILL)
    if input == "boom" and not (HERE / "go").exists():
        raise ValueError("boom")
    return Response(input.upper(), cost_usd=0.5, usage=Usage(3, 4))
"""
SUITE = """
suite: shop
target: bot.py:answer
defaults: {retries: 0}
gates: [pass_rate >= 10%]
cases:
  - {id: good, input: x, criteria: [exact_match: X]}
  - {id: bad, input: y, tags: [old], criteria: [exact_match: Z]}
  - {id: broken, input: boom, criteria: [exact_match: BOOM]}
  - {id: later, input: die, criteria: [exact_match: DIE]}
  - {id: last, input: w, criteria: [exact_match: W]}
"""
FILES = {"pytest.ini": "[pytest]\n", "bot.py": BOT, "shop.eval.yaml": SUITE}
MADE = """
import pytest

@pytest.fixture
def bot():
    with open("made.txt", "a") as file:
        file.write("x")
    return str.upper
"""
ONE_BY_ONE = ("--evals-concurrency=1", "-n0")


def calls(path: Path) -> list[str]:
    """What the target was asked since the last time."""
    file = path / "calls.txt"
    asked = file.read_text("utf-8").split() if file.exists() else []
    file.unlink(missing_ok=True)
    return sorted(asked)


def interrupted(project):
    """A session that ran out of money when ``good`` and ``bad`` were asked."""
    ran = project(FILES, *ONE_BY_ONE, "--evals-max-cost=1")
    assert ran.status != 0
    ran.path.joinpath("go").touch()
    return ran


def test_what_was_answered_is_taken_over_and_the_rest_is_asked(project):
    first = interrupted(project)
    assert calls(first.path) == ["x", "y"]
    ran = project.run("--evals-resume")
    assert calls(ran.path) == ["boom", "die", "w"]
    assert ran.outcomes == {"good": "passed", "bad": "failed", "broken": "passed", "later": "passed", "last": "passed"}
    assert ran.counts() == {"passed": 4, "missed": 1}
    run = ran.report["earlier"]["run"]
    assert [case["trials"][0]["answered_in"] for case in ran.report["cases"]] == [run, run, "", "", ""]
    # the cost of all answers is that of the cases; what was spent is counted once over the runs of the history
    assert ran.report["summary"]["cost_usd"]["total"] == 2.5
    location = locate(None, ran.path)
    assert query(location, "select cost_usd from experiment_runs order by id") == [(1.0,), (1.5,)]
    assert query(location, "select parent_run_id from experiment_runs order by id") == [(None,), (1,)]
    assert f"resumed    2 cases of run {run}, $1.00 of the cost was paid there" in ran.out
    assert "asked      3 cases, 3: it was skipped" in ran.out


def test_errored_cases_are_taken_over_by_resume_and_asked_by_retry_errors(alone):
    ran = alone({**FILES, "shop.eval.yaml": SUITE.replace("die", "d")})
    calls(ran.path)
    alone.write({"go": ""})
    kept = alone.run("--evals-resume=last")
    assert (kept.outcomes["broken"], kept.status) == ("errored", 1)
    assert calls(ran.path) == []
    retried = alone.run("--evals-retry-errors")
    assert calls(ran.path) == ["boom"]
    assert (retried.outcomes["broken"], retried.report["earlier"]["others"]) == (
        "passed",
        {"it errored": ["shop.eval.yaml::broken"]},
    )
    assert retried.report["earlier"]["cases"] == 4


def test_what_changed_since_is_asked_again_and_the_reason_is_said(alone):
    alone({**FILES, "go": "", "shop.eval.yaml": SUITE.replace("die", "d")})
    calls(alone.pytester.path)
    run = query(locate(None, alone.pytester.path), "select uid from experiment_runs")[0][0]
    changed = (
        SUITE.replace("input: x", "input: xx").replace("exact_match: Z", "exact_match: Y").replace("[old]", "[new]")
    )
    changed = changed.replace("die", "d").replace("id: last", "id: fresh").replace("retries: 0", "retries: 3")
    alone.write({"shop.eval.yaml": changed})
    ran = alone.run(f"--evals-resume={run}", "-v")
    assert calls(ran.path) == ["w", "xx", "y"]
    assert ran.report["earlier"]["others"] == {
        "it asks something else now": ["shop.eval.yaml::good"],
        "its criteria or expectations are others": ["shop.eval.yaml::bad"],
        "it has no answer there": ["shop.eval.yaml::fresh"],
    }
    assert "    shop.eval.yaml::bad: its criteria or expectations are others" in ran.out
    assert ran.case("later")["node_id"] == "shop.eval.yaml::later"
    alone.write({"bot.py": BOT + "# another version\n"})
    others = alone.run(f"--evals-resume={run}", "-k", "later").report["earlier"]["others"]
    assert others == {"the target is another one": ["shop.eval.yaml::later"]}
    twice = alone.write({"bot.py": BOT}).run(f"--evals-resume={run}", "-k", "later", "--evals-trials=2")
    assert list(twice.report["earlier"]["others"]) == ["it is asked another number of times"]


def test_a_killed_session_is_gone_on_with(alone):
    killed = alone(FILES, *ONE_BY_ONE, subprocess=True)
    assert killed.status == -9
    assert calls(killed.path) == ["boom", "die", "x", "y"]
    alone.write({"go": ""})
    ran = alone.run("--evals-resume")
    assert calls(ran.path) == ["die", "w"]
    assert [case["outcome"] for case in ran.report["cases"]] == ["passed", "failed", "errored", "passed", "passed"]
    # it is gone on with: the next time there is nothing to take over
    again = alone.run("--evals-resume", "--evals-dry-run")
    assert again.status == 0
    assert "5" in again.out


def test_no_fixture_is_set_up_for_a_case_that_is_taken_over(alone):
    target = MADE
    suite = SUITE.replace("bot.py:answer", "{fixture: bot}")
    files = {"pytest.ini": "[pytest]\n", "conftest.py": target, "shop.eval.yaml": suite}
    alone(files, "-x", *ONE_BY_ONE, "--evals-strict")
    assert (alone.pytester.path / "made.txt").read_text() == "xx"
    ran = alone.run("--evals-resume")
    assert ran.report["earlier"]["cases"] == 2
    assert (alone.pytester.path / "made.txt").read_text() == "xxxxx"
    # the fixture's own file is part of what the target is
    alone.write({"conftest.py": target.replace("str.upper", "str.lower")})
    ran = alone.run(f"--evals-resume={ran.report['earlier']['run']}")
    assert len(ran.report["earlier"]["others"]["the target is another one"]) == 2


def test_mistakes_are_said_in_one_line_at_the_start(alone):
    ran = alone(FILES, "--evals-resume", "shop.eval.yaml", report=False)
    assert ran.status == 4
    assert "there is no history yet" in ran.out
    alone.write({"go": ""}).run(report=False)
    ran = alone.run("--evals-resume", "shop.eval.yaml", report=False)
    said = "--evals-resume: there is no run 'shop.eval.yaml', which is a path; put paths before the option"
    assert (ran.status, said in ran.out) == (4, True)
    ran = alone.run("--evals-resume=last", "--evals-retry-errors=last", report=False)
    assert (ran.status, "give one of them" in ran.out) == (4, True)
    nothing = alone.run("--evals-resume")
    assert (nothing.report["earlier"]["cases"], nothing.report["earlier"]["run"]) == (0, "")
    assert "resumed    nothing: there is no run that was interrupted" in nothing.out


def test_the_reasons_are_in_the_report_for_programs(alone):
    interrupted(alone)
    ran = alone.run("--evals-resume")
    earlier = json.loads(json.dumps(ran.report["earlier"]))
    assert (earlier["how"], earlier["cost_usd"], earlier["unknown_cost"]) == ("resumed", 1.0, 0)
    assert sum(map(len, earlier["others"].values())) == 3
