"""Tables of questions and answers: each row of a CSV file is a case.

A column whose name is a key of cases fills that key. The usual other names (``question``, ``answer``, …) are understood
where our own name is missing; ``--map`` says what neither tells. All other columns are kept in the case's metadata.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from ..errors import UsageError
from ..model.text import one_line
from .criteria import Draft, written
from .foreign import place_of
from .imported import CaseIds, Imported, Wishes, check_map, compact
from .notes import Notes
from .unjudged import target_of, unjudged

TEXTS = ("id", "name", "input", "context", "expected_output", "category", "skip", "xfail")
"""Keys of a case that a cell fills as text."""
LISTS = ("reference_outputs", "tags")
"""Keys that a cell fills with a JSON list, or with texts that ``;`` or ``|`` separates."""
JSON = ("expected_tool_calls", "metadata")
"""Keys that a cell fills with JSON."""
RECORDED = ("output", "latency_ms", "cost_usd", "input_tokens", "output_tokens", "cached_tokens")
"""Columns that hold an answer and what is known of it."""
KEYS = (*TEXTS, *LISTS, *JSON, *RECORDED)

SYNONYMS = {
    "input": ("question", "query", "prompt"),
    "expected_output": ("expected", "answer", "target", "ideal", "ground_truth", "reference"),
    "output": ("actual_output", "response", "prediction"),
    "context": ("passage",),
    "name": ("description", "title"),
}
"""What else a column may be called, where there is none of the name itself."""


def convert(rows: Sequence[Mapping[str, str]], wishes: Wishes, notes: Notes) -> Imported:
    """The suite of a table. Raises ``UsageError`` when no column can be the input."""
    if not rows:
        raise UsageError("the table has no rows")
    columns = _columns(list(rows[0]), wishes, notes)
    recorded = "output" in columns
    if "input" not in columns and not recorded:
        there = ", ".join(one_line(name, 40) for name in rows[0])
        raise UsageError(f"no column is the input; say which with --map input=COLUMN; there are {there}")
    ids = CaseIds()
    answers: list[dict[str, Any]] = []
    cases = [_case(row, columns, ids, wishes, notes, answers) for row in rows]
    suite = compact(
        [
            ("suite", wishes.name or None),
            ("target", target_of(wishes, notes, "answers" if answers else "")),
            ("cases", cases),
        ]
    )
    return Imported(suite, notes, answers)


def _columns(names: list[str], wishes: Wishes, notes: Notes) -> dict[str, str]:
    """Our key → the name of the column that fills it."""
    found: dict[str, str] = {}
    check_map(wishes, KEYS, [dict.fromkeys(names)])
    found.update(wishes.columns)
    by_name = {name.lower(): name for name in reversed(names) if name not in found.values()}
    for key in KEYS:
        if key not in found and key in by_name:
            found[key] = by_name[key]
    for key, others in SYNONYMS.items():
        other = next((by_name[name] for name in others if name in by_name), None)
        if key not in found and other is not None and other not in found.values():
            found[key] = other
            notes.chosen(f"column '{other}'", f"taken for {key}; say otherwise with --map {key}=COLUMN")
    return found


def _case(
    row: Mapping[str, str],
    columns: Mapping[str, str],
    ids: CaseIds,
    wishes: Wishes,
    notes: Notes,
    answers: list[dict[str, Any]],
) -> dict[str, Any]:
    def cell(key: str) -> str:
        return row[columns[key]] if key in columns else ""

    case: dict[str, Any] = {"id": ids.next(cell("id").strip(), cell("name"))}
    for key in TEXTS[1:]:
        if key in columns and (cell(key).strip() or key == "input"):
            case[key] = cell(key)
    for key in LISTS:
        if listed := split(cell(key)):
            case[key] = listed
    for key in JSON:
        if cell(key).strip():
            case[key] = _json(cell(key), key, place_of(row))
    others = {name: value for name, value in row.items() if name not in columns.values() and value.strip()}
    if others:
        given = case.get("metadata")
        case["metadata"] = {**others, **(given if isinstance(given, Mapping) else {})}
    if "output" in columns:
        answers.append({"id": case["id"], "output": cell("output"), **_known(cell)})
    return {**case, **unjudged(written(criteria_for(case, wishes, notes)), asked=False)}


def criteria_for(case: Mapping[str, Any], wishes: Wishes, notes: Notes) -> list[Draft]:
    """The criteria of a case whose file names none: those wished for, else what its expectations allow."""
    if wishes.criteria:
        return [Draft(name) for name in wishes.criteria]
    criteria = []
    if case.get("expected_output") not in (None, ""):
        criteria.append(Draft("equals_any" if case.get("reference_outputs") else "exact_match"))
    if case.get("expected_tool_calls") is not None:
        criteria.append(Draft("tool_calls"))
    if criteria:
        notes.of("").chosen(
            "criteria", "the file names none, so answers are compared with what it expects; choose with --criterion"
        )
    return criteria


def _known(cell: Any) -> dict[str, float]:
    known = {}
    for key in RECORDED[1:]:
        try:
            known[key] = float(cell(key)) if "." in cell(key) else int(cell(key))
        except ValueError:
            continue
    return known


def split(cell: str) -> list[str]:
    """A cell with several texts: a JSON list, else what ``|``, else what ``;`` separates."""
    if cell.lstrip().startswith("["):
        try:
            found = json.loads(cell)
        except ValueError:
            found = None
        if isinstance(found, list):
            return [part if isinstance(part, str) else json.dumps(part, ensure_ascii=False) for part in found]
    parts = cell.split("|" if "|" in cell else ";")
    return [part.strip() for part in parts if part.strip()]


def _json(cell: str, key: str, place: str) -> Any:
    try:
        return json.loads(cell)
    except ValueError:
        where = f"{place}: " if place else ""
        raise UsageError(f"{where}the column of {key} must hold JSON, not {cell[:40]!r}") from None
