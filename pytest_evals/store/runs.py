"""Reading runs and experiments."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sqlalchemy import Connection, Select, func, select

from ..errors import UsageError
from ..model.place import did_you_mean
from ..model.run import RunType
from . import tables as t
from .values import StoredExperiment, StoredRun

_FIELDS = tuple(StoredRun.__dataclass_fields__)
_RUN = t.v_runs.c
NEWEST_FIRST = (_RUN.started_at.desc(), _RUN.id.desc())
"""By time of start, in UTC; of two that began together, the one recorded later (C05)."""

SHORTEST_PREFIX = 4


def list_runs(
    connection: Connection,
    *,
    experiment: str | None = None,
    kind: RunType | None = None,
    branch: str | None = None,
    limit: int | None = None,
) -> list[StoredRun]:
    """The runs, newest first."""
    query = _runs().order_by(*NEWEST_FIRST).limit(limit)
    if experiment is not None:
        query = query.where(t.experiments.c.name == experiment)
    if kind is not None:
        query = query.where(_RUN.type == kind)
    if branch is not None:
        query = query.where(_RUN.git_branch == branch)
    return [_run(row) for row in connection.execute(query).mappings()]


def run_by_uid(connection: Connection, uid: str) -> StoredRun | None:
    """The run with exactly this id; ``None`` when there is none."""
    return _first(connection, _runs().where(_RUN.uid == uid))


def run_by_number(connection: Connection, number: int) -> StoredRun | None:
    """The run with this number in its database; ``None`` when there is none."""
    return _first(connection, _runs().where(_RUN.id == number))


def last_written(connection: Connection) -> tuple[object, ...]:
    """Something that is different when runs were added, deleted, or went on, or people said something."""
    said = select(func.max(t.human_verdicts.c.id), func.max(t.human_verdicts.c.undone_at))
    runs = select(func.count(), func.max(t.experiment_runs.c.id), func.max(t.experiment_runs.c.heartbeat_at))
    return (*connection.execute(runs).one(), *connection.execute(said).one())


def count_runs(connection: Connection) -> int:
    """How many runs there are."""
    return connection.execute(select(func.count()).select_from(t.experiment_runs)).scalar_one()


def find_run(connection: Connection, spec: str, *, experiment: str | None = None) -> StoredRun:
    """The run a person means: an id or a unique beginning of one, a name (the newest), ``last`` or ``last:BRANCH``.

    Where a session left a run of each type in an experiment, a name and ``last`` mean the checked one. ``experiment``
    narrows the search. Raises ``UsageError`` when there is none, or more than one begins so.
    """
    runs = _runs().order_by(*NEWEST_FIRST)
    if experiment is not None:
        runs = runs.where(t.experiments.c.name == experiment)
    within = f" in experiment {experiment!r}" if experiment is not None else ""
    if spec == "last" or spec.startswith("last:"):
        branch = spec.removeprefix("last").removeprefix(":")
        newest = _first(connection, runs.where(_RUN.git_branch == branch) if branch else runs)
        if newest is None:
            raise UsageError(f"there is no run{within}" + (f" of branch {branch!r}" if branch else ""))
        return _checked(connection, newest)
    found = _first(connection, runs.where(_RUN.uid == spec.lower()))
    if found is not None:
        return found
    found = _first(connection, runs.where(_RUN.name == spec, _RUN.name != ""))
    if found is not None:
        return _checked(connection, found)
    matches = []
    if len(spec) >= SHORTEST_PREFIX and spec.isascii() and spec.isalnum():
        query = runs.where(_RUN.uid.startswith(spec.lower())).limit(6)
        matches = [_run(row) for row in connection.execute(query).mappings()]
    if len(matches) == 1:
        return matches[0]
    if matches:
        several = ", ".join(run.uid for run in matches[:5]) + (", …" if len(matches) > 5 else "")
        raise UsageError(f"{spec!r} begins the ids of several runs: {several}; write more of it")
    raise UsageError(
        f"there is no run {spec!r}{within}; "
        f"a run is named by its id (or at least its first {SHORTEST_PREFIX} characters), its name, last or last:BRANCH"
    )


def runs_beside(connection: Connection, run: StoredRun) -> list[StoredRun]:
    """The other runs of the run's session, those of its experiment first."""
    query = _runs().where(_RUN.session_id == run.session_id, _RUN.id != run.id).order_by(_RUN.id)
    found = [_run(row) for row in connection.execute(query).mappings()] if run.session_id else []
    return sorted(found, key=lambda other: other.experiment_id != run.experiment_id)


def _checked(connection: Connection, run: StoredRun) -> StoredRun:
    """The run of the same session and experiment that has verdicts, if there is one of the same name."""
    if run.type == "checked":
        return run
    beside = (r for r in runs_beside(connection, run) if r.type == "checked")
    return next((r for r in beside if (r.experiment, r.name) == (run.experiment, run.name)), run)


def list_experiments(connection: Connection) -> list[StoredExperiment]:
    """The experiments, that with the newest run first."""
    r = t.experiment_runs.c
    statuses: dict[int, dict[str, int]] = {}
    for number, status, runs in connection.execute(
        select(r.experiment_id, r.status, func.count()).group_by(r.experiment_id, r.status).order_by(r.status)
    ):
        statuses.setdefault(number, {})[status] = runs
    known = t.experiment_cases.c.experiment_id
    counted = select(known, func.count()).group_by(known)
    cases: dict[int, int] = dict(connection.execute(counted).all())
    summed = select(r.experiment_id, func.sum(r.cost_usd)).group_by(r.experiment_id)
    costs: dict[int, float | None] = dict(connection.execute(summed).all())
    experiments = []
    for row in connection.execute(select(t.experiments)).mappings():
        newest = connection.execute(
            select(r.uid, r.started_at)
            .where(r.experiment_id == row["id"])
            .order_by(r.started_at.desc(), r.id.desc())
            .limit(1)
        ).first()
        experiments.append(
            StoredExperiment(
                **row,
                runs=statuses.get(row["id"], {}),
                cases=cases.get(row["id"], 0),
                last_run=newest.uid if newest else None,
                last_started_at=newest.started_at if newest else None,
                cost_usd=costs.get(row["id"]),
            )
        )
    return sorted(experiments, key=lambda e: (e.last_started_at or e.created_at, e.id), reverse=True)


def find_experiment(connection: Connection, name: str, kind: RunType | None = None) -> StoredExperiment:
    """The experiment of that name. Raises ``UsageError`` when there is none, or one of each type."""
    experiments = list_experiments(connection)
    found = [e for e in experiments if e.name == name and kind in (None, e.type)]
    if len(found) == 1:
        return found[0]
    if found:
        raise UsageError(f"experiment {name!r} exists as checked and as judged; say which with --type")
    raise UsageError(f"there is no experiment {name!r}{did_you_mean(name, (e.name for e in experiments))}")


def _runs() -> Select[Any]:
    return select(t.v_runs, t.experiments.c.name.label("experiment")).select_from(
        t.v_runs.outerjoin(t.experiments, _RUN.experiment_id == t.experiments.c.id)
    )


def _first(connection: Connection, query: Select[Any]) -> StoredRun | None:
    row = connection.execute(query.limit(1)).mappings().first()
    return None if row is None else _run(row)


def _run(row: Mapping[Any, Any]) -> StoredRun:
    fields = {name: row[name] for name in _FIELDS}
    fields["experiment"] = fields["experiment"] or ""
    fields["pinned"] = bool(fields["pinned"])
    fields["git_dirty"] = None if fields["git_dirty"] is None else bool(fields["git_dirty"])
    return StoredRun(**fields)
