"""Drafts run and are shown; no gate counts them, and none fails the session."""

from __future__ import annotations

import pytest

BOT = """
def answer(question):
    if question == "err":
        raise ValueError("no")
    return question
"""
SUITE = """
suite: s
target: bot.py:answer
defaults: {criteria: [contains], expected_output: "y", retries: 0}
gates:
  - pass_rate >= 100%
  - errors == 0
  - score.mean >= 1
  - score.contains.mean >= 1
cases:
  - {id: good, input: y}
  - {id: better, input: y, status: draft}
  - {id: bad, input: n, status: draft}
  - {id: broken, input: err, status: draft}
  - {id: both, input: n, status: draft, xfail: known}
"""


def test_whatever_drafts_come_to_gates_hold(project):
    ran = project({"bot.py": BOT, "s.eval.yaml": SUITE, "pytest.ini": "[pytest]\nxfail_strict = true\n"})
    assert ran.status == 0, ran.out
    assert ran.outcomes == {
        "good": "passed",
        "better": "passed",
        "bad": "failed",
        "broken": "errored",
        "both": "failed",
    }
    counts = ran.report["summary"]["counts"]
    assert {key: value for key, value in counts.items() if value} == {"passed": 1, "xfailed": 3, "xpassed": 1}
    assert {gate["verdict"] for gate in ran.report["gates"]} == {"held"}, ran.report["gates"]
    assert ran.counts() == {"passed": 1, "xfailed": 3, "xpassed": 1}
    assert ran.case("bad")["xfail"] == "draft: nobody has accepted it yet"


def test_in_the_history_they_are_drafts_too(alone):
    ran = alone({"bot.py": BOT, "s.eval.yaml": SUITE}, "--evals-history=h.db")
    assert ran.status == 0
    from pytest_evals.store import connect
    from pytest_evals.store.location import locate
    from pytest_evals.store.results import case_rows
    from pytest_evals.store.runs import find_run

    with connect.reading(locate("h.db", ran.path)) as connection:
        run = find_run(connection, "last")
        drafts = {row.case_id: row.draft for row in case_rows(connection, run)}
    assert drafts == {"good": False, "better": True, "bad": True, "broken": True, "both": True}


def test_accepted_they_count(alone):
    ran = alone({"bot.py": BOT, "s.eval.yaml": SUITE.replace("status: draft", "status: accepted")})
    assert ran.status == 1
    assert ran.report["summary"]["counts"]["errored"] == 1


@pytest.mark.parametrize("status", ["drft", "[draft]", "true"])
def test_another_status_is_a_mistake_with_its_place(alone, status):
    ran = alone(
        {"bot.py": BOT, "s.eval.yaml": SUITE.replace("input: n, status: draft", f"input: n, status: {status}", 1)}
    )
    assert ran.status == 2
    assert "s.eval.yaml:13:" in ran.out
