"""Reading templates, filled or not: JSON (two kinds), JSON Lines, CSV and XML."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from math import isfinite
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any

from ..errors import SuiteError
from ..model.answertemplate import COLUMNS, THRESHOLD, VERSION, AnswerTemplate, TemplateItem, value_of
from ..model.csvguard import unguard
from .jsonlines import read_lines
from .jsontree import read_json
from .reading import Reading
from .scalars import json_value
from .source import load
from .table import open_table
from .tree import Map, Node, Plain, Seq, is_null, quoted

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

SUFFIXES = (".json", ".jsonl", ".ndjson", ".csv", ".tsv", ".xml")

_VERSIONED = re.compile(r'\s*\{\s*"template_version"')
_OLDER = re.compile(r'"analysis"\s*:\s*\{\s*"qa_results"\s*:\s*\[')
_OTHER = {
    ".jsonl": re.compile(r'"output"\s*:'),
    ".ndjson": re.compile(r'"output"\s*:'),
    ".csv": re.compile(r'(?:^|[,;|\t])"?output"?(?=[,;|\t\r]|$)'),
    ".tsv": re.compile(r'(?:^|\t)"?output"?(?=[\t\r]|$)'),
}
"""The line of an answer that is none of a template: it has its own ``output``."""

_TEXTS = ("test_id", "source_file", "input_text", "response", "use_case", "source")


def read(path: Path, shown: str) -> AnswerTemplate:
    """The template in a file. Raises ``SuiteError`` with all its mistakes."""
    source = load(path, shown)
    r = Reading(source)
    try:
        template = template_in(r)
    except SuiteError as error:
        raise r.give_up(error) from None
    r.finish()
    if template is None:
        kinds = ", ".join(SUFFIXES)
        raise source.refuse(f"this is no template; they are made by `pytest-evals template`, and end in {kinds}")
    return template


def is_template(r: Reading) -> bool:
    """Whether a file looks like a template, and not like answers of another kind."""
    text, suffix = r.source.text, r.source.path.suffix.lower()
    if suffix == ".json":
        return _VERSIONED.match(text) is not None or _OLDER.search(text) is not None
    first = text.lstrip().partition("\n")[0]
    other = _OTHER.get(suffix)
    return suffix == ".xml" or (
        other is not None and "test_id" in first and "response" in first and other.search(first) is None
    )


def template_in(r: Reading) -> AnswerTemplate | None:
    """The template of a file, ``None`` when it is something else. What is wrong with it is noted."""
    if not is_template(r):
        return None
    suffix = r.source.path.suffix.lower()
    if suffix == ".xml":
        return _from_xml(r)
    if suffix == ".json":
        return _from_json(r)
    if suffix in (".jsonl", ".ndjson"):
        return _of_rows(r, [(at, _plain(r, node)) for at, node in read_lines(r) if isinstance(node, Map)])
    return _from_table(r) if suffix in (".csv", ".tsv") else None


def _from_json(r: Reading) -> AnswerTemplate | None:
    root = read_json(r.source, r.report)
    if not isinstance(root, Map):
        return None
    analysis = root.get("analysis")
    if isinstance(analysis, Map) and isinstance(results := analysis.get("qa_results"), Seq):
        return _of_older(r, root, results)
    items = root.get("items")
    if "template_version" not in root or not isinstance(items, Seq):
        return None
    _check_version(r, root.spot("template_version"), str(root["template_version"]))
    whole = {key: value for key, value in _plain(r, root).items() if key != "items"}
    rows = []
    for at, node in zip(items.spots, items, strict=True):
        if isinstance(node, Map):
            rows.append((at, {**_plain(r, node), **whole}))
        else:
            r.report(at, "an item must be an object")
    return _of_rows(r, rows)


def _of_older(r: Reading, root: Map, results: Seq) -> AnswerTemplate:
    """``qa_results``: questions with what is expected, and a placeholder for the answer."""
    metadata = root.get("metadata")
    known = _plain(r, metadata) if isinstance(metadata, Map) else {}
    source = str(known.get("test_file") or "")
    # as data sets call the pairs of a document
    stem = PurePath(source or r.source.path.name).name
    stem = re.sub(r"(\.(qa|rag|email))?\.(groundtruth|template|experiment)\.json$", "", stem)
    rows = []
    for number, (at, node) in enumerate(zip(results.spots, results, strict=True), 1):
        if not isinstance(node, Map):
            r.report(at, "an item of qa_results must be an object")
            continue
        row = _plain(r, node)
        rows.append(
            (
                at,
                {
                    "test_id": f"{stem}-{number}",
                    "input_text": row.get("query"),
                    "ground_truth": row.get("ground_truth"),
                    "response": row.get("response"),
                    "source_file": row.get("source_file"),
                    "use_case": "qa",
                    "source": source,
                    "threshold": known.get("similarity_threshold", THRESHOLD),
                },
            )
        )
    return _of_rows(r, rows)


def _from_table(r: Reading) -> AnswerTemplate | None:
    table = open_table(r, COLUMNS, "\t" if r.source.path.suffix.lower() == ".tsv" else "")
    if table is None or not {"test_id", "response"} <= set(table.names):
        return None
    rows = []
    for row in table.rows:
        cells: dict[str, Any] = {key: unguard(cell) for key, cell in row.items()}
        for key in ("ground_truth", "evaluation_criteria"):
            if cells.get(key):
                cells[key] = value_of(cells[key])
        rows.append((row.at, cells))
    return _of_rows(r, rows)


def _from_xml(r: Reading) -> AnswerTemplate | None:
    from defusedxml import DefusedXmlException  # type: ignore[import-untyped]
    from defusedxml.ElementTree import ParseError, fromstring  # type: ignore[import-untyped]

    try:
        root = fromstring(r.source.text.encode("utf-8"), forbid_dtd=True)
    except DefusedXmlException:
        raise r.source.refuse(
            "a document type declaration (DTD); templates have none, and it may be an attack"
        ) from None
    except ParseError as error:
        line, column = getattr(error, "position", (1, 0))
        starts = r.source.starts
        offset = min(starts[min(line, len(starts)) - 1] + column, len(r.source.text))
        raise r.source.refuse(f"this is not XML: {str(error).partition(':')[0]}", offset) from None
    if root.tag != "template":
        return None
    _check_version(r, 0, root.get("version", ""))
    whole = {"use_case": root.get("use_case"), "threshold": root.get("threshold"), "source": _child(root, "source")}
    return _of_rows(
        r, [(0, {**{key: _child(item, key) for key in COLUMNS[1:7]}, **whole}) for item in root.iter("item")]
    )


def _child(box: Element, name: str) -> Any:
    """What an element holds; ``None`` without it."""
    found = box.find(name)
    if found is None:
        return None
    text = found.text or ""
    if found.get("escaped") == "json":
        try:
            text = str(json.loads(text))
        except (ValueError, RecursionError):
            return text
    return value_of(text) if name in ("ground_truth", "evaluation_criteria") else text


def _check_version(r: Reading, at: int, version: str) -> None:
    if version != str(VERSION):
        r.report(at, f"this is a template of version {quoted(version)}; this program reads version {VERSION}")


def _of_rows(r: Reading, rows: Iterable[tuple[int, dict[str, Any]]]) -> AnswerTemplate:
    items: list[TemplateItem] = []
    seen: set[str] = set()
    whole: dict[str, Any] = {}
    for at, row in rows:
        for key in _TEXTS:
            if not isinstance(row.get(key) or "", str):
                r.report(at, f"{key} must be a text")
                row[key] = ""
        test_id = row.get("test_id") or ""
        if not test_id.strip():
            r.report(at, "an item has no 'test_id'; it is the id of the case")
        elif test_id in seen:
            r.report(at, f"duplicate test_id {quoted(test_id)}; remove one")
        seen.add(test_id)
        criteria = row.get("evaluation_criteria") or {}
        if not isinstance(criteria, dict):
            r.report(at, f"the evaluation_criteria of {quoted(test_id)} must be an object")
            criteria = {}
        expected = row.get("ground_truth")
        items.append(
            TemplateItem(
                test_id=test_id,
                input_text=row.get("input_text") or "",
                ground_truth="" if expected is None else expected,
                response=row.get("response") or "",
                evaluation_criteria=criteria,
                source_file=row.get("source_file") or "",
            )
        )
        whole = whole or row
    if not items and not r.count:
        r.report(0, "the template has no items")
    return AnswerTemplate(
        use_case=whole.get("use_case") or "qa",
        source=whole.get("source") or "",
        items=tuple(items),
        threshold=_threshold(r, whole.get("threshold")),
    )


def _threshold(r: Reading, value: Any) -> float:
    if value in (None, ""):
        return THRESHOLD
    try:
        found = float(value)
    except (TypeError, ValueError):
        found = float("nan")
    if not isfinite(found) or not 0 <= found <= 1:
        r.report(0, f"the threshold must be a number from 0 to 1, not {quoted(str(value))}")
        return THRESHOLD
    return found


def _plain(r: Reading, node: Map) -> dict[str, Any]:
    return {key: _value(r, node, key, part) for key, part in node.items()}


def _value(r: Reading, box: Map, key: str, part: Node) -> Any:
    return None if isinstance(part, Plain) and is_null(part) else json_value(r, box, key, part)
