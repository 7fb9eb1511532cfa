"""Connections to a history, each one transaction, and what can go wrong with them as one line."""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.exc import DBAPIError, IntegrityError, ProgrammingError
from sqlalchemy.pool import NullPool

from ..errors import StoreError
from .folder import make_folder
from .location import Location
from .migrations import MIGRATIONS, check_known, migrate, schema_version
from .server import is_driver_error, server_engine
from .server import reason as server_reason

BUSY_TIMEOUT_S = 30.0
"""How long to wait while another session writes; a run of 10,000 cases takes about a second."""

_OLDEST_SQLITE = (3, 37, 0)  # STRICT tables


@contextmanager
def writing(location: Location, *, timeout_s: float = BUSY_TIMEOUT_S) -> Iterator[Connection]:
    """A transaction that may write: made up to date, kept when the block ends, undone when it raises.

    Makes the database when there is none. Raises ``StoreError`` when that or anything in the block fails.
    """
    with _one_line(location):
        if location.path is not None:
            make_folder(location.path.parent)
        engine = _engine(location, "rwc", timeout_s)
        try:
            _set_wal(engine, timeout_s)
            with engine.begin() as connection:
                migrate(connection)
                yield connection
        finally:
            engine.dispose()


@contextmanager
def reading(location: Location, *, timeout_s: float = BUSY_TIMEOUT_S) -> Iterator[Connection]:
    """A transaction that reads one unchanging state of an existing history. Raises ``StoreError``."""
    with _one_line(location):
        if location.missing:
            raise StoreError("there is no history yet")
        engine = _readable(location, timeout_s)
        try:
            with engine.begin() as connection:
                version = schema_version(connection)
                check_known(version)
                if version == len(MIGRATIONS):
                    yield connection
                    return
            engine.dispose()
            engine = _engine(location, "rwc", timeout_s)
            with engine.connect() as connection, connection.begin() as transaction:
                migrate(connection)
                yield connection
                if version == 0 and location.path is None:
                    transaction.rollback()  # looking into a database must not make tables in it
        finally:
            engine.dispose()


class Reader:
    """Reads a history again and again, for a process that answers questions: statements are made ready once.

    Safe to use from several threads.
    """

    def __init__(self, location: Location) -> None:
        self._location = location
        self._engine: Engine | None = None

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """As ``reading``."""
        if self._engine is None or self._location.missing:
            with reading(self._location) as connection:
                self._keep()
                yield connection
            return
        with _one_line(self._location), self._engine.begin() as connection:
            version = schema_version(connection)
            check_known(version)
            if version < len(MIGRATIONS):  # another file has taken its place
                self._engine = None
                raise StoreError("it was replaced by an older one; try again")
            yield connection

    def _keep(self) -> None:
        # a history in a read-only folder is opened as unchangeable each time: it may be another one by then
        if self._location.path is None or os.access(self._location.path.parent, os.W_OK):
            self._engine = _engine(self._location, "rw", BUSY_TIMEOUT_S)


def compact(location: Location) -> None:
    """Give the space of deleted runs in a SQLite file back to the disk. Raises ``StoreError`` while others use it."""
    with _one_line(location):
        if location.path is None:
            raise StoreError("a database server looks after its space by itself")
        engine = _engine(location, "rw", BUSY_TIMEOUT_S)
        raw = engine.raw_connection()
        try:
            raw.cursor().execute("VACUUM")
        finally:
            raw.close()
            engine.dispose()


def _set_wal(engine: Engine, timeout_s: float) -> None:
    if engine.dialect.name != "sqlite":
        return
    # Changing the journal mode does not wait for other connections as statements do: with eight sessions that meet a
    # new file, some are told that it is locked at once.
    give_up = time.monotonic() + timeout_s
    while True:
        try:
            raw = engine.raw_connection()
            try:
                raw.cursor().execute("PRAGMA journal_mode = WAL")
                return
            finally:
                raw.close()
        except sqlite3.OperationalError as error:
            if "locked" not in str(error) or time.monotonic() > give_up:
                raise
            time.sleep(0.02)


