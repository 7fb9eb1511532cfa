"""What each case became, and what the figures say."""

from __future__ import annotations

import math
import random

import pytest

from pytest_evals.errors import UsageError
from pytest_evals.model.comparison import Change, Side
from pytest_evals.model.outcome import Outcome
from pytest_evals.model.result import CaseRow, CriterionRow
from pytest_evals.model.trials import TrialCounts
from pytest_evals.stats.compare import compare
from pytest_evals.stats.summarize import summarize

PASSED, WARNED, FAILED, ERRORED = Outcome.PASSED, Outcome.WARNED, Outcome.FAILED, Outcome.ERRORED


def case(case_id, outcome=PASSED, score=None, **more):
    if isinstance(score, tuple):
        more["criteria"] = tuple(CriterionRow(f"k{n}", value, None) for n, value in enumerate(score))
        score = sum(score) / len(score)
    return CaseRow("s", case_id, outcome, score=score, **more)


def run(*rows, label="run", **more):
    return Side(label, rows, **more)


def became(before, after, **more):
    """The change of the one case of two runs."""
    [found] = compare(run(*before), run(*after), **more).cases
    return found.change


@pytest.mark.parametrize(
    ("before", "after", "change"),
    [
        (PASSED, FAILED, Change.BROKEN),
        (WARNED, FAILED, Change.BROKEN),
        (PASSED, ERRORED, Change.BROKEN),
        (FAILED, PASSED, Change.FIXED),
        (ERRORED, WARNED, Change.FIXED),
        (FAILED, ERRORED, Change.ERRORED),
        (ERRORED, FAILED, Change.ANSWERED),
        (PASSED, WARNED, Change.SAME),
        (FAILED, FAILED, Change.SAME),
        (ERRORED, ERRORED, Change.SAME),
        (PASSED, Outcome.SKIPPED, Change.LEFT_OUT),
        (Outcome.SKIPPED, FAILED, Change.LEFT_OUT),
        (PASSED, Outcome.SCORED, Change.SAME),
        (Outcome.SCORED, ERRORED, Change.ERRORED),
    ],
)
def test_a_verdict_that_turned_is_broken_or_fixed(before, after, change):
    assert became([case("a", before)], [case("a", after)]) is change


def test_a_score_that_moved_is_better_or_worse_beyond_the_noise_of_floats():
    assert became([case("a", score=0.7)], [case("a", score=0.8)]) is Change.BETTER
    assert became([case("a", score=0.8)], [case("a", score=0.7)]) is Change.WORSE
    assert became([case("a", score=0.3)], [case("a", score=0.1 + 0.2)]) is Change.SAME
    assert became([case("a", score=None)], [case("a", score=0.2)]) is Change.SAME


def test_rounded_scores_of_a_file_are_no_change():
    before = run(case("a", score=0.667), rounded=0.0005)
    assert compare(before, run(case("a", score=2 / 3))).cases[0].change is Change.SAME
    assert compare(before, run(case("a", score=0.66))).cases[0].change is Change.WORSE


def test_a_passing_case_that_is_gone_counts_against_and_a_deselected_one_does_not():
    before = [case("a"), case("b")]
    assert compare(run(*before), run(case("b"))).regressions == 1
    assert compare(run(*before), run(case("b")), allow_missing=True).regressions == 0
    found = compare(run(*before), run(case("b"), left_out={("s", "a", "")}))
    assert found.regressions == 0
    assert [one.key[1] for one in found.of(Change.LEFT_OUT)] == ["a"]
    assert became([case("a", FAILED)], []) is Change.GONE
    assert became([case("a", Outcome.SKIPPED)], []) is Change.LEFT_OUT


def test_a_new_case_is_new_whatever_came_of_it():
    assert became([], [case("a", FAILED)]) is Change.NEW
    assert compare(run(left_out={("s", "a", "")}), run(case("a"))).cases[0].change is Change.LEFT_OUT


def test_an_expected_failure_is_outside_but_its_error_is_not():
    assert became([case("a")], [case("a", FAILED, xfail=True)]) is Change.SAME
    assert became([case("a")], [case("a", ERRORED, xfail=True)]) is Change.BROKEN


def test_C01_a_case_that_broke_is_a_regression_although_it_is_slower_too():
    before = run(case("route", PASSED, 0.89, latencies_ms=(60_000,)), case("easy", FAILED, 0.3))
    after = run(case("route", FAILED, 0.31, latencies_ms=(190_000,)), case("easy", PASSED, 0.9))
    found = compare(before, after)
    assert found.regressions == 1
    assert [one.key[1] for one in found.of(Change.FIXED)] == ["easy"]
    assert found.cases[0].change is Change.BROKEN
    assert found.cases[0].slower


def test_C04_runs_that_are_equal_show_no_change():
    rows = [case(str(n), score=(n % 10 / 10, 0.5)) for n in range(30)]
    found = compare(run(*rows), run(*rows))
    assert {metric.p for metric in found.metrics if metric.p is not None} == {1.0}
    assert {metric.standing for metric in found.metrics} == {"no change shown"}
    assert {one.change for one in found.cases} == {Change.SAME}


def test_C04_three_cases_with_a_constant_difference_are_not_enough_data():
    found = compare(
        run(*(case(str(n), score=n / 10) for n in range(3))), run(*(case(str(n), score=n / 10 + 0.1) for n in range(3)))
    )
    assert {(metric.p, metric.standing) for metric in found.metrics} == {(None, "not enough data")}
    assert found.metric("score.mean").difference == pytest.approx(0.1)


