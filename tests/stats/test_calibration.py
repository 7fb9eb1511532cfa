"""A judge against people, and against itself."""

from __future__ import annotations

import pytest

from pytest_evals.stats.calibration import (
    Rated,
    Steadiness,
    agreement_of,
    borderline,
    by_category,
    disagreements,
    ordinal_of,
)


def rated(*pairs, **more):
    return [Rated(str(n), human, score, **more) for n, (human, score) in enumerate(pairs)]


def test_verdicts_are_by_the_mark_within_the_tolerance():
    found = agreement_of(rated((True, 0.7), (True, 0.1 * 7), (True, 0.69), (False, 0.2), (False, 0.9)), 0.7)
    assert found.table.counts == ((2, 1), (1, 1))
    assert (found.share.hits, found.share.of) == (3, 5)
    assert (found.true_positives.value, found.true_negatives.value) == (pytest.approx(2 / 3), 0.5)
    # agreement 0.6; chance 0.6 * 0.6 + 0.4 * 0.4 = 0.52
    assert found.kappa.value == pytest.approx(0.08 / 0.48)


def test_of_nothing_all_is_unknown():
    found = agreement_of([], 0.7)
    assert (found.share.value, found.kappa, found.true_positives.value) == (None, None, None)
    assert ordinal_of([], 5) is None


def test_scores_on_a_scale_are_held_against_each_other_by_their_levels():
    # 1-5: 1, 3, 5 of people; 1.4, 3.5 and 4.4 of the judge are 1, 4 and 4
    pairs = [(0.0, 0.1), (0.5, 0.625), (1.0, 0.85)]
    found = ordinal_of([Rated("x", True, score, label) for label, score in pairs], 5)
    assert [sum(row) for row in found.table.counts] == [1, 0, 1, 0, 1]
    assert [sum(column) for column in zip(*found.table.counts, strict=True)] == [1, 0, 0, 2, 0]
    assert found.mean_distance == pytest.approx((0.1 + 0.125 + 0.15) / 3)
    assert 0 < found.kappa.value < 1


def test_bare_verdicts_and_scales_of_two_levels_have_no_order():
    assert ordinal_of([Rated("a", True, 0.5, 0.5), Rated("b", True, 0.5)], 5) is None
    assert ordinal_of([Rated("a", True, 0.5, 0.5)], 2) is None


def test_the_worst_disagreements_come_first():
    found = disagreements([*rated((True, 0.6), (True, 0.1), (False, 0.9), (True, 0.9))], 0.7)
    assert [each.id for each in found] == ["1", "2", "0"]


def test_categories_are_apart():
    some = [*rated((True, 1), category="b"), *rated((True, 0), category="a"), *rated((False, 0))]
    found = by_category(some, 0.7)
    assert {name: each.share.value for name, each in found.items()} == {"": 1.0, "a": 0.0, "b": 1.0}
    assert [*found] == ["", "a", "b"]


@pytest.mark.parametrize(
    ("scores", "rate"),
    [((1, 1, 1), 0), ((1, 0, 1, 1), 0.25), ((0.6, 0.8), 0.5), ((0.7, 0.7), 0), ((0.9,), None), ((), None)],
)
def test_the_flip_rate_is_the_share_outside_the_majority(scores, rate):
    assert Steadiness(tuple(scores), 0.7).flip_rate == rate


def test_the_borderline_band_is_where_verdicts_changed():
    answers = [Steadiness((0.6, 0.8), 0.7), Steadiness((0.5, 0.75), 0.7), Steadiness((0.1, 0.2), 0.7)]
    assert borderline(answers) == (0.625, pytest.approx(0.7))
    assert answers[0].spread == pytest.approx(0.2)
    assert borderline(answers[2:]) is None
