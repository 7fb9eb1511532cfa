"""What a judge's scores are worth."""

from __future__ import annotations

import pytest

from pytest_evals.scoring.judge.scales import SCALES


@pytest.mark.parametrize(
    ("scale", "given", "worth"),
    [
        ("0-1", 0, 0), ("0-1", 0.85, 0.85), ("0-1", 1, 1), ("1-5", 1, 0), ("1-5", 4, 0.75), ("1-5", 5, 1), ("0-10", 8, 0.8),
        ("1-10", 1, 0), ("1-10", 10, 1), ("yes/no", "yes", 1), ("yes/no", " No ", 0), ("yes/no", True, 1), ("yes/no", False, 0),
        ("words", "Excellent", 1), ("words", "good", 2 / 3), ("words", "fair", 1 / 3), ("words", "poor", 0),
    ],
)  # fmt: skip
def test_a_score_is_worth_its_place_between_the_ends(scale, given, worth):
    assert SCALES[scale].value(given) == pytest.approx(worth)


@pytest.mark.parametrize(
    ("scale", "given"),
    [
        ("1-5", 7), ("1-5", 0), ("0-1", 3.85), ("0-1", -0.2), ("0-10", 11), ("1-10", 0), ("0-10", "8/10"), ("0-1", "85%"),
        ("0-1", "0.8"), ("0-1", True), ("0-1", None), ("0-1", [1]), ("0-1", float("nan")), ("yes/no", "maybe"), ("yes/no", 1),
        ("words", "great"), ("words", 3),
    ],
)  # fmt: skip
def test_what_is_not_on_the_scale_is_refused_and_not_clamped(scale, given):
    with pytest.raises(ValueError, match="is"):
        SCALES[scale].value(given)
