"""Writing one run, within the transaction it is given."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, insert, select, update

from ..model.case import ExperimentSpec
from ..model.result import CaseRow, CriterionRow
from ..model.run import RunType
from . import tables as t
from .bulk import insert_all, insert_new
from .journal import Entry
from .rows import case_columns, checked_columns, clean, judged_columns, key_text, score_columns, trajectory_columns
from .times import now

BATCH = 500
"""Results written at a time: enough to be fast, few enough to stay small in memory."""


class RunWriter:
    """Writes a run: first its own row, then its results as they are given, then what they come to."""

    def __init__(
        self, connection: Connection, kind: RunType, experiment: ExperimentSpec, columns: Mapping[str, Any]
    ) -> None:
        """``columns`` are those of ``experiment_runs`` that are known beforehand."""
        self._connection = connection
        self._kind: RunType = kind
        self._experiment_id = keep_experiment(connection, kind, experiment)
        self._seen_at = columns["started_at"]
        row = {"type": kind, "experiment_id": self._experiment_id, "status": "running", "heartbeat_at": now()}
        connection.execute(insert(t.experiment_runs), clean({**row, **columns}))
        self.run_id: int = connection.execute(
            select(t.experiment_runs.c.id).where(t.experiment_runs.c.uid == columns["uid"])
        ).scalar_one()
        self._waiting: list[tuple[dict[str, Any], Entry, Sequence[CriterionRow]]] = []
        self._seq = 0

    def add(self, entry: Entry, known: CaseRow) -> None:
        """Add a result, of which the aggregates know ``known``; results keep the order in which they are added."""
        row = case_columns(entry, known, run_id=self.run_id, kind=self._kind, seq=self._seq)
        self._waiting.append((row, entry, known.criteria if known.trials is not None else ()))
        self._seq += 1
        if len(self._waiting) >= BATCH:
            self._flush()

    def finish(self, columns: Mapping[str, Any]) -> None:
        """Write what the results come to: status, counts, figures, gates, times."""
        self._flush()
        self._connection.execute(
            update(t.experiment_runs).where(t.experiment_runs.c.id == self.run_id).values(clean(dict(columns)))
        )

    def judged(self, columns: Mapping[str, Any]) -> None:
        """Write the row of ``judged_run_meta``."""
        row = {"run_id": self.run_id, "type": "judged", "counters": {}, **columns}
        self._connection.execute(insert(t.judged_run_meta), clean(row))

    def _flush(self) -> None:
        if not self._waiting:
            return
        waiting, self._waiting = self._waiting, []
        rows = [row for row, _, _ in waiting]
        self._register(rows)
        insert_all(self._connection, t.case_runs, rows)
        c = t.case_runs.c
        stored = select(c.seq, c.id).where(c.run_id == self.run_id, c.seq >= rows[0]["seq"])
        ids: dict[int, int] = dict(self._connection.execute(stored).all())
        executed = [(ids[row["seq"]], entry) for row, entry, _ in waiting if row["status"] is not None]
        meta, meta_columns = (
            (t.checked_case_meta, checked_columns) if self._kind == "checked" else (t.judged_case_meta, judged_columns)
        )
        insert_all(self._connection, meta, [meta_columns(entry, number) for number, entry in executed])
        scores = [
            score
            for row, entry, joined in waiting
            if row["status"] is not None
            for score in score_columns(entry, ids[row["seq"]], joined)
        ]
        insert_all(self._connection, t.case_scores, scores)
        insert_new(
            self._connection,
            t.case_run_trajectories,
            [reference for number, entry in executed for reference in trajectory_columns(entry, number)],
        )

    def _register(self, rows: Iterable[Mapping[str, Any]]) -> None:
        known = {
            (row["eval"], row["case_name"]): {
                "experiment_id": self._experiment_id,
                "type": self._kind,
                "eval": row["eval"],
                "case_name": row["case_name"],
                "definition_sha256": row["definition_sha256"],
                "first_seen_at": self._seen_at,
            }
            for row in rows
        }
        insert_new(self._connection, t.experiment_cases, list(known.values()))


def keep_experiment(connection: Connection, kind: RunType, experiment: ExperimentSpec) -> int:
    """The experiment's number; made when there is none. A description or config that is stated replaces the old one."""
    c = t.experiments.c
    stated: dict[str, Any] = {}
    if experiment.description:
        stated["description"] = clean(experiment.description)
    if experiment.config:
        stated["config"] = clean(dict(experiment.config))
    name = key_text(experiment.name)
    row = {"type": kind, "name": name, "created_at": now(), "description": "", "config": {}, **stated}
    insert_new(connection, t.experiments, [row])
    number: int = connection.execute(select(c.id).where(c.type == kind, c.name == name)).scalar_one()
    if stated:
        connection.execute(update(t.experiments).where(c.id == number).values(stated))
    return number
