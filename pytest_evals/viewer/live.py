"""Sessions that run: what their journals hold so far, and whether anything has changed since the last look."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..errors import StoreError
from ..model.result import CaseRow
from ..model.run import RunType, SessionResult, SuiteCount
from ..store import connect
from ..store.abandoned import living
from ..store.journal import Journal
from ..store.rows import run_type
from ..store.times import now, seconds_between, utc_or_none
from ..workflow.history import journal_row
from ..workflow.recording import Facts, run_uid

if TYPE_CHECKING:
    from ..store.location import Location

LEAST_S = 0.25
"""Between two looks at the disk, however many pages ask."""
SERVER_LEAST_S = 1.0
"""The same for a database server."""
MOST_FILES = 5000
"""So many files of a folder are watched."""


@dataclass(frozen=True, slots=True)
class LiveRun:
    """A run whose session has not ended: the cases that have."""

    uid: str
    """The id it will have in the history."""
    session_id: str
    experiment: str
    type: RunType
    name: str
    started_at: str
    total: int
    """Cases that are to run; 0 when the session did not say."""
    rows: tuple[CaseRow, ...]
    """In the order in which they ended."""
    suites: tuple[SuiteCount, ...] = ()
    params: Mapping[str, Any] = field(default_factory=dict)

    @property
    def share(self) -> float | None:
        """How much of it is done; ``None`` when that is not known."""
        return min(1.0, len(self.rows) / self.total) if self.total else None

    def session(self) -> SessionResult:
        """It as a session that was stopped here, for its figures."""
        from ..stats import pair_variants, summarize

        instant = now()
        return SessionResult(
            session_id=self.session_id,
            started_at=self.started_at,
            finished_at=instant,
            duration_s=seconds_between(self.started_at, instant),
            rows=self.rows,
            suites=self.suites,
            summary=summarize(self.rows),
            stopped="running",
            params=self.params,
            pairs=pair_variants(self.rows),
        )

    def plain(self) -> dict[str, Any]:
        """As JSON shows it."""
        outcomes: dict[str, int] = {}
        for row in self.rows:
            outcomes[row.outcome.value] = outcomes.get(row.outcome.value, 0) + 1
        return {
            "uid": self.uid,
            "session_id": self.session_id,
            "experiment": self.experiment,
            "type": self.type,
            "name": self.name,
            "status": "running",
            "started_at": self.started_at,
            "done": len(self.rows),
            "total": self.total or None,
            "outcomes": outcomes,
        }


class _Followed:
    """The journal of one session, and its rows by experiment and type."""

    def __init__(self, path: Path) -> None:
        self.journal = Journal.open(path, alive=True)
        self.rows: dict[tuple[str, RunType], dict[Any, CaseRow]] = {}
        self._take(list(self.journal))

    def read(self) -> bool:
        """Whether there was anything new."""
        new = self.journal.follow()
        self._take(new)
        return bool(new)

    def _take(self, keys: list[Any]) -> None:
        for key in keys:
            entry = self.journal.read_entry(key)
            group = (entry.data.get("experiment") or "default", run_type(entry.data))
            rows = self.rows.setdefault(group, {})
            rows.pop(key, None)  # a case that is run again ends again, last
            rows[key] = journal_row(entry)

    def runs(self) -> Iterator[LiveRun]:
        facts = Facts.read({"session_id": "", "started_at": "", **self.journal.header})
        stated = {str(suite["experiment"]) for suite in facts.suites}
        groups: dict[tuple[str, RunType], dict[Any, CaseRow]] = dict(self.rows)
        for name in stated - {name for name, _ in groups}:
            groups[name, "checked"] = {}
        for (experiment, kind), rows in groups.items():
            suites = [suite for suite in facts.suites if suite["experiment"] == experiment]
            yield LiveRun(
                run_uid(facts.session_id, experiment, kind),
                facts.session_id,
                experiment,
                kind,
                facts.run_name,
                utc_or_none(facts.started_at) or now(),
                sum(int(suite["selected"]) for suite in suites),
                tuple(rows.values()),
                tuple(SuiteCount(s["name"], s["name"], s["defined"], s["selected"]) for s in suites),
                facts.params,
            )


class Live:
    """Looks at the journals beside a history, at the history, and at folders. Safe to use from several threads."""

    def __init__(self, location: Location, folders: Sequence[Path] = ()) -> None:
        self._location = location
        self._folders = folders
        self._followed: dict[Path, _Followed] = {}
        self._lock = threading.Lock()
        self._looked = -1.0
        self._changes = 0
        self._state: object = None
        self._server: tuple[float, object] = (-1.0, None)

    def runs(self) -> list[LiveRun]:
        """The runs of all sessions that run, the newest first."""
        with self._lock:
            self._look()
            found = [run for followed in self._followed.values() for run in followed.runs()]
        return sorted(found, key=lambda run: run.started_at, reverse=True)

    def find(self, uid: str) -> LiveRun | None:
        """The running run of that id, or of the only one that begins so."""
        found = [run for run in self.runs() if run.uid.startswith(uid)]
        return found[0] if len(found) == 1 and len(uid) >= 4 else None

    def version(self) -> int:
        """A number that is another one as soon as a session, or the history, has changed."""
        with self._lock:
            self._look()
            return self._changes

    def close(self) -> None:
        """Let go of the files."""
        with self._lock:
            for followed in self._followed.values():
                followed.journal.close()
            self._followed.clear()

    def _look(self) -> None:
        instant = time.monotonic()
        if instant - self._looked < LEAST_S:
            return
        self._looked = instant
        there = {path for path, _ in living(self._location.journals)}
        for path in self._followed.keys() - there:
            self._followed.pop(path).journal.close()
            self._changes += 1
        for path in there:
            try:
                if path in self._followed:
                    self._changes += self._followed[path].read()
                else:
                    self._followed[path] = _Followed(path)
                    self._changes += 1
            except (StoreError, OSError):  # it ended meanwhile
                if path in self._followed:
                    self._followed.pop(path).journal.close()
        state = [self._history_state(instant), [_newest(folder) for folder in self._folders]]
        self._changes += state != self._state
        self._state = state

    def _history_state(self, instant: float) -> object:
        """Something that is different when the history was written to."""
        path = self._location.path
        if path is not None:
            return [_stat(path), _stat(path.with_name(f"{path.name}-wal"))]
        asked, state = self._server
        if instant - asked >= SERVER_LEAST_S:
            from ..store.runs import last_written

            try:
                with connect.reading(self._location) as connection:
                    state = last_written(connection)
            except StoreError as error:  # the pages say it; here it is a state like any other
                state = str(error)
            self._server = (instant, state)
        return state


def _newest(folder: Path) -> list[tuple[int, int]]:
    """Something that is different when a file of the folder, or of one below it, was added, changed or removed."""
    found = []
    for root, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if not name.startswith(".")]
        found += [_stat(Path(root, name)) for name in names]
        if len(found) > MOST_FILES:
            break
    return found


def _stat(path: Path) -> tuple[int, int]:
    try:
        found = path.stat()
    except OSError:
        return (0, 0)
    return (found.st_mtime_ns, found.st_size)
