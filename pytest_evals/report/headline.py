"""Why a case did not pass, in one line."""

from __future__ import annotations

from dataclasses import replace

from ..model.outcome import ErrorKind, Outcome
from ..model.result import CaseError, CaseResult, CriterionResult
from ..model.score import reaches
from ..model.text import one_line
from .format import comparison, counted, short_score
from .repeats import as_one, trials_said

MAX_HEADLINE = 120


def headline(result: CaseResult) -> str:
    """One line of at most 120 characters: ``contains 0 < 1: …``, ``score 0.47 < 0.70``, ``timeout: … (2 attempts)``.

    Empty for a case that passed or has no verdict.
    """
    said = trials_said(result)
    if said and result.outcome in {Outcome.FAILED, Outcome.ERRORED, Outcome.WARNED}:
        one = as_one(result)
        why = headline(one if one.outcome is result.outcome else replace(one, outcome=result.outcome))
        return one_line(f"{said}: {why}" if why else said, MAX_HEADLINE)
    match result.outcome:
        case Outcome.ERRORED:
            text = _errored(result)
        case Outcome.SKIPPED:
            text = f"skipped: {result.skip_reason}" if result.skip_reason else "skipped"
        case Outcome.FAILED:
            text = _failed(result)
        case Outcome.WARNED:
            text = f"{_weighted(result)}, warned"
        case _:
            text = ""
    return one_line(text, MAX_HEADLINE)


def cause(error: CaseError) -> str:
    """The error in one line, with its kind unless the message says it already."""
    if error.kind is ErrorKind.TARGET or error.message.startswith((error.kind.value, "the worker")):
        return error.message
    return f"{error.kind.value}: {error.message}" if error.message else error.kind.value


def mark_missed(criterion: CriterionResult) -> str:
    """``contains 0 < 1``: the criterion with its score and the mark it missed."""
    if criterion.score is None or criterion.mark is None:
        return f"{criterion.name} {short_score(criterion.score)}"
    return f"{criterion.name} {comparison(criterion.score, '<', criterion.mark)}"


def _errored(result: CaseResult) -> str:
    if result.error is None:
        return "errored"
    text = cause(result.error)
    attempts = len(result.last.attempts) if result.last else 0
    retried = attempts > 1 and result.last is not None and result.last.output is None
    note = f" ({counted(attempts, 'attempt')})" if retried else ""
    return one_line(text, MAX_HEADLINE - len(note)) + note


def _failed(result: CaseResult) -> str:
    missed = [criterion for criterion in result.criteria if criterion.passed is False]
    below = isinstance(result.threshold, float | int) and not _reached(result)
    if below:
        worst = min((c for c in result.criteria if c.score is not None and c.weight), key=_lost, default=None)
        if worst is None or worst.score == 1:
            return _weighted(result)
        return f"{_weighted(result)}; {worst.name} {short_score(worst.score)}{_because(worst)}"
    if not missed:
        return _weighted(result) if result.score is not None else "failed"
    more = f" (and {len(missed) - 1} more)" if len(missed) > 1 else ""
    first = missed[0]
    return one_line(f"{mark_missed(first)}{_because(first)}", MAX_HEADLINE - len(more)) + more


def _lost(criterion: CriterionResult) -> float:
    """Least for the criterion that costs the weighted mean the most."""
    return ((criterion.score or 0.0) - 1) * criterion.weight


def _because(criterion: CriterionResult) -> str:
    return f": {criterion.reason[:500]}" if criterion.reason else ""


def _reached(result: CaseResult) -> bool:
    return (
        result.score is not None
        and isinstance(result.threshold, float | int)
        and reaches(result.score, result.threshold)
    )


def _weighted(result: CaseResult) -> str:
    if result.score is None or not isinstance(result.threshold, float | int):
        return f"score {short_score(result.score)}"
    return f"score {comparison(result.score, '≥' if _reached(result) else '<', result.threshold)}"
