"""Kept replies: a SQLite file that all sessions of a project share.

Reading never waits for those who write (WAL). Whatever goes wrong with the file during a run, the model is asked
instead; that it cannot be used at all is said by the first one that looks.
"""

from __future__ import annotations

import contextlib
import json
import logging
import sqlite3
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from ..errors import StoreError
from ..model.llm import Reply
from .canonical import reply_json, reply_of

FILE = "replies.db"
"""Its name in the folder ``.evals``."""

MAX_BYTES = 500_000_000
MAX_AGE_S = 30 * 86400.0

_VERSION = 1
"""Of the table. A file of another version starts afresh: it is only a cache."""

_BUSY_S = 5.0
_TRIM_EVERY = 100
"""Replies between two looks at the size."""
_TRIM_TO = 0.9

_log = logging.getLogger("pytest_evals")


@dataclass(frozen=True, slots=True)
class ModelStats:
    """What is kept of one model."""

    model: str
    """``provider/model``"""
    replies: int
    bytes: int


@dataclass(frozen=True, slots=True)
class CacheStats:
    """What is kept."""

    replies: int
    bytes: int
    """Of the replies; the file is somewhat larger."""
    oldest_s: float | None
    """When the oldest reply was kept, in seconds since 1970; ``None`` when there is none."""
    newest_s: float | None
    models: tuple[ModelStats, ...]


class _Open(NamedTuple):
    writer: sqlite3.Connection
    reader: sqlite3.Connection


class ReplyCache:
    """Replies by what was asked. Safe to use from several processes and threads.

    The file is opened, and made if need be, when it is first used: that raises ``StoreError`` when it is no such file.
    ``make_folder`` makes the folder it is in.
    """

    def __init__(
        self,
        path: Path,
        *,
        max_bytes: int = MAX_BYTES,
        max_age_s: float = MAX_AGE_S,
        clock: Callable[[], float] = time.time,
        make_folder: Callable[[Path], None] = lambda folder: folder.mkdir(parents=True, exist_ok=True),
    ) -> None:
        self.path = path
        self._max_bytes = max_bytes
        self._max_age_s = max_age_s
        self._clock = clock
        self._make_folder = make_folder
        self._open: _Open | None = None
        self._opening = threading.Lock()
        self._reading, self._writing = threading.Lock(), threading.Lock()
        self._since_trim = _TRIM_EVERY
        self._complained = False

    def get(self, key: str) -> Reply | None:
        """The kept reply, marked as such; ``None`` when there is none, or only one that is too old."""
        reader = self._file().reader
        try:
            with self._reading:
                row = reader.execute(
                    "SELECT reply, latency_ms, created_s FROM replies WHERE key = ?", (key,)
                ).fetchone()
            if row is None or (self._max_age_s and row[2] < self._clock() - self._max_age_s):
                return None
            return reply_of(json.loads(row[0])).kept(row[1])
        except (sqlite3.Error, ValueError) as error:
            self._complain(error)
            return None

    def put(self, key: str, model: str, reply: Reply, latency_ms: float | None) -> None:
        """Keep a reply of ``provider/model``. May wait for other processes: not for the event loop."""
        text = json.dumps(reply_json(reply), ensure_ascii=True, separators=(",", ":"))
        row = (key, model, text, latency_ms, len(text), self._clock())
        writer = self._file().writer
        try:
            with self._writing:
                writer.execute("INSERT OR REPLACE INTO replies VALUES (?, ?, ?, ?, ?, ?)", row)
                self._since_trim += 1
                if self._since_trim >= _TRIM_EVERY or len(text) > self._max_bytes // _TRIM_EVERY:
                    self._since_trim = 0
                    self._trim(writer)
        except sqlite3.Error as error:
            self._complain(error)

    def stats(self) -> CacheStats:
        """What is kept, the models with the most bytes first. Raises ``StoreError``."""
        reader = self._file().reader
        with self._failing():
            total = reader.execute(
                "SELECT count(*), coalesce(sum(size), 0), min(created_s), max(created_s) FROM replies"
            ).fetchone()
            models = reader.execute(
                "SELECT model, count(*), sum(size) AS octets FROM replies GROUP BY model ORDER BY octets DESC, model"
            ).fetchall()
        replies, octets, oldest, newest = total
        return CacheStats(replies, octets, oldest, newest, tuple(ModelStats(*model) for model in models))

    def clear(self, *, model: str | None = None, before_s: float | None = None) -> int:
        """Forget replies, all or those of models that fit a pattern and are older; gives the space back, says how many.

        Raises ``StoreError``.
        """
        writer = self._file().writer
        with self._failing(), self._writing:
            deleted = writer.execute(
                "DELETE FROM replies WHERE (? IS NULL OR model GLOB ?) AND (? IS NULL OR created_s < ?)",
                (model, model, before_s, before_s),
            ).rowcount
            with contextlib.suppress(sqlite3.OperationalError):  # while others read, the space is used again instead
                writer.execute("VACUUM")
        return deleted

    def close(self) -> None:
        """Let go of the file."""
        if self._open is not None:
            self._open.reader.close()
            self._open.writer.close()
            self._open = None

    def _file(self) -> _Open:
        with self._opening:
            if self._open is None:
                try:
                    self._make_folder(self.path.parent)
                    self._open = _Open(_with_table(self.path), _connect(self.path))
                except (sqlite3.Error, OSError) as error:
                    raise StoreError(f"{self.path}: kept replies cannot be used: {error}; {_CURE}") from error
            return self._open

    def _trim(self, writer: sqlite3.Connection) -> None:
        """Forget what is too old, and the oldest until there is room again."""
        if self._max_age_s:
            writer.execute("DELETE FROM replies WHERE created_s < ?", (self._clock() - self._max_age_s,))
        (octets,) = writer.execute("SELECT coalesce(sum(size), 0) FROM replies").fetchone()
        if octets <= self._max_bytes:
            return
        writer.execute(
            "DELETE FROM replies WHERE key IN (SELECT key FROM (SELECT key, sum(size) OVER "
            "(ORDER BY created_s DESC, key) AS so_far FROM replies) WHERE so_far > ?)",
            (int(self._max_bytes * _TRIM_TO),),
        )

    def _complain(self, error: Exception) -> None:
        if not self._complained:
            self._complained = True
            _log.warning("%s: kept replies cannot be used for now: %s", self.path, error)

    @contextlib.contextmanager
    def _failing(self) -> Any:
        try:
            yield
        except sqlite3.Error as error:
            raise StoreError(f"{self.path}: {error}; {_CURE}") from error


