"""A ``CaseResult`` as one line of ASCII JSON and back: how results cross processes and enter journals.

ASCII, since execnet refuses lone surrogates and a journal must survive any locale. Fields with their default value
are left out, which halves the size of a typical result.
"""

from __future__ import annotations

import json
from dataclasses import MISSING, Field, fields
from functools import cache
from sys import intern
from typing import Any

from .outcome import ErrorKind, Outcome
from .response import ToolCall, Usage
from .result import Attempt, CaseError, CaseResult, CriterionResult, Trial
from .trajectory import TrajectoryRef
from .wire import plain

WIRE_VERSION = 1


def result_to_json(result: CaseResult) -> str:
    """The result as one line of ASCII JSON, in plain JSON types whatever the application put in."""
    return json.dumps({"v": WIRE_VERSION, **_pack(result)}, ensure_ascii=True, separators=(",", ":"))


def result_from_json(line: str) -> CaseResult:
    """The result a line of ``result_to_json`` holds. Raises ``ValueError`` for anything else."""
    data = json.loads(line)
    if not isinstance(data, dict) or data.pop("v", None) != WIRE_VERSION:
        raise ValueError("not a case result of this version")
    return case_result(data)


_Rule = tuple[str, Any]


@cache
def _rules(kind: Any) -> tuple[_Rule, ...]:
    return tuple((f.name, _default(f)) for f in fields(kind))


def _default(f: Field[Any]) -> Any:
    if f.default is not MISSING:
        return f.default
    return f.default_factory() if f.default_factory is not MISSING else MISSING


_NESTED = {"trials", "attempts", "criteria", "tool_calls", "trajectories"}
_SINGLE = {"error", "usage"}


def _pack(value: Any) -> dict[str, Any]:
    packed: dict[str, Any] = {}
    kind: Any = type(value)
    for name, default in _rules(kind):
        item = getattr(value, name)
        if item is default or item == default:
            continue
        if name in _NESTED:
            packed[name] = [_pack(part) for part in item]
        elif name in _SINGLE:
            packed[name] = _pack(item)
        else:
            packed[name] = plain(item)
    return packed


def case_result(data: dict[str, Any]) -> CaseResult:
    """Build a result from its plain JSON form."""
    data["outcome"] = Outcome(data["outcome"])
    for name in ("suite", "experiment"):  # thousands of results share few names
        data[name] = intern(data.get(name, ""))
    data["trials"] = tuple(_trial(t) for t in data.get("trials", ()))
    for name in ("tags", "reference_outputs"):
        data[name] = tuple(data.get(name, ()))
    if "error" in data:
        data["error"] = _error(data["error"])
    return CaseResult(**data)


def _trial(data: dict[str, Any]) -> Trial:
    data["outcome"] = Outcome(data["outcome"])
    data["criteria"] = tuple(_criterion(c) for c in data.get("criteria", ()))
    data["attempts"] = tuple(_attempt(a) for a in data.get("attempts", ()))
    data["tool_calls"] = tuple(ToolCall(**c) for c in data.get("tool_calls", ()))
    if "trajectories" in data:
        data["trajectories"] = tuple(TrajectoryRef.of_plain(ref) for ref in data["trajectories"])
    if "usage" in data:
        data["usage"] = Usage(**data["usage"])
    if "error" in data:
        data["error"] = _error(data["error"])
    return Trial(**data)


def _criterion(data: dict[str, Any]) -> CriterionResult:
    # a field without a default is always packed, so only these two can be missing
    data.setdefault("mark", None)
    data["name"] = intern(data["name"])
    if "error" in data:
        data["error"] = _error(data["error"])
    return CriterionResult(**data)


def _attempt(data: dict[str, Any]) -> Attempt:
    data.setdefault("latency_ms", None)
    if "error" in data:
        data["error"] = _error(data["error"])
    return Attempt(**data)


def _error(data: dict[str, Any]) -> CaseError:
    data["kind"] = ErrorKind(data["kind"])
    return CaseError(**data)
