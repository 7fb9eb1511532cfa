"""From scores to an outcome. Pure arithmetic."""

from __future__ import annotations

from dataclasses import replace
from math import fsum

from ..model.case import Case
from ..model.outcome import Outcome
from ..model.result import CaseError, CriterionResult
from ..model.score import reaches


def judge(
    case: Case, results: tuple[CriterionResult, ...]
) -> tuple[Outcome, float | None, CaseError | None, tuple[CriterionResult, ...]]:
    """The outcome of a case, its score, its error and the criteria with their own verdicts.

    Without a threshold every criterion must reach its mark. With one, the weighted mean must reach it, and every
    criterion that states a threshold must still reach that. With ``unset`` there is a score and no verdict.
    """
    weighted = case.threshold is not None
    judged = tuple(_verdict(result, marked=not weighted or result.threshold is not None) for result in results)
    error = next((result.error for result in results if result.error is not None), None)
    if error is not None:
        return Outcome.ERRORED, None, error, judged
    score = weighted_mean(judged)
    if case.threshold == "unset":
        return Outcome.SCORED, score, None, judged
    met = all(result.passed for result in judged if result.passed is not None)
    if case.threshold is None:
        return (Outcome.PASSED if met else Outcome.FAILED), score, None, judged
    if not met or score is None:
        return Outcome.FAILED, score, None, judged
    if reaches(score, case.threshold):
        return Outcome.PASSED, score, None, judged
    if case.warn is not None and reaches(score, case.warn):
        return Outcome.WARNED, score, None, judged
    return Outcome.FAILED, score, None, judged


def weighted_mean(results: tuple[CriterionResult, ...]) -> float | None:
    """Σ score·weight / Σ weight; ``None`` when a score is missing or the weights add up to 0."""
    total = fsum(result.weight for result in results)
    if total <= 0 or any(result.score is None for result in results):
        return None
    mean = fsum((result.score or 0.0) * result.weight for result in results) / total
    return min(1.0, max(0.0, mean))


def _verdict(result: CriterionResult, *, marked: bool) -> CriterionResult:
    if result.score is None:
        return result
    if not marked or result.mark is None:
        return replace(result, mark=None)
    return replace(result, passed=reaches(result.score, result.mark))
