"""Reports of stored runs: one as the session it was, several together or side by side."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

from ..model.bracket import rest_of
from ..model.redacting import redacted
from ..model.result import CaseResult, CaseRow
from ..model.run import SessionResult
from ..stats import pair_variants, summarize
from .stored import session_of_run

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from ..model.comparison import Comparison
    from ..model.redaction import Redactor
    from ..store.values import StoredRun

_OF_A_CASE = TypeVar("_OF_A_CASE", CaseResult, CaseRow)

Results = Callable[[], Iterator[CaseResult]]
"""Reads the results anew each time."""


def reported(
    connection: Connection, runs: Sequence[StoredRun], redactor: Redactor, comparison: Comparison | None = None
) -> tuple[SessionResult, Results]:
    """Stored runs as one session, and its results.

    Runs that share no case are added up. Those of the same cases are put side by side: each becomes a variant that is
    named like its run.
    """
    from ..store.results import case_results

    sessions = [session_of_run(connection, run, comparison=comparison) for run in runs]
    names = _names(runs, sessions)

    def results() -> Iterator[CaseResult]:
        for run, name in zip(runs, names, strict=True):
            for result in case_results(connection, run):
                yield redacted(_called(result, name), redactor)

    return (sessions[0] if len(sessions) == 1 else _together(sessions, names)), results


def _names(runs: Sequence[StoredRun], sessions: Sequence[SessionResult]) -> list[str]:
    """What each run's variant is called; empty texts when no case is in two of them."""
    times = Counter(row.key for session in sessions for row in session.rows)
    if not times or max(times.values()) == 1:
        return [""] * len(runs)
    known = Counter(run.name for run in runs)
    return [run.name if run.name and known[run.name] == 1 else run.uid for run in runs]


def _called(one: _OF_A_CASE, name: str) -> _OF_A_CASE:
    """The case as that of a variant: ``small`` of run ``main`` is ``small@main``."""
    if not name:
        return one
    variant = f"{one.variant_id}@{name}" if one.variant_id else name
    rest = rest_of(one.variant, one.variant_id) if one.variant_id else one.variant
    return replace(one, variant_id=variant, variant="-".join(filter(None, (variant, rest))))


def _together(sessions: Sequence[SessionResult], names: Sequence[str]) -> SessionResult:
    rows = [_called(row, name) for session, name in zip(sessions, names, strict=True) for row in session.rows]
    statuses = {session.exit_status for session in sessions}
    first = sessions[0]
    return replace(
        first,
        session_id=", ".join(dict.fromkeys(session.session_id for session in sessions)),
        started_at=min(session.started_at for session in sessions),
        finished_at=max(session.finished_at for session in sessions),
        duration_s=sum(session.duration_s for session in sessions),
        rows=rows,
        suites=[suite for session in sessions for suite in session.suites],
        summary=summarize(rows),
        verdicts=[verdict for session in sessions for verdict in session.verdicts],
        not_run=[node_id for session in sessions for node_id in session.not_run],
        exit_status=1 if 1 in statuses else max(statuses),  # a failure says more than «inconclusive»
        stopped="; ".join(dict.fromkeys(session.stopped for session in sessions if session.stopped)),
        params={},
        pairs=pair_variants(rows),
    )
