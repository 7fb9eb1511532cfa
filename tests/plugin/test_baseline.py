"""A session against its baseline, from the command line to the exit status."""

from __future__ import annotations

import json

import pytest

BOT = """
import json, pathlib
ANSWERS = json.loads(pathlib.Path(__file__).with_name("answers.json").read_text())
def answer(question): return ANSWERS[question]
"""


def suite(*ids, gates=("regressions == 0", "pass_rate drop <= 2pp")):
    cases = "".join(f"  - {{id: {one}, input: {one}, expected_output: good}}\n" for one in ids)
    listed = "".join(f"  - {gate}\n" for gate in gates)
    return f"target: bot.py:answer\ndefaults: {{criteria: [exact_match]}}\ngates:\n{listed}cases:\n{cases}"


def files(text, **answers):
    return {"bot.py": BOT, "answers.json": json.dumps(answers), "s.eval.yaml": text, "pytest.ini": "[pytest]\n"}


def test_a_broken_case_breaks_the_gate_and_is_shown_with_both_answers(project):
    first = project(files(suite("a", "b", "c"), a="good", b="good", c="bad"))
    assert first.status == 1  # c fails outright
    assert [gate["verdict"] for gate in first.report["gates"]] == ["not asked", "not asked"]
    assert first.report["comparison"] is None
    ran = project(files(suite("a", "b", "c"), a="good", b="worse than before", c="good"), "--evals-baseline=last")
    assert ran.status == 1
    assert [gate["verdict"] for gate in ran.report["gates"]] == ["broken", "held"]
    assert ran.report["comparison"]["counts"]["broken"] == 1
    assert ran.report["comparison"]["counts"]["fixed"] == 1
    assert "1 broken, 1 fixed, 1 same" in ran.out
    assert "before good" in ran.out
    assert "now    worse than before" in ran.out


def test_a_deselected_case_is_no_regression_and_a_case_that_is_gone_is_one(project):
    both = files(suite("one", "two"), one="good", two="good")
    project(both)
    part = project(both, "--evals-baseline=last", "-k", "one")
    assert part.status == 0, part.out
    assert part.report["comparison"]["counts"]["left out"] == 1
    gone = project(files(suite("one"), one="good"), "--evals-baseline=last")
    assert gone.status == 1
    assert gone.report["comparison"]["regressions"] == 1


@pytest.mark.parametrize("named", ["last", "last:main", "zzzz", "nowhere.json"])
def test_a_baseline_that_is_missing_leaves_its_gates_undecided(project, named):
    ran = project(files(suite("a"), a="good"), f"--evals-baseline={named}")
    assert ran.status == 75
    assert {gate["verdict"] for gate in ran.report["gates"]} == {"undecided"}
    assert ran.report["no_baseline"].startswith("no baseline: there is no")
    assert "Traceback" not in ran.out


def test_a_gate_of_the_session_is_decided_and_a_bad_one_is_said_at_once(project):
    texts = files(suite("a", "b", gates=("errors == 0",)), a="good", b="good")
    ran = project(texts, "--evals-gate=pass_rate >= 100%", "--evals-gate=score.mean >= 0.5")
    assert ran.status == 0
    assert [gate["gate"] for gate in ran.report["gates"]] == ["errors == 0", "pass_rate >= 100%", "score.mean >= 0.5"]
    broken = project(files(suite("a", gates=("errors == 0",)), a="bad"), "--evals-gate=pass_rate >= 100%")
    assert "evals::gate[pass_rate >= 100%]" in broken.out
    assert project(texts, "--evals-gate=pass_rat >= 1").status == 4


def test_a_baseline_file_is_relative_to_where_one_stands_and_never_written(project):
    ran = project(files(suite("a", "b"), a="good", b="bad"))
    path = ran.path / "deep" / "baseline.json"
    path.parent.mkdir()
    cases = {name: {"outcome": "passed", "score": 1.0} for name in "ab"}
    text = json.dumps({"format": "pytest-evals baseline 1", "suites": {"s": cases}})
    path.write_text(text)
    again = project(files(suite("a", "b"), a="good", b="bad"), "--evals-baseline=deep/baseline.json")
    assert again.report["comparison"]["regressions"] == 1
    assert path.read_text() == text
