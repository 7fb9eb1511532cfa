"""Against statsmodels and scipy, which the package does not need."""

from __future__ import annotations

import random

import pytest
from scipy import stats
from statsmodels.stats.proportion import proportion_confint

from pytest_evals.stats.intervals import Interval, t_interval, wilson


@pytest.mark.parametrize("n", [1, 2, 7, 50, 1_319, 100_000])
@pytest.mark.parametrize("share", [0, 0.01, 0.5, 0.8, 1])
def test_the_interval_of_a_rate_is_that_of_statsmodels(n, share):
    passed = round(n * share)
    ours = wilson(passed, n)
    low, high = proportion_confint(passed, n, method="wilson")
    assert (ours.low, ours.high) == (pytest.approx(low, abs=1e-9), pytest.approx(high, abs=1e-9))
    assert 0 <= ours.low <= passed / n <= ours.high <= 1


def test_of_no_cases_there_is_no_interval():
    assert wilson(0, 0) is None
    assert t_interval([0.5]) is None


def test_the_interval_of_a_mean_is_that_of_scipy():
    rng = random.Random(5)
    for n in (2, 3, 30, 1_000):
        values = [rng.gauss(3, 2) for _ in range(n)]
        low, high = stats.t.interval(0.95, n - 1, loc=sum(values) / n, scale=stats.sem(values))
        assert t_interval(values) == Interval(pytest.approx(low, rel=1e-9), pytest.approx(high, rel=1e-9))
