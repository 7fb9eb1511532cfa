"""A stored run as the session it was: what every report is made from."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ..errors import GateError
from ..model.gate import GateVerdict, Verdict
from ..model.gate_grammar import parse_gate
from ..model.result import CaseResult, CaseRow
from ..model.run import SessionResult, SuiteCount
from ..stats import pair_variants, summarize

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from ..model.comparison import Comparison
    from ..store.values import StoredRun


def stored_session(
    connection: Connection, run: StoredRun, *, comparison: Comparison | None = None
) -> tuple[SessionResult, Iterator[CaseResult]]:
    """The run as a session, and its whole results, which are read as they are asked for."""
    from ..store.results import case_results
    from .trend import trend_of

    session = session_of_run(connection, run, comparison=comparison)
    session = replace(session, trend=trend_of(connection, [run.experiment], run.session_id))
    return session, case_results(connection, run)


def session_of_run(
    connection: Connection, run: StoredRun, *, comparison: Comparison | None = None, rows: Sequence[CaseRow] = ()
) -> SessionResult:
    """The run as a session: figures are computed again from its results, gates are as they were decided.

    ``rows`` saves reading them again. Which cases never ran is not stored, only how many: they are named by number.
    """
    from ..store.results import case_rows
    from ..store.times import seconds_between

    rows = rows or case_rows(connection, run)
    finished = run.finished_at or run.heartbeat_at
    return SessionResult(
        session_id=run.session_id,
        started_at=run.started_at,
        finished_at=finished,
        duration_s=seconds_between(run.started_at, finished),
        rows=rows,
        suites=_suites(run, rows),
        summary=summarize(rows),
        verdicts=stored_verdicts(run),
        not_run=[f"case {n + 1} that never ran" for n in range(run.n_cancelled + run.n_pending)],
        exit_status=run.exit_status or 0,
        stopped=_stopped(run),
        params=run.params,
        comparison=comparison,
        pairs=pair_variants(rows),
    )


def stored_verdicts(run: StoredRun) -> list[GateVerdict]:
    """The gates as they were decided when the run ended; those of a later version are left out."""
    found = []
    for facts in run.gates:
        # written by a later version: there is no telling what it means
        with suppress(GateError, ValueError):
            found.append(_verdict(facts))
    return found


def _verdict(facts: Mapping[str, Any]) -> GateVerdict:
    gate = parse_gate(str(facts.get("gate", "")), suite=facts.get("suite"))
    return GateVerdict(
        gate,
        Verdict(facts.get("verdict", "")),
        facts.get("observed"),
        facts.get("margin"),
        facts.get("cases") or 0,
        facts.get("reason") or "",
    )


def _suites(run: StoredRun, rows: Sequence[CaseRow]) -> list[SuiteCount]:
    """Of a single suite the numbers of the run; of several only how many have a result is known of each."""
    counts = Counter(row.suite for row in rows)
    if len(counts) == 1 and run.defined_cases is not None and run.selected_cases is not None:
        return [SuiteCount(name, _path(rows, name), run.defined_cases, run.selected_cases) for name in counts]
    return [SuiteCount(name, _path(rows, name), number, number) for name, number in counts.items()]


def _path(rows: Sequence[CaseRow], suite: str) -> str:
    """The suite's file: node ids begin with it, sources end with a line number."""
    row = next(row for row in rows if row.suite == suite)
    return row.node_id.partition("::")[0] or row.source.rpartition(":")[0]


def _stopped(run: StoredRun) -> str:
    if run.stopped:
        return run.stopped
    return run.status if run.core_status in {"running", "cancelled"} else ""
