"""Grades, bands, the word for a whole, and the rule for Q&A, held to what another evaluator gives."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pytest_evals.model.rating import (
    QA_WEIGHTS,
    band,
    distribution,
    grade,
    named_now,
    overall,
    points,
    qa_verdict,
    usual,
    weakest,
)

ROWS = json.loads((Path(__file__).parents[1] / "data" / "gaia" / "ratings.json").read_text("utf-8"))


@pytest.mark.parametrize("row", ROWS["quality"], ids=lambda row: "-".join(row["ratings"]))
def test_grade_word_and_counts_are_those_of_the_reference(row):
    words, told = row["ratings"], row["metrics"]
    assert grade(words) == pytest.approx(told["quality_score"], abs=1e-9)
    assert overall(words) == row["overall_rating"]
    counts = distribution(words)
    assert counts == {
        **{word: told[f"{word}_count"] for word in ("excellent", "good", "fair", "poor")},
        "none": told["error_count"],
    }


@pytest.mark.parametrize("row", ROWS["qa"])
def test_the_rule_for_answers_to_questions_is_that_of_the_reference(row):
    found = qa_verdict(row["ratings"], row["similarity"], row["threshold"])
    assert found.passed is row["is_pass"]
    assert found.quality == (None if row["qualitative"] is None else pytest.approx(row["qualitative"]))


def test_there_are_twelve_rows_of_it():
    assert len(ROWS["qa"]) == 12


def test_nothing_rated_is_unknown_and_no_zero():
    assert (grade([]), grade(["boom", None]), overall([]), band(None), usual(["boom"])) == (None,) * 5


@pytest.mark.parametrize(
    ("words", "word"), [("excellent", "excellent"), ("good", "good"), ("fair", "poor"), ("poor", "poor")]
)
def test_a_grade_is_rounded_before_it_is_put_into_a_band(words, word):
    # 66.67 is shown as 67; 33.33 as 33, and fair begins at 34
    assert band(grade([words])) == word


@pytest.mark.parametrize(
    ("value", "word"),
    [
        (85, "excellent"),
        (84.5, "excellent"),
        (84.49, "good"),
        (67, "good"),
        (66.4, "fair"),
        (34, "fair"),
        (33.4, "poor"),
    ],
)
def test_bands_begin_at_85_67_and_34(value, word):
    assert band(value) == word


def test_seventy_percent_is_counted_and_not_divided():
    # 0.7 * 10 is 7.000000000000001 in some orders of work
    for total in range(10, 200, 10):
        good = total * 7 // 10
        assert overall(["good"] * good + ["poor"] * (total - good)) == "good"
        assert overall(["good"] * (good - 1) + ["poor"] * (total - good + 1)) == "poor"


def test_a_word_is_read_whatever_its_capitals():
    assert (points(" Excellent "), points("Outstanding"), points(4), points(None)) == (4, None, None, None)


def test_the_usual_word_is_the_first_of_equals():
    assert usual(["fair", "good", "good", "fair"]) == "fair"


def test_the_weakest_criterion_is_named_where_there_is_one():
    assert weakest({"a": ["good", "good"], "b": ["fair", "excellent"], "c": ["fair", "good"]}) == "c"
    assert weakest({"a": ["good"], "b": ["good"]}) is None
    assert weakest({"a": [], "b": ["boom"]}) is None


def test_old_names_of_criteria_are_read():
    old = {"executive_summary_accuracy": 1, "completeness": 2, "action_items_accuracy": 3, "key_decisions_accuracy": 4}
    assert named_now(old | {"participant_identification": 5, "topic_coverage": 6}) == {
        "executive_summary_quality": 1,
        "detail_completeness": 2,
        "action_items_structure": 3,
        "key_decisions_clarity": 4,
        "participant_information": 5,
        "topic_organization": 6,
    }
    assert named_now(dict.fromkeys(QA_WEIGHTS, 1)) == dict.fromkeys(QA_WEIGHTS, 1)  # completeness of an answer


def test_without_an_expected_output_the_ratings_decide():
    assert qa_verdict(dict.fromkeys(QA_WEIGHTS, "good"), None).reason == "quality 0.75"
    assert qa_verdict(dict.fromkeys(QA_WEIGHTS, "good"), None).passed
    assert not qa_verdict(dict.fromkeys(QA_WEIGHTS, "fair"), None).passed
    assert not qa_verdict({}, None).passed
