"""Rows of a CSV file as mappings of texts that know their lines.

The delimiter is the one of ``,``, ``;`` and tab with which the first line has the columns that are needed. Every cell
is text; a row that is longer or shorter than the first line is a mistake, and so is text after a closing quote.
"""

from __future__ import annotations

import csv
import io
import sys
from collections.abc import Collection, Iterator

from ..model.place import did_you_mean
from .reading import Reading
from .source import LINE_END
from .tree import Map, Plain, quoted

DELIMITERS = {",": "','", ";": "';'", "\t": "tab"}


def read_table(r: Reading, needed: Collection[str], typed: Collection[str]) -> Iterator[Map]:
    """The rows of a table, those without any text left out.

    Cells under the names in ``typed`` other than those needed are read as numbers or JSON later: they are ``Plain``.
    """
    content = r.source.text
    delimiter = _delimiter(content, needed)
    # the module's limit of 128 kB a cell is for the whole process
    before = csv.field_size_limit(sys.maxsize)
    try:
        # newline="": line breaks inside quotes stay as written
        rows = csv.reader(io.StringIO(content, newline=""), delimiter=delimiter, strict=True)
        yield from _rows(r, rows, delimiter, needed, typed)
    finally:
        csv.field_size_limit(before)


def _delimiter(content: str, needed: Collection[str]) -> str:
    first = content.lstrip("\r\n")
    first = first[: match.start()] if (match := LINE_END.search(first)) else first

    def suits(delimiter: str) -> tuple[int, int]:
        try:
            names = [name.strip() for name in next(csv.reader([first], delimiter=delimiter), [])]
        except csv.Error:
            names = []
        return len(set(needed) & set(names)), len(names)

    return max(DELIMITERS, key=suits)


def _rows(
    r: Reading, rows: Iterator[list[str]], delimiter: str, needed: Collection[str], typed: Collection[str]
) -> Iterator[Map]:
    starts = r.source.starts
    names: list[str] | None = None
    line = 0
    while True:
        try:
            cells = next(rows)
        except StopIteration:
            return
        except csv.Error as error:
            raise r.source.refuse(_unreadable(str(error)), starts[min(line, len(starts) - 1)]) from None
        at, line = starts[min(line, len(starts) - 1)], rows.line_num  # type: ignore[attr-defined]
        if not any(cell.strip() for cell in cells):
            continue
        if names is None:
            names = [cell.strip() for cell in cells]
            _check_header(r, names, at, delimiter, needed)
        elif len(cells) != len(names):
            r.report(at, f"the row has {len(cells)} cells, the first line has {len(names)}{_why(cells, names)}")
        else:
            yield _row(r, names, cells, at, needed, typed)


def _check_header(r: Reading, names: list[str], at: int, delimiter: str, needed: Collection[str]) -> None:
    missing = [name for name in needed if name not in names]
    for name in missing:
        there = ", ".join(quoted(found, 30) for found in names)
        same = next((found for found in names if found.lower() == name), None)
        near = f"; rename {quoted(same, 30)}" if same else did_you_mean(name, names)
        r.report(at, f"there is no column '{name}' (delimiter {DELIMITERS[delimiter]}); the columns are {there}{near}")
    repeated = sorted({name for name in names if name and names.count(name) > 1})
    for name in repeated:
        r.report(at, f"there are two columns {quoted(name)}; rename one")
    if missing or repeated:
        r.finish()


def _row(
    r: Reading, names: list[str], cells: list[str], at: int, needed: Collection[str], typed: Collection[str]
) -> Map:
    row = Map()
    for name, cell in zip(names, cells, strict=True):
        if name:
            row[name] = Plain(cell.strip()) if name in typed and name not in needed else cell
        elif cell.strip():
            r.report(at, f"{quoted(cell)} stands in a column without a name; name the column")
    row.at = at
    row.spots = [at] * len(row)
    return row


def _why(cells: list[str], names: list[str]) -> str:
    return "; quote a text that holds the delimiter" if len(cells) > len(names) else ""


def _unreadable(error: str) -> str:
    if "end of data" in error:
        return "a quote that opens in this row is never closed"
    if "expected after" in error:
        return 'text follows a closing quote in this row; write "" for each quote inside a quoted text'
    return f"the row cannot be read: {error}"
