"""The bootstrap holds what it promises: 95 % intervals that hold the truth 95 times in a hundred."""

from __future__ import annotations

import random

import numpy
import pytest
from scipy import stats

from pytest_evals.stats.bootstrap import bootstrap

KINDS = {
    "normal": (lambda rng: rng.gauss(0.1, 1), 0.1),
    "skewed": (lambda rng: rng.expovariate(1) - 0.3 * rng.expovariate(1), 0.7),
}


@pytest.mark.parametrize("kind", KINDS)
def test_intervals_of_2000_sets_of_50_hold_the_true_mean_93_to_97_times_in_a_hundred(kind):
    draw, truth = KINDS[kind]
    rng = random.Random(2026)
    found = [bootstrap([draw(rng) for _ in range(50)], resamples=200) for _ in range(2_000)]
    assert 0.93 <= sum(each.interval().holds(truth) for each in found) / 2_000 <= 0.97


def test_without_a_difference_p_below_5_percent_is_seen_5_times_in_a_hundred():
    rng = random.Random(7)
    found = [bootstrap([rng.gauss(0, 1) for _ in range(30)], resamples=200).p_value() for _ in range(1_000)]
    assert 0.03 <= sum(p < 0.05 for p in found) / 1_000 <= 0.07


def test_the_interval_ends_at_0_where_p_is_5_percent():
    rng = random.Random(3)
    values = [rng.gauss(0.4, 1) for _ in range(40)]
    centre = bootstrap(values).interval().low
    p = bootstrap([value - centre for value in values]).p_value()
    assert p == pytest.approx(0.05, abs=0.004)


def test_of_many_values_it_is_the_interval_of_scipy():
    rng = random.Random(11)
    values = [rng.expovariate(1) for _ in range(1_000)]
    ours = bootstrap(values, resamples=4_000).interval()
    theirs = stats.bootstrap(
        (values,), numpy.mean, method="BCa", n_resamples=4_000, random_state=numpy.random.default_rng(1)
    ).confidence_interval
    assert (ours.low, ours.high) == (pytest.approx(theirs.low, abs=0.01), pytest.approx(theirs.high, abs=0.01))


def test_the_same_values_always_have_the_same_interval():
    values = [0.1, 0.5, 0.2, 0.9, 0.4, 0.4]
    assert bootstrap(values).interval() == bootstrap(values).interval()


@pytest.mark.parametrize("values", [[], [1.0], [0.3] * 40])
def test_of_nothing_and_of_equal_values_there_is_nothing_to_resample(values):
    assert bootstrap(values) is None
