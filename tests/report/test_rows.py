"""From a result to its row."""

from __future__ import annotations

from math import inf, nan

from factories import criterion, error, result

from pytest_evals.model.outcome import ErrorKind, Outcome
from pytest_evals.model.response import Usage
from pytest_evals.model.result import CriterionRow, Trial
from pytest_evals.report.rows import row_of


def test_a_row_has_what_aggregates_need():
    row = row_of(
        result(
            "failed",
            variant="small",
            category="refunds",
            tags=("smoke",),
            gated=True,
            score=0.5,
            criteria=(criterion("contains", 0.0, weight=2.0), criterion("tone", 1.0)),
            latency_ms=12.5,
            usage=Usage(100, 20),
            cost_usd=0.25,
            experiment="support",
        )
    )
    assert row.key == ("bot", "refund-window", "small")
    assert (row.outcome, row.category, row.tags, row.gated, row.xfail) == (
        Outcome.FAILED,
        "refunds",
        ("smoke",),
        True,
        False,
    )
    assert row.criteria == (CriterionRow("contains", 0.0, False, 2.0), CriterionRow("tone", 1.0, True))
    assert (row.score, row.latencies_ms, row.input_tokens, row.output_tokens, row.cost_usd) == (
        0.5,
        (12.5,),
        100,
        20,
        0.25,
    )
    assert row.headline == "contains 0 < 1"
    assert (row.node_id, row.source, row.experiment) == (
        "evals/bot.eval.yaml::refund-window",
        "evals/bot.eval.yaml:7",
        "support",
    )


def test_the_kind_of_an_error_is_kept_for_errored_cases_alone():
    assert row_of(result("errored", error=error("timeout", "late"))).error_kind is ErrorKind.TIMEOUT
    assert row_of(result("skipped", error=error())).error_kind is None


def test_tokens_and_cost_are_those_of_all_trials():
    trials = tuple(Trial(Outcome.PASSED, "a", latency_ms=float(n), usage=Usage(10, n), cost_usd=0.5) for n in range(3))
    row = row_of(result("passed", trials=trials))
    assert (row.latencies_ms, row.input_tokens, row.output_tokens, row.cost_usd) == ((0.0, 1.0, 2.0), 30, 3, 1.5)


def test_tokens_and_cost_are_unknown_as_soon_as_a_trial_does_not_know():
    trials = (Trial(Outcome.PASSED, "a", usage=Usage(10, None), cost_usd=0.5), Trial(Outcome.ERRORED))
    row = row_of(result("errored", trials=trials))
    assert (row.latencies_ms, row.input_tokens, row.output_tokens, row.cost_usd) == ((), None, None, None)
    assert row_of(result("skipped")).cost_usd is None


def test_a01_nan_never_enters_a_row():
    row = row_of(result(score=nan, criteria=(criterion(score=inf),), latency_ms=nan, cost_usd=inf))
    assert (row.score, row.criteria[0].score, row.latencies_ms, row.cost_usd) == (None, None, (), None)


def test_a_reason_to_expect_a_failure_marks_the_row():
    assert row_of(result(xfail="")).xfail
    assert not row_of(result()).xfail
