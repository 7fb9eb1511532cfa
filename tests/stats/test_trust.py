"""Gates about judges."""

from __future__ import annotations

import pytest
from factories import row

from pytest_evals.errors import GateError
from pytest_evals.model.gate import Verdict
from pytest_evals.model.gate_grammar import parse_gate
from pytest_evals.model.judge import Calibrated, JudgeKey
from pytest_evals.model.result import CriterionRow
from pytest_evals.report.gates import gate_line
from pytest_evals.stats.decide import decide

TONE = JudgeKey("anthropic/m", "aaa", "fff")
FACTS = JudgeKey("anthropic/m", "bbb", "fff")


def judged(case_id="a", mark=None, **criteria):
    rows = (CriterionRow(name, 1.0, True, judges=(key,), mark=mark) for name, key in criteria.items())
    return row("passed", case_id, criteria=tuple(rows))


def verdict(text, rows, known=None):
    [decided] = decide([parse_gate(text)], rows, calibrations=known)
    return decided


def test_it_holds_or_breaks_by_the_calibration_of_this_judge_and_prompt():
    known = {("anthropic/m", "aaa"): Calibrated(0.72, 0.55)}
    decided = verdict("judge.kappa >= 0.6", [judged(tone=TONE), judged("b", tone=TONE)], known)
    assert (decided.verdict, decided.observed, decided.cases) == (Verdict.HELD, 0.72, 2)
    assert gate_line(decided) == "judge.kappa >= 0.6: held, 0.72 over 2 cases, 0.120 to spare"
    assert verdict("judge.kappa >= 0.8", [judged(tone=TONE)], known).verdict is Verdict.BROKEN
    assert verdict("lower(judge.kappa) >= 0.6", [judged(tone=TONE)], known).verdict is Verdict.BROKEN
    assert verdict("lower(judge.kappa) >= 0.5", [judged(tone=TONE)], known).observed == 0.55


@pytest.mark.parametrize(
    "known", [None, {}, {("anthropic/m", "bbb"): Calibrated(0.9, 0.8)}, {("openai/m", "aaa"): Calibrated(0.9, 0.8)}]
)
def test_without_a_calibration_of_this_judge_and_prompt_it_is_undecided_and_says_what_to_run(known):
    decided = verdict("judge.kappa >= 0.6", [judged(tone=TONE)], known)
    assert decided.verdict is Verdict.UNDECIDED
    assert decided.reason == (
        "judge anthropic/m with prompt aaa is not calibrated; run: pytest-evals judge calibrate LABELS "
        "--suite evals/bot.eval.yaml --criterion tone --judge-model anthropic/m"
    )


def test_a_calibration_over_whatever_criterion_counts_where_there_is_none_of_the_very_prompt():
    known = {("anthropic/m", "fff"): Calibrated(0.65, 0.5), ("anthropic/m", "aaa"): Calibrated(0.9, 0.8)}
    assert verdict("judge.kappa >= 0", [judged(facts=FACTS)], known).observed == 0.65
    assert verdict("judge.kappa >= 0", [judged(tone=TONE)], known).observed == 0.9
    assert verdict("judge.kappa >= 0", [judged(tone=TONE, facts=FACTS)], known).observed == 0.65  # the worse one


def test_it_can_be_about_one_criterion():
    known = {("anthropic/m", "aaa"): Calibrated(0.9, 0.8)}
    rows = [judged(tone=TONE, facts=FACTS)]
    assert verdict("judge.kappa(criterion=tone) >= 0.6", rows, known).verdict is Verdict.HELD
    decided = verdict("judge.kappa >= 0.6", rows, known)
    assert decided.verdict is Verdict.UNDECIDED
    assert "--criterion facts" in decided.reason


def test_a_calibration_is_about_the_mark_that_it_was_made_with():
    known = {("anthropic/m", "aaa"): Calibrated(0.9, 0.8, 0.7)}
    assert verdict("judge.kappa >= 0.6", [judged(tone=TONE, mark=0.1 * 7)], known).verdict is Verdict.HELD
    decided = verdict("judge.kappa >= 0.6", [judged(tone=TONE), judged("b", mark=0.9, tone=TONE)], known)
    assert decided.verdict is Verdict.UNDECIDED
    assert decided.reason == "judge anthropic/m was calibrated with the threshold 0.7, and tone has 0.9"


def test_kappa_that_is_not_defined_is_undecided():
    decided = verdict("judge.kappa >= 0.6", [judged(tone=TONE)], {("anthropic/m", "aaa"): Calibrated(None, None)})
    assert (decided.verdict, decided.reason) == (
        Verdict.UNDECIDED, "kappa of judge anthropic/m is not defined: all labels are alike",
    )  # fmt: skip


def test_where_nothing_was_judged_it_is_undecided():
    assert verdict("judge.kappa >= 0.6", [row()], {}).reason == "no case in scope was judged"


def test_worse_than_chance_is_shown_as_it_is():
    decided = verdict("judge.kappa >= 0.6", [judged(tone=TONE)], {("anthropic/m", "aaa"): Calibrated(-0.25, -0.5)})
    assert gate_line(decided) == "judge.kappa >= 0.6: broken, -0.25 over 1 case, 0.850 too little"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("judge.kappa drop <= 0.1", "judge.kappa is of a judge and not of a run: it has no drop"),
        ("judge.kappa >= 60", "kappa is at most 1: write 0.6"),
        ("judge.kappa >= 60%", "unknown unit '%' for judge.kappa: write 0.6"),
        ("judge.kappa > 1", "it can never hold, judge.kappa is never above 1; did you mean '>='?"),
        ("judge.kapa >= 0.6", "did you mean 'judge.kappa'?"),
    ],
)
def test_a_gate_that_says_something_else_is_refused(text, message):
    with pytest.raises(GateError) as error:
        parse_gate(text)
    assert str(error.value).endswith(message)
