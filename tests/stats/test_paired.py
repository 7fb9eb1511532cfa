"""Against statsmodels and scipy, which the package does not need."""

from __future__ import annotations

import random

import pytest
from scipy import stats
from statsmodels.stats.contingency_tables import mcnemar as their_mcnemar
from statsmodels.stats.multitest import multipletests

from pytest_evals.stats.paired import FEWEST_PAIRS, Difference, difference, holm, mcnemar, pairs_needed, t_test


def test_mcnemar_is_exact():
    for broken, fixed in [(0, 0), (1, 0), (0, 6), (5, 70), (30, 20), (12, 12), (3, 400), (700, 650)]:
        theirs = their_mcnemar([[0, broken], [fixed, 0]], exact=True).pvalue if broken + fixed else 1.0
        assert mcnemar(broken, fixed) == pytest.approx(theirs, rel=1e-9)
    assert mcnemar(5, 70) == pytest.approx(9.8178e-16, rel=1e-4)
    assert mcnemar(30, 20) == pytest.approx(0.20264, rel=1e-4)


def test_the_t_test_is_that_of_scipy():
    rng = random.Random(1)
    for n in (2, 10, 500, 5_000):
        values = [rng.gauss(0.02, 1) for _ in range(n)]
        assert t_test(values) == pytest.approx(stats.ttest_1samp(values, 0).pvalue, rel=1e-9)


def test_p_values_of_several_questions_are_adjusted_as_by_statsmodels():
    rng = random.Random(2)
    for n in (0, 1, 2, 9, 40):
        p_values = [rng.random() ** 4 for _ in range(n)]
        theirs = list(multipletests(p_values, method="holm")[1]) if n else []
        assert holm(p_values) == pytest.approx(theirs, rel=1e-9)


def test_up_to_1000_pairs_are_resampled_and_more_of_them_follow_student():
    rng = random.Random(4)
    values = [rng.gauss(0.05, 1) for _ in range(1_001)]
    few, many = difference(values[:1_000]), difference(values)
    assert (few.method, many.method) == ("bootstrap", "t")
    assert few.interval.low == pytest.approx(many.interval.low, abs=0.01)
    assert few.p == pytest.approx(many.p, abs=0.03)


def test_few_pairs_have_a_mean_and_nothing_more():
    assert difference([]) == Difference(0, None)
    assert difference([0.5] * (FEWEST_PAIRS - 1)) == Difference(FEWEST_PAIRS - 1, 0.5)


def test_pairs_that_all_moved_alike():
    assert difference([0.0] * 20).p == 1.0
    assert difference([0.25] * 20).p == pytest.approx(2.0**-19)
    assert difference([0.25] * 20).interval.low == 0.25


def test_so_many_pairs_would_show_the_difference():
    rng = random.Random(6)
    values = [rng.gauss(0.1, 1) for _ in range(60)]
    needed = pairs_needed(values)
    mean, deviation = sum(values) / 60, stats.tstd(values)
    shown = sum(t_test([rng.gauss(mean, deviation) for _ in range(needed)]) < 0.05 for _ in range(300))
    assert 0.74 <= shown / 300 <= 0.86
    assert pairs_needed([0.0, 0.0]) is None
    assert pairs_needed([1.0]) is None
