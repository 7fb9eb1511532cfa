"""Whether gates hold."""

from __future__ import annotations

import pytest
from factories import row, rows

from pytest_evals.model.case import Case
from pytest_evals.model.gate import Verdict
from pytest_evals.model.gate_grammar import parse_gate
from pytest_evals.stats import decide
from pytest_evals.stats.decide import ScopedCase


def one(text, all_rows, suite=None, **options):
    (verdict,) = decide([parse_gate(text, suite=suite)], all_rows, **options)
    return verdict


TEN = [
    *(
        row("passed", f"p{n}", score=0.9, criteria={"tone": 0.8}, latencies_ms=(100.0 * n,), tags=("smoke",))
        for n in range(1, 8)
    ),
    row("warned", "w", score=0.6, criteria={"tone": 0.6}, latencies_ms=(800.0,)),
    row("failed", "f", score=0.1, criteria={"tone": 0.1}, latencies_ms=(900.0,), category="refunds"),
    row("errored", "e"),
    row("skipped", "s"),
    row("failed", "x", xfail=True),
]


@pytest.mark.parametrize(
    ("text", "verdict", "observed", "margin", "cases"),
    [
        ("pass_rate >= 70%", "held", 0.7, 0.0, 10),
        ("pass_rate >= 60%", "held", 0.7, 0.1, 10),
        ("pass_rate >= 80%", "broken", 0.7, -0.1, 10),
        ("pass_rate > 70%", "broken", 0.7, 0.0, 10),
        ("pass_rate <= 80%", "held", 0.7, 0.1, 10),
        ("pass_rate == 70%", "held", 0.7, 0.0, 10),
        ("pass_rate == 50%", "broken", 0.7, -0.2, 10),
        ("pass_rate(tag=smoke) >= 100%", "held", 1.0, 0.0, 7),
        ("pass_rate(category=refunds) >= 1%", "broken", 0.0, -0.01, 1),
        ("score.mean >= 0.7", "held", 7.0 / 9, 7.0 / 9 - 0.7, 9),
        ("score.tone.mean >= 0.9", "broken", 6.3 / 9, 6.3 / 9 - 0.9, 9),
        ("latency.mean <= 500ms", "held", 500.0, 0.0, 9),
        ("latency.p50 <= 1s", "held", 500.0, 500.0, 9),
        ("latency.p95 <= 800ms", "broken", 900.0, -100.0, 9),
        ("errors <= 3", "held", 1.0, 2.0, 11),
        ("errors == 0", "broken", 1.0, -1.0, 11),
        ("errors <= 10%", "held", 1 / 11, 0.1 - 1 / 11, 11),
        ("errors(tag=smoke) == 0", "held", 0.0, 0.0, 7),
    ],
)
def test_a_gate_compares_its_bound_with_the_cases_in_its_scope(text, verdict, observed, margin, cases):
    decided = one(text, TEN)
    assert (decided.verdict.value, decided.cases) == (verdict, cases)
    assert decided.observed == pytest.approx(observed)
    assert decided.margin == pytest.approx(margin)
    assert decided.reason == ""


@pytest.mark.parametrize(
    ("text", "all_rows", "reason"),
    [
        ("pass_rate >= 0%", [], "no case in scope"),
        ("pass_rate(tag=nope) >= 90%", rows(passed=3), "no case in scope"),
        ("pass_rate >= 90%", rows(skipped=3), "no case in scope has the value"),
        ("pass_rate >= 90%", rows(scored=3), "no case in scope has the value"),
        ("pass_rate >= 90%", [row("failed", xfail=True)], "no case in scope has the value"),
        ("score.mean >= 0.5", rows(errored=3), "no case in scope has the value"),
        ("score.tone.mean >= 0.5", rows(passed=3), "no case in scope has the value"),
        ("score.tone.mean >= 0.5", [row(criteria={"tone": None})], "no case in scope has the value"),
        ("latency.p95 <= 2s", rows(passed=3), "no case in scope has the value"),
        ("errors == 0", rows(skipped=3), "no case in scope has the value"),
    ],
)
def test_what_is_unknown_leaves_a_gate_undecided(text, all_rows, reason):
    decided = one(text, all_rows)
    assert (decided.verdict, decided.observed, decided.margin, decided.reason) == (
        Verdict.UNDECIDED,
        None,
        None,
        reason,
    )


