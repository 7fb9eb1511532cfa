"""A suite that cannot be used: every mistake at once, a line each, status 2 in every way of running."""

from __future__ import annotations

import pytest

GOOD = "suite: good\ntarget: echo\ncases: [{id: a, input: x, expected_output: x, criteria: [contains]}]\n"
BAD = """suite: bad
target: echo
cases:
  - {id: a, input: x, expected_output: x, criteria: [contains], treshold: 0.5}
  - {id: a, input: y, expected_output: y, criteria: [contians]}
"""


def test_all_mistakes_of_a_file_are_reported_a_line_each_and_the_status_is_2(project):
    ran = project({"bad.eval.yaml": BAD, "good.eval.yaml": GOOD})
    assert ran.status == 2
    assert "bad.eval.yaml:4:65: unknown key 'treshold'; did you mean 'threshold'?" in ran.out
    assert any("bad.eval.yaml:5:" in line and "'a'" in line for line in ran.result.outlines)
    assert "Traceback" not in ran.out
    assert ".py:" not in ran.out.replace("pytest.py", "")
    assert ran.outcomes == {}


def test_other_files_run_with_continue_on_collection_errors(project):
    ran = project({"bad.eval.yaml": BAD, "good.eval.yaml": GOOD}, "--continue-on-collection-errors")
    assert ran.status == 2
    assert ran.outcomes == {"a": "passed"}


@pytest.mark.parametrize(
    ("criterion", "said"),
    [
        ("contians", "unknown criterion 'contians'; did you mean 'contains'?"),
        ("shuot", "unknown criterion 'shuot'; did you mean 'shout'?"),
        ("entirely_own", "a fixture entirely_own_scorer in a conftest.py would answer it"),
    ],
)
def test_an_unknown_criterion_is_an_error_at_collection_with_its_place(project, criterion, said):
    conftest = "import pytest\n@pytest.fixture\ndef shout_scorer(): return lambda actual: True\n"
    suite = f"target: echo\ncases:\n  - id: a\n    input: x\n    criteria:\n      - {criterion}\n"
    ran = project({"conftest.py": conftest, "a.eval.yaml": suite})
    assert ran.status == 2
    assert f"a.eval.yaml:6:9: {'' if 'fixture' in said else said}" in ran.out
    assert said in ran.out


@pytest.mark.parametrize(
    ("target", "said"),
    [
        ("nowhere_x3.bot:answer", "pythonpath"),
        ("bot_x3.py:anwser", "did you mean 'answer'"),
        ("gone_x3.py:answer", "there is no file"),
        ("{fixture: nobody}", "there is no fixture 'nobody'"),
        ("{responses: gone.json}", "gone.json"),
    ],
)
def test_a_target_that_is_not_there_is_an_error_at_collection_with_its_place(project, target, said):
    suite = f"suite: a\ntarget: {target}\ncases: [{{id: a, input: x, expected_output: x, criteria: [contains]}}]\n"
    ran = project({"bot_x3.py": "def answer(q): return q\n", "a.eval.yaml": suite})
    assert ran.status == 2
    line = next(line for line in ran.result.outlines if "a.eval.yaml:2:" in line)
    assert said in line


def test_two_files_with_one_suite_name_are_refused(project):
    ran = project({"a.eval.yaml": GOOD, "b.eval.yaml": GOOD})
    assert ran.status == 2
    assert "suite 'good' is also the name of a.eval.yaml" in ran.out


def test_a_wrong_setting_is_a_usage_error_in_one_line(alone):
    ran = alone({"a.eval.yaml": GOOD}, "--evals-timeout=soon")
    assert ran.status == 4
    assert "--evals-timeout: 'soon' is not a time" in ran.out
    assert "Traceback" not in ran.out


def test_a_wrong_report_format_is_a_usage_error_before_anything_runs(alone):
    ran = alone({"a.eval.yaml": GOOD}, "--evals-report=pfd:x.pfd", report=False)
    assert ran.status == 4
    assert "json" in ran.out
