"""Rows of a test file in CSV: columns are variables, those that start with ``__`` are about the test."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from ..foreign import Items, Record, place_of
from ..notes import Notes
from .kinds import EQUIVALENTS, JUDGED, WITHOUT
from .values import number

COLUMNS = {
    "__expected": "an assertion, as `__expected1`, `__expected2` …; without a type it is `equals`",
    "__description": "`name`",
    "__metric": "the `name` of the criteria",
    "__threshold": "`threshold`",
    "__prefix": "put before the prompt, if there is one prompt",
    "__suffix": "put behind the prompt, if there is one prompt",
    "__metadata:key": "`metadata`; of `__metadata:key[]` a list",
    "__config:__expected:threshold": "`threshold` of the criterion",
}
"""Columns that mean something, and what becomes of them. All others are `vars`."""

_TYPES = sorted({*EQUIVALENTS, *JUDGED, *WITHOUT}, key=len, reverse=True)
_ASSERTION = re.compile(
    rf"(?P<type>(?:not-)?(?:{'|'.join(map(re.escape, _TYPES))}))(?:\((?P<threshold>\d+(?:\.\d+)?)\))?"
    r"(?::(?P<value>.*))?",
    re.DOTALL,
)
_CODE = {"javascript:": "javascript", "fn:": "javascript", "eval:": "javascript", "python:": "python"}
_CONFIG = re.compile(r"__config:(?P<column>__expected\d*):(?P<key>\w+)")


def record_of(row: Mapping[str, str], notes: Notes) -> dict[str, Any]:
    """The test of a row."""
    test = Record()
    spot = getattr(row, "spot", None)
    test.spots = {}
    if spot is not None:
        test.spot = spot
    values: dict[str, str] = {}
    metadata: dict[str, Any] = {}
    options: dict[str, str] = {}
    asserts: dict[str, dict[str, Any]] = {}
    config: list[tuple[str, str, str]] = []
    for column, cell in row.items():
        if re.fullmatch(r"__expected\d*", column):
            if cell.strip():
                asserts[column] = assertion_of(cell.strip())
        elif column in ("__prefix", "__suffix"):
            options |= {column.removeprefix("__"): cell} if cell else {}
        elif column == "__description":
            test["description"] = cell
        elif column in ("__metric", "__threshold"):
            continue
        elif column.startswith("__metadata:"):
            key = column.removeprefix("__metadata:")
            if cell.strip():
                metadata[key.removesuffix("[]")] = _listed(cell) if key.endswith("[]") else cell
        elif (found := _CONFIG.fullmatch(column)) and cell.strip():
            config.append((found["column"], found["key"], cell))
        elif column.startswith("__") and not column.startswith("__config:"):
            if cell.strip():
                notes.dropped(f"column {column}", "no such column is known here", f"{spot[0]}:1" if spot else "", cell)
        elif not column.startswith("__config:"):
            values[column] = cell
    _configure(asserts, config, notes, place_of(row))
    listed = Items(asserts.values())
    listed.spots = [spot] * len(asserts) if spot is not None else []
    if spot is not None:
        listed.spot = spot
    for assertion in asserts.values():
        if row.get("__metric", "").strip():
            assertion["metric"] = row["__metric"].strip()
    threshold = number(row.get("__threshold", ""))
    given = {"vars": values, "assert": listed, "metadata": metadata, "options": options, "threshold": threshold}
    test.update({key: value for key, value in given.items() if value})
    return test


def assertion_of(cell: str) -> dict[str, Any]:
    """The assertion in a cell: ``contains: Paris``, ``similar(0.8): Hello``; without a type it is ``equals``."""
    for start, kind in _CODE.items():
        if cell.startswith(start):
            return {"type": kind, "value": cell.removeprefix(start).strip()}
    if cell.startswith("grade:"):
        return {"type": "llm-rubric", "value": cell.removeprefix("grade:").strip()}
    if re.match(r"file://.*\.(py|js|ts)(:\w+)?$", cell):
        return {"type": "python" if ".py" in cell else "javascript", "value": cell}
    found = _ASSERTION.fullmatch(cell)
    if found is None:
        return {"type": "equals", "value": cell}
    made: dict[str, Any] = {"type": found["type"]}
    value = (found["value"] or "").strip()
    if re.search(r"contains-a(ny|ll)$", made["type"]):
        made["value"] = _listed(value)
    elif value:
        made["value"] = value
    if found["threshold"]:
        made["threshold"] = number(found["threshold"])
    elif made["type"].endswith("similar"):
        made["threshold"] = 0.8  # of a cell; elsewhere it is 0.75
    return made


def _configure(
    asserts: dict[str, dict[str, Any]], config: list[tuple[str, str, str]], notes: Notes, place: str
) -> None:
    for column, key, cell in config:
        # `__expected` means all of them, unless there is a column of that very name alone
        names = [column] if column != "__expected" or list(asserts) == ["__expected"] else list(asserts)
        if column == "__expected1" and "__expected1" not in asserts:
            names = ["__expected"]
        for name in names:
            if key == "threshold" and name in asserts:
                asserts[name]["threshold"] = number(cell)
            else:
                notes.dropped(f"column __config:{column}:{key}", "only thresholds are taken over", place, cell)


def _listed(cell: str) -> list[str]:
    """Texts between commas; one behind a backslash or inside double quotes separates nothing."""
    parts = re.findall(r'\s*(?:"((?:[^"]|"")*)"|((?:\\,|[^,])*))\s*(?:,|$)', cell)
    texts = [(quoted.replace('""', '"') if quoted else plain.replace("\\,", ",").strip()) for quoted, plain in parts]
    return [text for text in texts if text]
