"""From a suite file to a verdict: outcomes, letters, exit status, alone and with xdist."""

from __future__ import annotations

BOT = """
import asyncio, time
def answer(question):
    if question == "boom": raise ValueError("boom at work")
    if question == "slow": time.sleep(5)
    return {"capital": "The capital is Paris.", "wrong": "I do not know."}.get(question, question)
"""

SUITE = """
suite: demo
target: bot.py:answer
defaults: {retries: 0, criteria: [contains]}
cases:
  - {id: right, input: capital, expected_output: Paris}
  - {id: wrong, input: wrong, expected_output: Paris}
  - {id: error, input: boom, expected_output: Paris}
  - {id: skipped, input: capital, expected_output: Paris, skip: not now}
  - {id: forgiven, input: wrong, expected_output: Paris, xfail: known}
"""

ALL = {"right": "passed", "wrong": "failed", "error": "errored", "skipped": "skipped", "forgiven": "failed"}


def test_each_case_has_its_outcome_and_the_session_fails(project):
    ran = project({"bot.py": BOT, "demo.eval.yaml": SUITE})
    assert ran.counts() == {"passed": 1, "failed": 1, "errors": 1, "skipped": 1, "xfailed": 1}
    assert ran.status == 1
    assert ran.outcomes == ALL


def test_the_failure_text_is_the_explanation_and_nothing_of_ours(project):
    ran = project({"bot.py": BOT, "demo.eval.yaml": SUITE})
    assert "I do not know." in ran.out
    assert "Paris" in ran.out
    assert "boom at work" in ran.out
    assert "bot.py" in ran.out
    for internal in ("pytest_evals/", "CaseItem", "runtest", "_wait", "answer.py"):
        assert internal not in ran.out, internal


def test_under_a_pass_rate_gate_misses_are_tolerated_and_stay_in_lf(project):
    suite = SUITE.replace("cases:", "gates: ['pass_rate >= 30%']\ncases:").replace(
        "  - {id: error, input: boom, expected_output: Paris}\n", ""
    )
    ran = project({"bot.py": BOT, "demo.eval.yaml": suite})
    assert ran.counts() == {"passed": 1, "missed": 1, "skipped": 1, "xfailed": 1}
    assert ran.status == 0
    assert ran.outcomes["wrong"] == "failed"
    again = project.run("--lf", report=False)
    assert again.counts()["missed"] == 1
    assert "passed" not in again.counts()


def test_a_broken_gate_fails_the_session_and_shows_as_a_failing_test(project):
    suite = SUITE.replace("cases:", "gates: ['pass_rate >= 90%']\ncases:").replace(
        "  - {id: error, input: boom, expected_output: Paris}\n", ""
    )
    ran = project({"bot.py": BOT, "demo.eval.yaml": suite}, "--junitxml=j.xml")
    assert ran.status == 1
    assert ran.counts()["failed"] == 1
    assert "FAILED demo.eval.yaml::gate[pass_rate >= 90%]" in ran.out
    assert 'name="gate[pass_rate &gt;= 90%]"' in (ran.path / "j.xml").read_text()
    again = project.run("--lf", report=False)
    assert again.counts().get("missed") == 1


def test_strict_makes_misses_and_warnings_fail(project):
    suite = """
target: echo
gates: ['pass_rate >= 10%']
cases:
  - {id: good, input: same, expected_output: same, criteria: [exact_match]}
  - {id: missed, input: other, expected_output: same, criteria: [exact_match]}
  - {id: near, input: sane, expected_output: same, criteria: [levenshtein], threshold: 0.9, warn: 0.5}
"""
    lax = project({"a.eval.yaml": suite})
    assert lax.counts() == {"passed": 1, "missed": 1, "warned": 1}
    assert (lax.status, lax.outcomes["near"]) == (0, "warned")
    strict = project.run("--evals-strict")
    assert strict.counts() == {"passed": 1, "failed": 2}
    assert strict.status == 1


