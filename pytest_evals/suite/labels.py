"""Answers that a person has judged, from CSV, JSON Lines or JSON.

A row has ``label`` and ``output``, and what else a judge is to see of it; or in the place of the output ``run`` and
``case``, where a stored answer is found. ``verdict`` is another name of ``label``, ``case`` of ``id``: so the verdicts
that people gave in the viewer are read as they are exported. Other columns are left alone, unless their name looks like
one of these misspelt.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from ..errors import SuiteError
from ..model.labelled import VERDICTS, Labelled
from ..model.place import did_you_mean
from .jsonlines import read_lines
from .jsontree import read_json
from .reading import Reading
from .scalars import json_value, text
from .source import load
from .table import columns_of, json_cell, open_table
from .tree import Map, Node, Seq, is_null, quoted, said

GIVEN = ("input", "expected_output", "reference_outputs", "context", "category")
COLUMNS = ("output", "label", "id", "run", "suite", "variant", "trial", "criterion", *GIVEN, "rubric")
OTHER_NAMES = {"verdict": "label", "case": "id"}
IGNORED = ("note", "author", "time", "automatic", "score")
"""Of the viewer's export: nobody asks whether ``time`` was meant to be another column."""

_KINDS = ".csv, .tsv, .jsonl (or .ndjson) or .json"
_LABEL = "pass, fail, or a score on the scale of the judge"


def read(path: Path, shown: str) -> list[Labelled]:
    """The rows of a file in their order. Raises ``SuiteError`` with all its mistakes."""
    source = load(path, shown)
    readers: dict[str, Callable[[Reading], Iterator[tuple[int, Map]]]] = {
        ".json": _from_json,
        ".jsonl": _from_lines,
        ".ndjson": _from_lines,
        ".csv": _from_table,
        ".tsv": _from_table,
    }
    rows = readers.get(path.suffix.lower())
    if rows is None:
        raise source.refuse(f"labels are read from {_KINDS}, not from {quoted(path.name)}")
    r = Reading(source)
    found = []
    try:
        for at, row in rows(r):
            if (one := _labelled(r, at, row)) is not None:
                found.append(one)
    except SuiteError as error:
        raise r.give_up(error) from None
    if not found and not r.count:
        r.report(0, "the file holds no labels")
    r.finish()
    return found


def _from_table(r: Reading) -> Iterator[tuple[int, Map]]:
    table = open_table(r, (*COLUMNS, *OTHER_NAMES))
    if table is None:
        return
    before, there = r.count, {OTHER_NAMES.get(name, name) for name in table.names}
    if not there & {"output", "id"}:
        r.report(table.at, f"there is no column 'output' ({columns_of(table, 'output')}")
    if "label" not in there:
        r.report(table.at, f"there is no column 'label' ({columns_of(table, 'label')}")
    if r.count > before:
        return
    for row in table.rows:
        if row.get("reference_outputs", "").strip():
            row["reference_outputs"] = json_cell(r, row, "reference_outputs")
        for name in (*GIVEN, "rubric", "trial"):
            if isinstance(row.get(name), str) and not row[name].strip():
                del row[name]  # a blank cell gives nothing
        yield row.at, row


def _from_lines(r: Reading) -> Iterator[tuple[int, Map]]:
    for start, node in read_lines(r):
        yield from _row(r, start, node)


def _from_json(r: Reading) -> Iterator[tuple[int, Map]]:
    root = read_json(r.source, r.report)
    if isinstance(root, Seq):
        for index, node in enumerate(root):
            yield from _row(r, root.spot(index), node)
    elif root is not None:
        r.report(0, f"labels are a list of objects with 'output' and 'label', not {said(root)}")


def _row(r: Reading, at: int, node: Node) -> Iterator[tuple[int, Map]]:
    if isinstance(node, Map):
        yield at, node
    else:
        r.report(at, f"a labelled answer is an object with 'output' and 'label', not {said(node)}")


def _labelled(r: Reading, at: int, row: Map) -> Labelled | None:
    before = r.count
    for key in row:
        known = key in COLUMNS or key in OTHER_NAMES or key in IGNORED
        if not known and (near := did_you_mean(key, COLUMNS)):
            r.report(at, f"nothing is read from {quoted(key)}{near}")
    for other, key in OTHER_NAMES.items():
        if other in row and key in row:
            r.report(at, f"'{other}' and '{key}' say the same; give one of them")
    label, case = ("verdict" if "verdict" in row else "label"), ("case" if "case" in row else "id")
    if label not in row:
        r.report(at, "the row has no 'label'")
    if "output" not in row and case not in row:
        r.report(at, "the row has neither 'output' nor the 'case' that has one in a run")
    if r.count > before:
        return None
    stated: dict[str, Any] = {
        key: json_value(r, row, key, row[key]) for key in GIVEN if key in row and not is_null(row[key])
    }
    references = stated.get("reference_outputs", [])
    if not isinstance(references, list) or not all(isinstance(each, str) for each in references):
        r.wrong(row, "reference_outputs", "reference_outputs must be a list of texts")
    texts = {key: _text(r, row, key) for key in ("run", "suite", "variant", "criterion", "rubric")}
    found = Labelled(
        json_value(r, row, "output", row["output"]) if "output" in row else None,
        _label(r, row, label),
        _text(r, row, case),
        trial=_trial(r, row),
        given=stated,
        place=r.source.place(at),
        **texts,
    )
    if "output" in row and found.output is None:
        r.wrong(row, "output", "output is null; leave it away where a run has the answer, or write '' for an empty one")
    elif found.output is None and not found.id:
        r.wrong(row, case, f"{case} is blank, and the row has no 'output'")
    return None if r.count > before else found


def _text(r: Reading, row: Map, key: str) -> str:
    return (text(r, row, key, row[key]) or "").strip() if key in row and not is_null(row[key]) else ""


def _trial(r: Reading, row: Map) -> int:
    """Cells of a table are texts."""
    if "trial" not in row:
        return 1
    given = str(json_value(r, row, "trial", row["trial"]))
    if given.isdecimal() and int(given) > 0:
        return int(given)
    r.wrong(row, "trial", f"trial is a number from 1 on, not {said(row['trial'])}")
    return 1


def _label(r: Reading, row: Map, key: str) -> bool | float | str:
    value = json_value(r, row, key, row[key])
    if isinstance(value, (bool, int, float)):
        return value
    word = value.strip().lower() if isinstance(value, str) else ""
    if word in VERDICTS:
        return VERDICTS[word]
    try:
        return float(word)
    except ValueError:
        if not word:
            r.wrong(row, key, f"a label is {_LABEL}; this one is {'blank' if value == '' else said(row[key])}")
        return word
