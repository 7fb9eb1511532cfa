"""What the tables of the overview are made of: cells of a text, a style and, for a bar beside the number, a share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ..text import escape

Cell = list[Any]
"""Text, style, a share from 0 to 1, parts of a bar as ``[word, share]``; the last ones may be absent."""

Table = dict[str, Any]

Head = tuple[str, bool]
"""The name of a column, and whether it holds numbers."""

OPTIONAL = frozenset({"failed", "missed", "errored", "not scored"})
WIDE = frozenset({"comparison", "matrix", "ratings", "distributions"})
MOST_NARROW = 8
"""Columns of a table that has a place beside another."""


def cell(text: str, style: str = "", share: float | None = None) -> Cell:
    """A text, made harmless."""
    return [escape(text), style] if share is None else [escape(text), style, share]


def heads_of(names: str) -> list[Head]:
    """Names apart by ``|``; those that start with ``>`` are of numbers."""
    return [(name.removeprefix(">"), name.startswith(">")) for name in names.split("|")]


def table_of(name: str, title: str, heads: Sequence[Head], rows: Sequence[Mapping[str, Any]], note: str = "") -> Table:
    """A table of rows with ``cells``. An optional column in which all numbers are 0 is left out."""
    made = [row["cells"] for row in rows]
    kept = [n for n, (head, _) in enumerate(heads) if head not in OPTIONAL or any(cells[n][0] != "0" for cells in made)]
    shown = [{**row, "cells": [row["cells"][n] for n in kept]} for row in rows]
    return {
        "name": name,
        "title": title,
        "heads": [heads[n] for n in kept],
        "rows": shown,
        "note": note,
        "wide": name in WIDE or len(kept) > MOST_NARROW,
    }
