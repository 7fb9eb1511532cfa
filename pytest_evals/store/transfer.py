"""Moving a run from one database to another, row by row and whole, whichever engines they are."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, Table, insert, select

from . import tables as t
from .bulk import insert_all, insert_new
from .values import StoredRun
from .writer import BATCH

Row = dict[str, Any]

_BELOW = (t.case_scores, t.checked_case_meta, t.judged_case_meta)


def copy_run(source: Connection, target: Connection, run: StoredRun) -> int:
    """Copy the run, with everything below it, its name, note and pin; the target must not have it.

    Numbers are given anew, and what ties the run to others is mapped by their ids: to its experiment, which is made
    when the target has none of that name and type, and to its parent, if that is there. Returns how many references
    to trajectories were left out, because a run of the target has a trajectory of that id.
    """
    row = _one(source, t.experiment_runs, run.id)
    row["experiment_id"] = _experiment(source, target, run.experiment_id)
    row["parent_run_id"] = _parent(source, target, run.parent_run_id)
    c = t.experiment_runs.c
    target.execute(insert(t.experiment_runs), row)
    number: int = target.execute(select(c.id).where(c.uid == run.uid)).scalar_one()
    for meta in _pages(source, t.judged_run_meta, t.judged_run_meta.c.run_id == run.id, t.judged_run_meta.c.run_id):
        insert_all(target, t.judged_run_meta, [{**one, "run_id": number} for one in meta])
    case = t.case_runs.c
    left_out = 0
    for page in _pages(source, t.case_runs, case.run_id == run.id, case.seq):
        if row["experiment_id"] is not None:
            _register(source, target, run, row["experiment_id"], page)
        old = {one["seq"]: one.pop("id") for one in page}
        insert_all(target, t.case_runs, [{**one, "run_id": number} for one in page])
        within = case.seq.between(page[0]["seq"], page[-1]["seq"])
        stored = target.execute(select(case.seq, case.id).where(case.run_id == number, within))
        new = {old[seq]: there for seq, there in stored}
        for table in _BELOW:
            insert_all(target, table, _moved(source, table, new))
        said = _moved(source, t.human_verdicts, new)
        for one in said:
            del one["id"]
        insert_all(target, t.human_verdicts, sorted(said, key=lambda one: one["created_at"]))
        references = _moved(source, t.case_run_trajectories, new)
        for reference in references:
            del reference["id"]
        free = _free(target, references)
        left_out += len(references) - len(free)
        insert_new(target, t.case_run_trajectories, free)
    return left_out


def _one(source: Connection, table: Table, number: int) -> Row:
    """A row that has its number as key, without the number."""
    row = dict(source.execute(select(table).where(table.c.id == number)).mappings().one())
    del row["id"]
    return row


def _pages(source: Connection, table: Table, condition: Any, key: Any) -> Iterator[list[Row]]:
    """The rows that fit, in the order of the key, some hundred at a time."""
    last = -1
    query = select(table).where(condition).order_by(key).limit(BATCH)
    while page := [dict(row) for row in source.execute(query.where(key > last)).mappings()]:
        last = page[-1][key.name]
        yield page


def _moved(source: Connection, table: Table, numbers: Mapping[int, int]) -> list[Row]:
    """The rows below the results of these numbers, below their new numbers."""
    key = table.c.case_run_id
    rows = source.execute(select(table).where(key.in_(list(numbers))).order_by(key)).mappings()
    return [{**row, "case_run_id": numbers[row["case_run_id"]]} for row in rows]


def _free(target: Connection, references: Sequence[Row]) -> list[Row]:
    c = t.case_run_trajectories.c.trajectory_id
    taken = set(target.execute(select(c).where(c.in_([one["trajectory_id"] for one in references]))).scalars())
    return [one for one in references if one["trajectory_id"] not in taken]


def _experiment(source: Connection, target: Connection, number: int | None) -> int | None:
    """The number of the same experiment in the target; what the target says of it already is left as it is."""
    if number is None:
        return None
    row = _one(source, t.experiments, number)
    insert_new(target, t.experiments, [row])
    c = t.experiments.c
    there: int = target.execute(select(c.id).where(c.type == row["type"], c.name == row["name"])).scalar_one()
    return there


def _parent(source: Connection, target: Connection, number: int | None) -> int | None:
    if number is None:
        return None
    c = t.experiment_runs.c
    uid = source.execute(select(c.uid).where(c.id == number)).scalar_one()
    there: int | None = target.execute(select(c.id).where(c.uid == uid)).scalar()
    return there


def _register(source: Connection, target: Connection, run: StoredRun, experiment_id: int, page: Sequence[Row]) -> None:
    """Register the cases of the page as the source knows them; of two first times, the earlier one holds."""
    c = t.experiment_cases.c
    names = {one["case_name"] for one in page}
    pairs = {(one["eval"], one["case_name"]) for one in page}
    known = source.execute(
        select(t.experiment_cases).where(c.experiment_id == run.experiment_id, c.case_name.in_(names))
    )
    rows = [dict(row) for row in known.mappings() if (row["eval"], row["case_name"]) in pairs]
    for row in rows:
        del row["id"]
        row["experiment_id"] = experiment_id
    insert_new(target, t.experiment_cases, rows)
    later = select(c.id, c.eval, c.case_name, c.first_seen_at).where(
        c.experiment_id == experiment_id, c.case_name.in_(names)
    )
    first = {(row["eval"], row["case_name"]): row for row in rows}
    for number, suite, case, seen in target.execute(later).all():
        mine = first.get((suite, case))
        if mine is not None and mine["first_seen_at"] < seen:
            values = {name: mine[name] for name in ("first_seen_at", "definition_sha256")}
            target.execute(t.experiment_cases.update().where(c.id == number).values(values))
