"""Agreement of two raters, against statsmodels and numbers worked out by hand."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_evals.stats.agreement import Table, cross, kappa, true_negatives, true_positives
from pytest_evals.stats.intervals import wilson

# Fleiss, Cohen and Everitt 1969, and whatever else should not be alike: skewed, worse than chance, with empty levels
TABLES = [
    ((20, 5), (10, 15)),
    ((88, 10, 2), (14, 40, 6), (18, 10, 12)),
    ((1, 9), (8, 2)),
    ((45, 15), (25, 15)),
    ((0, 3, 1), (2, 0, 0), (0, 0, 5)),
    ((7, 1, 0, 0, 0), (2, 6, 1, 0, 0), (0, 1, 9, 2, 0), (0, 0, 2, 8, 1), (0, 0, 0, 1, 9)),
]


def table(counts):
    return Table(tuple(range(len(counts))), counts)


@pytest.mark.parametrize("counts", TABLES)
@pytest.mark.parametrize(("weights", "theirs"), [("none", None), ("linear", "linear"), ("quadratic", "quadratic")])
def test_kappa_its_error_and_its_interval_are_those_of_statsmodels(counts, weights, theirs):
    inter_rater = pytest.importorskip("statsmodels.stats.inter_rater")
    found = kappa(table(counts), weights)
    expected = inter_rater.cohens_kappa(np.array(counts), wt=theirs)
    assert found.value == pytest.approx(expected.kappa, abs=1e-12)
    assert found.error == pytest.approx(expected.std_kappa, abs=1e-12)
    assert found.interval.low == pytest.approx(max(-1, expected.kappa_low), abs=1e-9)
    assert found.interval.high == pytest.approx(min(1, expected.kappa_upp), abs=1e-9)


def test_kappa_worked_out_by_hand():
    # agreement 35/50 = 0.7; chance 0.5 * 0.6 + 0.5 * 0.4 = 0.5; (0.7 - 0.5) / (1 - 0.5) = 0.4
    found = kappa(table(((20, 5), (10, 15))))
    assert found.value == pytest.approx(0.4)
    # scikit-learn documents cohen_kappa_score of these labels as 0.6875
    first = ["negative", "positive", "negative", "neutral", "positive"]
    second = ["negative", "positive", "negative", "neutral", "negative"]
    found = kappa(cross(zip(first, second, strict=True), ("negative", "neutral", "positive")))
    assert found.value == pytest.approx(0.6875)


def test_few_pairs_that_all_agree_are_not_certain():
    found = kappa(table(((5, 0), (0, 5))))
    assert (found.value, found.interval.high) == (1.0, 1.0)
    assert found.interval.low == pytest.approx((wilson(10, 10).low - 0.5) / 0.5)
    assert 0.4 < found.interval.low < 0.5
    assert kappa(table(((500, 0), (0, 500)))).interval.low > 0.99


@pytest.mark.parametrize("counts", [((0, 0), (0, 0)), ((7, 0), (0, 0))])
def test_kappa_of_nothing_and_of_one_thing_said_always_is_unknown(counts):
    assert kappa(table(counts)) is None


def test_one_rater_who_always_says_the_same_is_no_better_than_chance():
    assert kappa(table(((6, 0), (4, 0)))).value == pytest.approx(0)


def test_a_table_has_rows_of_the_first_rater_and_columns_of_the_second():
    found = cross([(True, True), (True, False), (True, True), (False, False)], (True, False))
    assert found.counts == ((2, 1), (0, 1))
    assert (found.total, found.agreed, found.agreement) == (4, 3, 0.75)
    assert (true_positives(found).hits, true_positives(found).of) == (2, 3)
    assert (true_negatives(found).hits, true_negatives(found).of) == (1, 1)
    assert true_negatives(found).interval == wilson(1, 1)


def test_a_share_of_nothing_is_unknown():
    nothing = cross([(True, True)], (True, False))
    assert (true_negatives(nothing).value, true_negatives(nothing).interval) == (None, None)
    assert cross([], (True, False)).agreement is None


def test_a_rating_that_is_no_level_is_an_error():
    with pytest.raises(KeyError):
        cross([(1, 6)], range(1, 6))


@given(st.lists(st.lists(st.integers(0, 50), min_size=3, max_size=3), min_size=3, max_size=3))
def test_kappa_lies_within_its_interval_and_its_interval_within_the_scale(counts):
    found = kappa(table(tuple(map(tuple, counts))), "quadratic")
    if found is not None:
        assert -1 <= found.interval.low <= found.value + 1e-12
        assert found.value - 1e-12 <= found.interval.high <= 1


@given(st.lists(st.tuples(st.booleans(), st.booleans()), max_size=40))
def test_of_two_levels_all_weights_are_the_same(pairs):
    found = cross(pairs, (True, False))
    plain, weighted = kappa(found), kappa(found, "linear")
    assert (plain is None) == (weighted is None)
    if plain is not None:
        assert plain.value == pytest.approx(weighted.value)