def _readable(location: Location, timeout_s: float) -> Engine:
    if location.path is None:
        return _engine(location, "rw", timeout_s)
    engine = _engine(location, "rw", timeout_s)
    try:
        with engine.connect() as connection:
            connection.exec_driver_sql("SELECT count(*) FROM sqlite_master")
    except DBAPIError as error:
        engine.dispose()
        if "readonly" not in str(error.orig) and "unable to open" not in str(error.orig):
            raise
        # A WAL database needs a second file beside it even to be read, unless nobody can be changing it.
        wal = location.path.with_name(f"{location.path.name}-wal")
        if wal.exists() and wal.stat().st_size:
            raise
        return _engine(location, "ro&immutable=1", timeout_s)
    return engine


def _engine(location: Location, mode: str, timeout_s: float) -> Engine:
    if location.path is None:
        return server_engine(location, writes=mode == "rwc", timeout_s=timeout_s)
    if sqlite3.sqlite_version_info < _OLDEST_SQLITE:
        raise StoreError(f"SQLite {sqlite3.sqlite_version} is too old: 3.37 or newer is needed")
    uri = f"{location.path.absolute().as_uri()}?mode={mode}"

    def connect() -> sqlite3.Connection:
        # isolation_level None: Python would begin transactions by itself, and only at the first change
        return sqlite3.connect(uri, uri=True, timeout=timeout_s, isolation_level=None)

    engine = create_engine("sqlite://", creator=connect, poolclass=NullPool, hide_parameters=True)
    event.listen(engine, "connect", _on_connect)
    # A transaction that begins by reading cannot wait for its turn to write, so one that may write begins by locking.
    begin = "BEGIN IMMEDIATE" if mode == "rwc" else "BEGIN"
    event.listen(engine, "begin", lambda connection: connection.exec_driver_sql(begin))
    return engine


def _on_connect(raw: Any, _record: Any) -> None:
    cursor = raw.cursor()
    cursor.execute("PRAGMA foreign_keys = ON")
    cursor.execute("PRAGMA synchronous = NORMAL")
    cursor.execute("PRAGMA cache_size = -65536")
    cursor.close()


@contextmanager
def _one_line(location: Location) -> Iterator[None]:
    try:
        yield
    except DBAPIError as error:
        if isinstance(error, (IntegrityError, ProgrammingError)) and location.path is not None:
            raise  # the database refused what this package should not have written: our mistake keeps its traceback
        raise StoreError(f"{location}: {_reason(error.orig, location)}") from error
    except sqlite3.Error as error:
        raise StoreError(f"{location}: {_reason(error, location)}") from error
    except OSError as error:
        raise StoreError(f"{location}: {error.strerror or error}") from error
    except StoreError as error:
        if str(error).startswith(str(location)):
            raise
        raise StoreError(f"{location}: {error}") from error
    except Exception as error:
        if not is_driver_error(error):
            raise
        raise StoreError(f"{location}: {server_reason(error)}") from error


_REASONS = {
    "database is locked": "another process has it locked; try again",
    "database or disk is full": "the disk is full",
    "disk i/o error": "it could not be read or written (disk full, quota, or a file system that fails)",
    "attempt to write a readonly database": "it is read-only",
    "unable to open database file": "it cannot be opened or made there",
    "file is not a database": "it is damaged or no history; move it away to start a new one",
    "database disk image is malformed": "it is damaged; move it away to start a new one",
}


def _reason(error: BaseException | None, location: Location) -> str:
    if location.path is None:
        return server_reason(error)
    first, *_ = str(error).splitlines() or [""]  # further lines may quote what was to be stored
    text = " ".join(first.split())
    if "unable to open" in text and not os.access(location.path.parent, os.W_OK):
        return "its folder is read-only"  # all that SQLite says is that it cannot open the file
    return next((reason for start, reason in _REASONS.items() if start in text.lower()), text)
