"""From rows to summaries."""

from __future__ import annotations

from math import inf, nan
from statistics import fmean, pstdev

import pytest
from factories import row, rows
from hypothesis import given
from hypothesis import strategies as st

from pytest_evals.model.outcome import ErrorKind, Outcome
from pytest_evals.model.result import CaseRow, CriterionRow
from pytest_evals.model.summary import Counts, Summary
from pytest_evals.stats import merge, summarize

unit = st.floats(0, 1)
names = st.sampled_from(["contains", "tone", "a b"])
texts = st.sampled_from(["x", "y", "z"])
case_rows = st.builds(
    CaseRow,
    suite=texts,
    case_id=texts,
    outcome=st.sampled_from(Outcome),
    category=st.none() | texts,
    tags=st.lists(texts, unique=True).map(tuple),
    error_kind=st.none() | st.sampled_from(ErrorKind),
    xfail=st.booleans(),
    gated=st.booleans(),
    score=st.none() | unit,
    criteria=st.lists(st.builds(CriterionRow, names, st.none() | unit, st.none() | st.booleans()), max_size=3).map(
        tuple
    ),
    latencies_ms=st.lists(st.floats(0, 1e6), max_size=3).map(tuple),
    input_tokens=st.none() | st.integers(0, 10**6),
    output_tokens=st.none() | st.integers(0, 10**6),
    cost_usd=st.none() | st.floats(0, 100),
)


@given(st.lists(case_rows, max_size=30), st.randoms(use_true_random=False), st.integers(1, 5))
def test_summaries_of_parts_add_up_to_the_summary_of_all(all_rows, random, number):
    parts: list[list[CaseRow]] = [[] for _ in range(number)]
    for one in all_rows:
        random.choice(parts).append(one)
    assert merge(summarize(part) for part in parts) == summarize(all_rows)


@given(st.lists(case_rows, max_size=30), st.randoms(use_true_random=False))
def test_the_order_of_the_cases_does_not_matter(all_rows, random):
    shuffled = list(all_rows)
    random.shuffle(shuffled)
    assert summarize(shuffled) == summarize(all_rows)


@given(st.lists(case_rows, max_size=30))
def test_every_case_is_counted_once_in_the_whole_and_in_its_suite(all_rows):
    summary = summarize(all_rows)
    assert summary.cases == len(all_rows)
    assert sum(part.cases for part in summary.by_suite.values()) == len(all_rows)
    assert sum(part.cases for part in summary.by_category.values()) == sum(r.category is not None for r in all_rows)
    assert sum(part.cases for part in summary.by_tag.values()) == sum(len(r.tags) for r in all_rows)


@given(st.lists(unit, min_size=1, max_size=50))
def test_mean_and_population_deviation_are_those_of_the_standard_library(values):
    score = summarize(row(score=value) for value in values).score
    assert score.mean == pytest.approx(fmean(values), abs=1e-12)
    assert score.sd == pytest.approx(pstdev(values), abs=1e-9)
    assert (score.n, score.minimum, score.maximum) == (len(values), min(values), max(values))
    assert score.minimum <= score.mean <= score.maximum


def test_figures_are_those_of_the_specification():
    scores, latencies = (1, 0.5, 0.75, 0), (100, 200, 300, 400)
    summary = summarize(
        row("passed" if s >= 0.75 else "failed", score=s, latencies_ms=(float(ms),))
        for s, ms in zip(scores, latencies, strict=True)
    )
    assert summary.pass_rate == 0.5
    assert summary.score.mean == 0.5625
    assert summary.score.sd == pytest.approx(0.3697549864)
    assert (summary.latency.mean, summary.latency.p50, summary.latency.p95, summary.latency.p99) == (250, 200, 400, 400)


@pytest.mark.parametrize("unknown", [None, nan, inf, -inf])
def test_a01_what_could_not_be_scored_is_neither_zero_nor_nan(unknown):
    summary = summarize([row(score=0.9), row(score=0.8), row("errored", score=unknown), row(score=0.7)])
    assert summary.score.mean == pytest.approx(0.8)
    assert (summary.score.n, summary.unscored) == (3, 1)
    assert (summary.score.minimum, summary.score.maximum) == (0.7, 0.9)
    assert summary.pass_rate == 0.75
    assert summary.pass_rate_answered == 1


@pytest.mark.parametrize("unknown", [None, nan])
def test_a01_a_criterion_without_a_score_is_not_scored(unknown):
    answers = [CriterionRow("tone", 0.9, True), CriterionRow("tone", unknown, None), CriterionRow("tone", 0.3, False)]
    tone = summarize(row(criteria=(answer,)) for answer in answers).criteria["tone"]
    assert (tone.score.n, tone.unscored, tone.judged, tone.passed) == (2, 1, 2, 1)
    assert tone.score.mean == pytest.approx(0.6)
    assert tone.pass_rate == 0.5


