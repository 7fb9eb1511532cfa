"""Bounds on the size of an answer."""

from __future__ import annotations

import pytest

from pytest_evals.errors import ScorerError
from pytest_evals.scoring import score


@pytest.mark.parametrize(
    ("actual", "options", "fulfilled"),
    [
        ("abc", {"max": 3}, True),
        ("abcd", {"max": 3}, False),
        ("", {"max": 0}, True),
        ("", {"min": 1}, False),
        ("a b c", {"min": 3, "max": 3, "unit": "words"}, True),
        (" a\n b ", {"max": 1, "unit": "words"}, False),
        ("a\nb\n", {"max": 2, "unit": "lines"}, True),
        ("a\r\nb\r\nc", {"max": 2, "unit": "lines"}, False),
        ("👍", {"max": 1}, True),
        ("cafe\u0301", {"max": 4}, True),
        (12345, {"max": 4}, False),
    ],
)
def test_length(actual, options, fulfilled):
    assert score("length", actual, **options).value is fulfilled


def test_the_reason_tells_how_much_is_missing_or_too_much():
    assert score("length", "abcd", max=3).reason == "4 characters, 1 more than the most of 3"
    assert score("length", "one", min=3, unit="words").reason == "1 word, 2 fewer than the least of 3"
    assert score("length", "one", max=3).detail == {"characters": 3}


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({}, "length: give min, max or both"),
        ({"min": 3, "max": 2}, "length: min 3 is above max 2: no answer can have that length"),
        ({"max": -1}, "length: max must be a whole number of at least 0, not -1"),
        ({"max": 3, "unit": "word"}, "length: unit must be one of characters, words, lines"),
    ],
)
def test_bounds_nothing_can_keep_are_refused(options, message):
    with pytest.raises(ScorerError) as caught:
        score("length", "x", **options)
    assert str(caught.value).startswith(message)
