"""What several trials of a case say together: of each criterion, and in one line of the case."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from math import fsum

from ..model.outcome import Outcome
from ..model.result import CaseResult, CriterionResult, Trial
from ..model.score import reaches
from ..model.trials import DEFAULT_PASS_IF, TrialCounts, decide_trials, passes_needed
from .format import count, counted


def joined_criteria(result: CaseResult) -> Iterator[CriterionResult]:
    """Every criterion over the trials of a case: its mean score, and whether it passed by the rule of the case.

    One of which nobody knows whether it would have passed (trials that were not asked, or errored) has no verdict.
    """
    asked: dict[str, list[CriterionResult]] = {}
    for trial in result.trials:
        for criterion in trial.criteria:
            asked.setdefault(criterion.name, []).append(criterion)
    for answers in asked.values():
        scores = [answer.score for answer in answers if answer.score is not None]
        mean = min(max(fsum(scores) / len(scores), min(scores)), max(scores)) if scores else None
        error = next((answer.error for answer in answers if answer.error is not None), None)
        passed = _passed(result, answers, mean)
        worst = min(answers, key=lambda answer: 1.0 if answer.score is None else answer.score)  # its reason tells most
        yield replace(worst, score=mean, passed=passed, error=error if mean is None else None)


def _passed(result: CaseResult, answers: list[CriterionResult], mean: float | None) -> bool | None:
    verdicts = [answer.passed for answer in answers]
    planned = max(result.planned_trials, len(result.trials))
    needed = passes_needed(result.pass_if or DEFAULT_PASS_IF, planned)
    if needed is not None:
        outcome = decide_trials(needed, TrialCounts(planned, verdicts.count(True), failed=verdicts.count(False)))
        return None if outcome is None else outcome is Outcome.PASSED
    mark = max((answer.mark for answer in answers if answer.mark is not None), default=None)
    if mean is None or mark is None:
        return None
    known = sum(answer.score is not None for answer in answers)
    worst = mean * known / planned
    best = worst + (planned - known) / planned
    return reaches(worst, mark) if reaches(worst, mark) == reaches(best, mark) else None


def as_one(result: CaseResult) -> CaseResult:
    """The case as if it had one trial: the one that stands for it, or with ``pass_if: mean`` the mean of all."""
    shown = result.shown
    if result.trial_counts is None or shown is None:
        return result
    if result.pass_if == "mean" and result.outcome is not Outcome.ERRORED:
        joined = replace(shown, criteria=tuple(joined_criteria(result)))
        return replace(result, trials=(joined,), planned_trials=1)
    return of_trial(result, shown)


def of_trial(result: CaseResult, trial: Trial) -> CaseResult:
    """What the case would be if this had been its only trial."""
    return replace(
        result, trials=(trial,), planned_trials=1, outcome=trial.outcome, score=trial.score, error=trial.error
    )


def trials_said(result: CaseResult) -> str:
    """``1 of 3 trials passed, all 5 must``: what the trials came to, and what was needed; empty for a single one."""
    counts = result.trial_counts
    if counts is None:
        return ""
    needed = passes_needed(result.pass_if or DEFAULT_PASS_IF, counts.planned)
    passed = f"{count(counts.passed)} of {counted(counts.ran, 'trial')} passed"
    if result.outcome is Outcome.ERRORED and counts.errored:
        passed = f"{count(counts.errored)} of {counted(counts.ran, 'trial')} errored, {count(counts.passed)} passed"
    if counts.scored or needed is None:
        return f"mean of {counted(counts.ran - counts.errored, 'trial')}" + (
            f", {count(counts.errored)} errored" if counts.errored else ""
        )
    if needed == counts.planned:
        return f"{passed}, all {count(counts.planned)} must"
    return f"{passed}, {count(needed)} of {count(counts.planned)} must"
