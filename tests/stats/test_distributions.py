"""Against scipy, which the package does not need."""

from __future__ import annotations

import pytest
from scipy import special, stats

from pytest_evals.stats.distributions import incomplete_beta, normal_quantile, t_quantile, t_tail

DEGREES = (1, 2, 3, 9, 49, 99, 101, 999, 10_000, 1_000_000)


@pytest.mark.parametrize("df", DEGREES)
def test_the_t_distribution_is_that_of_scipy(df):
    for t in (0, 1e-6, 0.1, 1, 2, 5, 30, 200):
        assert t_tail(t, df) == pytest.approx(stats.t.sf(t, df), rel=1e-9, abs=1e-300)
    for p in (1e-6, 0.01, 0.025, 0.5, 0.6, 0.9, 0.975, 0.995, 0.9999):
        assert t_quantile(p, df) == pytest.approx(stats.t.ppf(p, df), rel=1e-9, abs=1e-12)


@pytest.mark.parametrize("a", [0.5, 1, 7.5, 99.5, 500, 25_000])
@pytest.mark.parametrize("b", [0.5, 2, 40, 3_000])
def test_the_incomplete_beta_function_is_that_of_scipy(a, b):
    for x in (0, 0.001, 0.1, 0.5, a / (a + b), 0.9, 0.9999, 1):
        assert incomplete_beta(a, b, x) == pytest.approx(special.betainc(a, b, x), rel=1e-9, abs=1e-200)


def test_the_normal_quantile_never_is_infinite():
    assert normal_quantile(0.975) == pytest.approx(1.959963984540054, rel=1e-12)
    assert (normal_quantile(0), normal_quantile(1)) == (-8.2, 8.2)
