"""The values a summary is made of: rates that know when they are unknown."""

from __future__ import annotations

from dataclasses import FrozenInstanceError, fields

import pytest

from pytest_evals.model.summary import Counts, CriterionSummary, Spread, Summary, Total


def test_the_pass_rate_is_over_passed_warned_failed_and_errored_cases():
    counts = Counts(passed=6, warned=1, failed=2, errored=1, scored=5, skipped=5, xfailed=5, xpassed=5, xerrored=5)
    assert counts.rated == 10
    assert counts.pass_rate == 0.6
    assert counts.pass_rate_answered == 6 / 9


def test_every_case_is_counted_once():
    counts = Counts(*(2**n for n in range(len(fields(Counts)))))
    assert counts.cases == 2 ** len(fields(Counts)) - 1
    assert counts.ran == counts.cases - counts.skipped


def test_an_xfail_forgives_a_miss_but_not_an_error():
    counts = Counts(passed=1, xfailed=3, xerrored=2, errored=1)
    assert counts.errors == 3
    assert counts.pass_rate == 0.5


def test_without_cases_every_figure_is_unknown():
    nothing = Summary()
    assert nothing.cases == 0
    assert (nothing.pass_rate, nothing.pass_rate_answered) == (None, None)
    assert (nothing.score.mean, nothing.score.sd, nothing.score.maximum) == (None, None, None)
    assert (nothing.latency.mean, nothing.latency.p50, nothing.latency.p99) == (None, None, None)
    assert (nothing.cost_usd.value, nothing.input_tokens.value) == (None, None)


def test_only_errors_are_a_pass_rate_of_nothing_not_an_unknown_one():
    counts = Counts(errored=3)
    assert counts.pass_rate == 0
    assert counts.pass_rate_answered is None


def test_a_criterion_nobody_judged_has_no_pass_rate():
    assert CriterionSummary(unscored=3).pass_rate is None
    assert CriterionSummary(Spread(4), judged=4, passed=3).pass_rate == 0.75


@pytest.mark.parametrize(("known", "unknown", "partial"), [(0, 0, False), (0, 3, False), (3, 0, False), (2, 1, True)])
def test_a_sum_is_partial_when_some_cases_know_and_some_do_not(known, unknown, partial):
    assert Total(1.0 if known else None, known, unknown).partial is partial


def test_a_summary_cannot_be_changed():
    with pytest.raises(FrozenInstanceError):
        Summary().missed = 3  # type: ignore[misc]
