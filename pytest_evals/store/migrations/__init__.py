"""The schema's history: numbered steps, each applied once to a database and recorded in ``schema_info``.

A step is never changed once it was released: a later need is a new step, and the tables as they are now stand in
``store.tables``. A step that adds a column to a table under a view also makes the view anew (``SELECT r.*`` is expanded
when a view is made).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import Connection, text

from ...errors import StoreError
from ..server import check_server
from ..times import now
from . import m001_initial, m002_trials, m003_variants, m004_human_verdicts, m005_run_latencies
from .sql import statements


@dataclass(frozen=True, slots=True)
class Migration:
    """One step."""

    name: str
    """As its module: ``m001_initial``."""
    script: str
    """SQL in the notation of ``migrations.sql``."""


MIGRATIONS = (
    Migration("m001_initial", m001_initial.SCRIPT),
    Migration("m002_trials", m002_trials.SCRIPT),
    Migration("m003_variants", m003_variants.SCRIPT),
    Migration("m004_human_verdicts", m004_human_verdicts.SCRIPT),
    Migration("m005_run_latencies", m005_run_latencies.SCRIPT),
)


def schema_version(connection: Connection) -> int:
    """The number of the last step applied; 0 for an empty database.

    Raises ``StoreError`` for a SQLite file that holds something else.
    """
    if connection.dialect.name == "sqlite":
        tables = set(connection.exec_driver_sql("SELECT name FROM sqlite_master WHERE type = 'table'").scalars())
        if "schema_info" not in tables:
            if tables:
                raise StoreError("it is a database of something else; name another file")
            return 0
    elif connection.exec_driver_sql("SELECT to_regclass('schema_info')").scalar() is None:
        return 0
    return connection.exec_driver_sql("SELECT max(version) FROM schema_info").scalar() or 0


def check_known(version: int, migrations: Sequence[Migration] = MIGRATIONS) -> None:
    """Raise ``StoreError`` when the database was written by a later version of this package."""
    if version > len(migrations):
        raise StoreError(
            f"a newer version of pytest-evals wrote it (schema {version}, this one knows {len(migrations)}); "
            "upgrade pytest-evals-suite"
        )


def migrate(connection: Connection, migrations: Sequence[Migration] = MIGRATIONS) -> None:
    """Bring the database up to date, within the transaction of the connection."""
    if connection.dialect.name == "postgresql":  # sessions that start together must not both make the tables
        connection.exec_driver_sql("SELECT pg_advisory_xact_lock(7237129, hashtext(current_schema()))")
        check_server(connection)
    version = schema_version(connection)
    check_known(version, migrations)
    for number, migration in enumerate(migrations[version:], version + 1):
        for statement in statements(migration.script, connection.dialect.name):
            connection.exec_driver_sql(statement)
        connection.execute(
            text("INSERT INTO schema_info (version, name, applied_at) VALUES (:version, :name, :applied_at)"),
            {"version": number, "name": migration.name, "applied_at": now()},
        )
