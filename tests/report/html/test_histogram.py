"""How values are spread over bars."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as some

from pytest_evals.report.format import duration
from pytest_evals.report.html.histogram import MOST_STEPS, Bar, bars, score_bars, tallest


def test_scores_stand_in_tenths_and_one_is_in_the_last():
    made = score_bars([0.0, 0.05, 0.1, 0.3, 0.7, 0.95, 1.0, 1.0])
    assert [bar.n for bar in made] == [2, 1, 0, 1, 0, 0, 0, 1, 0, 3]
    assert not any(bar.open for bar in made)


@pytest.mark.parametrize(
    ("values", "low", "step", "high"),
    [([0.0, 2200.0], 0, 100, 2300), ([3.0, 4.0, 25.0], 3, 1, 26), ([0.001, 0.002], 0.001, 0.00005, 0.00205)],
)
def test_steps_are_round(values, low, step, high):
    made = bars(values)
    assert made[0].low == pytest.approx(low)
    assert made[0].high - made[0].low == pytest.approx(step)
    assert made[-1].high == pytest.approx(high)


def test_a_long_tail_shares_the_last_bar():
    made = bars([*map(float, range(1000)), 60_000.0])
    assert made[-1].open
    assert made[-1].high < 1100
    assert sum(bar.n for bar in made) == 1001


def test_equal_values_are_one_bar():
    assert bars([5.0, 5.0]) == [Bar(5.0, 5.0, 2)]
    assert bars([]) == []


@given(some.lists(some.floats(0, 1e7), min_size=1, max_size=300).map(sorted))
def test_every_value_is_in_one_bar(values):
    made = bars(values)
    assert sum(bar.n for bar in made) == len(values)
    assert len(made) <= MOST_STEPS + 2
    for bar in made[:-1]:
        inside = sum(bar.low * (1 + 1e-9) < value < bar.high * (1 - 1e-9) for value in values)
        assert inside <= bar.n


def test_where_most_are_is_said_in_words():
    assert tallest(bars([100.0, 101.0, 101.5, 122.0]), duration) == "most from 101 ms to 102 ms"
