"""Reading other tools' files: YAML, JSON, JSON Lines and CSV as plain values that still know their lines."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from ..errors import SuiteError, UsageError
from ..model.text import one_line
from ..suite.core import core
from ..suite.jsonlines import read_lines
from ..suite.jsontree import read_json
from ..suite.reading import Reading
from ..suite.source import Source, load
from ..suite.table import open_table
from ..suite.tree import Map, Node, Plain, Seq
from ..suite.yamlerrors import read_yaml

Spot = tuple[str, int]
"""A file as shown, and a line in it."""


class Record(dict[str, Any]):
    """A mapping of a file. A plain ``dict`` does as well wherever one is read, it only knows no line."""

    __slots__ = ("spot", "spots")
    spot: Spot
    spots: dict[str, Spot]


class Items(list[Any]):
    """A list of a file."""

    __slots__ = ("spot", "spots")
    spot: Spot
    spots: list[Spot]


def place_of(box: Any, key: str | int | None = None) -> str:
    """``file:line`` of a mapping or list, or of what stands in it; "" for data that no file holds."""
    spot: Spot | None = getattr(box, "spot", None)
    if key is not None:
        spots = getattr(box, "spots", None)
        if isinstance(spots, dict) and isinstance(key, str):
            spot = spots.get(key, spot)
        elif isinstance(spots, list) and isinstance(key, int) and key < len(spots):
            spot = spots[key]
    return f"{spot[0]}:{spot[1]}" if spot else ""


def mapping_in(box: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    """The mapping under a key; empty when there is nothing. Raises ``UsageError`` for anything else."""
    value = box.get(key)
    if isinstance(value, Mapping):
        return value
    if value in (None, "", []):
        return {}
    raise _wrong(box, key, "a mapping")


def list_in(box: Mapping[str, Any], key: str) -> list[Any]:
    """The list under a key; empty when there is nothing. Raises ``UsageError`` for anything else."""
    value = box.get(key)
    if isinstance(value, list):
        return value
    if value in (None, "", {}):
        return []
    raise _wrong(box, key, "a list")


def _wrong(box: Mapping[str, Any], key: str, wanted: str) -> UsageError:
    place = place_of(box, key)
    return UsageError(f"{place + ': ' if place else ''}'{one_line(key, 40)}' must be {wanted}")


def dereferenced(value: Any, root: Any, depth: int = 0) -> Any:
    """The value with ``{$ref: '#/path'}`` replaced by what stands there, if anything does: a schema has its own.

    Raises ``UsageError`` for references in a circle.
    """
    if isinstance(value, Mapping) and isinstance(reference := value.get("$ref"), str) and reference.startswith("#/"):
        found = root
        for key in reference[2:].split("/"):
            found = found.get(key) if isinstance(found, Mapping) else None
        if depth > _DEEPEST:
            place = place_of(value, "$ref")
            raise UsageError(f"{place + ': ' if place else ''}$ref {one_line(reference, 80)} leads in a circle")
        if found is not None:
            return dereferenced(found, root, depth + 1)
    if isinstance(value, Record):
        made = Record({key: dereferenced(part, root, depth) for key, part in value.items()})
        made.spot, made.spots = value.spot, value.spots
        return made
    if isinstance(value, Items):
        items = Items(dereferenced(part, root, depth) for part in value)
        items.spot, items.spots = value.spot, value.spots
        return items
    return value


_DEEPEST = 20
"""References that lead to references: more are a circle."""


def shown(path: Path) -> str:
    """A path as messages name it: relative to the working directory when it is below it."""
    try:
        return path.absolute().relative_to(Path.cwd()).as_posix()
    except ValueError:
        return str(path)


def read_file(path: Path, *, kinds: tuple[str, ...] = (), table: tuple[str, ...] = ()) -> Any:
    """The value in a file, by its suffix; of JSON Lines and CSV a list. Raises ``SuiteError`` with all its mistakes.

    ``kinds``: the suffixes that are read; ``table``: columns by which the delimiter of a table is found.
    """
    suffix = path.suffix.lower()
    source = load(path, shown(path))
    if suffix not in _READERS or (kinds and suffix not in kinds):
        known = ", ".join(kinds or tuple(_READERS))
        raise source.refuse(f"{one_line(path.name, 60)} is none of the files that are read here: {known}")
    r = Reading(source)
    try:
        value = list_of(r, table) if suffix in (".csv", ".tsv") else _READERS[suffix](r)
    except SuiteError as error:
        raise r.give_up(error) from None
    r.finish()
    return value


def read_text(path: Path) -> str:
    """The text of a UTF-8 file. Raises ``SuiteError``."""
    return load(path, shown(path)).text


def parse_yaml(text: str) -> Any:
    """The value of a YAML text that stands inside another file. Raises ``SuiteError``."""
    r = Reading(Source(Path("text"), "text", text))
    value = _from_yaml(r)
    r.finish()
    return value


def parse_json(text: str) -> Any:
    """The value of a JSON text that stands inside another file. Raises ``SuiteError``."""
    r = Reading(Source(Path("text"), "text", text))
    value = _from_json(r)
    r.finish()
    return value


def _from_yaml(r: Reading) -> Any:
    root = read_yaml(r.source, r.report)
    return None if root is None else _value(r.source, root)


def _from_json(r: Reading) -> Any:
    root = read_json(r.source, r.report)
    return None if root is None else _value(r.source, root)


def _from_lines(r: Reading) -> Items:
    found = Items()
    found.spot, found.spots = (r.source.shown, 1), []
    for at, node in read_lines(r):
        found.append(_value(r.source, node))
        found.spots.append(_spot(r.source, at))
    return found


def list_of(r: Reading, wanted: tuple[str, ...]) -> Items:
    """The rows of a table, every cell a text."""
    found = Items()
    found.spot, found.spots = (r.source.shown, 1), []
    delimiter = "\t" if r.source.path.suffix.lower() == ".tsv" else ""
    opened = open_table(r, wanted, delimiter)
    rows: Iterator[Map] = opened.rows if opened else iter(())
    for row in rows:
        found.append(_value(r.source, row))
        found.spots.append(_spot(r.source, row.at))
    return found


def _value(source: Source, node: Node) -> Any:
    if isinstance(node, Map):
        record = Record({key: _value(source, part) for key, part in node.items()})
        record.spot = _spot(source, node.at)
        record.spots = {key: _spot(source, at) for key, at in zip(node, node.spots, strict=True)}
        return record
    if isinstance(node, Seq):
        items = Items(_value(source, part) for part in node)
        items.spot, items.spots = _spot(source, node.at), [_spot(source, at) for at in node.spots]
        return items
    if not isinstance(node, Plain):
        return node
    value = core(node)
    # no JSON value; the text still says what was meant
    return str(node) if isinstance(value, float) and not math.isfinite(value) else value


def _spot(source: Source, offset: int) -> Spot:
    return source.shown, source.place(offset).line


_READERS: dict[str, Callable[[Reading], Any]] = {
    ".yaml": _from_yaml,
    ".yml": _from_yaml,
    ".json": _from_json,
    ".jsonl": _from_lines,
    ".ndjson": _from_lines,
    ".csv": lambda r: list_of(r, ()),
    ".tsv": lambda r: list_of(r, ()),
}
