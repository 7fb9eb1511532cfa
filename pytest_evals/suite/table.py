"""Rows of a CSV file as texts that know their lines.

Unless it is given, the delimiter is the one of ``,``, ``;``, tab and ``|`` with which the first line has most of the
columns that are wanted. Every cell is text; a row that is longer or shorter than the first line is a mistake, and so is
text after a closing quote.
"""

from __future__ import annotations

import csv
import io
import sys
from collections.abc import Collection, Iterator
from typing import NamedTuple

from ..errors import SuiteError
from ..model.csvguard import OURS, unguard
from ..model.place import did_you_mean
from .jsontree import read_json
from .reading import Reading
from .source import LINE_END, Source
from .tree import NOTHING, Map, Node, Plain, Seq, quoted

DELIMITERS = {",": "','", ";": "';'", "\t": "tab", "|": "'|'"}
"""Those that are found by themselves, as messages name them."""


class Table(NamedTuple):
    """A table whose first line is read."""

    names: list[str]
    """The first line. A column may have no name, as long as it holds nothing."""
    at: int
    """The offset of the first line."""
    delimiter: str
    """As messages name it."""
    rows: Iterator[Map]
    """The texts of each row by the names of the columns. Reading on notes the mistakes; blank rows are left out."""


def open_table(r: Reading, wanted: Collection[str], delimiter: str = "") -> Table | None:
    """The table in a file; ``None`` when it holds no line. Notes names that stand twice in the first line."""
    content = r.source.text
    delimiter = delimiter or _delimiter(content, wanted)
    rows = _rows(r, content, delimiter)
    at, names = next(rows, (0, None))
    if names is None:
        return None
    names = [name.strip() for name in names]
    for name in sorted({name for name in names if name and names.count(name) > 1}):
        r.report(at, f"there are two columns {quoted(name)}; rename one")
    return Table(names, at, DELIMITERS.get(delimiter, quoted(delimiter)), _maps(r, names, rows))


def read_table(r: Reading, needed: Collection[str], typed: Collection[str]) -> Iterator[Map]:
    """The rows of a table that must have some columns.

    Cells under the names in ``typed`` other than those needed are read as numbers or JSON later: they are ``Plain``.
    """
    before = r.count
    table = open_table(r, needed)
    if table is None:
        return
    for name in needed:
        if name not in table.names:
            r.report(table.at, f"there is no column '{name}' ({columns_of(table, name)}")
    if r.count > before:
        r.finish()
    names = [name for name in table.names if name in typed and name not in needed]
    for row in table.rows:
        for name in names:
            row[name] = Plain(row[name].strip())
        yield row


def columns_of(table: Table, name: str) -> str:
    """The end of a message about a column that is missing: the delimiter and the columns that are there."""
    there = ", ".join(quoted(found, 30) for found in table.names)
    same = next((found for found in table.names if found.lower() == name.lower()), None)
    near = f"; rename {quoted(same, 30)}" if same else did_you_mean(name, table.names)
    return f"delimiter {table.delimiter}); the columns are {there}{near}"


def _delimiter(content: str, wanted: Collection[str]) -> str:
    first = content.lstrip("\r\n")
    first = first[: match.start()] if (match := LINE_END.search(first)) else first

    def suits(delimiter: str) -> tuple[int, int]:
        try:
            names = [name.strip() for name in next(csv.reader([first], delimiter=delimiter), [])]
        except csv.Error:
            names = []
        return len(set(wanted) & set(names)), len(names)

    return max(DELIMITERS, key=suits)


def _rows(r: Reading, content: str, delimiter: str) -> Iterator[tuple[int, list[str]]]:
    """The rows with any text, each with the offset of its first line."""
    starts = r.source.starts
    # the module's limit of 128 kB a cell is for the whole process
    before = csv.field_size_limit(sys.maxsize)
    line = 0
    try:
        # newline="": line breaks inside quotes stay as written
        rows = csv.reader(io.StringIO(content, newline=""), delimiter=delimiter, strict=True)
        for cells in rows:
            at, line = starts[min(line, len(starts) - 1)], rows.line_num
            if any(cells) and any(map(str.strip, cells)):
                yield at, cells
    except csv.Error as error:
        raise r.source.refuse(_unreadable(str(error)), starts[min(line, len(starts) - 1)]) from None
    finally:
        csv.field_size_limit(before)


def _maps(r: Reading, names: list[str], rows: Iterator[tuple[int, list[str]]]) -> Iterator[Map]:
    blank = [index for index, name in enumerate(names) if not name]
    guarded = set(names) >= OURS
    for at, cells in rows:
        if len(cells) != len(names):
            why = "; quote a text that holds the delimiter" if len(cells) > len(names) else ""
            r.report(at, f"the row has {len(cells)} cells, the first line has {len(names)}{why}")
            continue
        row = Map(zip(names, map(unguard, cells) if guarded else cells, strict=True))
        if blank:
            del row[""]
            for cell in (cells[index] for index in blank):
                if cell.strip():
                    r.report(at, f"{quoted(cell)} stands in a column without a name; name the column")
        row.at = at
        row.spots = [at] * len(row)
        yield row


def json_cell(r: Reading, row: Map, name: str) -> Node:
    """A cell that holds JSON; nothing when it is blank."""
    cell: str = row[name]
    if not cell.strip():
        return NOTHING
    found: list[str] = []
    try:
        node = read_json(Source(r.source.path, "", cell), lambda _, message: found.append(message))
    except SuiteError:
        node = None
    if node is None or found:
        r.wrong(row, name, f"{name} must be JSON, without repeated keys, not {quoted(cell)}")
        return NOTHING
    _move(node, row.spot(name))
    return node


def _move(node: Node, at: int) -> None:
    """Give the node the place of its cell: places inside it mean nothing in the file."""
    if isinstance(node, Map | Seq):
        node.at = at
        node.spots = [at] * len(node)
        for part in node.values() if isinstance(node, Map) else node:
            _move(part, at)


def _unreadable(error: str) -> str:
    if "end of data" in error:
        return "a quote that opens in this row is never closed"
    if "expected after" in error:
        return 'text follows a closing quote in this row; write "" for each quote inside a quoted text'
    return f"the row cannot be read: {error}"
