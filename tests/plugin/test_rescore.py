"""Scoring the answers of a run again: no target is called, everything else is a run like any other."""

from __future__ import annotations

import pytest
from histories import query

from pytest_evals.store.location import locate

BOT = """
from pytest_evals import Response, ToolCall, Usage
CALLS = []

def answer(input, trial, variant=None):
    if input == "boom":
        raise ValueError("boom")
    said = input.upper() + (str(trial) if input == "t" else "")
    return Response(said, cost_usd=0.5, usage=Usage(3, 4), tool_calls=[ToolCall("look", {"n": trial})])
"""
SUITE = """
suite: shop
target: bot.py:answer
defaults: {retries: 0}
gates: [pass_rate >= 10%]
variants: [{id: small}, {id: large}]
cases:
  - {id: good, input: x, criteria: [exact_match: X]}
  - {id: tools, input: y, expected_tool_calls: [{name: look, args: {n: 1}}], criteria: [tool_calls]}
  - {id: broken, input: boom, criteria: [exact_match: BOOM]}
  - {id: often, input: t, trials: 3, pass_if: any, criteria: [exact_match: T2]}
"""
FILES = {"pytest.ini": "[pytest]\n", "bot.py": BOT, "shop.eval.yaml": SUITE}


@pytest.fixture
def stored(alone):
    """A run whose application is gone."""
    ran = alone({**FILES, "shop.eval.yaml": SUITE.replace("[tool_calls]", "[exact_match: Y]")})
    (ran.path / "bot.py").unlink()
    return ran


def uid(ran):
    """The id of the first run."""
    return query(locate(None, ran.path), "select uid from experiment_runs order by id")[0][0]


def figures(case):
    """What an answer took, and what it was."""
    same = ("output", "latency_ms", "usage", "cost_usd", "tool_calls", "metadata", "session_id", "attempts")
    return [{name: trial[name] for name in same} for trial in case["trials"]]


def test_answers_and_what_they_took_are_those_of_the_run(project):
    first = project(FILES, "-n0")
    (first.path / "bot.py").unlink()
    project.write({"shop.eval.yaml": SUITE.replace("exact_match: X", "exact_match: Q")})
    ran = project.run("--evals-rescore=last")
    assert ran.outcomes["good"] == "failed"
    assert [figures(case) for case in ran.report["cases"]] == [figures(case) for case in first.report["cases"]]
    assert ran.report["summary"]["by_variant"][0]["name"] == "small"
    for case in ("good", "broken"):
        assert ran.case(case)["target"] == "bot.py:answer"
    assert ran.case("broken")["error"] == first.case("broken")["error"]
    assert (ran.report["earlier"]["cases"], ran.report["earlier"]["others"]) == (8, {})
    location = locate(None, ran.path)
    assert query(location, "select parent_run_id, cost_usd from experiment_runs order by id")[1] == (1, 0.0)
    assert "scored     8 cases of run" in ran.out


def test_cases_without_an_answer_and_answers_without_a_case_are_said(stored, alone):
    suite = SUITE.replace("variants: [{id: small}, {id: large}]\n", "")
    suite = suite.replace("id: good", "id: fresh").replace("input: y", "input: other")
    alone.write({"shop.eval.yaml": suite})
    ran = alone.run("--evals-rescore=last", "-v")
    # the run asked variants, which the suite has no more
    assert ran.report["cases"] == []
    assert ran.report["earlier"]["others"]["not in the run"][0] == "shop::fresh"
    alone.write({"shop.eval.yaml": SUITE.replace("id: good", "id: fresh").replace("input: y", "input: other")})
    ran = alone.run(f"--evals-rescore={uid(stored)}", "-v")
    assert ran.report["earlier"]["others"] == {
        "not in the run": ["shop::fresh[small]", "shop::fresh[large]"],
        "the answer is to another question": ["shop::tools[small]", "shop::tools[large]"],
        "of the run, not in the suite any more": ["shop::good[small]", "shop::good[large]"],
    }
    assert {case["id"] for case in ran.report["cases"]} == {"broken", "often"}
    assert "    shop::fresh[small]: not in the run" in ran.out


def test_trials_that_were_saved_are_an_error_not_a_guess(stored, alone):
    # asked until one passed, which was the second
    assert len(stored.case("often")["trials"]) == 2
    alone.write({"shop.eval.yaml": SUITE.replace("pass_if: any", "pass_if: all").replace("T2", "T1")})
    decided = alone.run("--evals-rescore=last")
    assert [trial["outcome"] for trial in decided.case("often")["trials"]] == ["passed", "failed"]
    assert decided.outcomes["often"] == "failed"
    alone.write(
        {"shop.eval.yaml": SUITE.replace("pass_if: any", "pass_if: all").replace("exact_match: T2", "regex: T")}
    )
    ran = alone.run(f"--evals-rescore={uid(stored)}")
    assert ran.outcomes["often"] == "errored"
    assert "trial 3 was not asked in that run" in ran.case("often")["error"]["message"]


def test_a_suite_of_another_name_scores_a_run_of_one_suite(stored, alone):
    alone.write({"strict.eval.yaml": SUITE.replace("suite: shop", "suite: strict")})
    ran = alone.run("strict.eval.yaml", f"--evals-rescore={uid(stored)}")
    assert (ran.report["earlier"]["cases"], ran.report["cases"][0]["suite"]) == (8, "strict")
    # scored again, what the scores were made of stays the first run
    again = alone.run("strict.eval.yaml", "--evals-rescore=last")
    assert again.report["cases"][0]["trials"][0]["answered_in"] == uid(stored)


def test_a_run_that_is_not_there_is_a_usage_error(alone):
    ran = alone(FILES, "--evals-rescore=last", report=False)
    assert (ran.status, "--evals-rescore: there is no history yet" in ran.out) == (4, True)
