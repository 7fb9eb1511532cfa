"""The input of a case as what a model is asked."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .llm import Message
from .text import one_line, text_of

SYSTEM = ("system", "developer")
ROLES = (*SYSTEM, "user", "assistant", "tool")


def messages_of(value: Any) -> tuple[Message, ...]:
    """What a model is asked: a list of messages as it is, a text as one message, any other value as its JSON.

    Raises ``ValueError`` when a list holds messages and other things, or a message cannot be one.
    """
    if isinstance(value, (list, tuple)) and any(isinstance(part, Mapping) and "role" in part for part in value):
        for number, part in enumerate(value, 1):
            if why := _why_none(part):
                raise ValueError(f"message {number} of the input {why}")
        if all(part["role"] in SYSTEM for part in value):
            raise ValueError("the input has no message but the system's")
        return tuple(value)
    return ({"role": "user", "content": text_of(value)},)


def _why_none(part: Any) -> str:
    if not isinstance(part, Mapping) or "role" not in part:
        return "has no 'role'"
    if part["role"] not in ROLES:
        return f"has the role {one_line(part['role'], 40)!r}; there are {', '.join(ROLES)}"
    content = part.get("content")
    calls = part.get("tool_calls") or []
    if not isinstance(calls, list) or not all(isinstance(call, Mapping) for call in calls):
        return "has 'tool_calls' that are no list of mappings"
    if content is None and not calls:
        return "has no 'content'"
    if content is not None and not isinstance(content, (str, list)):
        return "has a content that is neither text nor a list of parts"
    if isinstance(content, list) and not all(isinstance(piece, Mapping) and "type" in piece for piece in content):
        return "has a part without 'type' in its content"
    return ""
