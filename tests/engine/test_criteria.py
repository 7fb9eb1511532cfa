"""Which scorer answers a criterion, and functions that do."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pytest_evals.engine.criteria import answer_criteria, function_scorer, scorer_of
from pytest_evals.errors import ScorerError
from pytest_evals.model.case import Case
from pytest_evals.model.criterion import Criterion
from pytest_evals.model.response import Response, ToolCall
from pytest_evals.scoring import scorer

CHECKS = """
def right(actual, options): return actual == "yes"
def wrong(answer): return True
class Class:
    @staticmethod
    def inside(): return 0.5
text = "x"
from math import hypot
"""


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "checks_ec.py").write_text(CHECKS)
    return tmp_path


def test_a_function_of_a_file_or_module_is_found(folder):
    right = scorer_of(Criterion("python:checks_ec.py:right", "right", base=folder), {})
    assert right(actual="yes", options={})
    assert function_scorer("python:checks_ec.py:Class.inside", folder)() == 0.5
    assert scorer_of(Criterion("python:checks_ec.py:right", "other", base=folder), {}) is right


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("checks_ec.py:rihgt", ": checks_ec.py has no 'rihgt'; did you mean 'right'?"),
        ("checks_ec.py:wrong", ": a scorer asks for 'answer'; a scorer can ask for"),
        ("checks_ec.py:Class", " is a class; name a function"),
        ("checks_ec.py:text", " is a str; name a function"),
        ("checks_ec.py:hypot", ": "),
        ("gone.py:right", ": there is no file"),
    ],
)  # fmt: skip
def test_a_function_that_cannot_answer_says_why(folder, name, said):
    with pytest.raises(ScorerError) as raised:
        function_scorer(f"python:{name}", folder)
    assert str(raised.value).startswith(f"criterion 'python: {name}'{said}")


def test_a_scorer_is_taken_by_its_name_and_must_be_callable():
    assert scorer_of(Criterion("own", "own"), {"own": len}) is len
    with pytest.raises(ScorerError, match="scorer 'own' is a str, which cannot be called"):
        scorer_of(Criterion("own", "own"), {"own": "x"})


def marks_of(criterion, case, response):
    scorers = {name: scorer(name) for name in ("tool_calls", "contains", "levenshtein")}
    scorers["own"] = lambda: 0.5
    [result] = answer_criteria(replace(case, criteria=(criterion,)), response, scorers, None)
    return result.score, result.mark


@pytest.mark.parametrize(
    ("combination", "parts", "score", "mark"),
    [
        ("not", ["tool_calls"], 0.25, 1),
        ("all_of", ["tool_calls", "contains"], 0.75, 1),
        ("all_of", ["tool_calls", "levenshtein"], 0.75, 1),
        ("any_of", ["levenshtein", "contains"], 1, 0.7),
        ("any_of", ["own", "contains"], 1, 0.7),
        ("not", ["own"], 0.5, 0.7),
        ("not", ["contains"], 0, 1),
    ],
)
def test_a_combination_has_the_strictest_mark_of_its_grading_parts(combination, parts, score, mark):
    case = Case("a", "q", (), expected_output="yes", expected_tool_calls=tuple(map(ToolCall, "abcd")))
    response = Response("yes", tool_calls=tuple(map(ToolCall, "abc")))
    criterion = Criterion(combination, "c", parts=tuple(Criterion(name, name) for name in parts))
    assert marks_of(criterion, case, response) == (score, mark)
    assert marks_of(Criterion("tool_calls", "t"), case, response) == (0.75, 1)
    assert marks_of(Criterion("tool_calls", "t", threshold=0.5), case, response) == (0.75, 0.5)
