"""Recorded answers by case id, from JSON, JSON Lines or CSV.

Each row is an answer: ``id``, ``output`` and what else is known of it. Columns that mean nothing here are kept in the
response's metadata.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from ..errors import SuiteError
from ..model.response import Response, ToolCall, Usage
from .answertemplate import is_template, template_in
from .jsonlines import read_lines
from .jsontree import read_json
from .reading import Reading
from .scalars import json_value, number, text
from .source import load
from .table import json_cell, read_table
from .tree import Map, Node, Seq, is_null, quoted, said

USAGE = ("input_tokens", "output_tokens", "cached_tokens")
FIELDS = ("id", "output", "latency_ms", "cost_usd", *USAGE, "tool_calls", "metadata")
"""What a row may tell; ``id`` and ``output`` it must."""

_KINDS = ".json, .jsonl (or .ndjson), .csv or .tsv"


def read(path: Path, shown: str) -> dict[str, Response]:
    """The answers in a file. Raises ``SuiteError`` with all its mistakes, in the order of the file."""
    source = load(path, shown)
    readers: dict[str, Callable[[Reading], Iterator[tuple[int, str, Response]]]] = {
        ".json": _from_json,
        ".jsonl": _from_lines,
        ".ndjson": _from_lines,
        ".csv": _from_table,
        ".tsv": _from_table,
        ".xml": _from_template,
    }
    rows = readers.get(path.suffix.lower())
    if rows is None:
        raise source.refuse(f"recorded answers are read from {_KINDS}, not from {quoted(path.name)}")
    r = Reading(source)
    if is_template(r):
        rows = _from_template
    answers: dict[str, Response] = {}
    places: dict[str, int] = {}
    try:
        for at, case_id, response in rows(r):
            first = places.setdefault(case_id, at)
            if first != at:
                line = source.place(first).line
                r.report(at, f"duplicate id {quoted(case_id)}, whose answer is also in line {line}; remove one")
            answers[case_id] = response
    except SuiteError as error:
        raise r.give_up(error) from None
    if not answers and not r.count:
        r.report(0, "the file holds no answers")
    r.finish()
    return answers


def _from_template(r: Reading) -> Iterator[tuple[int, str, Response]]:
    """The answers that somebody filled in; what is left blank has none."""
    template = template_in(r)
    if template is None:
        r.report(0, "this is no template; other answers are read from .json, .jsonl, .csv or .tsv")
        return
    for item in template.items:
        if item.answered:
            yield -1, item.test_id, Response(item.response, metadata={"source_file": item.source_file})
    if template.items and not any(item.answered for item in template.items) and not r.count:
        r.report(0, f"none of the {len(template.items)} items of the template is answered; fill in 'response'")


def _from_json(r: Reading) -> Iterator[tuple[int, str, Response]]:
    root = read_json(r.source, r.report)
    if isinstance(root, Seq):
        for index, node in enumerate(root):
            yield from _row(r, node, root.spot(index))
    elif isinstance(root, Map):
        for case_id, node in root.items():
            yield root.spot(case_id), case_id, _answer(r, root, case_id, node)
    elif root is not None:
        r.report(0, f"answers are an object by case id or a list of objects with 'id' and 'output', not {said(root)}")


def _from_lines(r: Reading) -> Iterator[tuple[int, str, Response]]:
    for start, node in read_lines(r):
        yield from _row(r, node, start)


def _from_table(r: Reading) -> Iterator[tuple[int, str, Response]]:
    for row in read_table(r, ("id", "output"), FIELDS):
        for name in ("tool_calls", "metadata"):
            if name in row:
                row[name] = json_cell(r, row, name)
        yield from _row(r, row, row.at)


def _row(r: Reading, node: Node, at: int) -> Iterator[tuple[int, str, Response]]:
    """An object with ``id`` and ``output``."""
    if not isinstance(node, Map):
        r.report(at, f"an answer is an object with 'id' and 'output', not {said(node)}")
        return
    case_id = text(r, node, "id", node["id"]) if "id" in node else None
    if case_id is None or not case_id.strip():
        if "id" not in node or isinstance(node["id"], str):
            r.report(node.at, "the answer has no 'id', or a blank one; it is the id of the case")
        return
    if "output" not in node:
        r.report(node.at, f"the answer of {quoted(case_id)} has no 'output'")
        return
    yield node.spot("id"), case_id, _response(r, node, skip="id")


def _answer(r: Reading, root: Map, case_id: str, node: Node) -> Response:
    """The answer under an id: an object with ``output`` and more, or the output itself."""
    if isinstance(node, Map) and "output" in node:
        return _response(r, node)
    return Response(json_value(r, root, case_id, node))


def _response(r: Reading, node: Map, skip: str = "") -> Response:
    known: dict[str, Any] = {}
    others = {}
    for key, value in node.items():
        if key == skip:
            continue
        field = _READERS.get(key)
        if field is None:
            others[key] = json_value(r, node, key, value)
        else:
            known[key] = field(r, node, key, value)
    usage = Usage(*[known.get(name) for name in USAGE])
    return Response(
        output=known["output"],
        usage=usage if usage != Usage() else None,
        cost_usd=known.get("cost_usd"),
        tool_calls=known.get("tool_calls", ()),
        metadata={**others, **known.get("metadata", {})},
        latency_ms=known.get("latency_ms"),
    )


def _number(r: Reading, box: Map, key: str, node: Node) -> float | None:
    return None if is_null(node) else number(r, box, key, node, least=0)


def _count(r: Reading, box: Map, key: str, node: Node) -> int | None:
    return None if is_null(node) else number(r, box, key, node, least=0, whole=True)


def _metadata(r: Reading, box: Map, key: str, node: Node) -> Mapping[str, Any]:
    if isinstance(node, Map):
        return json_value(r, box, key, node)  # type: ignore[no-any-return]
    if not is_null(node):
        r.wrong(box, key, f"{key} must be an object, not {said(node)}")
    return {}


def _tool_calls(r: Reading, box: Map, key: str, node: Node) -> tuple[ToolCall, ...]:
    if is_null(node):
        return ()
    calls = []
    for part in node if isinstance(node, Seq) else [None]:
        name = part.get("name") if isinstance(part, Map) else None
        if not isinstance(part, Map) or not isinstance(name, str) or not name or not set(part) <= {"name", "args"}:
            r.wrong(box, key, f"{key} must be a list of objects with 'name' and 'args'")
            break
        calls.append(ToolCall(str(name), json_value(r, part, "args", part["args"]) if "args" in part else None))
    return tuple(calls)


_READERS: dict[str, Callable[[Reading, Map, str, Node], Any]] = {
    "output": json_value,
    "latency_ms": _number,
    "cost_usd": _number,
    **dict.fromkeys(USAGE, _count),
    "tool_calls": _tool_calls,
    "metadata": _metadata,
}
