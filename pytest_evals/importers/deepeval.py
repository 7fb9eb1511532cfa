"""Data sets of deepeval: goldens and test cases, in JSON or CSV.

Their metrics are Python code, so a file names no criterion. What the application answered (``actual_output``) becomes
recorded answers.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Mapping
from typing import Any

from ..errors import UsageError
from .criteria import written
from .foreign import place_of
from .imported import CaseIds, Imported, Wishes, check_map, compact
from .notes import Notes
from .table import criteria_for, split
from .unjudged import target_of, unjudged

EQUIVALENTS = {
    "input": "`input`",
    "expected_output": "`expected_output`",
    "context": "`context`",
    "expected_tools": "`expected_tool_calls`: `name`, and `input_parameters` as `args`",
    "actual_output": "a recorded answer; without one nothing is recorded",
    "tools_called": "`tool_calls` of the recorded answer, else in `metadata`",
    "retrieval_context": "`metadata` of the recorded answer, else of the case",
    "token_cost": "`cost_usd` of the recorded answer",
    "completion_time": "`latency_ms` of the recorded answer",
    "name": "`name`, and the `id` made from it",
    "tags": "`tags`",
    "additional_metadata": "`metadata`",
    "source_file": "`metadata`",
    "comments": "`metadata`",
}
"""What becomes of each field. All others are kept in ``metadata``."""

_TAG = re.compile(r"[\w.+/-]+")
_CONVERSATION = ("scenario", "turns", "goldens")


def convert(data: Any, wishes: Wishes, notes: Notes) -> Imported:
    """The suite of a data set. Raises ``UsageError`` when it holds nothing that can be imported."""
    if isinstance(data, Mapping):
        data = next((data[key] for key in ("goldens", "test_cases", "testCases") if key in data), None)
    if not isinstance(data, list):
        raise UsageError("this is no data set of deepeval: it is neither a list nor an object with 'goldens'")
    check_map(wishes, EQUIVALENTS, data)
    ids = CaseIds()
    answers: list[dict[str, Any]] = []
    cases = []
    for index, golden in enumerate(data):
        if not isinstance(golden, Mapping):
            raise UsageError(f"{_where(data, index)}item {index + 1} is no golden: it must be an object")
        fields = {wishes_key(_snake(key), key, wishes): value for key, value in golden.items()}
        if "input" not in fields and any(key in fields for key in _CONVERSATION):
            why = "conversations are not simulated here; write the messages as 'input'"
            notes.dropped(f"conversational golden {index + 1}", why, place_of(data, index), dict(golden))
        elif fields.get("input") in (None, ""):
            raise UsageError(f"{_where(data, index)}item {index + 1} has no 'input'; say which with --map input=FIELD")
        else:
            cases.append(_case(fields, ids, wishes, notes, answers, place_of(data, index)))
    if not cases:
        raise UsageError("nothing could be imported: the file has no golden with an 'input'")
    if answers and len(answers) < len(cases):
        notes.chosen("answers", f"{len(cases) - len(answers)} cases have no actual_output; they will be errored")
    suite = compact(
        [
            ("suite", wishes.name or None),
            ("target", target_of(wishes, notes, "answers" if answers else "")),
            ("cases", cases),
        ]
    )
    return Imported(suite, notes, answers)


def wishes_key(key: str, written_key: str, wishes: Wishes) -> str:
    """The field that a key is: as ``--map`` says, else by its own name."""
    return next((ours for ours, theirs in wishes.columns.items() if theirs == written_key), key)


def _case(
    fields: dict[str, Any], ids: CaseIds, wishes: Wishes, notes: Notes, answers: list[dict[str, Any]], place: str
) -> dict[str, Any]:
    fields = {
        key: value
        for key, value in fields.items()
        if value not in (None, "") or (key == "actual_output" and value == "")
    }
    name = str(fields.pop("name", ""))
    notes = notes.of(ids.next(fields.pop("id", None), name))
    metadata = _metadata(fields.pop("additional_metadata", {}), notes, place)
    case = {
        "id": notes.case,
        **compact([("name", name or None)]),
        "input": fields.pop("input"),
        **compact(
            [
                ("context", _texts(fields.pop("context", None))),
                ("expected_output", fields.pop("expected_output", None)),
                ("expected_tool_calls", _tools(fields.pop("expected_tools", None), notes, place)),
            ]
        ),
    }
    tags = _texts(fields.pop("tags", None)) or []
    case |= compact([("tags", [tag for tag in tags if _TAG.fullmatch(tag)])])
    if bad := [tag for tag in tags if not _TAG.fullmatch(tag)]:
        metadata["tags"] = bad
        notes.changed("tags", f"{', '.join(bad)} cannot be markers of pytest, and are kept in the metadata", place)
    called = _tools(fields.pop("tools_called", None), notes, place)
    retrieved = _texts(fields.pop("retrieval_context", None))
    if "actual_output" in fields:
        answers.append(_answer(case["id"], fields, called, retrieved))
    else:
        metadata |= compact([("tools_called", called), ("retrieval_context", retrieved)])
    metadata = {**{key: value for key, value in fields.items() if value not in ([], {})}, **metadata}
    return {
        **case,
        **compact([("metadata", metadata)]),
        **unjudged(written(criteria_for(case, wishes, notes)), asked=False),
    }


def _answer(case_id: str, fields: dict[str, Any], called: Any, retrieved: Any) -> dict[str, Any]:
    seconds = _number(fields.pop("completion_time", None))
    return {
        "id": case_id,
        "output": fields.pop("actual_output"),
        **compact(
            [
                ("latency_ms", None if seconds is None else seconds * 1000),
                ("cost_usd", _number(fields.pop("token_cost", None))),
                ("tool_calls", called),
                ("metadata", compact([("retrieval_context", retrieved)])),
            ]
        ),
    }


def _number(value: Any) -> float | None:
    try:
        return None if value is None else float(value)
    except (TypeError, ValueError):
        return None


def _texts(value: Any) -> list[str] | None:
    if value is None:
        return None
    if isinstance(value, str):
        return split(value)
    parts = value if isinstance(value, list) else [value]
    return [part if isinstance(part, str) else json.dumps(part, ensure_ascii=False) for part in parts]


def _tools(value: Any, notes: Notes, place: str) -> list[dict[str, Any]] | None:
    if isinstance(value, str):
        found = _literal(value)
        value = found if isinstance(found, list) else split(value)
    if not value:
        return None
    calls = []
    for tool in value if isinstance(value, list) else [value]:
        if isinstance(tool, Mapping) and tool.get("name"):
            args = tool.get("input_parameters", tool.get("inputParameters"))
            calls.append({"name": str(tool["name"]), **({"args": dict(args)} if isinstance(args, Mapping) else {})})
            if rest := [key for key in ("output", "reasoning", "description") if tool.get(key) not in (None, "")]:
                notes.dropped(f"{', '.join(rest)} of tool {tool['name']}", "only calls are compared", place, dict(tool))
        elif isinstance(tool, str):
            calls.append({"name": tool})
        else:
            notes.dropped("a tool without a name", "a call needs one", place, tool)
    return calls


def _metadata(value: Any, notes: Notes, place: str) -> dict[str, Any]:
    found = _literal(value) if isinstance(value, str) else value
    if isinstance(found, Mapping):
        return dict(found)
    notes.changed("additional_metadata", "is no mapping; kept as the text it is", place)
    return {"additional_metadata": value}


def _literal(text: str) -> Any:
    """JSON, or what Python prints of a mapping or list; ``None`` for anything else."""
    for read in (json.loads, ast.literal_eval):
        try:
            return read(text)
        except (ValueError, SyntaxError, MemoryError, RecursionError):
            continue
    return None


def _snake(key: str) -> str:
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "_", key).lower()


def _where(data: Any, index: int) -> str:
    place = place_of(data, index)
    return f"{place}: " if place else ""
