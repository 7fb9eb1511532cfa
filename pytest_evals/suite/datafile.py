"""The file of a data set: csv, tsv, jsonl, json or yaml, as rows that know their places."""

from __future__ import annotations

import codecs
import os
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path, PurePath

from ..errors import SuiteError
from ..model.text import one_line
from .columns import Column
from .groundtruth import is_ground_truth, rows_of
from .jsonlines import read_lines
from .jsontree import read_json
from .reading import DataReading, Reading
from .scalars import words
from .source import UTF_8, load
from .table import open_table
from .tree import LOST, NOTHING, Map, Node, Seq, is_null, quoted, said
from .yamlerrors import read_yaml

KINDS = {
    ".csv": "table",
    ".tsv": "table",
    ".jsonl": "lines",
    ".ndjson": "lines",
    ".json": "json",
    ".yaml": "yaml",
    ".yml": "yaml",
}
"""What a file holds, by the end of its name."""


@dataclass(frozen=True, slots=True)
class DataFile:
    """A file whose rows can be read."""

    r: DataReading
    shown: str
    names: list[str]
    """Its columns: of a table those of the first line, else those that any row has."""
    records: Iterable[Map]
    again: Callable[[], Iterable[Map]]
    """The rows once more, for what is said when none was chosen."""
    is_table: bool
    how: str = ""
    """How the columns were found, for messages about one that is not there."""

    def has(self, column: Column) -> bool:
        """Whether a column is there; of JSON, whether any row has it."""
        if column.name in self.names:
            return True
        return not self.is_table and any(column.find(record)[0] is not None for record in self.records)


def read_encoding(r: Reading, node: Map) -> str:
    """The encoding of the file."""
    value = node.get("encoding", NOTHING)
    if is_null(value):
        return UTF_8
    name = words(r, node, "encoding", value) or UTF_8
    try:
        known = codecs.lookup(name)
    except (LookupError, ValueError):
        known = None
    if known is None or not getattr(known, "_is_text_encoding", True):
        r.wrong(node, "encoding", f"{quoted(name)} is no encoding; write utf-8, utf-16, cp1252, latin-1 …")
        return UTF_8
    # with or without a byte order mark is all the same here
    return UTF_8 if known.name in (UTF_8, "utf-8-sig") else known.name


def read_delimiter(r: Reading, node: Map) -> str:
    """What stands between the cells of a table; empty when it is to be found out."""
    value = node.get("delimiter", NOTHING)
    if value is LOST or is_null(value):
        return ""
    delimiter = "\t" if value == "tab" else value
    fits = isinstance(delimiter, str) and len(delimiter) == 1 and delimiter not in "\"\r\n '"
    if not fits or (isinstance(delimiter, str) and delimiter.isalnum()):
        message = "a delimiter is one character such as ',' or ';', or the word tab"
        r.wrong(node, "delimiter", f"{message}, not {said(value)}")
        return ""
    return str(delimiter)


def open_data_file(
    r: Reading, node: Map, name: str, encoding: str, delimiter: str, wanted: Collection[str]
) -> DataFile | None:
    """The file that an entry names; ``None`` when nothing can be had of it. ``wanted`` helps to find the delimiter."""
    path = r.source.path.absolute().parent / name
    kind = KINDS.get(PurePath(name).suffix.lower())
    if kind is None:
        r.wrong(node, "file", f"a data set is read from {', '.join(KINDS)}, not from {quoted(name)}")
    elif delimiter and kind != "table":
        r.wrong(node, "delimiter", f"only .csv and .tsv have a delimiter, {quoted(name)} has none")
    elif not _is_file(path):
        tried = one_line(os.path.normpath(path), 300)
        r.wrong(node, "file", f"there is no file {tried}; paths in a suite start at its folder")
    else:
        try:
            source = load(path, _shown(r, name), encoding, ", or name its 'encoding' in the suite")
        except SuiteError as error:
            _pass_on(r, error)
            return None
        data = r.beside(source)
        try:
            found = _table(data, delimiter, wanted) if kind == "table" else _tree(data, kind)
        except SuiteError as error:
            _pass_on(data, error)
            found = None
        if found is None:
            data.close()
        return found
    return None


def _pass_on(r: Reading, error: SuiteError) -> None:
    for problem in error.problems:
        r.add(problem.place, problem.message)


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except (OSError, ValueError):  # a name that no file can have
        return False


def _shown(r: Reading, name: str) -> str:
    """The path as messages show it: relative to where the suite's is, unless it leads out of there."""
    path = os.path.normpath(Path(r.source.shown).parent / name)
    outside = path.split(os.sep, 1)[0] == os.pardir
    return os.path.normpath(r.source.path.absolute().parent / name) if outside else path


def _table(r: DataReading, delimiter: str, wanted: Collection[str]) -> DataFile | None:
    nul = r.source.text.find("\0")
    if nul >= 0:
        raise r.source.refuse("a NUL character; this is no text, or text that is not UTF-8", nul)
    if not delimiter and r.source.path.suffix.lower() == ".tsv":
        delimiter = "\t"
    table = open_table(r, wanted, delimiter)
    if table is None:
        r.report(0, "the file is empty; a table has a line of names and a line for each row")
        return None
    if r.count:
        return None
    again = partial(_rows_again, r, wanted, delimiter)
    rows = _told(r, table.rows)
    return DataFile(r, r.source.shown, table.names, rows, again, True, f" (delimiter {table.delimiter})")


def _rows_again(r: DataReading, wanted: Collection[str], delimiter: str) -> Iterable[Map]:
    table = open_table(r, wanted, delimiter)
    return table.rows if table else ()


def _told(r: DataReading, rows: Iterator[Map]) -> Iterator[Map]:
    """The rows up to one after which nothing can be read."""
    try:
        yield from rows
    except SuiteError as error:
        _pass_on(r, error)


def _tree(r: DataReading, kind: str) -> DataFile | None:
    records = [*_records(r, kind)]
    names = [*dict.fromkeys(name for record in records for name in record)]
    if not records:
        if not r.count:
            r.report(0, "the file holds no rows")
        return None
    return DataFile(r, r.source.shown, names, records, lambda: records, False)


def _records(r: DataReading, kind: str) -> Iterator[Map]:
    for at, node in read_lines(r) if kind == "lines" else _listed(r, kind):
        if isinstance(node, Map):
            yield node
        else:
            r.report(at, f"a row is an object of columns and their values, not {said(node)}")


def _listed(r: DataReading, kind: str) -> Iterator[tuple[int, Node]]:
    root = (read_json if kind == "json" else read_yaml)(r.source, r.report)
    if isinstance(root, Map) and is_ground_truth(root):
        yield from rows_of(r, root)
    elif isinstance(root, Seq):
        yield from zip(root.spots, root, strict=True)
    elif root is not None and not is_null(root):
        r.report(0, f"a data set is a list of rows, not {said(root)}")
