"""Gates at the end of a session: decided once, and a broken or undecided one shows as a failing test."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any, Literal

import pytest

from ..stats.decide import decide
from ..workflow.judgetrustfile import calibrations_for

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from ..model.comparison import Comparison
    from ..model.gate import Gate, GateVerdict
    from ..model.result import CaseRow
    from ..store.location import Location
    from .suites import SuiteIndex


def decide_gates(
    index: SuiteIndex,
    rows: Sequence[CaseRow],
    stopped: str,
    more: Sequence[Gate] = (),
    comparison: Comparison | None = None,
    no_baseline: str = "",
    location: Location | None = None,
) -> Sequence[GateVerdict]:
    """Decide the gates of all suites of the session, and those of the session itself.

    ``location`` is the history, beside which lies what is known of judges.
    """
    gates = [*index.gates(), *more]
    return decide(
        gates,
        rows,
        not_run=index.without_result({row.key for row in rows}),
        deselected=index.deselected(),
        stopped=stopped,
        comparison=comparison,
        no_baseline=no_baseline,
        calibrations=calibrations_for(gates, location),
    )


def report_gates(config: pytest.Config, index: SuiteIndex, verdicts: Iterable[GateVerdict]) -> None:
    """Report each gate as a failed test ``<suite file>::gate[…]``: in the summary and in JUnit files."""
    from ..report.gates import gate_line

    hook = config.hook
    for verdict in verdicts:
        gate = verdict.gate
        node_id = index.gate_id(gate)
        file = node_id.partition("::")[0]
        location = (file, gate.place.line - 1 if gate.place else 0, f"gate[{gate.text}]")
        hook.pytest_runtest_logstart(nodeid=node_id, location=location)
        now = time.time()
        phases: tuple[Literal["setup", "call", "teardown"], ...] = ("setup", "call", "teardown")
        for when in phases:
            failed = when == "call"
            report = pytest.TestReport(
                nodeid=node_id,
                location=location,
                keywords={},
                outcome="failed" if failed else "passed",
                longrepr=_Line(gate_line(verdict), file, location[1] + 1) if failed else None,  # type: ignore[arg-type]
                when=when,
                start=now,
                stop=now,
            )
            hook.pytest_runtest_logreport(report=report)
        hook.pytest_runtest_logfinish(nodeid=node_id, location=location)


class _Line:
    """What pytest needs of a failure: something that prints itself, and the place and message of short summaries."""

    def __init__(self, message: str, path: str, line: int) -> None:
        self._message = message
        self.reprcrash = _Crash(message, path, line)

    def __str__(self) -> str:
        return self._message

    def toterminal(self, tw: Any) -> None:
        tw.line(self._message, red=True)


class _Crash:
    def __init__(self, message: str, path: str, line: int) -> None:
        self.message = message
        self.path = path
        self.lineno = line

    def __str__(self) -> str:
        return f"{self.path}:{self.lineno}: {self.message}"
