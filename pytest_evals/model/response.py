"""What a target gives back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import isfinite
from typing import Any

from ..errors import TargetError
from .text import one_line

CACHED = "cached"
"""Under this name the metadata of an answer says that it was kept from an earlier call."""

UNPRICED = "unpriced"
"""Under this name they hold the model whose price is not known, which is why the cost is not."""


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
    """Of a target only for answers recorded earlier: what the call took then. Otherwise it is measured, and scorers
    are given what was measured."""
    cached: bool = False
    """The answer was kept from an earlier call: its time is no latency, and counts in no figure."""


def as_response(value: object) -> Response:
    """A target's return value as a ``Response``; anything that is not one already is the output.

    An amount that cannot be (negative, NaN, infinite) is unknown. Raises ``TargetError`` for what is no amount at all,
    and for usage, tool calls or metadata of another type: nothing after this looks at them again.
    """
    if not isinstance(value, Response):
        return Response(value)
    usage = value.usage
    if usage is not None:
        if not isinstance(usage, Usage):
            raise TargetError(f"the target's usage is {_said(usage)}; it must be a Usage, or None")
        counts = {name: _count(f"usage.{name}", getattr(usage, name)) for name in Usage.__dataclass_fields__}
        usage = Usage(**counts)
    if not all(isinstance(call, ToolCall) for call in value.tool_calls):
        odd = next(call for call in value.tool_calls if not isinstance(call, ToolCall))
        raise TargetError(f"the target's tool_calls hold {_said(odd)}; each must be a ToolCall")
    if not isinstance(value.metadata, Mapping):
        raise TargetError(f"the target's metadata is {_said(value.metadata)}; it must be a mapping")
    metadata = {**value.metadata, CACHED: value.metadata.get(CACHED) or True} if value.cached else value.metadata
    return replace(
        value,
        metadata=metadata,
        usage=usage,
        cost_usd=_amount("cost_usd", value.cost_usd),
        latency_ms=_amount("latency_ms", value.latency_ms),
    )


def _amount(name: str, value: Any) -> float | None:
    if value is None:
        return None
    if isinstance(value, (str, bytes, bool)) or not hasattr(value, "__float__"):
        raise TargetError(f"the target's {name} is {_said(value)}; it must be a number, or None")
    try:
        number = float(value)
    except (ValueError, OverflowError):
        return None
    return number if isfinite(number) and number >= 0 else None


def _count(name: str, value: Any) -> int | None:
    number = _amount(name, value)
    if number is None:
        return None
    if number != int(number):
        raise TargetError(f"the target's {name} is {_said(value)}; it must be a whole number, or None")
    return int(value)


def _said(value: object) -> str:
    return f"{one_line(value, 40)!r} ({type(value).__name__})"
