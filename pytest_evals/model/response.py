"""What a target gives back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens of one answer. ``None`` is unknown, never 0."""

    input_tokens: int | None = None
    """All input tokens, cached ones included."""
    output_tokens: int | None = None
    cached_tokens: int | None = None
    """The part of the input that was read from a cache."""


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A tool the application called, or was expected to call."""

    name: str
    args: Any = None
    """The arguments; ``None`` when there are none (or none are expected)."""


@dataclass(frozen=True, slots=True)
class Response:
    """An answer with what is known about it. A target may return just the output instead."""

    output: Any
    """Text, or any JSON value."""
    usage: Usage | None = None
    cost_usd: float | None = None
    tool_calls: Sequence[ToolCall] = ()
    trajectory: Any = None
    """The agent's recorded steps: an ATIF document or the path of one."""
    metadata: Mapping[str, Any] = field(default_factory=dict)
    latency_ms: float | None = None
    """Only for answers recorded earlier: what the call took then. Otherwise it is measured."""


def as_response(value: object) -> Response:
    """A target's return value as a ``Response``; anything that is not one already is the output."""
    return value if isinstance(value, Response) else Response(value)
