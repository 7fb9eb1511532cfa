"""Writing the reports a session was asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..model.run import SessionResult
    from ..workflow.spool import Spool
    from .state import State


def write_reports(state: State, result: SessionResult, spool: Spool) -> list[str]:
    """Write every report of ``--evals-report``; returns what to say of each, a line each."""
    from ..report import parse_report_option, said_by, write_report

    lines = []
    order = [row.key for row in result.rows]
    for asked in state.settings.report:
        format_name, path = parse_report_option(asked)
        target = state.config.invocation_params.dir / path if path else ""
        lines.append(write_report(format_name, target, result, spool.results(order)))
        lines += said_by(format_name, result)
    return lines
