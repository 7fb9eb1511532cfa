"""The letter an answer settles on."""

from __future__ import annotations

import time

import pytest

from pytest_evals.errors import ScorerError
from pytest_evals.scoring import score, scorer
from pytest_evals.scoring.choice import chosen


@pytest.mark.parametrize(
    "text",
    [
        "B", "b", "(B)", "(b).", "**B**.", "B.", "B)", "[B]", "‘B’", " B\n", "option B", "Choice B",
        "Answer: B.", "answer: b", "Answer: (B) 42", "Answer (B)", "Answer B", "Answer - B", "**Answer:** B",
        "**Answer**: B", "Answer:\n\nB", "The answer is (B)", "The answer is b) Paris", "The correct answer is: **B**",
        "The answer is **(B) Paris**.", 'The answer is "B".', "The best answer to this question is B.",
        "The answer is B, since A is wrong", "Answer: A. No wait, answer: B", "A) x\nB) y\nThe answer is B",
        "I choose B", "I would choose option B", "Correct choice — B", "Final answer: B) Paris",
        r"\boxed{B}", r"$\boxed{\text{B}}$", "B) Paris", "B. Paris", "b) paris", "(B) Paris", " B: Paris",
        "I think B because it fits", "I'd say (B), not (C)", "It is B, as Cain was the brother of Abel",
    ],
)  # fmt: skip
def test_the_choice_is_understood(text):
    assert chosen(text) == ("B",)
    assert score("choice", text, "B").value is True
    assert score("choice", text, "C").value is False


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Paris",
        "A good idea",
        "I am sure",
        "The answer is a matter of taste",
        "B-52",
        "K",
        "The answer is not B",
        "BC",
        "none",
    ],
)
def test_an_answer_without_a_choice_chooses_nothing(text):
    assert chosen(text) == ()
    assert score("choice", text, "B").value is False


@pytest.mark.parametrize(
    ("text", "letters"),
    [
        ("Answer: A or B", ("A", "B")),
        ("The answer is A, B and C", ("A", "B", "C")),
        ("B or C", ("B", "C")),
        ("A) x\nB) y", ("A", "B")),
        ("(A) or maybe (B)", ("A", "B")),
    ],
)
def test_an_answer_that_does_not_settle_is_wrong(text, letters):
    assert chosen(text) == letters
    assert score("choice", text, letters[0]).value is False


@pytest.mark.parametrize("expected", ["B", "b", "(B)", "B) Paris", "Answer: B"])
def test_the_expectation_is_read_the_same_way(expected):
    assert score("choice", "The answer is B", expected).value is True


def test_the_choices_may_be_fewer_more_or_digits():
    assert score("choice", "The answer is C", "C", choices="ABC").value is True
    assert score("choice", "C", "A", choices="AB").reason == "chooses no letter of AB; A is expected"
    assert score("choice", "The answer is 3.", "3", choices="1234").value is True
    assert score("choice", "Z", "z", choices="xyz").value is True


def test_the_reason_tells_both_letters():
    assert score("choice", "C", "B").reason == "chose C where B is expected"
    assert score("choice", "B", "B").reason == "chose B"
    assert score("choice", "B or C", "B").reason == "names B, C: it does not settle on one; B is expected"


@pytest.mark.parametrize("expected", ["Paris", "K", "", "A or B"])
def test_an_expectation_that_is_no_choice_is_an_error_not_a_score(expected):
    with pytest.raises(ScorerError, match="choice needs one letter of ABCDEFGHIJ"):
        score("choice", "B", expected)


def test_the_options_are_checked_at_collection():
    check = scorer("choice").spec.check
    assert check({"choices": "A-D"}) == ["choices must be letters or digits, each once, as in ABCD, not 'A-D'"]
    assert check({"choices": "aA"}) != []
    assert check({"choices": "AB", "expected": "C"}) == ["the expected choice 'C' is not one letter of AB"]
    assert check({"expected": "C"}) == []
    assert check({}) == []


@pytest.mark.parametrize("piece", ["answer ", "answer is ", "A ", "\n", " ", "(A) ", "a", "*", "Answer: A or "])
def test_long_answers_are_read_in_linear_time(piece):
    started = time.perf_counter()
    chosen(piece * 50_000)
    assert time.perf_counter() - started < 5