_CURE = "pytest-evals cache clear starts afresh"


def remove(path: Path) -> None:
    """Remove a file of kept replies that cannot even be opened. Raises ``OSError``."""
    for ending in ("", "-wal", "-shm"):
        path.with_name(path.name + ending).unlink(missing_ok=True)


def _connect(path: Path) -> sqlite3.Connection:
    # isolation_level None: each statement is a transaction
    return sqlite3.connect(path, timeout=_BUSY_S, isolation_level=None, check_same_thread=False)


def _with_table(path: Path) -> sqlite3.Connection:
    """The file, made if need be, with the table of this version."""
    connection = _connect(path)
    give_up = time.monotonic() + _BUSY_S
    while True:
        try:
            # changing the journal mode does not wait for others as statements do
            connection.execute("PRAGMA journal_mode = WAL")
            break
        except sqlite3.OperationalError as error:
            if "locked" not in str(error) or time.monotonic() > give_up:
                raise
            time.sleep(0.02)
    connection.execute("PRAGMA synchronous = NORMAL")
    connection.execute("BEGIN IMMEDIATE")
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    if version != _VERSION:
        connection.execute("DROP TABLE IF EXISTS replies")
        connection.execute(
            """
            CREATE TABLE replies (
                key TEXT PRIMARY KEY,       -- hash of provider, address, model, request and trial
                model TEXT NOT NULL,        -- provider/model
                reply TEXT NOT NULL,        -- JSON
                latency_ms REAL,            -- what the call took
                size INTEGER NOT NULL,      -- bytes of the reply
                created_s REAL NOT NULL     -- seconds since 1970
            )
            """
        )
        connection.execute("CREATE INDEX replies_by_age ON replies (created_s, size)")
        connection.execute(f"PRAGMA user_version = {_VERSION}")
    connection.execute("COMMIT")
    return connection
