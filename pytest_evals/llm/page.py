"""The numbers that all processes of a session share about one name: a page of memory and the lock around it.

A page is mapped into memory from a file and locked with ``flock``: 1 µs for a lock and its release, where a transaction
of SQLite takes 14 µs and a question to another process over a socket 9 µs. The kernel takes the lock away from a
process that dies. Every number is a float of 8 bytes and means something by itself, so that a process killed while it
writes leaves nothing that the others could not read.
"""

from __future__ import annotations

import mmap
import os
import sys
import threading
from pathlib import Path
from types import TracebackType

from ..errors import EvalsError
from .pace import BUCKETS

if sys.platform != "win32":  # there a page is never in a file
    import fcntl

MAX_PROCESSES = 512


class Cell:
    """A number of a page under a name."""

    __slots__ = ("_index",)

    def __init__(self, index: int) -> None:
        self._index = index

    def __get__(self, block: Block, kind: type[Block]) -> float:
        return block.cells[block.base + self._index]

    def __set__(self, block: Block, value: float) -> None:
        block.cells[block.base + self._index] = value


class Block:
    """Some neighbouring numbers of a page."""

    __slots__ = ("base", "cells")

    def __init__(self, cells: memoryview[float], base: int = 0) -> None:
        self.cells = cells
        self.base = base


class Row(Block):
    """What a page knows of one process."""

    __slots__ = ()

    SIZE = 8

    owner = Cell(0)
    """The process's token; 0: the row is free."""
    pid = Cell(1)
    in_flight = Cell(2)
    """Calls of the process that have a slot."""
    waiting = Cell(3)
    """1 while it waits for a slot."""
    turns = Cell(4)
    """How often it was its turn; whoever waits and has had fewer goes first."""
    second = Cell(5)
    """The latest second in which it started a call …"""
    started = Cell(6)
    """… how many it started in that second …"""
    started_before = Cell(7)
    """… and how many in the second before."""

    def clear(self) -> None:
        for index in range(self.base, self.base + self.SIZE):
            self.cells[index] = 0.0


class Page(Block):
    """The numbers about one name. Held by ``with page:`` while they are changed."""

    __slots__ = ("_descriptor", "_lock", "_rows", "due", "token_cells")

    rows_used = Cell(0)
    due_tokens = Cell(4)
    mean_tokens = Cell(5)
    """What a call used, of late; 0: not known."""
    freed_at = Cell(6)
    """When a call last gave its slot back."""
    turn = Cell(7)
    """The turn it is: a process that begins to wait has had all before it."""

    slowed = Cell(8)
    """1 while calls are slower than the limit allows, because the service refused some."""
    epoch = Cell(9)
    """How often that happened."""
    paused_until = Cell(10)
    rate = Cell(11)
    """Calls per second after the pause …"""
    ceiling = Cell(12)
    """… and before it."""
    due_slowed = Cell(13)
    in_a_row = Cell(14)
    """How often the service refused, with no answer in between."""
    seen = Cell(15)
    """Calls started in the second before the refusal, when no limit was known; else 0."""
    refused = Cell(16)
    """How many of them were refused."""

    _TOKENS = 17
    _ROWS = _TOKENS + 1 + BUCKETS

    def __init__(self, descriptor: int | None = None) -> None:
        """A page in the memory of this process alone, or the one in an open file."""
        self._descriptor = descriptor
        self._lock = threading.Lock()
        self._rows: list[Row] = []
        size = 8 * (self._ROWS + Row.SIZE * (1 if descriptor is None else MAX_PROCESSES))
        if descriptor is None:
            super().__init__(memoryview(bytearray(size)).cast("d"))
        else:
            self._hold()
            try:
                if os.fstat(descriptor).st_size < size:
                    # written, not only made longer: a full disk is an error here and kills the process later
                    os.pwrite(descriptor, bytes(size), 0)
            finally:
                self._let_go()
            super().__init__(memoryview(mmap.mmap(descriptor, size)).cast("d"))
        self.due = self.cells[1:4]
        """When the next call is due by the limits per second, per minute and per hour."""
        self.token_cells = self.cells[self._TOKENS : self._ROWS]

    @classmethod
    def open(cls, path: Path) -> Page:
        return cls(os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600))

    def rows(self) -> list[Row]:
        """The rows in use or used earlier."""
        used = int(self.rows_used)
        while len(self._rows) < used:
            self._rows.append(Row(self.cells, self._ROWS + Row.SIZE * len(self._rows)))
        return self._rows

    def new_row(self) -> Row:
        """A row for a process; the first free one."""
        for row in self.rows():
            if not row.owner:
                return row
        if self._ROWS + Row.SIZE * (len(self._rows) + 1) > len(self.cells):
            raise EvalsError(f"limits cannot be shared by more than {MAX_PROCESSES} processes")
        self.rows_used += 1
        return self.rows()[-1]

    def close(self) -> None:
        """Close the file. The memory goes with the last reference to it."""
        descriptor, self._descriptor = self._descriptor, None
        if descriptor is not None:
            os.close(descriptor)

    def _hold(self) -> None:
        if self._descriptor is not None:
            fcntl.flock(self._descriptor, fcntl.LOCK_EX)

    def _let_go(self) -> None:
        if self._descriptor is not None:
            fcntl.flock(self._descriptor, fcntl.LOCK_UN)

    def __enter__(self) -> Page:
        self._lock.acquire()
        try:
            self._hold()
        except BaseException:
            self._lock.release()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._let_go()
        self._lock.release()
