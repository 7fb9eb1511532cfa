"""The explanation of a case that did not pass: what pytest shows as its failure."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields
from textwrap import indent
from typing import Any

from ..model.result import CaseResult, CriterionResult
from ..model.score import reaches
from ..model.text import one_line
from .diff import diff
from .format import comparison, counted, duration, score, short_score
from .headline import cause, headline
from .repeats import as_one, of_trial, trials_said
from .text import cells, cut, cut_start, escape, fit, indented, pad, readable

MAX_BYTES = 8000
_MAX_CRITERIA = 12
_MAX_NAME = 40
_MAX_ATTEMPTS = 5
_MAX_TRIALS = 10
_WIDE = 110
"""Columns; what is wider goes below its label."""


@dataclass(frozen=True, slots=True)
class _Limits:
    """Bytes that each part may take."""

    input: int = 1500
    context: int = 600
    expected: int = 1500
    output: int = 2400
    diff: int = 2000
    references: int = 600
    reason: int = 600
    trace: int = 2400

    def times(self, scale: float) -> _Limits:
        return _Limits(*(int(getattr(self, f.name) * scale) for f in fields(self)))


def explain(result: CaseResult) -> str:
    """Why the case did not pass, for a person to act on: at most 8 kB, the headline first.

    Input, expected text and output (with a diff where they are long), every criterion with score, mark and reason, the
    weighted score, and for an error its kind, message and the application's traceback. The whole texts are in the
    result.
    """
    text = ""
    for scale in (1, 0.5, 0.25, 0.12):
        text = "\n".join(_lines(result, _Limits().times(scale)))
        if len(text.encode("utf-8")) <= MAX_BYTES:
            return text
    return text.encode("utf-8")[: MAX_BYTES - 10].decode("utf-8", "ignore") + "\n… (cut)"


def _lines(result: CaseResult, limits: _Limits) -> Iterator[str]:
    yield headline(result) or result.outcome.value
    if result.name and result.name != result.case_id:
        yield one_line(result.name, 120)
    if result.source:
        yield one_line(result.source, 300)
    yield ""
    one = as_one(result)
    if one is not result:
        yield from _trials(result)
        yield ""
    yield from _texts(one, limits, _label(result))
    if one.criteria:
        yield ""
        yield from _criteria(one, limits)
    if said := weighted(one):
        yield said
    yield from _error(one, limits)


def _trials(result: CaseResult) -> Iterator[str]:
    """Every trial with its outcome, score and latency, and why it did not pass or what it said."""
    yield f"trials ({trials_said(result)}):"
    shown = result.trials[:_MAX_TRIALS]
    for number, trial in enumerate(shown, 1):
        said = headline(of_trial(result, trial)) or readable(trial.output)
        figures = f"{trial.outcome.value:<7}  {score(trial.score):>4}  {duration(trial.latency_ms):>7}"
        yield f"  {number:>2}. {figures}  {fit(one_line(said, 200), _WIDE - 30)}"
    if len(result.trials) > len(shown):
        yield f"  … {counted(len(result.trials) - len(shown), 'more trial')}"
    if len(result.trials) < result.planned_trials:
        left = result.planned_trials - len(result.trials)
        yield f"  {counted(left, 'trial was', 'trials were')} not asked: nothing they said could change the decision"


def _label(result: CaseResult) -> str:
    """``output``, or ``output of trial 2``."""
    number = next((n for n, trial in enumerate(result.trials, 1) if trial is result.shown), 0)
    return "output" if result.trial_counts is None else f"output of trial {number}"


def _texts(result: CaseResult, limits: _Limits, label: str = "output") -> Iterator[str]:
    yield _block("input", result.input, limits.input)
    if result.context is not None:
        yield _block("context", result.context, limits.context)
    answered = result.last is not None and result.output is not None
    if result.expected_output is not None:
        yield _block("expected", result.expected_output, limits.expected)
    if answered:
        yield _block(label, result.output, limits.output)
        if changes := diff(indented(result.expected_output), indented(result.output)):
            yield _block("diff", "[-expected-] {+output+}\n" * ("{+" in changes) + changes, limits.diff)
    if result.reference_outputs:
        yield _block("references", "\n".join(result.reference_outputs), limits.references)


def _block(label: str, value: Any, limit: int) -> str:
    """A labelled text: short ones beside the label, others indented below it."""
    text = readable(value)
    shown = cut(text, limit) if text else "(empty)" if value == "" else "(none)"
    if "\n" in shown or cells(shown) > _WIDE:
        return f"{label}:\n{indent(shown, '  ', lambda line: bool(line.strip()))}"
    return f"{label + ': ':<12}{shown}"


def _criteria(result: CaseResult, limits: _Limits) -> Iterator[str]:
    missed_first = sorted(result.criteria, key=lambda c: (c.error is None, c.passed is not False))
    shown = missed_first[:_MAX_CRITERIA] if len(result.criteria) > _MAX_CRITERIA else result.criteria
    width = max(min(cells(escape(c.name)), _MAX_NAME) for c in shown)
    yield "criteria:"
    for criterion in shown:
        start = f"  {sign(criterion)} {pad(fit(criterion.name, _MAX_NAME), width)}  {standing(criterion)}"
        reason = " ".join(cut(why(criterion), limits.reason).split())
        if not reason:
            yield start
        elif cells(start) + cells(reason) > _WIDE:
            yield from (start, f"      {reason}")
        else:
            yield f"{start}  {reason}"
    left = missed_first[len(shown) :]
    if left:
        yield f"  … {counted(len(left), 'more criterion', 'more criteria')}"


def sign(criterion: CriterionResult) -> str:
    """``✓`` reached, ``✗`` missed, ``·`` no verdict, ``!`` not scored."""
    if criterion.error is not None or criterion.score is None:
        return "!"
    return "·" if criterion.passed is None else "✓" if criterion.passed else "✗"


def standing(criterion: CriterionResult) -> str:
    """``0.47 < 0.70``: the score against the mark, and the weight unless it is 1."""
    weight = f", weight {criterion.weight:g}" if criterion.weight != 1 else ""
    if criterion.score is None:
        return f"not scored{weight}"
    if criterion.mark is None:
        return short_score(criterion.score) + weight
    sign = "<" if criterion.passed is False else "≥"
    return comparison(criterion.score, sign, criterion.mark) + weight


def why(criterion: CriterionResult) -> str:
    """The scorer's reason, or why there is no score."""
    if criterion.score is None and criterion.error is not None:
        return cause(criterion.error)
    return criterion.reason