def test_only_errors_are_a_pass_rate_of_zero():
    assert one("pass_rate >= 50%", rows(errored=3)).verdict is Verdict.BROKEN


def test_a_case_that_never_ran_leaves_the_gates_about_it_undecided():
    missing = ScopedCase.of(Case("m", "?", (), suite="bot", tags=("slow",)))
    about_it, not_about_it = decide(
        [parse_gate("pass_rate >= 50%"), parse_gate("pass_rate(tag=smoke) >= 50%")], TEN, not_run=[missing, missing]
    )
    assert (about_it.verdict, about_it.reason) == (Verdict.UNDECIDED, "2 cases never ran")
    assert about_it.observed == pytest.approx(0.7)
    assert not_about_it.verdict is Verdict.HELD


def test_a_session_that_stopped_early_decides_nothing():
    decided = one("pass_rate >= 0%", TEN, stopped="stopping after 1 failures")
    assert (decided.verdict, decided.reason) == (Verdict.UNDECIDED, "stopped early: stopping after 1 failures")


def test_a_gate_about_deselected_cases_alone_is_not_asked():
    left_out = [ScopedCase("bot", ("slow",))]
    assert one("pass_rate(tag=slow) >= 90%", TEN, deselected=left_out).verdict is Verdict.NOT_ASKED
    assert one("pass_rate(tag=slwo) >= 90%", TEN, deselected=left_out).verdict is Verdict.UNDECIDED
    selection = one("pass_rate >= 50%", TEN, deselected=left_out)
    assert (selection.verdict, selection.left_out) == (Verdict.HELD, 1)
    assert one("pass_rate >= 50%", [], suite="bot", deselected=left_out).verdict is Verdict.NOT_ASKED
    assert one("pass_rate >= 50%", [], suite="bot", deselected=left_out, not_run=left_out).verdict is Verdict.UNDECIDED


def test_a_gate_of_a_suite_looks_at_all_variants_of_that_suite():
    all_rows = [row(variant="small"), row("failed", variant="large"), row("failed", suite="other")]
    decided = one("pass_rate >= 50%", all_rows, suite="bot")
    assert (decided.verdict, decided.observed, decided.cases) == (Verdict.HELD, 0.5, 2)
    assert one("pass_rate >= 50%", all_rows).observed == pytest.approx(1 / 3)


def test_the_trials_of_a_case_all_count_in_latencies():
    decided = one("latency.p50 <= 1s", [row(latencies_ms=(1.0, 2.0, 3.0)), row(latencies_ms=())])
    assert (decided.observed, decided.cases) == (2.0, 1)


@pytest.mark.parametrize(
    ("text", "all_rows", "holds"),
    [
        # A07
        ("score.mean >= 0.7", [row(score=0.7)] * 3, True),
        ("score.mean >= 0.3", [row(score=0.1), row(score=0.2), row(score=0.6)], True),
        ("score.mean >= 0.7", [row(score=0.699)] * 3, False),
        ("pass_rate >= 85%", rows(passed=17, failed=3), True),
        ("pass_rate >= 90%", [*rows(passed=9, failed=1)] * 7, True),
        ("errors <= 30%", rows(errored=3, passed=7), True),
        ("score.mean >= 0.1", [row(score=0.1)] * 10, True),
    ],
)
def test_a07_a_bound_that_is_reached_exactly_holds(text, all_rows, holds):
    decided = one(text, all_rows)
    assert (decided.verdict is Verdict.HELD) is holds
    assert (decided.margin >= 0) is holds


def test_verdicts_come_in_the_order_of_the_gates():
    gates = [parse_gate(text) for text in ("errors == 0", "pass_rate >= 50%", "latency.p99 <= 1s")]
    assert [verdict.gate for verdict in decide(gates, TEN)] == gates
