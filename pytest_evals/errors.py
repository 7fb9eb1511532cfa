"""The errors a person can cause or must hear about; each prints as one line.

    EvalsError                     anything a person can mend; shown without a traceback
    ├── SuiteError                 a suite file cannot be used; holds every problem of the file
    ├── UsageError                 an option, setting or argument is wrong
    ├── GateError                  a gate cannot be read
    ├── TargetError                the application under test cannot be reached as written
    ├── ScorerError                a scorer could not score; never a score
    └── StoreError                 the history cannot be read or written

Anything that is not an ``EvalsError`` is a bug of this package and keeps its traceback.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

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
    """The target cannot be imported, called or asked as the suite says."""


class ScorerError(EvalsError):
    """A scorer could not score: wrong options, an answer it cannot read, a value outside 0 to 1."""


class StoreError(EvalsError):
    """The history or a journal cannot be read or written."""