def test_a01_when_nothing_could_be_scored_the_mean_is_unknown():
    summary = summarize([row("errored", score=nan), row("errored", score=None)])
    assert (summary.score.mean, summary.score.n, summary.unscored) == (None, 0, 2)


def test_a01_nan_latencies_and_costs_do_not_poison_the_rest():
    summary = summarize([row(latencies_ms=(nan, 5.0), cost_usd=nan), row(latencies_ms=(7.0,), cost_usd=0.5)])
    assert (summary.latency.n, summary.latency.mean, summary.latency.maximum) == (2, 6.0, 7.0)
    assert (summary.cost_usd.value, summary.cost_usd.unknown) == (0.5, 1)


def test_a07_the_mean_of_equal_scores_is_that_score():
    assert summarize([row(score=0.7)] * 3).score.mean == 0.7
    assert summarize([row(score=0.1)] * 10).score.sd == 0


def test_a08_zero_is_a_value():
    summary = summarize([row(score=0.0, latencies_ms=(0.0,), cost_usd=0.0, input_tokens=0, output_tokens=0)])
    assert (summary.score.mean, summary.score.n) == (0.0, 1)
    assert (summary.latency.p50, summary.cost_usd.value, summary.input_tokens.value) == (0.0, 0.0, 0)


def test_p09_no_rows_are_unknown_in_everything():
    assert summarize([]) == Summary()
    assert merge([]) == Summary()
    assert summarize([]).pass_rate is None


@pytest.mark.parametrize(
    ("outcome", "counted"),
    [
        ("passed", "xpassed"),
        ("warned", "xpassed"),
        ("failed", "xfailed"),
        ("errored", "xerrored"),
        ("scored", "scored"),
        ("skipped", "skipped"),
    ],
)
def test_cases_marked_xfail_are_outside_the_rates(outcome, counted):
    summary = summarize([row(), row(outcome, xfail=True, gated=True)])
    assert summary.counts == Counts(passed=1, **{counted: 1})
    assert summary.pass_rate == 1
    assert summary.missed == 0


def test_means_take_in_every_case_that_has_the_value_but_criterion_rates_leave_xfail_out():
    summary = summarize(
        [row(score=1.0, criteria={"c": 1.0}), row("failed", xfail=True, score=0.0, criteria={"c": 0.0})]
    )
    assert summary.score.mean == 0.5
    assert (summary.criteria["c"].score.mean, summary.criteria["c"].pass_rate) == (0.5, 1.0)


def test_missed_cases_are_failed_ones_that_a_gate_judges():
    summary = summarize([row("failed", gated=True), row("failed"), row("passed", gated=True)])
    assert (summary.counts.failed, summary.missed) == (2, 1)


def test_errors_are_counted_by_kind():
    kinds = [ErrorKind.TIMEOUT, ErrorKind.TARGET, ErrorKind.TIMEOUT]
    summary = summarize([row("errored", error_kind=kind) for kind in kinds] + rows(passed=2))
    assert dict(summary.error_kinds) == {ErrorKind.TARGET: 1, ErrorKind.TIMEOUT: 2}


def test_skipped_cases_have_no_part_in_any_figure():
    skipped = row("skipped", score=0.5, latencies_ms=(9.0,), criteria={"c": 0.1}, cost_usd=1.0)
    summary = summarize([row(score=1.0), skipped])
    assert (summary.score.n, summary.latency.n, summary.criteria, summary.cost_usd.known) == (1, 0, {}, 0)
    assert (summary.unscored, summary.cost_usd.unknown) == (0, 1)


def test_totals_say_when_they_are_partial():
    summary = summarize([row(cost_usd=0.1, input_tokens=5), row(cost_usd=0.2), row("errored")])
    assert summary.cost_usd.value == pytest.approx(0.3)
    assert summary.cost_usd.partial
    assert (summary.input_tokens.value, summary.input_tokens.known, summary.input_tokens.unknown) == (5, 1, 2)
    assert summary.output_tokens.value is None
    assert not summary.output_tokens.partial


def test_groups_are_by_suite_category_and_tag_in_the_order_of_the_cases():
    all_rows = [
        row(suite="b", category="x", tags=("t", "u"), score=1.0),
        row("failed", suite="a", tags=("t",), score=0.0),
    ]
    summary = summarize(all_rows)
    assert list(summary.by_suite) == ["b", "a"]
    assert list(summary.by_category) == ["x"]
    assert summary.by_tag["t"].pass_rate == 0.5
    assert summary.by_tag["u"].pass_rate == 1
    assert summary.by_suite["a"] == Summary(**{f: getattr(summarize(all_rows[1:]), f) for f in _OWN})


_OWN = [f for f in Summary.__dataclass_fields__ if not f.startswith("by_")]
