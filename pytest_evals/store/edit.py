"""Changing what is kept: names, notes, pins, and what is deleted."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import Connection, delete, update

from . import tables as t
from .names import check_run_name
from .results import trajectories
from .rows import clean
from .runs import list_runs
from .times import utc_text
from .values import StoredRun, StoredTrajectory


def rename_run(connection: Connection, run: StoredRun, name: str) -> None:
    """Give the run a name; an empty one takes it away."""
    _set(connection, run, name=clean(check_run_name(name)))


def pin_run(connection: Connection, run: StoredRun, pinned: bool) -> None:
    """Pin the run, so that ``prune`` keeps it, or unpin it."""
    _set(connection, run, pinned=int(pinned))


def note_run(connection: Connection, run: StoredRun, note: str) -> None:
    """Give the run a note; an empty one takes it away."""
    _set(connection, run, note=clean(note))


def runs_to_prune(connection: Connection, *, keep: int | None = None, before: str | None = None) -> list[StoredRun]:
    """The runs that are neither pinned, nor running, nor among the newest ``keep`` of their experiment and type.

    With ``before``, only those that began before that time.
    """
    limit = None if before is None else utc_text(before)
    newer: dict[int | None, int] = {}
    found = []
    for run in list_runs(connection):
        newer[run.experiment_id] = newer.get(run.experiment_id, 0) + 1
        old = limit is None or run.started_at < limit
        if old and newer[run.experiment_id] > (keep or 0) and not run.pinned and run.status != "running":
            found.append(run)
    return found


def trajectories_of_runs(connection: Connection, runs: Sequence[StoredRun]) -> list[StoredTrajectory]:
    """The trajectories that deleting the runs would leave without a reference."""
    return [found for run in runs for found in trajectories(connection, t.experiment_runs.c.id == run.id)]


def delete_runs(connection: Connection, runs: Sequence[StoredRun]) -> None:
    """Delete the runs with everything below them. The files of trajectories stay."""
    for run in runs:
        connection.execute(delete(t.experiment_runs).where(t.experiment_runs.c.id == run.id))


def delete_experiment(connection: Connection, experiment_id: int) -> None:
    """Delete the experiment with its runs and everything below them. The files of trajectories stay."""
    connection.execute(delete(t.experiments).where(t.experiments.c.id == experiment_id))


def delete_run_by_uid(connection: Connection, uid: str) -> None:
    """Delete the run with exactly this id, if it is there."""
    connection.execute(delete(t.experiment_runs).where(t.experiment_runs.c.uid == uid))


def _set(connection: Connection, run: StoredRun, **values: object) -> None:
    connection.execute(update(t.experiment_runs).where(t.experiment_runs.c.id == run.id).values(values))
