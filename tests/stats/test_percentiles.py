"""Percentiles by nearest rank."""

from __future__ import annotations

from fractions import Fraction
from math import ceil

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_evals.stats.percentiles import nearest_rank


@pytest.mark.parametrize(
    ("values", "p50", "p95", "p99"),
    [
        # A03
        ([250], 250, 250, 250),
        ([100, 300], 100, 300, 300),
        ([120, 80, 95, 400, 110], 110, 400, 400),
        (list(range(1, 21)), 10, 19, 20),
        ([], None, None, None),
        # further ones
        ([5, 5, 5], 5, 5, 5),
        ([0], 0, 0, 0),
        (list(range(1, 101)), 50, 95, 99),
        (list(range(1, 102)), 51, 96, 100),
        ([3, 1, 2], 2, 3, 3),
        (list(range(10, 201, 10)), 100, 190, 200),
    ],
)
def test_small_samples_give_a_value_that_was_observed(values, p50, p95, p99):
    ordered = sorted(values)
    assert [nearest_rank(ordered, percent) for percent in (50, 95, 99)] == [p50, p95, p99]


@given(st.lists(st.floats(allow_nan=False), min_size=1, max_size=200), st.integers(1, 100))
def test_at_least_so_many_percent_do_not_exceed_it(values, percent):
    found = nearest_rank(sorted(values), percent)
    assert found in values
    assert sum(v <= found for v in values) * 100 >= percent * len(values)
    assert sum(v < found for v in values) * 100 < percent * len(values)


@pytest.mark.parametrize("percent", [50, 95, 99])
def test_the_rank_is_exact_for_every_size(percent):
    for n in range(1, 3000):
        assert nearest_rank(range(1, n + 1), percent) == ceil(Fraction(percent * n, 100))
