"""A document that may be so long and no longer: what matters most gets its place first, the rest is counted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from .format import counted


@dataclass(slots=True)
class Part:
    """A part of a document: lines that stand for themselves, or a list whose end may be left out."""

    head: Sequence[str]
    rows: Sequence[str] = ()
    """The most relevant first."""
    end: Sequence[str] = ()
    noun: tuple[str, str] = ("", "")
    """What a row is, and several are: ``broken case``, ``broken cases``."""
    relevance: int = 0
    """The lowest gets its place first; parts stay in their order."""
    most: int = 50
    """Rows at most, however much room there is."""
    shown: int = field(default=0, init=False)
    dropped: bool = field(default=False, init=False)

    @property
    def left(self) -> int:
        """Rows that are left out."""
        return len(self.rows) - self.shown

    def lines(self) -> list[str]:
        """What is shown of it."""
        if self.dropped:
            return []
        one, many = self.noun
        more = ["", f"and {counted(self.left, f'more {one}', f'more {many}')}"] if self.left else []
        return [*self.head, *self.rows[: self.shown], *more, *self.end]


def fill(parts: Sequence[Part], most_bytes: int) -> str:
    """The parts in their order, in at most so many bytes of UTF-8; what had no room is counted at the end."""
    room = most_bytes - _LAST
    for part in sorted(parts, key=lambda part: part.relevance):
        room -= _size([*part.head, *part.end]) + _TAIL
        if room < 0:
            part.dropped = True
            room += _size([*part.head, *part.end]) + _TAIL
            continue
        for row in part.rows[: part.most]:
            size = _size([row])
            if size > room:
                break
            room -= size
            part.shown += 1
    lines = [line for part in parts for line in part.lines()]
    gone: dict[tuple[str, str], int] = {}
    for part in parts:
        if part.dropped and part.rows:
            gone[part.noun] = gone.get(part.noun, 0) + len(part.rows)
    if gone:
        listed = ", ".join(counted(number, *noun) for noun, number in gone.items())
        lines += ["", f"Left out, for there is no room: {listed[: _LAST - 100]}."]
    return "\n".join(lines).rstrip() + "\n"


_TAIL = 100
"""Bytes for the line that counts the rows left out of a part."""
_LAST = 600
"""Bytes for the line that counts what was left out as a whole."""


def _size(lines: Sequence[str]) -> int:
    return sum(len(line.encode("utf-8", "replace")) + 1 for line in lines)
