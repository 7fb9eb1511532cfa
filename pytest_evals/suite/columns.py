"""Which columns of a data set give which keys of its cases.

A column that is named like a key of a case gives that key. ``map`` says it for columns of other names; nothing (``~``)
there leaves a column alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from ..model.fieldpath import read_path
from .fields import CASE_FIELDS
from .reading import Reading
from .scalars import words
from .table import json_cell
from .tree import NOTHING, Map, Node, Plain, Seq, is_null, said

NOT_MAPPED = ("vars", "prompt", "user")
"""Keys that rows do not give: data is no template, and all columns are variables anyhow."""

MAPPED = tuple(key for key in CASE_FIELDS if key not in NOT_MAPPED)
"""Keys of a case that columns may give."""

TEXTS = frozenset({"id", "name", "category", "input", "context", "expected_output"})
"""Keys that take the cell of a table as it is; other cells are read as if they stood unquoted in a suite."""

JSON = frozenset({"criteria", "expected_tool_calls", "metadata"})
"""Keys whose cell in a table is JSON."""

LISTS = frozenset({"tags", "reference_outputs"})
"""Keys that several columns may give."""

TEMPLATES = frozenset({"input", "context", "expected_output"})
"""Keys that an entry writes with ``{{ column }}`` in it, so that a column gives them only if it does not."""

_INDEX = re.compile(r"-?\d{1,9}")
_WORD_END = re.compile(r"[,\s]+")


class Column(NamedTuple):
    """A column as an entry names it."""

    name: str
    at: int
    """Where in the suite."""
    parts: tuple[str, ...] = ()
    """For JSON: the way to the value, where no column has the whole name."""

    def find(self, record: Map) -> tuple[Node | None, int]:
        """The value in a row and where it stands; ``None`` when there is none."""
        if self.name in record:
            return record[self.name], record.spot(self.name)
        node: Node = record
        at = record.at
        for part in self.parts:
            if isinstance(node, Map) and part in node:
                at, node = node.spot(part), node[part]
            elif isinstance(node, Seq) and _INDEX.fullmatch(part) and -len(node) <= int(part) < len(node):
                at, node = node.spot(int(part)), node[int(part)]
            else:
                return None, record.at
        return (node, at) if self.parts else (None, at)


class Taken(NamedTuple):
    """What a key of a case takes from each row."""

    key: str
    columns: tuple[Column, ...]
    names: tuple[str, ...] | None = None
    """For a mapping of columns: the names of its values."""
    several: bool = False
    """Whether the columns are those of a list."""


def column_of(name: str, at: int) -> Column:
    """The column of this name, or at this path."""
    try:
        parts = read_path(name).parts
    except ValueError:
        parts = ()
    return Column(name, at, parts if len(parts) > 1 or name.startswith("$") else ())


def read_map(r: Reading, node: Map) -> dict[str, Taken | None]:
    """What ``map`` says, by key; ``None`` for a key that no column gives."""
    box = node.get("map", NOTHING)
    if not isinstance(box, Map):
        if not is_null(box):
            r.wrong(node, "map", f"map must be a mapping of keys of cases to columns, not {said(box)}")
        return {}
    found: dict[str, Taken | None] = {}
    for key, value in box.items():
        if key not in MAPPED:
            hint = "; all columns are variables of templates" if key in NOT_MAPPED else ""
            r.unknown_key(box, key, MAPPED, hint, what="key of a case")
        elif is_null(value):
            found[key] = None
        else:
            if key in TEMPLATES and key in node:
                cure = "keep one: a text with '{{ column }}' needs no map"
                r.wrong(box, key, f"{key} is given beside 'map' too; {cure}")
            found[key] = _taken(r, box, key, value)
    return found


def _taken(r: Reading, box: Map, key: str, node: Node) -> Taken | None:
    if isinstance(node, Seq) and key in LISTS:
        return Taken(key, _columns(r, node, range(len(node)), node), several=True)
    if isinstance(node, Map) and key == "metadata":
        return Taken(key, _columns(r, node, node, node.values()), tuple(node))
    if not isinstance(node, str):
        also = " or a list of columns" if key in LISTS else " or a mapping of columns" if key == "metadata" else ""
        r.wrong(box, key, f"{key} takes the name of a column{also}, not {said(node)}")
        return None
    name = words(r, box, key, node)
    return Taken(key, (column_of(name, box.spot(key)),)) if name else None


def _columns(r: Reading, box: Map | Seq, keys: Iterable[str | int], nodes: Iterable[Node]) -> tuple[Column, ...]:
    found = []
    for key, node in zip(keys, nodes, strict=True):
        if isinstance(node, str) and node.strip():
            found.append(column_of(str(node), box.spot(key)))
        else:
            r.wrong(box, key, f"this must be the name of a column, not {said(node)}")
            found.append(Column("", box.at))
    return tuple(found)


def taken_from(mapping: Mapping[str, Taken | None], names: Sequence[str], node: Map) -> list[Taken]:
    """What each key takes: what ``map`` says, and the columns that are named like a key."""
    found = [taken for taken in mapping.values() if taken is not None]
    alike = (key for key in MAPPED if key in names and key not in mapping and not (key in TEMPLATES and key in node))
    return [*found, *(Taken(key, (Column(key, node.at),)) for key in alike)]


def row_of(r: Reading, record: Map, taken: Iterable[Taken], *, table: bool) -> Map:
    """A row as the mapping of a case. ``table``: its values are the cells of a table."""
    row = Map()
    row.at, row.spots = record.at, []
    for key, columns, names, several in taken:
        value: Node | None
        if names is not None:
            value, at = _mapping(record, columns, names, table), record.at
        elif several:
            value, at = _several(key, record, columns, table), record.at
        else:
            value, at = columns[0].find(record)
            if value is not None:
                value = _cell(r, record, key, columns[0].name, str(value)) if table else _value(key, value, at)
        if value is not None:
            row[key] = value
            row.spots.append(at)
    return row


def _cell(r: Reading, record: Map, key: str, column: str, cell: str) -> Node | None:
    """A cell as the value of a key; ``None`` for a blank one, which gives nothing."""
    if not cell or not cell.strip():
        # an id that is missing in some rows is hardly meant to be
        return Plain("") if key == "id" else None
    if key in TEXTS:
        return cell
    if key in LISTS:
        return _value(key, cell, record.at)
    if key in JSON:
        return json_cell(r, record, column)
    return Plain(cell.strip())


def _value(key: str, node: Node, at: int) -> Node:
    """A value of JSON or YAML: a text where a list stands is a list of it."""
    if key not in LISTS or not isinstance(node, str) or is_null(node):
        return node
    words = [str(node)] if key == "reference_outputs" else [word for word in _WORD_END.split(node) if word]
    return _seq(words, at)


def _several(key: str, record: Map, columns: Iterable[Column], table: bool) -> Seq:
    found: list[Node] = []
    for column in columns:
        node, at = column.find(record)
        if node is None or is_null(node) or (table and not str(node).strip()):
            continue
        value = _value(key, node, at)
        found += value if isinstance(value, Seq) else [value]
    return _seq(found, record.at)


def _seq(nodes: list[Node] | list[str], at: int) -> Seq:
    seq = Seq(nodes)
    seq.at, seq.spots = at, [at] * len(nodes)
    return seq


def _mapping(record: Map, columns: Iterable[Column], names: Iterable[str], table: bool) -> Map:
    found = Map()
    found.at, found.spots = record.at, []
    for column, name in zip(columns, names, strict=True):
        node, at = column.find(record)
        if node is not None and not (table and not str(node).strip()):
            found[name] = node
            found.spots.append(at)
    return found
