"""A file as plain containers that still know where they stand and how their scalars were written.

A quoted scalar is a ``str``. An unquoted one that may mean something else than its text (a number, ``true``, nothing)
is a ``Plain``, which what reads a key takes as the text or as a value. JSON files give the same tree: their numbers,
``true``, ``false`` and ``null`` are ``Plain``.
"""

from __future__ import annotations

from typing import Any, TypeAlias

from ..model.text import one_line
from .core import core


class Plain(str):
    """An unquoted scalar, as written."""

    __slots__ = ()


class Cut(Plain):
    """An unquoted scalar ended by a `` #`` that hardly starts a comment: ``ticket #12``."""

    __slots__ = ()


class MaybeCut(Cut):
    """An unquoted scalar ended by a `` #`` that may start a comment, or not: ``the # key``."""

    __slots__ = ()


class Map(dict[str, Any]):
    """A mapping. Its keys are texts as written."""

    __slots__ = ("at", "spots")
    at: int
    """Offset of its first character."""
    spots: list[int]
    """Offsets of its keys, in their order."""

    def spot(self, key: object) -> int:
        """The offset of a key; of the mapping when it has no such key."""
        for name, spot in zip(self, self.spots, strict=True):
            if name == key:
                return spot
        return self.at


class Seq(list[Any]):
    """A list."""

    __slots__ = ("at", "spots")
    at: int
    """Offset of its first character."""
    spots: list[int]
    """Offsets of its items."""

    def spot(self, index: Any) -> int:
        """The offset of an item."""
        at: int = self.spots[index]
        return at


Node: TypeAlias = str | Map | Seq

NULLS = frozenset({"", "~", "null", "Null", "NULL"})
"""Unquoted texts that mean nothing is given."""

NOTHING: Node = Plain("")
"""Stands for the value of a key that is not there."""

LOST: Node = Plain("")
"""Stands for a value that could not be had, of which that was said already."""


def is_null(node: Node) -> bool:
    """Whether nothing stands there: blank, ``~`` or ``null``, unquoted."""
    return node.__class__ is not str and isinstance(node, Plain) and node in NULLS


def quoted(text: str, limit: int = 60) -> str:
    """A person's text inside a message: on one line, not too long."""
    return f"'{one_line(text, limit)}'"


def said(node: Node) -> str:
    """What stands there, for messages of the form "must be …, not …"."""
    if isinstance(node, Map):
        return "a mapping"
    if isinstance(node, Seq):
        return "a list"
    if is_null(node):
        return "nothing"
    as_it_is = isinstance(node, Plain) and not isinstance(core(node), str)
    return one_line(node, 60) if as_it_is else f"the text {quoted(node)}"
