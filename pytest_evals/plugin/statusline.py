"""One line at the bottom of a terminal that keeps out of the way of everything else.

Whoever writes to the terminal writes through the streams that this module teaches to make room first: what remains on
the screen is what was written, as if the line had never been there. When the last row of the text is not finished
(pytest's dots), the line stands one row below it.
"""

from __future__ import annotations

import os
import re
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any, TextIO

from ..report.text import cells

REFRESH_S = 0.1
"""How often the line may change."""

_INVISIBLE = re.compile(r"\x1b\[[0-9;]*m|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)")
"""Colours and titles: they take no place and do not move the cursor."""

_UP, _ERASE, _DOWN = "\x1b[A", "\r\x1b[K", "\r\n"


class StatusLine:
    """Shows what ``say`` returns for a number of columns, ``""`` for nothing, until it is stopped.

    ``streams`` are those that write to the terminal, the first of them its own. ``column`` is where the cursor stands.
    """

    def __init__(self, streams: Sequence[TextIO], say: Callable[[int], str], column: int = 0) -> None:
        self._terminal = os.dup(streams[0].fileno())
        self._say = say
        self._column = column
        self._text = ""
        """What there is to say."""
        self._shown = ""
        """What stands on the terminal: that, or nothing."""
        self._below = False
        """Whether the shown line stands below an unfinished row."""
        self._parked = False
        """Whether the cursor was moved from the line back to the end of that row."""
        self._lock = threading.RLock()
        self._over = threading.Event()
        self._taught = [(stream, stream.__dict__.get("write"), self._teach(stream)) for stream in streams]
        self._thread = threading.Thread(target=self._refresh_often, name="evals-progress", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Remove the line for good."""
        with self._lock:
            if self._over.is_set():
                return
            self._clear()
            self._over.set()
            for stream, before, taught in self._taught:
                if stream.__dict__.get("write") is not taught:
                    continue  # somebody else taught it since, and goes through here
                if before is None:
                    del stream.__dict__["write"]
                else:
                    stream.__dict__["write"] = before
        self._thread.join(1.0)
        os.close(self._terminal)

    def refresh(self) -> None:
        """Show what there is to say now."""
        with self._lock:
            if self._over.is_set():
                return
            text = self._text = self._say(self._columns() - 1)
            if text == self._shown:
                return
            if self._shown and text:
                self._unpark()
                self._send(f"\r{text}\x1b[K")
                self._shown = text
            else:
                self._clear()
                self._draw()

    def _refresh_often(self) -> None:
        while not self._over.wait(REFRESH_S):
            self.refresh()

    def _teach(self, stream: Any) -> Callable[[str], int]:
        """Let the stream make room for what it writes."""
        original = stream.write

        def write(text: str) -> int:
            with self._lock:
                if self._over.is_set() or not self._is_terminal(stream):
                    return int(original(text) or 0)
                stays = self._fits(text)
                if stays:
                    self._park()
                else:
                    self._clear()
                written = int(original(text) or 0)
                stream.flush()
                self._column = _column_after(text, self._column)
                if stays:
                    self._unpark()
                else:
                    self._draw()
                return written

        stream.write = write
        return write

    def _is_terminal(self, stream: TextIO) -> bool:
        """Whether the stream leads to the terminal now: while pytest captures, it leads to a file."""
        try:
            return os.path.sameopenfile(stream.fileno(), self._terminal)
        except (OSError, ValueError):
            return False

    def _columns(self) -> int:
        try:
            return os.get_terminal_size(self._terminal).columns or 80
        except OSError:
            return 80

    def _fits(self, text: str) -> bool:
        """Whether the text goes into the row above the line without touching it."""
        if not (self._shown and self._below):
            return False
        visible = _INVISIBLE.sub("", text)
        columns = self._columns()
        column = self._column % columns
        return visible.isprintable() and column > 0 and column + cells(visible) < columns

    def _park(self) -> None:
        self._parked = True
        self._send(_UP + _to_column(self._column % self._columns()))

    def _unpark(self) -> None:
        if self._parked:
            self._send(_DOWN + _to_column(cells(_INVISIBLE.sub("", self._shown))))
            self._parked = False

    def _clear(self) -> None:
        """Erase the line, and put the cursor back to where the text ends."""
        if not self._shown:
            return
        self._unpark()
        self._shown = ""
        self._send(_ERASE + (_UP + _to_column(self._column % self._columns()) if self._below else ""))

    def _draw(self) -> None:
        """Show the line below the text, where the cursor stands."""
        if not self._text or (self._column and self._column % self._columns() == 0):
            # whether a row that is exactly full goes on in the next one is only known with the next character
            return
        self._below = self._column > 0
        self._shown = self._text
        self._send((_DOWN if self._below else "") + self._text + "\x1b[K")

    def _send(self, text: str) -> None:
        with suppress(OSError):  # a terminal that is gone
            os.write(self._terminal, text.encode("utf-8", "replace"))


def _to_column(column: int) -> str:
    return f"\r\x1b[{column}C" if column else "\r"


def _column_after(text: str, column: int) -> int:
    """Where the cursor stands in its line after the text."""
    visible = _INVISIBLE.sub("", text)
    last = max(visible.rfind("\n"), visible.rfind("\r"))
    if last >= 0:
        visible, column = visible[last + 1 :], 0
    for character in visible:
        if character == "\t":
            column += 8 - column % 8
        elif character == "\b":
            column = max(0, column - 1)
        else:
            column += cells(character)
    return column
