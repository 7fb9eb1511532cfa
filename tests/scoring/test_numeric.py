"""The final number of an answer."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pytest_evals.errors import ScorerError
from pytest_evals.scoring import score, scorer

GSM8K = Path(__file__).parents[2] / "example_suites" / "gsm8k" / "model_solutions_200.jsonl"


@pytest.mark.parametrize("options", [{}, {"pattern": "A:"}, {"pattern": r"A:\s*(\S+)"}])
@pytest.mark.parametrize(
    ("model", "correct"),
    [("6b_finetuning", 45), ("6b_verification", 75), ("175b_finetuning", 65), ("175b_verification", 110)],
)
def test_the_verdict_on_200_recorded_answers_of_each_model_is_the_published_one(model, correct, options):
    right = 0
    for row in map(json.loads, GSM8K.read_text("utf-8").splitlines()):
        found = score("numeric", row[model]["solution"], row["ground_truth"].rpartition("A:")[2], **options)
        assert found.value is row[model]["is_correct"], row[model]["solution"]
        right += found.value
    assert right == correct


@pytest.mark.parametrize(
    ("actual", "expected", "options", "equal"),
    [
        ("She makes $1,018.00.", "1018", {}, True),
        ("3 + 4 = 7", 7, {}, True),
        ("7, as 3 + 4", 7, {}, False),
        ("The answer is −5", "-5", {}, True),
        ("5", "-5", {}, False),
        ("3.15", 3.14, {"tolerance": 0.01}, True),
        ("3.151", 3.14, {"tolerance": 0.01}, False),
        ("102", 100, {"relative_tolerance": 0.02}, True),
        ("103", 100, {"relative_tolerance": 0.02}, False),
        ("103", 100, {"relative_tolerance": 0.02, "tolerance": 3}, True),
        ("0", 0, {"relative_tolerance": 0.5}, True),
        ("50%", "50", {}, True),
        ("50%", "50%", {}, True),
        ("50%", 0.5, {}, False),
        ("50%", 0.5, {"percent": "fraction"}, True),
        ("0.5", "50%", {"percent": "fraction"}, True),
        ("1/3", "1/3", {}, True),
        ("1.234", "1234", {"decimal": "comma"}, True),
        (18, "18", {}, True),
        (18.0, 18, {}, True),
        ("0.1", 0.1, {}, True),
        ("9007199254740993", "9007199254740992", {}, False),
        ("1" * 400, "1" * 400, {}, True),
        ("x", "0", {}, False),
    ],
)
def test_numeric(actual, expected, options, equal):
    assert score("numeric", actual, expected, **options).value is equal


@pytest.mark.parametrize(
    ("actual", "pattern", "equal"),
    [
        ("A: 5. Wait. A: 7 (of 20)", "A:", True),
        ("A: 7 apples and 3 pears", "A:", True),
        ("7 is the answer, 3 is not", r"(\d+) is the answer", True),
        ("about 7 apples, 3 pears", r"\d+ apples", True),
        ("x=7 y=3", r"(?P<name>x)=(?P<number>\d+)", True),
        ("the answer is 7", "A:", False),
        ("7 A: none", "A:", False),
        ("A: 3", r"A:\s*(7)?", False),
    ],
)
def test_a_pattern_says_where_the_number_stands(actual, pattern, equal):
    assert score("numeric", actual, 7, pattern=pattern).value is equal


def test_the_expectation_is_read_the_same_way_where_the_pattern_occurs_in_it():
    assert score("numeric", "A: 18", "16 - 3 = 13, so\nA: 18 (of 20)", pattern="A:").value is True
    assert score("numeric", "A: 18", "18", pattern="A:").value is True


@pytest.mark.parametrize(
    ("actual", "expected", "options", "reason"),
    [
        ("26", "18", {}, "26 where 18 is expected, off by 8"),
        ("18", "18", {}, "18 is expected"),
        ("18.5", "18", {"tolerance": 1}, "18.5 is expected, within 1"),
        ("none at all", "18", {}, "there is no number in 'none at all'"),
        ("", "18", {}, "the answer is empty"),
        ("18", "18", {"pattern": "A:"}, "nothing in the answer matches 'A:'"),
        ("A: none", "18", {"pattern": "A:"}, "there is no number after 'A:'"),
        ("50%", "0.5", {}, "50 where 0.5 is expected, off by 49.5; `percent: fraction` reads 50% as 0.5"),
    ],
)
def test_the_reason_tells_both_numbers(actual, expected, options, reason):
    assert score("numeric", actual, expected, **options).reason == reason


def test_the_detail_has_the_numbers():
    assert score("numeric", "26", "18").detail == {"number": 26, "expected": 18, "difference": 8}
    assert score("numeric", "x", "18").detail == {"number": None, "expected": 18}
    json.dumps(score("numeric", "1e999", "1e-999").detail, allow_nan=False)


@pytest.mark.parametrize("expected", ["none", "", True, float("nan"), {"a": "b"}])
def test_an_expectation_without_a_number_is_an_error_not_a_score(expected):
    with pytest.raises(ScorerError, match="numeric needs a number to compare with"):
        score("numeric", "18", expected)


def test_the_options_are_checked_at_collection():
    check = scorer("numeric").spec.check
    assert check({"expected": "eighteen"}) == ["there is no number in the expected text 'eighteen'"]
    assert check({"expected": "18"}) == []
    assert check({"pattern": "("})[0].startswith("the pattern is not a regular expression")
    assert check({}) == []


def test_a_pattern_that_never_ends_is_an_error():
    with pytest.raises(ScorerError, match="took longer than 1 s"):
        score("numeric", "a" * 40 + "b", 7, pattern=r"^(a|aa)+$")
