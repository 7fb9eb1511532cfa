"""pass@k and pass^k against their definitions, and summaries of trials that add up."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_evals.model.outcome import Outcome
from pytest_evals.model.result import CaseRow
from pytest_evals.model.trials import TrialCounts
from pytest_evals.stats.summarize import merge, summarize
from pytest_evals.stats.trials import all_of_k, any_of_k


def row(planned: int, outcome: str = "passed", **values) -> CaseRow:
    fields = {name: values.pop(name) for name in ("xfail", "tags", "suite") if name in values}
    return CaseRow(fields.pop("suite", "s"), "c", Outcome(outcome), trials=TrialCounts(planned, **values), **fields)


@given(st.integers(1, 8).flatmap(lambda n: st.tuples(st.just(n), st.integers(0, n), st.integers(1, n))))
def test_the_estimates_are_the_share_of_all_ways_to_draw_k_trials(shape):
    trials, passed, k = shape
    draws = list(combinations([True] * passed + [False] * (trials - passed), k))
    assert any_of_k(trials, passed, k) == pytest.approx(sum(map(any, draws)) / len(draws))
    assert all_of_k(trials, passed, k) == pytest.approx(sum(map(all, draws)) / len(draws))


def test_the_estimates_are_those_of_the_papers():
    # numpy, as in Chen et al. 2021, figure 3: 1 - prod(1 - k / arange(n - c + 1, n + 1))
    def chen(n, c, k):
        product = 1.0
        for i in range(n - c + 1, n + 1):
            product *= 1.0 - k / i
        return 1.0 if n - c < k else 1.0 - product

    for n, c, k in [(10, 3, 1), (10, 3, 5), (200, 17, 10), (200, 17, 100), (5, 0, 3), (5, 5, 3), (5, 3, 3)]:
        assert float(any_of_k(n, c, k)) == pytest.approx(chen(n, c, k), abs=1e-12)
    assert float(all_of_k(8, 6, 2)) == pytest.approx(6 * 5 / (8 * 7))


def test_the_mean_over_cases_is_taken_over_those_with_enough_trials():
    summary = summarize([row(5, passed=5), row(5, "failed", passed=2, failed=3), row(2, passed=2)]).trials
    assert [at.k for at in summary.pass_at] == [1, 2, 3, 5]
    first, *_, last = summary.pass_at
    assert (first.cases, first.any_low, first.all_low) == (3, pytest.approx((1 + 0.4 + 1) / 3), first.any_low)
    assert (last.cases, last.any_low, last.all_low) == (2, 1.0, 0.5)
    assert all(at.any_low == at.any_high and at.all_low == at.all_high for at in summary.pass_at)


def test_what_is_not_known_leaves_two_bounds():
    (first, *_, last) = summarize([row(5, "failed", passed=2, failed=1)]).trials.pass_at
    assert (first.any_low, first.any_high) == (0.4, 0.8)
    assert (last.any_low, last.any_high, last.all_low, last.all_high) == (1, 1, 0, 0)
    (first, *_) = summarize([row(5, "errored", passed=3, failed=1, errored=1)]).trials.pass_at
    assert (first.any_low, first.any_high) == (0.6, 0.8)


def test_cases_outside_the_pass_rate_are_outside_the_estimates_too():
    rows = [row(3, passed=3), row(3, "failed", xfail=True, failed=3), row(3, "scored", scored=3)]
    summary = summarize(rows).trials
    assert summary.cases == 3
    assert [(at.k, at.cases, at.any_low) for at in summary.pass_at] == [(1, 1, 1), (2, 1, 1), (3, 1, 1)]


def test_a_summary_counts_trials_and_flaky_cases():
    rows = [
        row(5, passed=5),
        row(5, "failed", passed=1, failed=1),
        row(5, "failed", failed=1),
        row(5, "errored", passed=4, errored=1),
    ]
    found = summarize(rows).trials
    assert (found.cases, found.planned, found.ran, found.saved, found.errored) == (4, 20, 13, 7, 1)
    assert (found.flaky, found.maybe_flaky) == (1, 2)


def test_a_session_without_repeats_has_no_summary_of_trials():
    assert summarize([CaseRow("s", "c", Outcome.PASSED)]).trials is None


kinds = st.builds(
    lambda planned, passed, failed, xfail: row(
        planned + passed + failed, "failed", passed=passed, failed=failed, xfail=xfail
    ),
    st.integers(1, 3),
    st.integers(0, 3),
    st.integers(0, 3),
    st.booleans(),
)


@given(st.lists(st.lists(kinds | st.just(CaseRow("s", "c", Outcome.PASSED)), max_size=4), min_size=1, max_size=3))
def test_summaries_of_parts_add_up_to_that_of_the_whole(parts):
    whole = summarize([each for part in parts for each in part])
    assert merge([summarize(part) for part in parts]).trials == whole.trials
