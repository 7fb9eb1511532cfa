"""How outcomes of cases show in pytest: exceptions, letters, and the report that carries the result."""

from __future__ import annotations

import pytest

from ..model.outcome import Outcome
from ..model.result import CaseResult

RESULTS = "evals_results"
"""Report attribute: results as JSON lines. Only text crosses from an xdist worker without risk; dropped once used."""

AGAIN = "evals_again"
"""Report attribute: why a case was asked although an earlier run is gone on with."""

SHOWN = "evals_shown"
"""Report attribute: how the terminal shows it when that differs from pytest's own outcome."""

_WORDS = {
    "warned": ("warned", "w", ("WARNED", {"yellow": True})),
    "missed": ("missed", "m", ("MISSED", {"yellow": True})),
    "errored": ("errored", "e", ("ERRORED", {"yellow": True})),
    "suspect": ("", "", ""),  # runs again: its word is still to come
}


class CaseFailed(pytest.fail.Exception):  # type: ignore[name-defined,misc] # an attribute of a function
    """A case missed its mark. The message is the explanation; its first line is the headline."""

    __module__ = "builtins"  # pytest shows the class in short summaries; a module path is noise there

    def __init__(self, message: str, *, tolerated: bool = False) -> None:
        super().__init__(message, pytrace=False)
        self.tolerated = tolerated


class CaseErrored(pytest.fail.Exception):  # type: ignore[name-defined,misc] # as above
    """A case could not be answered or scored."""

    __module__ = "builtins"

    def __init__(self, message: str, *, tolerated: bool = False) -> None:
        super().__init__(message, pytrace=False)
        self.tolerated = tolerated


def show(report: pytest.TestReport, error: BaseException | None, headline: str, place: tuple[str, int] | None) -> None:
    """Make pytest's report of a deciding phase say what became of the case.

    A tolerated miss or error becomes ``skipped`` with ``wasxfail``, so that it neither fails the session nor stops
    ``-x``, and keeps a letter of its own.
    """
    if isinstance(error, (CaseFailed, CaseErrored)):
        crash = getattr(report.longrepr, "reprcrash", None)
        if crash is not None:  # short summaries, --tb=line and editors then name the case's line in the suite
            crash.message = headline
            if place is not None:
                crash.path, crash.lineno = place
        if error.tolerated and report.failed:
            report.outcome = "skipped"
            report.wasxfail = headline
            setattr(report, SHOWN, "missed" if isinstance(error, CaseFailed) else "errored")


def status(report: pytest.CollectReport | pytest.TestReport) -> tuple[str, str, object] | None:
    """Category, letter and word of a report that pytest would show otherwise."""
    shown = getattr(report, SHOWN, None)
    return _WORDS.get(shown) if shown is not None else None


def mark_warned(report: pytest.TestReport, result: CaseResult | None) -> None:
    """Let a warned case show as such although it passed."""
    if result is not None and result.outcome is Outcome.WARNED and report.passed:
        setattr(report, SHOWN, "warned")