def test_a_timeout_alone_is_inconclusive(project):
    suite = "target: bot.py:answer\ncases: [{id: s, input: slow, expected_output: x, criteria: [contains], timeout: 200ms, retries: 0}]\n"
    ran = project({"bot.py": BOT, "a.eval.yaml": suite})
    assert ran.status == 75
    assert ran.case("s")["error"]["kind"] == "timeout"


def test_a_timeout_beside_a_wrong_answer_is_a_failure(project):
    suite = """
target: bot.py:answer
defaults: {criteria: [contains], retries: 0}
cases:
  - {id: s, input: slow, expected_output: x, timeout: 200ms}
  - {id: w, input: wrong, expected_output: Paris}
"""
    assert project({"bot.py": BOT, "a.eval.yaml": suite}).status == 1


def test_a_tolerated_share_of_errors_shows_as_e_and_passes(project):
    cases = "".join(f"  - {{id: ok{i}, input: capital, expected_output: Paris}}\n" for i in range(9))
    suite = (
        "target: bot.py:answer\ndefaults: {criteria: [contains], retries: 0}\ncases:\n"
        + cases
        + "  - {id: e, input: boom, expected_output: Paris}\n"
    )
    ran = project({"bot.py": BOT, "a.eval.yaml": suite}, "--evals-max-error-share=10%")
    assert ran.counts() == {"passed": 9, "errored": 1}
    assert ran.status == 0
    assert project.run("--evals-max-error-share=0.05").status == 1


def test_a_score_without_a_verdict_is_outside_the_pass_rate(project):
    suite = (
        "target: echo\ncases: [{id: s, input: abc, expected_output: abd, criteria: [levenshtein], threshold: unset}]\n"
    )
    ran = project({"a.eval.yaml": suite})
    assert (ran.status, ran.outcomes["s"]) == (0, "scored")
    assert ran.report["summary"]["pass_rate"] is None


def test_ordinary_tests_and_cases_share_a_session(project):
    ran = project({"bot.py": BOT, "demo.eval.yaml": SUITE, "test_x.py": "def test_x(): pass\ndef test_y(): assert 0\n"})
    assert ran.counts() == {"passed": 2, "failed": 2, "errors": 1, "skipped": 1, "xfailed": 1}
    assert len(ran.report["cases"]) == 5


def test_checks_in_ordinary_tests_land_in_the_same_aggregate(project):
    test = """
import pytest
def test_good(evals):
    result = evals.check("Paris it is", "Paris", criteria=["contains"])
    assert result.score == 1
def test_two(evals):
    evals.check("a", scores={"own": 0.9}, name="first")
    evals.record("b", scores={"speed": 0.4}, name="second")
def test_bad(evals):
    evals.check("London", "Paris", criteria=["contains"], tags=["geo"])
"""
    ran = project({"test_x.py": test})
    assert ran.counts() == {"passed": 2, "failed": 1}
    assert ran.status == 1
    assert ran.outcomes == {
        "test_good": "passed",
        "test_two/first": "passed",
        "test_two/second": "scored",
        "test_bad": "failed",
    }
    assert "London" in ran.out


def test_a_fixture_that_fails_makes_its_case_errored(project):
    conftest = """
import pytest
@pytest.fixture
def bot(): raise RuntimeError("no database")
@pytest.fixture
def good(): yield lambda q: q; raise RuntimeError("teardown went wrong")
"""
    suite = "target: {fixture: %s}\ncases: [{id: c, input: a, expected_output: a, criteria: [contains]}]\n"
    ran = project(
        {
            "conftest.py": conftest,
            "a.eval.yaml": "suite: a\n" + suite % "bot",
            "b.eval.yaml": "suite: b\n" + suite % "good",
        }
    )
    assert [case["outcome"] for case in ran.report["cases"]] == ["errored", "errored"]
    assert [case["error"]["kind"] for case in ran.report["cases"]] == ["fixture", "fixture"]
    assert ran.status == 1
