"""Histories for tests: sessions recorded the way the plugin records them."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from factories import session

from pytest_evals.model.case import ExperimentSpec
from pytest_evals.model.codec import result_to_json
from pytest_evals.model.result import CaseResult
from pytest_evals.report.rows import row_of
from pytest_evals.store.journal import Journal
from pytest_evals.store.location import Location, locate
from pytest_evals.store.values import StoredRun
from pytest_evals.workflow.history import journal_header, record_session, suite_facts
from pytest_evals.workflow.provenance import Provenance

STARTED = "2026-03-01T16:00:00+00:00"


def start(
    location: Location, results: Iterable[CaseResult] = (), *, session_id: str = "s1", started_at: str = STARTED
) -> Journal:
    """A session that is under way and has these results."""
    header = journal_header(session_id=session_id, started_at=started_at)
    journal = Journal.create(location.journals, header)
    for result in results:
        journal.append(result_to_json(result), result.key)
    return journal


def record(
    location: Location,
    results: Sequence[CaseResult],
    *,
    session_id: str = "s1",
    started_at: str = STARTED,
    experiments: dict[str, ExperimentSpec] | None = None,
    provenance: Provenance | None = None,
    run_name: str = "",
    **fields: Any,
) -> list[StoredRun]:
    """A session with these results, from its start to its end."""
    journal = start(location, results, session_id=session_id, started_at=started_at)
    fields.setdefault("finished_at", started_at)
    ended = session([row_of(r) for r in results], session_id=session_id, started_at=started_at, **fields)
    journal.note({"suites": suite_facts(ended.suites, experiments)})
    try:
        return record_session(location, ended, journal, experiments, provenance, run_name=run_name)
    finally:
        journal.finish()


def history(tmp_path: Path) -> Location:
    return locate(None, tmp_path)


def query(location: Location, sql: str, *values: Any) -> list[tuple[Any, ...]]:
    """Ask the database itself, without the code under test. JSON and times come as texts."""
    if location.path is None:
        return _ask_server(location, sql)
    connection = sqlite3.connect(location.path)
    try:
        return connection.execute(sql, values).fetchall()
    finally:
        connection.close()


def made(location: Location) -> bool:
    """Whether the history exists."""
    if location.path is not None:
        return location.path.exists()
    return query(location, "SELECT to_regclass('schema_info')") != [(None,)]


def change(location: Location, sql: str) -> None:
    """Change something in the database behind the back of the code under test."""
    if location.path is None:
        _ask_server(location, sql)
        return
    connection = sqlite3.connect(location.path)
    connection.execute(sql)
    connection.commit()
    connection.close()


def _ask_server(location: Location, sql: str) -> list[tuple[Any, ...]]:
    import psycopg
    from psycopg.types.string import TextLoader

    assert location.url is not None
    with psycopg.connect(location.url.replace("+psycopg", ""), autocommit=True) as connection:
        for kind in ("json", "jsonb"):
            connection.adapters.register_loader(kind, TextLoader)
        cursor = connection.execute(sql.encode())
        return cursor.fetchall() if cursor.description else []
