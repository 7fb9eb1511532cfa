"""Requests and replies as plain JSON: how they are compared and kept."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from ..model.llm import Reply, Request
from ..model.response import ToolCall, Usage
from ..model.wire import plain

_NEVER_KEPT = frozenset({"cached", "latency_ms", "request_id"})
_UNSAID: tuple[Any, ...] = (None, "", (), [], {})


def request_json(request: Request) -> dict[str, Any]:
    """What is asked, in plain JSON types: without what is not sent, but with the trial."""
    said = {f.name: getattr(request, f.name) for f in fields(request)}
    asked: dict[str, Any] = {name: plain(value) for name, value in said.items() if value not in _UNSAID}
    if "tools" in asked:
        asked["tools"] = [{key: value for key, value in tool.items() if value != ""} for tool in asked["tools"]]
    return asked


def reply_json(reply: Reply, *, raw: bool = True) -> dict[str, Any]:
    """What was replied, in plain JSON types; ``raw``: with the service's own account of the tokens."""
    kept: dict[str, Any] = {}
    for f in fields(reply):
        value = getattr(reply, f.name)
        if f.name in _NEVER_KEPT or value in _UNSAID or (f.name == "raw_usage" and not raw):
            continue
        kept[f.name] = plain(value)
    kept.setdefault("text", "")
    if "usage" in kept:
        kept["usage"] = {name: number for name, number in kept["usage"].items() if number is not None}
    return kept


def reply_of(data: Mapping[str, Any]) -> Reply:
    """The reply that ``reply_json`` wrote. Raises ``ValueError`` for anything else."""
    try:
        known = {f.name: data[f.name] for f in fields(Reply) if f.name in data and f.name not in _NEVER_KEPT}
        if "usage" in known:
            known["usage"] = Usage(**known["usage"])
        if "tool_calls" in known:
            known["tool_calls"] = tuple(ToolCall(**call) for call in known["tool_calls"])
        if not isinstance(known["text"], str):
            raise TypeError("its text is none")
        return Reply(**known)
    except (KeyError, TypeError, AttributeError) as error:
        raise ValueError(f"not a reply ({error})") from error


def digest(asked: Mapping[str, Any]) -> str:
    """What tells one request from another: SHA-256 of its JSON, whatever the order of keys."""
    text = json.dumps(asked, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    return hashlib.sha256(text.encode()).hexdigest()
