"""The errors a person can cause or must hear about; each prints as one line.

    EvalsError                     anything a person can mend; shown without a traceback
    ├── SuiteError                 a suite file cannot be used; holds every problem of the file
    ├── UsageError                 an option, setting or argument is wrong
    ├── GateError                  a gate cannot be read
    ├── TargetError                the application under test cannot be reached as written
    │   ├── ProviderError          a service refused for now: says nothing of the application, run again later
    │   └── RejectedError          a service will never answer this: a wrong key, an unknown model, a bad request
    ├── ScorerError                a scorer could not score; never a score
    │   └── JudgeError             a judge's reply could not be read
    ├── TrajectoryError            an agent's recorded steps cannot be read; says where in the document
    └── StoreError                 the history cannot be read or written

Anything that is not an ``EvalsError`` is a bug of this package and keeps its traceback.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .model.place import Problem


class EvalsError(Exception):
    """Base of all errors a person can mend. ``str(error)`` is what is printed."""


class SuiteError(EvalsError):
    """A suite file cannot be used. ``problems`` are all its mistakes, in the order of the file."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems: tuple[Problem, ...] = tuple(problems)
        super().__init__("\n".join(str(problem) for problem in self.problems))


class UsageError(EvalsError):
    """An option, setting or argument cannot be used as given."""


class GateError(EvalsError):
    """A gate cannot be read: unknown metric, operator, scope or unit, or a bound outside what can be."""


class TargetError(EvalsError):
    """The target cannot be imported, called or asked as the suite says.

    ``detail`` is what it said itself, several lines perhaps: the end of its standard error, the start of its reply.
    """

    detail: str = ""

    def __init__(self, message: str, detail: str = "") -> None:
        self.detail = detail
        super().__init__(message)


class ProviderError(TargetError):
    """A service refused for now: a limit of rate, an overload. The error of the case has the kind ``provider``.

    ``retry_after_s`` is how long it asked to be left alone, ``None`` if it did not say; ``status`` is that of HTTP.
    """

    def __init__(self, message: str, detail: str = "", retry_after_s: float | None = None, status: int = 429) -> None:
        self.retry_after_s = retry_after_s
        self.status = status
        super().__init__(message, detail)


class RejectedError(TargetError):
    """A service will not answer, however often it is asked: a wrong key, an unknown model. No attempt is repeated."""


class ScorerError(EvalsError):
    """A scorer could not score: wrong options, an answer it cannot read, a value outside 0 to 1."""


class JudgeError(ScorerError):
    """The reply of a judge is no verdict. The error of the case has the kind ``judge``.

    ``detail`` is the reply as it came; ``facts`` is what judging took, which is paid all the same.
    """

    def __init__(self, message: str, detail: str = "", facts: Mapping[str, Any] | None = None) -> None:
        self.detail = detail
        self.facts: Mapping[str, Any] = facts or {}
        super().__init__(message)


class TrajectoryError(EvalsError):
    """A trajectory cannot be read: ``path`` is where in the document, such as ``$.steps[2].tool_calls``."""

    def __init__(self, path: str, message: str) -> None:
        self.path = path
        self.message = message
        super().__init__(f"{path}: {message}" if path else message)


class StoreError(EvalsError):
    """The history or a journal cannot be read or written."""
