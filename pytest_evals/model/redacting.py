"""A result without secrets: before it is shown, sent to another process, or written anywhere."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, TypeVar

from .redaction import Redactor
from .result import Attempt, CaseError, CaseResult, CriterionResult, Trial
from .wire import plain

_T = TypeVar("_T")


def redacted(result: CaseResult, redactor: Redactor) -> CaseResult:
    """The result with secrets as ``***`` wherever a text of the suite, the application or a scorer may hold them.

    What identifies a case (its suite, id, variant, tags, category) is left as it is. A result without secrets comes
    back itself.
    """
    hide = _Hide(redactor)
    return _changed(
        result,
        input=hide.value(result.input),
        context=hide.value(result.context),
        expected_output=hide.value(result.expected_output),
        reference_outputs=hide.value(result.reference_outputs),
        metadata=hide.value(result.metadata),
        name=hide.value(result.name),
        target=hide.value(result.target),
        skip_reason=hide.value(result.skip_reason),
        xfail=hide.value(result.xfail),
        logs=hide.value(result.logs),
        error=hide.error(result.error),
        trials=hide.each(result.trials, hide.trial),
    )


class _Hide:
    def __init__(self, redactor: Redactor) -> None:
        self._redactor = redactor

    def value(self, value: Any) -> Any:
        """The value itself when there is nothing to hide in it."""
        if value is None:
            return value
        if isinstance(value, str):
            shown = self._redactor.text(value)
            return value if shown == value else shown
        known = plain(value)
        hidden = self._redactor.value(known)
        if hidden == known:
            return value
        return tuple(hidden) if isinstance(value, tuple) else hidden

    def each(self, parts: tuple[_T, ...], hide: Any) -> tuple[_T, ...]:
        shown = tuple(hide(part) for part in parts)
        return parts if all(one is other for one, other in zip(parts, shown, strict=True)) else shown

    def trial(self, trial: Trial) -> Trial:
        return _changed(
            trial,
            output=self.value(trial.output),
            criteria=self.each(trial.criteria, self.criterion),
            error=self.error(trial.error),
            attempts=self.each(trial.attempts, self.attempt),
            tool_calls=self.each(trial.tool_calls, lambda call: _changed(call, args=self.value(call.args))),
            metadata=self.value(trial.metadata),
            trajectories=self.each(trial.trajectories, lambda ref: _changed(ref, calls=self.value(ref.calls))),
        )

    def criterion(self, criterion: CriterionResult) -> CriterionResult:
        return _changed(
            criterion,
            reason=self.value(criterion.reason),
            detail=self.value(criterion.detail),
            error=self.error(criterion.error),
        )

    def attempt(self, attempt: Attempt) -> Attempt:
        return _changed(attempt, error=self.error(attempt.error))

    def error(self, error: CaseError | None) -> CaseError | None:
        if error is None:
            return None
        return _changed(error, message=self.value(error.message), detail=self.value(error.detail))


def _changed(part: _T, **fields: Any) -> _T:
    """The part with these fields; itself when they are what it has."""
    # by identity: values of an application may not be fit to be compared
    different = {name: value for name, value in fields.items() if value is not getattr(part, name)}
    return replace(part, **different) if different else part  # type: ignore[type-var]