def test_C04_verdicts_are_paired_by_case():
    before = [PASSED] * 116 + [PASSED] * 4 + [FAILED] * 16 + [FAILED] * 64
    after = [PASSED] * 116 + [FAILED] * 4 + [PASSED] * 16 + [FAILED] * 64
    rate = compare(
        run(*(case(str(n), o) for n, o in enumerate(before))), run(*(case(str(n), o) for n, o in enumerate(after)))
    ).metric("pass_rate")
    assert (rate.before, rate.after) == (0.6, 0.66)
    assert rate.p == pytest.approx(0.0118, abs=5e-5)
    assert rate.standing == "improved"
    assert rate.low < 0.06 < rate.high


@pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf])
def test_what_is_no_number_is_refused(bad):
    for row in (case("a", score=bad), case("a", cost_usd=bad), case("a", latencies_ms=(1.0, bad))):
        with pytest.raises(UsageError, match=r"before: case 'a' of suite 's' has -?(nan|inf) as a figure"):
            compare(run(row, label="before"), run(case("a")))


def test_a_case_that_is_there_twice_is_refused():
    with pytest.raises(UsageError, match="before holds case 'a' of suite 's' more than once"):
        compare(run(case("a"), case("a"), label="before"), run(case("a")))


def test_latency_cost_tokens_and_errors_are_better_when_lower():
    rng = random.Random(1)

    def rows(factor):
        return run(
            *(
                case(
                    str(n),
                    latencies_ms=(factor * rng.uniform(90, 110),),
                    cost_usd=factor * 0.01 * rng.uniform(0.9, 1.1),
                    input_tokens=int(factor * 100),
                    output_tokens=10 + n % 3,
                )
                for n in range(40)
            )
        )

    found = compare(rows(1), rows(2))
    for name in ("latency.mean", "cost.mean", "tokens.mean"):
        assert found.metric(name).standing == "regressed", name
        assert compare(rows(2), rows(1)).metric(name).standing == "improved", name
    assert found.metric("latency.p95").standing == "not tested"
    assert found.metric("latency.mean").relative == pytest.approx(1, abs=0.1)
    errors = compare(
        run(*(case(str(n)) for n in range(20))), run(*(case(str(n), ERRORED if n < 8 else PASSED) for n in range(20)))
    ).metric("errors")
    assert (errors.after, errors.standing) == (0.4, "regressed")


def test_figures_are_over_the_cases_that_have_them_on_both_sides():
    before = run(case("a", score=0.2), case("b", score=None), case("c", score=0.4), case("x", score=1.0))
    after = run(case("a", score=0.3), case("b", score=0.9), case("c", score=0.4), case("y", score=0.0))
    score = compare(before, after).metric("score.mean")
    assert (score.pairs, score.before, score.after) == (2, pytest.approx(0.3), pytest.approx(0.35))
    assert compare(before, after).shared == 3
    assert compare(before, after).metric("cost.mean") is None


def test_criteria_are_adjusted_for_their_number():
    rng = random.Random(8)

    def rows(step):
        return [case(str(n), score=tuple(0.5 + rng.gauss(step, 0.25) / 2 for _ in range(12))) for n in range(60)]

    before = rows(0)
    alone = compare(
        run(*(case(r.case_id, score=(r.criteria[0].score,)) for r in before)),
        run(*(case(r.case_id, score=(r.criteria[0].score + 0.1 * rng.random() - 0.03,)) for r in before)),
    ).metric("score.k0.mean")
    many = compare(run(*before), run(*rows(0)))
    tested = [metric for metric in many.metrics if metric.criterion]
    assert len(tested) == 12
    assert alone.p < 0.05
    assert {metric.standing for metric in tested} == {"no change shown"}


def test_a_question_that_changed_is_said_also_against_the_short_hash_of_a_file():
    key = ("s", "a", "")
    for old, new, changed in [("abc", "abcdef", False), ("abd", "abcdef", True), ("", "abc", False)]:
        found = compare(run(case("a"), definitions={key: old}), run(case("a"), definitions={key: new}))
        assert found.cases[0].question_changed is changed


def test_trials_that_disagree_on_either_side_are_flaky():
    assert compare(run(case("a")), run(case("a", trials=TrialCounts(3, passed=1, failed=2)))).cases[0].flaky
    assert not compare(run(case("a")), run(case("a"))).cases[0].flaky


def test_broken_cases_come_first_and_then_by_change_and_file():
    before = run(*(case(name) for name in "abcd"), case("e", FAILED))
    after = run(case("a"), case("b", FAILED), case("c"), case("d", FAILED), case("e", PASSED), case("f"))
    found = compare(before, after)
    assert [(one.key[1], one.change.value) for one in found.cases] == [
        ("b", "broken"),
        ("d", "broken"),
        ("e", "fixed"),
        ("a", "same"),
        ("c", "same"),
        ("f", "new"),
    ]


def test_the_pass_rate_is_that_of_summaries_in_which_warned_cases_did_not_pass():
    before = [case(str(n)) for n in range(12)]
    after = [case(str(n), WARNED if n < 3 else PASSED) for n in range(12)]
    found = compare(run(*before), run(*after))
    assert (found.regressions, found.metric("pass_rate").after) == (0, 0.75)
    assert summarize(after).pass_rate == 0.75
