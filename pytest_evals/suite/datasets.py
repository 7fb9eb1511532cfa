"""Data sets: an entry of ``cases`` that names a file, of which each row is a case.

    - file: questions.csv
      map: {input: question, expected_output: answer}    # key of a case: column
      where: {language: [en, de]}
      limit: 100                                         # or `sample: 100` and `seed: 7`
      criteria: [contains]                               # keys of a case that hold for every row

The rows go through the reader of cases, so a row may give whatever a case may give. What is wrong with the entry is
said at the entry, what is wrong with a row at its line of the data file.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from ..model.place import did_you_mean
from .columns import MAPPED, Taken, read_map, row_of, taken_from
from .datafile import DataFile, open_data_file, read_delimiter, read_encoding
from .fields import CASE_FIELDS
from .reading import DataReading, Reading
from .rowchoice import Choice, read_choice
from .scalars import json_value, words
from .tree import LOST, Map, is_null, quoted

FILE = "file"
"""The key that makes an entry a data set."""

DATASET_KEYS = (FILE, "map", "where", "limit", "sample", "seed", "delimiter", "encoding")
"""The keys of a data set beside those of a case."""

SHARED_FIELDS = {key: field for key, field in CASE_FIELDS.items() if key not in ("id", "name")}
"""The keys of a case that may hold for every row."""


class Row(NamedTuple):
    """A row that was chosen."""

    node: Map
    """What it gives, by the keys of a case."""
    columns: dict[str, Any]
    """All its values, by column."""


@dataclass(frozen=True, slots=True)
class DataSet:
    """The rows of an entry."""

    r: DataReading
    rows: Iterator[Row]
    """Reading on notes what is wrong with the rows."""


def dataset_hint(key: str) -> str:
    """What to say of a key that a data set has not."""
    if key in ("id", "name"):
        return f"; every row has its own: write 'map: {{{key}: COLUMN}}'"
    known = (*DATASET_KEYS, *SHARED_FIELDS)
    return did_you_mean(key, known) or f"; there are {', '.join(known)}"


def read_dataset(r: Reading, node: Map, *, needs_input: bool) -> DataSet | None:
    """The data set of an entry; ``None`` after a mistake that is not about single rows.

    ``needs_input``: whether a column must give the input.
    """
    before = r.count
    mapping = read_map(r, node)
    choice = read_choice(r, node)
    encoding, delimiter = read_encoding(r, node), read_delimiter(r, node)
    name = words(r, node, FILE, node[FILE])
    if name is None or node[FILE] is LOST:
        if is_null(node[FILE]) and node[FILE] is not LOST:
            r.wrong(node, FILE, "file is blank; name a file of data")
        return None
    if r.count > before:
        return None
    wanted = [column.name for taken in mapping.values() if taken for column in taken.columns]
    wanted += [column.name for column in choice.columns]
    data = open_data_file(r, node, name, encoding, delimiter, wanted or MAPPED)
    if data is None:
        return None
    taken = taken_from(mapping, data.names, node)
    _check_columns(r, node, data, taken, choice)
    if needs_input and not any(each.key == "input" for each in taken):
        message = "no column gives the input; write which one does: 'map: {input: COLUMN}'"
        r.report(node.spot("map" if "map" in node else FILE), f"{message}; {_listed(data.names)}")
    if r.count > before:
        return None
    return DataSet(data.r, _rows(r, node, data, taken, choice))


def _check_columns(r: Reading, node: Map, data: DataFile, taken: Iterable[Taken], choice: Choice) -> None:
    """Every column that the entry names must be there, in the first line or in some row."""
    for key, columns in (("map", [column for each in taken for column in each.columns]), ("where", choice.columns)):
        for column in columns:
            if not data.has(column):
                near = did_you_mean(column.name, data.names) or f"; {_listed(data.names)}"
                box = node.get(key)
                at = column.at if isinstance(box, Map) else node.at
                r.report(at, f"{data.shown} has no column {quoted(column.name)}{data.how}{near}")


def _listed(names: Iterable[str]) -> str:
    there = [quoted(name, 30) for name in names if name]
    more = ", …" if len(there) > 20 else ""
    return f"the columns are {', '.join(there[:20])}{more}" if there else "there are no columns"


def _rows(r: Reading, node: Map, data: DataFile, taken: list[Taken], choice: Choice) -> Iterator[Row]:
    found = False
    for record in choice.of(data.records):
        found = True
        yield Row(row_of(data.r, record, taken, table=data.is_table), _values(data, record))
    if found or data.r.count:
        return
    if choice.columns:
        r.wrong(node, "where", f"no row of {data.shown} is chosen{choice.why_none(data.again())}")
    else:
        data.r.report(0, "the file holds no rows")


def _values(data: DataFile, record: Map) -> dict[str, Any]:
    if data.is_table:
        return dict(record)
    return {name: json_value(data.r, record, name, part) for name, part in record.items()}
