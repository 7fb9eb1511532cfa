"""Where items run (alone, or in an xdist worker): a case leaves its result on the report of the phase that decides."""

from __future__ import annotations

import gc
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from ..engine.failure import case_error
from ..engine.runner import blank_result, now_utc
from ..model.codec import result_to_json
from ..model.outcome import ErrorKind, Outcome
from ..model.result import CaseResult
from .budget import BudgetSpent
from .capture import teach_streams
from .check import CHECKS
from .items import CaseItem
from .outcomes import AGAIN, RESULTS, CaseErrored, CaseFailed, mark_warned, show

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable

    from ..model.redaction import Redactor
    from .state import State


MANY_ITEMS = 1000


class ItemReports:
    """Attaches results to pytest's reports."""

    def __init__(self, state: State) -> None:
        self._state = state
        gc.unfreeze()  # what an earlier session of this process may have frozen

    @pytest.hookimpl(trylast=True)
    def pytest_collection_finish(self, session: pytest.Session) -> None:
        # items live to the end: unless frozen, each full garbage collection walks them all (10,000 cases: 1.0 of 6.4 s)
        if len(session.items) >= MANY_ITEMS:
            gc.freeze()

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(
        self, item: pytest.Item, call: pytest.CallInfo[None]
    ) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        report = yield
        if isinstance(item, CaseItem):
            _case(item, call, report)
        elif report.when == "call":
            checks = item.stash.get(CHECKS, None)
            if checks:
                setattr(report, RESULTS, "\n".join(map(result_to_json, checks)))
                del checks[:]
        return report

    @pytest.hookimpl(trylast=True)
    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        # runs after xdist's worker has sent the report; pytest keeps reports until the end
        if hasattr(report, RESULTS):
            delattr(report, RESULTS)

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_setup(self) -> None:
        teach_streams()

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_call(self) -> None:
        # an ordinary test may have put its own streams in place, which calls under way must not write to
        teach_streams()

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_teardown(
        self, item: pytest.Item, nextitem: pytest.Item | None
    ) -> Generator[None, object, object]:
        # with the last item, or after -x, fixtures of every scope are torn down: nothing may use them any more
        if nextitem is None or item.session.shouldstop or item.session.shouldfail:
            self._state.stop_calls()
        return (yield)

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self) -> None:
        self._state.stop_calls()

    def pytest_unconfigure(self) -> None:
        self._state.close()


def _case(item: CaseItem, call: pytest.CallInfo[None], report: pytest.TestReport) -> None:
    error = call.excinfo.value if call.excinfo is not None else None
    result: CaseResult | None = None
    if isinstance(error, BudgetSpent):
        # at the target, so that pytest's summary has one line for all of a suite's cases
        place = item.spec.place
        report.longrepr = (str(item.path), place.line if place else 1, f"Skipped: {error.msg}")
    if report.when == "setup":
        if report.passed:
            report.duration = max(0.0, report.duration - item.seconds)
        else:
            result = _ended_in_setup(item, error, report)
    elif report.when == "call":
        result = item.result
        report.duration += item.seconds
        mark_warned(report, result)
    elif report.failed and error is not None and item.result is not None:
        cause = case_error(ErrorKind.FIXTURE, error, "teardown: ")
        result = item.state.redacted(replace(item.result, outcome=Outcome.ERRORED, error=cause))
    _hide_secrets(report, error, item.state.redactor)
    if result is not None:
        line = result_to_json(replace(result, logs=logs_in(report.sections)))
        setattr(report, RESULTS, line)
        if hasattr(item.config, "workerinput") and result.outcome is not Outcome.SKIPPED:
            item.state.recent.append(line)
        if item.state.earlier is not None and (why := item.state.earlier.why_again(item)):
            setattr(report, AGAIN, why)
        if isinstance(error, (CaseFailed, CaseErrored)):
            place = item.case.place
            headline = str(error).partition("\n")[0]
            show(report, error, headline, (str(item.path), place.line) if place else None)
    if report.when == "teardown":
        item.result = None


def _hide_secrets(report: pytest.TestReport, error: BaseException | None, redactor: Redactor) -> None:
    """Of what pytest itself says of an item: what was captured, the traceback of a fixture, the reason of a skip."""
    report.sections = [(name, redactor.text(text)) for name, text in report.sections]
    if isinstance(report.longrepr, tuple):
        path, line, reason = report.longrepr
        report.longrepr = (path, line, redactor.text(reason))
    elif report.failed and not isinstance(error, (CaseFailed, CaseErrored)):  # these say nothing secret
        said = report.longreprtext
        if (shown := redactor.text(said)) != said:
            report.longrepr = shown


MOST_LOGGED = 20_000
"""Characters of a stream that a result keeps."""


def logs_in(sections: Iterable[tuple[str, str]]) -> dict[str, str]:
    """What pytest captured, by stream; of a long text the end, which is nearest to what went wrong."""
    found: dict[str, str] = {}
    for title, text in sections:
        stream, _, when = title.removeprefix("Captured ").rpartition(" ")
        if title.startswith("Captured ") and when in {"setup", "call", "teardown"}:
            found[stream] = found.get(stream, "") + text
    return {stream: _end_of(text) for stream, text in found.items()}


def _end_of(text: str) -> str:
    left = len(text) - MOST_LOGGED
    return text if left <= 0 else f"({left:,} characters before this are not kept)\n{text[left:]}"


def _ended_in_setup(item: CaseItem, error: BaseException | None, report: pytest.TestReport) -> CaseResult:
    if isinstance(error, CaseErrored) and item.result is not None:
        return item.result
    outcome = Outcome.SKIPPED if report.skipped else Outcome.ERRORED
    target = item.target.label if item.target is not None else str(item.spec)
    now = now_utc()
    result = replace(blank_result(item.case, target, item.identity(), outcome), started_at=now, finished_at=now)
    if report.skipped:
        return item.state.redacted(replace(result, skip_reason=_skip_reason(report)))
    kind = ErrorKind.TARGET if item.seconds else ErrorKind.FIXTURE
    failed = replace(result, error=case_error(kind, error or RuntimeError("set-up failed")))
    return item.state.redacted(failed)


def _skip_reason(report: pytest.TestReport) -> str:
    longrepr = report.longrepr
    reason = longrepr[2] if isinstance(longrepr, tuple) else str(longrepr or "")
    return reason.removeprefix("Skipped: ")
