"""Cases that pass in some runs and fail in others, although they ask the same."""

from __future__ import annotations

from sqlalchemy import Connection, select

from ..model.outcome import Outcome
from . import tables as t
from .values import StoredRun

_PASSED = (Outcome.PASSED, Outcome.WARNED)


def unsteady_cases(connection: Connection, run: StoredRun, runs: int) -> set[tuple[str, str, str]]:
    """Suite, id and bracket of the run's cases with both outcomes in this run and the ``runs`` - 1 before it.

    The runs are those of the experiment and type, up to this one. Results of another definition do not count.
    """
    r, c = t.experiment_runs.c, t.case_runs.c
    until = (r.started_at < run.started_at) | ((r.started_at == run.started_at) & (r.id <= run.id))
    same = (r.experiment_id == run.experiment_id, r.type == run.type)
    recent = select(r.id).where(until, *same).order_by(r.started_at.desc(), r.id.desc()).limit(runs)
    numbers = connection.execute(recent).scalars().all()
    query = select(c.run_id, c.eval, c.case_name, c.variant, c.definition_sha256, c.outcome).where(
        c.run_id.in_(numbers), c.outcome.in_([*_PASSED, Outcome.FAILED])
    )
    asked: dict[tuple[str, str, str], str | None] = {}
    passed: dict[tuple[tuple[str, str, str], str | None], set[bool]] = {}
    for number, suite, case, variant, sha, outcome in connection.execute(query):
        key = (suite, case, variant)
        if number == run.id:
            asked[key] = sha
        passed.setdefault((key, sha), set()).add(outcome in _PASSED)
    return {key for key, sha in asked.items() if len(passed[key, sha]) > 1}
