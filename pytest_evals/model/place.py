"""Where something was written, and what is wrong there."""

from __future__ import annotations

from dataclasses import dataclass
from difflib import get_close_matches
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable


IN_NO_FILE = "<cases>"
"""The path in the places of what a program made of mappings and lists."""


@dataclass(frozen=True, slots=True, order=True)
class Place:
    """A position in a file that a person wrote."""

    path: str
    """As shown to the person: relative to the directory pytest was started in when below it, else absolute."""
    line: int
    """1-based."""
    column: int = 1
    """1-based."""

    def __str__(self) -> str:
        return f"{self.path}:{self.line}:{self.column}"


@dataclass(frozen=True, slots=True, order=True)
class Problem:
    """One mistake: where, what is wrong, and what to do. Always one line."""

    place: Place
    message: str

    def __str__(self) -> str:
        return f"{self.place}: {self.message}"


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """``"; did you mean 'contains'?"`` for a near miss, else an empty text."""
    near = get_close_matches(word.lower(), list(known), n=1, cutoff=0.6)
    return f"; did you mean {near[0]!r}?" if near else ""
