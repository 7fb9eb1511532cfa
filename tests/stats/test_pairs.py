"""Variants against each other, case by case."""

from __future__ import annotations

import itertools

import pytest
from factories import row
from scipy import stats

from pytest_evals.stats import pair_variants
from pytest_evals.stats.paired import holm


def rows(**variants):
    """``rows(small="pf", large="pp")``: a case for each letter; p passed, w warned, f failed, e errored, s skipped."""
    words = {"p": "passed", "w": "warned", "f": "failed", "e": "errored", "s": "skipped"}
    return [
        row(words[letter], f"c{n}", variant=name, variant_id=name)
        for name, letters in variants.items()
        for n, letter in enumerate(letters)
    ]


def test_better_and_worse_are_counted_over_the_cases_that_both_answered():
    (pair,) = pair_variants(rows(small="pffpwep", large="ppfffpe"))
    assert (pair.first, pair.second) == ("small", "large")
    assert (pair.cases, pair.better, pair.worse, pair.left_out) == (5, 1, 1, 2)
    assert pair.pass_rate_difference == 0


def test_a_warned_case_did_not_pass():
    (pair,) = pair_variants(rows(small="w", large="p"))
    assert (pair.better, pair.worse) == (1, 0)


def test_cases_of_one_variant_alone_and_skipped_ones_are_left_out():
    (pair,) = pair_variants(
        [*rows(small="pps", large="pfp"), row("passed", "only", variant="small", variant_id="small")]
    )
    assert (pair.cases, pair.worse, pair.left_out) == (2, 1, 2)


def test_a_case_marked_xfail_is_not_counted_at_all():
    marked = [
        row("failed", "x", variant="a", variant_id="a", xfail=True),
        row("passed", "x", variant="b", variant_id="b", xfail=True),
    ]
    (pair,) = pair_variants([*rows(a="p", b="p"), *marked])
    assert (pair.cases, pair.better, pair.left_out) == (1, 0, 0)


def test_parameters_of_fixtures_are_compared_with_the_same_parameters():
    made = [
        row("passed", variant="m1-a", variant_id="a"),
        row("failed", variant="m2-a", variant_id="a"),
        row("failed", variant="m1-b", variant_id="b"),
        row("failed", variant="m2-b", variant_id="b"),
    ]
    (pair,) = pair_variants(made)
    assert (pair.cases, pair.better, pair.worse) == (2, 0, 1)


def test_scores_without_verdicts_are_compared_as_scores():
    made = [
        row("scored", case, variant=name, variant_id=name, score=score)
        for case, scores in (("x", (0.2, 0.7)), ("y", (0.5, 0.5)), ("z", (0.9, 0.8)))
        for name, score in zip("ab", scores, strict=True)
    ]
    (pair,) = pair_variants(made)
    assert (pair.cases, pair.better, pair.worse, pair.pass_rate_difference) == (3, 1, 1, None)
    assert pair.score_difference == pytest.approx(0.4 / 3)


def test_suites_are_kept_apart_and_rows_without_variants_left_alone():
    made = [row("passed", suite=suite, variant=v, variant_id=v) for suite in ("one", "two") for v in "ab"]
    assert [(p.suite, p.cases) for p in pair_variants([*made, row("passed", suite="three")])] == [
        ("one", 1),
        ("two", 1),
    ]


def test_no_case_in_common_has_no_p():
    (pair,) = pair_variants(rows(a="p", b="e"))
    assert (pair.cases, pair.p, pair.p_adjusted, pair.score_difference) == (0, None, None, None)


@pytest.mark.parametrize(("better", "worse"), [(0, 0), (1, 0), (5, 0), (38, 8), (10, 20), (52, 7), (1, 1)])
def test_p_is_the_exact_mcnemar_test(better, worse):
    (pair,) = pair_variants(rows(a="f" * better + "p" * worse + "p", b="p" * better + "f" * worse + "p"))
    expected = stats.binomtest(better, better + worse).pvalue if better + worse else 1.0
    assert pair.p == pytest.approx(expected)


def test_the_pairs_of_a_suite_are_adjusted_together():
    made = rows(a="f" * 30, b="p" * 8 + "f" * 22, c="p" * 20 + "f" * 10)
    pairs = pair_variants(made)
    assert [(p.first, p.second) for p in pairs] == list(itertools.combinations("abc", 2))
    assert [p.p_adjusted for p in pairs] == pytest.approx(holm([p.p for p in pairs]))
    assert any(p.p_adjusted > p.p for p in pairs)
