"""Conversations: a case whose input is a list of a user's turns, and the answer that is the whole of what was said."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from .llm import ModelSpec
from .response import Response, ToolCall
from .text import text_of

TURNS = "turns"
"""Under this name the metadata of an answer have what was said in each turn."""

USER = "user"
"""The key of a turn that has what the user says."""

DEFAULT_TURNS = 8
MOST_TURNS = 100
DEFAULT_STOP = "[END]"

_KEYS = {USER, "expected_output"}


@dataclass(frozen=True, slots=True)
class UserTurn:
    """What a user says, and what is expected of the reply."""

    said: str
    expected_output: Any = None


@dataclass(frozen=True, slots=True)
class SimulatedUser:
    """A user that a model plays: after the turns that the input has, it says what comes next."""

    model: ModelSpec
    goal: str
    """What it wants of the application."""
    persona: str = ""
    """Who it is, and how it talks."""
    max_turns: int = DEFAULT_TURNS
    """Turns of the whole conversation, at most."""
    stop: str = DEFAULT_STOP
    """What it writes when the goal is reached, or cannot be: then the conversation is over."""

    @property
    def definition(self) -> list[Any]:
        """What makes it the user it is."""
        return [self.model.name, self.goal, self.persona, self.max_turns, self.stop]


def turns_of(value: Any) -> tuple[UserTurn, ...]:
    """The turns of an input that is a conversation: a list of ``{user: …}``; empty for any other input."""
    if not isinstance(value, (list, tuple)) or not value or not all(_is_turn(part) for part in value):
        return ()
    return tuple(UserTurn(part[USER], part.get("expected_output")) for part in value)


def _is_turn(value: Any) -> bool:
    return isinstance(value, Mapping) and isinstance(value.get(USER), str) and set(value) <= _KEYS


def transcript(turns: Sequence[Mapping[str, Any]]) -> str:
    """All that was said, as text: ``User: …`` and ``Assistant: …``, a line each."""
    return "\n".join(f"User: {turn[USER]}\nAssistant: {text_of(turn['output'])}" for turn in turns)


def turn_responses(response: Response) -> list[Response]:
    """The reply of each turn; empty when the answer is no conversation."""
    turns = response.metadata.get(TURNS)
    if not isinstance(turns, (list, tuple)) or not all(isinstance(t, Mapping) and "output" in t for t in turns):
        return []
    return [
        Response(
            turn["output"],
            cost_usd=turn.get("cost_usd"),
            latency_ms=turn.get("latency_ms"),
            tool_calls=tuple(ToolCall(call["name"], call.get("args")) for call in turn.get("tool_calls", ())),
            metadata={USER: turn.get(USER)},
        )
        for turn in turns
    ]
