"""Cells of CSV files that no spreadsheet takes for a formula.

A text that a spreadsheet would calculate gets an apostrophe before it; one that already looks guarded gets another one,
so that taking one away gives back what was there.
"""

from __future__ import annotations

import re

# signs that begin a formula, after what spreadsheets skip or do not show
_FORMULA = re.compile(r"'*(?:[\t\r]|[\s\u200b-\u200f\u2060\ufeff]*[=+\-@＝＋－＠])")  # wide ones count, too

OURS = frozenset({"suite", "id", "variant", "outcome", "headline", "node_id"})
"""Columns that tell a file of results, whose cells are guarded, from any other."""


def guard(text: str) -> str:
    """The text as a cell that stays text."""
    return f"'{text}" if _FORMULA.match(text) else text


def unguard(cell: str) -> str:
    """What ``guard`` was given."""
    return cell[1:] if cell.startswith("'") and _FORMULA.match(cell) else cell
