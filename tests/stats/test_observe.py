"""What gates observe: sums, intervals, changes."""

from __future__ import annotations

import pytest
from factories import row, rows

from pytest_evals.model.comparison import Side
from pytest_evals.model.gate import Verdict
from pytest_evals.model.gate_grammar import parse_gate
from pytest_evals.model.trials import TrialCounts
from pytest_evals.stats.compare import compare
from pytest_evals.stats.decide import decide
from pytest_evals.stats.intervals import wilson


def verdict(text, cases, **more):
    [decided] = decide([parse_gate(text)], cases, **more)
    return decided


def test_the_lower_bound_of_a_rate():
    cases = rows(passed=95, failed=5)
    decided = verdict("lower(pass_rate) >= 90%", cases)
    assert decided.observed == wilson(95, 100).low
    assert decided.verdict is Verdict.BROKEN
    assert verdict("lower(pass_rate) >= 88%", cases).verdict is Verdict.HELD


def test_the_lower_bound_of_a_mean_needs_two_scores():
    cases = [row("passed", str(n), score=s) for n, s in enumerate((0.7, 0.8, 0.9))]
    assert verdict("lower(score.mean) >= 0.5", cases).observed == pytest.approx(0.8 - 4.302653 * 0.1 / 3**0.5, abs=1e-6)
    assert verdict("lower(score.mean) >= 0.5", cases[:1]).reason == "one score has no interval"


def test_the_rate_of_a_criterion():
    cases = [row("failed", "a", criteria={"tone": 0.9, "facts": 0.1}), row("passed", "b", criteria={"tone": 0.2})]
    assert verdict("pass_rate(criterion=tone) >= 50%", cases).observed == 0.5
    assert verdict("pass_rate(criterion=facts) >= 50%", cases).observed == 0


def test_a_total_with_unknown_parts_is_undecided_unless_the_known_ones_are_too_much():
    cases = [row("passed", "a", cost_usd=0.4), row("passed", "b", cost_usd=None)]
    decided = verdict("cost.total <= $0.50", cases)
    assert (decided.verdict, decided.reason) == (Verdict.UNDECIDED, "the cost of 1 of 2 cases is not known")
    assert verdict("cost.total <= $0.30", cases).verdict is Verdict.BROKEN
    assert verdict("cost.total >= $0.30", cases).verdict is Verdict.UNDECIDED
    assert verdict("cost.total <= $0.50", cases[:1]).verdict is Verdict.HELD


def test_tokens_are_those_of_input_and_output():
    cases = [row("passed", str(n), input_tokens=100, output_tokens=20) for n in range(3)]
    assert verdict("tokens.total <= 360", cases).verdict is Verdict.HELD
    assert verdict("tokens.total <= 359", cases).verdict is Verdict.BROKEN


def test_flaky_cases_are_counted_or_shared():
    cases = [row("passed", "a", trials=TrialCounts(3, passed=2, failed=1)), *rows(passed=9)]
    assert verdict("flaky <= 0", cases).verdict is Verdict.BROKEN
    assert verdict("flaky <= 10%", cases).observed == 0.1
    decided = verdict("flaky <= 3", rows(passed=9))
    assert (decided.verdict, decided.reason) == (Verdict.UNDECIDED, "no case in scope has several trials")


def test_cases_that_may_be_flaky_leave_it_undecided_only_where_they_matter():
    sure = row("passed", "a", trials=TrialCounts(3, passed=2, failed=1))
    cases = [sure, row("failed", "b", trials=TrialCounts(3, failed=1))]
    decided = verdict("flaky <= 1", cases)
    assert (decided.verdict, decided.observed) == (Verdict.UNDECIDED, 1)
    assert decided.reason == "1 case may be flaky: trials were not asked, or errored"
    assert verdict("flaky <= 2", cases).verdict is Verdict.HELD
    assert verdict("flaky <= 0", cases).verdict is Verdict.BROKEN
    assert verdict("flaky == 2", cases).verdict is Verdict.UNDECIDED
    assert verdict("flaky == 3", cases).verdict is Verdict.BROKEN


# -- against a baseline ---------------------------------------------------------------------------------------------


def against(text, before, after, **more):
    comparison = compare(Side("before", before, **more), Side("after", after))
    return verdict(text, after, comparison=comparison)


def test_without_a_baseline_it_is_not_asked_and_with_one_that_is_missing_undecided():
    assert verdict("regressions == 0", rows(passed=1)).verdict is Verdict.NOT_ASKED
    decided = verdict("regressions == 0", rows(passed=1), no_baseline="no baseline: there is no run 'x'")
    assert (decided.verdict, decided.reason) == (Verdict.UNDECIDED, "no baseline: there is no run 'x'")


def test_A07_a_drop_of_exactly_the_allowed_size_holds_and_a_hair_more_does_not():
    before = [row("passed" if n < 900 else "failed", str(n)) for n in range(1000)]
    after = [row("passed" if n < 850 else "failed", str(n)) for n in range(1000)]
    assert against("pass_rate drop <= 5pp", before, after).verdict is Verdict.HELD
    assert against("pass_rate drop <= 4.9pp", before, after).verdict is Verdict.BROKEN
    assert against("pass_rate drop <= 4.9pp", before, after).observed == pytest.approx(0.05)


def test_a_rise_is_of_the_shared_cases_and_relative_to_the_baseline():
    before = [row("passed", str(n), latencies_ms=(100.0,)) for n in range(3)]
    after = [row("passed", str(n), latencies_ms=(120.0,)) for n in range(1, 5)]
    decided = against("latency.p95 rise <= 10%", before, after)
    assert (decided.verdict, decided.observed, decided.cases) == (Verdict.BROKEN, pytest.approx(0.2), 2)
    assert against("latency.p95 rise <= 20ms", before, after).verdict is Verdict.HELD
    assert against("latency.p95 drop <= 0ms", before, after).verdict is Verdict.HELD


def test_runs_that_share_no_case_leave_it_undecided():
    decided = against("pass_rate drop <= 1pp", [row("passed", "a")], [row("passed", "b")])
    assert decided.verdict is Verdict.UNDECIDED
    assert against("regressions == 0", [], [row("passed", "b")]).verdict is Verdict.UNDECIDED


def test_of_nothing_a_relative_change_is_nothing_or_unknown():
    free, dear = [row("passed", "a", cost_usd=0.0)], [row("passed", "a", cost_usd=0.1)]
    assert against("cost.total rise <= 10%", free, free).verdict is Verdict.HELD
    assert against("cost.total rise <= 10%", free, dear).reason == "the baseline's value is 0"


def test_regressions_are_counted_in_their_scope():
    before = [row("passed", "a", tags=("smoke",)), row("passed", "b"), row("passed", "c", tags=("smoke",))]
    after = [row("failed", "a", tags=("smoke",)), row("failed", "b")]
    assert against("regressions == 0", before, after).observed == 3
    assert against("regressions(tag=smoke) == 0", before, after).observed == 2


def test_a_case_that_is_gone_counts_where_a_file_does_not_say_its_tags():
    decided = against("regressions(tag=smoke) == 0", [row("passed", "a"), row("passed", "b")], [
        row("passed", "a", tags=("smoke",))
    ], scopes_known=False)  # fmt: skip
    assert decided.observed == 1