def weighted(result: CaseResult) -> str:
    """``weighted score 0.47 < 0.70 (threshold)``; empty for a case without threshold or score."""
    if result.score is None or not isinstance(result.threshold, float | int):
        return ""
    relation = "≥" if reaches(result.score, result.threshold) else "<"
    warn = f", warn {score(result.warn)}" if result.warn is not None else ""
    return f"weighted score {comparison(result.score, relation, result.threshold)} (threshold{warn})"


def _error(result: CaseResult, limits: _Limits) -> Iterator[str]:
    attempts = result.last.attempts if result.last else ()
    if len(attempts) > 1:
        yield from ("", "attempts:")
        width = max(cells(duration(attempt.latency_ms)) for attempt in attempts[:_MAX_ATTEMPTS])
        for number, attempt in enumerate(attempts[:_MAX_ATTEMPTS], 1):
            came = fit(cause(attempt.error), _WIDE) if attempt.error else "answered"
            yield f"  {number}. {pad(duration(attempt.latency_ms), width, right=True)}  {came}"
        if len(attempts) > _MAX_ATTEMPTS:
            yield f"  … {counted(len(attempts) - _MAX_ATTEMPTS, 'more attempt')}"
    error = result.error
    if error is None or (len(attempts) > 1 and attempts[-1].error == error and not error.detail):
        return  # the list of attempts has said it
    yield ""
    yield f"error ({error.kind.value}): {' '.join(cut(error.message, 500).split())}"
    if error.detail:
        yield indent(cut_start(error.detail, limits.trace), "  ")
