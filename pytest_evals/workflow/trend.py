"""How the figures of an experiment went over its last runs."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from ..model.run import TrendPoint

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from ..store.values import StoredRun

RUNS = 20
"""So many runs of an experiment are shown."""


def trend_of(connection: Connection, experiments: Iterable[str], session_id: str) -> list[TrendPoint]:
    """The last finished runs of each experiment up to that of the session, the oldest first.

    Runs of the other type (checked or judged) are another line, and left out; so is an experiment of which the session
    left no run.
    """
    from ..store.runs import list_runs

    points: list[TrendPoint] = []
    for experiment in sorted(experiments):
        runs = list_runs(connection, experiment=experiment, limit=5 * RUNS)
        own = next((run for run in sorted(runs, key=_type) if run.session_id == session_id), None)
        if own is None:
            continue
        before = [run for run in runs if run.type == own.type and _order(run) < _order(own) and _ended(run)]
        points += [_point(run, current=run is own) for run in reversed([own, *before[: RUNS - 1]])]
    return points


def _type(run: StoredRun) -> bool:
    """Checked runs come first: their cases have verdicts."""
    return run.type != "checked"


def _order(run: StoredRun) -> tuple[str, int]:
    return (run.started_at, run.id)


def _ended(run: StoredRun) -> bool:
    return run.core_status in {"completed", "errored"}


def _point(run: StoredRun, *, current: bool) -> TrendPoint:
    return TrendPoint(
        run=run.uid,
        experiment=run.experiment,
        type=run.type,
        started_at=run.started_at,
        name=run.name,
        branch=run.git_branch or "",
        pass_rate=run.pass_rate,
        score=run.score,
        latency_p50_ms=run.latency_p50_ms,
        cost_usd=run.cost_usd,
        current=current,
    )
