"""A terminal for tests: what a person sees, from the bytes a program writes."""

from __future__ import annotations

import fcntl
import os
import re
import select
import struct
import subprocess
import termios
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

_CONTROL = re.compile(r"\x1b\[(?P<number>[0-9;]*)(?P<letter>[A-Za-z])|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)")


class Screen:
    """As much of a VT100 as pytest and the progress line use; rows that scroll away are kept."""

    def __init__(self, columns: int) -> None:
        self.columns = columns
        self.rows: list[list[str]] = [[]]
        self.row = 0
        self.column = 0

    def feed(self, text: str) -> None:
        position = 0
        while position < len(text):
            match = _CONTROL.match(text, position)
            if match:
                self._control(match["letter"], match["number"])
                position = match.end()
                continue
            self._character(text[position])
            position += 1

    def _character(self, character: str) -> None:
        if character == "\r":
            self.column = 0
        elif character == "\n":
            self._down()
        elif character == "\b":
            self.column = max(0, min(self.column, self.columns - 1) - 1)
        elif character == "\t":
            self.column = min(self.columns - 1, self.column + 8 - self.column % 8)
        else:
            assert character.isprintable(), repr(character)
            if self.column == self.columns:  # the last column was filled: only the next character wraps
                self.column = 0
                self._down()
            row = self.rows[self.row]
            row += " " * (self.column + 1 - len(row))
            row[self.column] = character
            self.column += 1

    def _down(self) -> None:
        self.row += 1
        if self.row == len(self.rows):
            self.rows.append([])

    def _control(self, letter: str | None, number: str | None) -> None:
        amount = int(number) if number and number.isdecimal() else 1
        at = min(self.column, self.columns - 1)
        match letter:
            case "A":
                assert self.row >= amount, "above the first row"
                self.row -= amount
                self.column = at
            case "C":
                self.column = min(self.columns - 1, at + amount)
            case "K":
                del self.rows[self.row][self.column :]
            case "m" | None:  # colours; titles
                pass
            case _:
                raise AssertionError(f"unknown control {letter!r}")

    @property
    def lines(self) -> list[str]:
        """All rows, the scrolled ones too, without spaces at their ends."""
        shown = ["".join(row).rstrip() for row in self.rows]
        while shown and not shown[-1]:
            shown.pop()
        return shown


@dataclass
class Seen:
    """What a program did on a terminal."""

    status: int
    screen: Screen
    raw: str
    seconds: float
    shots: list[list[str]] = field(default_factory=list)
    """The screen after each piece that arrived."""

    @property
    def text(self) -> str:
        return "\n".join(self.screen.lines)


def on_terminal(
    command: Sequence[str],
    folder: Path,
    *,
    columns: int = 80,
    environment: Mapping[str, str] | None = None,
    during: Callable[[list[str]], str | int | None] | None = None,
    timeout: float = 60,
) -> Seen:
    """Run a program on a terminal of its own.

    ``during`` is told what the screen shows whenever that changes; it may return what a person types then, or a signal.
    """
    master, slave = os.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    unset = ("CI", "NO_COLOR", "PY_COLORS", "FORCE_COLOR", "COLUMNS", "LINES")
    inherited = {name: value for name, value in os.environ.items() if name not in unset}
    started = time.monotonic()
    child = subprocess.Popen(
        command,
        cwd=folder,
        env={**inherited, "TERM": "xterm-256color", **(environment or {})},
        stdin=slave,
        stdout=slave,
        stderr=slave,
        start_new_session=True,
    )
    os.close(slave)
    screen, raw, shots, rest = Screen(columns), "", [], b""
    try:
        while time.monotonic() - started < timeout:
            ready, _, _ = select.select([master], [], [], 1.0)
            if not ready:
                continue
            try:
                more = os.read(master, 65536)
            except OSError:  # the other side is closed
                break
            if not more:
                break
            whole, rest = _whole(rest + more)
            raw += whole
            screen.feed(whole)
            shots.append(screen.lines)
            if during is not None:
                then = during(shots[-1])
                if isinstance(then, str):
                    os.write(master, then.encode())
                elif then is not None:
                    os.killpg(child.pid, then)
        status = child.wait(timeout=10)
    finally:
        if child.poll() is None:
            child.kill()
            child.wait()
        os.close(master)
    return Seen(status, screen, raw, time.monotonic() - started, shots)


def _whole(data: bytes) -> tuple[str, bytes]:
    """The text that is complete, and the beginning of a character or an escape sequence at its end."""
    at = data.rfind(b"\x1b")
    cut = len(data)
    if at >= 0 and not _CONTROL.match(data[at:].decode("utf-8", "ignore")):
        cut = at
    for back in range(4):
        try:
            return data[: cut - back].decode("utf-8"), data[cut - back :]
        except UnicodeDecodeError:
            continue
    raise AssertionError(f"not UTF-8: {data[:80]!r}")
