"""The journal of a session: every finished case, one line each, on disk before the next one ends.

A line goes to the operating system at once, so that ``kill -9`` of the process loses nothing that had finished; it is
not forced to the disk (that costs 4 ms a line), so a power failure may. When a line cannot be written, it is kept in
memory, so that reports and history stay whole as long as the process lives.

The same file is the spool from which reports are written: results are read back from it one at a time.
"""

from __future__ import annotations

import contextlib
import json
import os
import secrets
import threading
import time
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ..errors import StoreError
from ..model.codec import WIRE_VERSION, case_result
from ..model.result import CaseResult
from ..model.wire import plain
from .folder import make_folder
from .owner import Owner

VERSION = 1

Key = tuple[str, ...]
"""Suite, case id, variant; and the number of the repeat when a case was recorded more than once on purpose."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One case of a journal."""

    data: dict[str, Any]
    """The result in the plain form of ``model.codec``: fields with their default value are absent."""
    repeat: int = 0
    extra: Mapping[str, Any] = field(default_factory=dict)
    """What a result has no field for: trajectories, the data set."""

    @property
    def key(self) -> Key:
        key = (self.data["suite"], self.data["case_id"], self.data.get("variant", ""))
        return (*key, str(self.repeat)) if self.repeat else key


class Journal:
    """An append-only file of results. Safe to use from several threads of one process."""

    def __init__(self, path: Path | None, handle: int | None, header: Mapping[str, Any], owner: Owner | None) -> None:
        self.path = path
        """Where it lies; ``None`` for one that is kept in memory."""
        self.header: dict[str, Any] = dict(header)
        self.owner = owner
        self.ending: dict[str, Any] | None = None
        """What was known when the session had ended; ``None`` when it never got there."""
        self.keep = False
        """Set when the history could not be written: ``finish`` then leaves the file to ``recover``."""
        self.damaged = 0
        """Lines that could not be read, a torn last one included."""
        self._handle = handle
        self._index: dict[Key, tuple[int, int] | bytes] = {}  # where a line is, or the line that could not be written
        self._end = 0
        self._torn = False
        self._complained = False
        self._lock = threading.Lock()

    @classmethod
    def create(cls, folder: Path, header: Mapping[str, Any]) -> Journal:
        """Start a journal in the folder, which is made when it is missing.

        Raises ``StoreError`` when nothing can be written there.
        """
        owner = Owner.current()
        first = line_of("header", owner=owner.plain(), data=plain(header))
        name = f"{time.strftime('%Y%m%dT%H%M%SZ', time.gmtime())}-{os.getpid()}-{secrets.token_hex(3)}.jsonl"
        path, unfinished = folder / name, folder / f"{name}.new"
        try:
            handle = _open(unfinished)
            try:
                _write_all(handle, first)
                unfinished.rename(path)  # under its name it always has a whole header
            except OSError:
                os.close(handle)
                unfinished.unlink(missing_ok=True)
                raise
        except OSError as error:
            raise StoreError(f"{folder}: cannot keep a journal there ({error.strerror or error})") from error
        journal = cls(path, handle, header, owner)
        journal._end = len(first)
        return journal

    @classmethod
    def in_memory(cls, header: Mapping[str, Any]) -> Journal:
        """A journal without a file, for when none can be written."""
        return cls(None, None, header, Owner.current())

    @classmethod
    def open(cls, path: Path, *, alive: bool = False) -> Journal:
        """Read the journal of another process. A line that is torn or no journal's is skipped and counted.

        When its session is ``alive``, a line without an end is left to ``follow``, which reads what is written from
        then on. Raises ``StoreError`` when the file cannot be read or does not begin as a journal does.
        """
        try:
            handle = os.open(path, os.O_RDONLY | getattr(os, "O_CLOEXEC", 0))
        except OSError as error:
            raise StoreError(f"{path}: {error.strerror}") from error
        journal = cls(path, handle, {}, None)
        try:
            journal._follow(unfinished=not alive)
        except StoreError:
            journal.close()
            raise
        if journal.owner is None:
            journal.close()
            raise StoreError(f"{path}: not a journal of a session")
        return journal

    def follow(self) -> list[Key]:
        """Read the whole lines that were written since the last look; returns the cases that ended, in that order.

        Raises ``StoreError`` when the file cannot be read any more.
        """
        return self._follow(unfinished=False)

    def _follow(self, *, unfinished: bool) -> list[Key]:
        if self._handle is None:
            raise StoreError(f"{self.path}: the journal is closed")
        ended: list[Key] = []
        try:
            with os.fdopen(self._handle, "rb", closefd=False) as file:
                file.seek(self._end)
                for line in file:
                    if not unfinished and not line.endswith(b"\n"):
                        break
                    key = self._take(self._end == 0, line)
                    if key is not None:
                        ended.append(key)
        except OSError as error:
            raise StoreError(f"{self.path}: {error.strerror}") from error
        return ended

    def append(self, line: str, key: tuple[str, str, str] | None = None) -> None:
        """Add a result, as ``model.codec.result_to_json`` writes it; ``key`` saves reading the line again.

        Raises ``StoreError`` the first time a line cannot be written; that line and all others are kept nevertheless.
        """
        if key is None:
            data = json.loads(line)
            key = (data["suite"], data["case_id"], data.get("variant", ""))
        self._add(key, line.encode("ascii") + b"\n")

    def append_entry(self, entry: Entry) -> None:
        """Add a result with its repeat number and what it has no field for. Raises as ``append`` does."""
        line = line_of("case", repeat=entry.repeat, extra=plain(entry.extra), result={"v": WIRE_VERSION, **entry.data})
        self._add(entry.key, line)

    def note(self, facts: Mapping[str, Any]) -> None:
        """Add to the header what became known later. Lost, but no error, when it cannot be written."""
        self.header.update(facts)
        self._try_line(line_of("note", data=plain(facts)))

    def end(self, facts: Mapping[str, Any]) -> None:
        """Say that the session has ended, and how: were it lost from here on, nothing of the run would be."""
        self.ending = dict(facts)
        self._try_line(line_of("end", data=plain(facts)))

    def flush(self) -> bool:
        """Try again to write what could not be written; returns whether all of it is on disk now."""
        with self._lock:
            if self._handle is None:
                return False
            for key, place in self._index.items():
                if isinstance(place, bytes):
                    with contextlib.suppress(OSError):
                        self._index[key] = self._write(place)
        return not any(isinstance(place, bytes) for place in self._index.values())

    def finish(self) -> None:
        """Remove it: what it held is in the history, or not to be kept. With ``keep`` set, leave it to ``recover``."""
        if self.keep:
            self.flush()
            self._try_line(line_of("released"))
        self.close()
        if self.path is not None and not self.keep:
            with contextlib.suppress(OSError):
                self.path.unlink(missing_ok=True)
                self.path.parent.rmdir()  # only when no other session has a journal there

    def beat(self) -> None:
        """Show other machines that the session is alive though no case has ended for long."""
        if self._handle is not None:
            with contextlib.suppress(OSError):
                os.utime(self._handle)

    def close(self) -> None:
        """Close the file. What is in memory can still be read."""
        if self._handle is not None:
            os.close(self._handle)
            self._handle = None

    def __contains__(self, key: Key) -> bool:
        return key in self._index

    def __len__(self) -> int:
        return len(self._index)

    def __iter__(self) -> Iterator[Key]:
        """The cases in the order in which they first ended."""
        return iter(list(self._index))

    def results(self, order: Iterable[Key] | None = None) -> Iterator[CaseResult]:
        """Every case's last result, read from disk one at a time; first those of ``order``, then the others."""
        return (case_result(entry.data) for entry in self.entries(order))

    def entries(self, order: Iterable[Key] | None = None) -> Iterator[Entry]:
        """As ``results``, in plain form."""
        keys: Iterable[Key] = self if order is None else dict.fromkeys([*(k for k in order if k in self), *self])
        return (self._read(key) for key in keys)

    def read(self, key: Key) -> CaseResult | None:
        """The last result of a case; ``None`` when it has none."""
        return case_result(self._read(key).data) if key in self._index else None

    def read_entry(self, key: Key) -> Entry:
        """The last entry of a case that has one."""
        return self._read(key)

    def _read(self, key: Key) -> Entry:
        place = self._index[key]
        if isinstance(place, bytes):
            return _entry(json.loads(place))
        if self._handle is None:
            raise StoreError(f"{self.path}: the journal is closed")
        try:
            return _entry(json.loads(os.pread(self._handle, place[1], place[0])))
        except (OSError, ValueError) as error:
            raise StoreError(f"{self.path}: cannot be read back ({error})") from error

    def _add(self, key: Key, line: bytes) -> None:
        with self._lock:
            if self._handle is None:
                self._index[key] = line
                return
            try:
                self._index[key] = self._write(line)
            except OSError as error:
                self._index[key] = line
                if self._complained:
                    return
                self._complained = True
                raise StoreError(
                    f"{self.path}: cannot be written ({error.strerror}); results are kept in memory instead"
                ) from error

    def _try_line(self, line: bytes) -> None:
        with self._lock, contextlib.suppress(OSError):
            if self._handle is not None:
                self._write(line)

    def _write(self, line: bytes) -> tuple[int, int]:
        """Write the line and return where it is. After a line that got through in part, the next one starts afresh."""
        assert self._handle is not None
        head = b"\n" if self._torn else b""
        try:
            _write_all(self._handle, head + line)
        except OSError:
            size = os.fstat(self._handle).st_size
            self._torn = self._torn or size > self._end
            self._end = size
            raise
        place = (self._end + len(head), len(line))
        self._end += len(head) + len(line)
        self._torn = False
        return place

    def _take(self, first: bool, line: bytes) -> Key | None:
        """Take in a line; returns the case whose result it is."""
        place = (self._end, len(line))
        self._end += len(line)
        if not line.strip():  # written after a line that got through in part
            return None
        try:
            data = json.loads(line)
            kind = data["kind"] if "journal" in data else "case"
            if first and kind == "header" and data["journal"] == VERSION:
                self.owner = Owner.read(data["owner"])
            if kind in ("header", "note"):
                self.header.update(data["data"])
            elif kind == "end":
                self.ending = data["data"]
            elif kind == "case":
                key = _entry(data).key
                self._index[key] = place
                return key
        except (ValueError, KeyError, TypeError, AttributeError):
            self.damaged += 1
        return None


def _entry(data: dict[str, Any]) -> Entry:
    repeat, extra = 0, {}
    if "journal" in data:
        repeat, extra, data = data["repeat"], data["extra"], data["result"]
    if data.pop("v", None) != WIRE_VERSION:
        raise ValueError("a result of another version")
    return Entry(data, repeat, extra)


def line_of(kind: str, **more: Any) -> bytes:
    return json.dumps({"journal": VERSION, "kind": kind, **more}, separators=(",", ":")).encode("ascii") + b"\n"


def _open(path: Path) -> int:
    for attempt in range(5):
        make_folder(path.parent)
        try:
            return os.open(path, os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_EXCL | getattr(os, "O_CLOEXEC", 0), 0o644)
        except FileNotFoundError:  # the last session with a journal here has just removed the folder
            if attempt == 4:
                raise
    raise AssertionError("unreachable")


def _write_all(handle: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(handle, view) :]
