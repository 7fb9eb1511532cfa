"""A trajectory as a list of steps: what was said, which tools were called, what they gave, and the time between."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

from ..report import format as shown
from ..report.text import readable
from ..store.results import find_trajectory
from .plugins import ARTIFACTS
from .trace import document

if TYPE_CHECKING:
    from starlette.requests import Request

    from .source import Source

DEEPEST = 20
"""Levels of subagents that are shown."""
LONGEST = 20_000
"""Characters of a text that are shown; the JSON has all of it."""


def trajectory_page(source: Source, request: Request) -> Mapping[str, Any]:
    """The steps of a recorded trajectory, those of its subagents within."""
    number = request.path_params["id"]
    found = document(source, number)
    with source.read() as connection:
        kept = find_trajectory(connection, number)
    agent = _mapping(found.get("agent"))
    return {
        "kept": kept,
        "shows_artifacts": source.plugins.has(ARTIFACTS),
        "agent": agent,
        "final": _mapping(found.get("final_metrics")),
        "notes": found.get("notes"),
        "version": found.get("schema_version"),
        "flow": list(flow(found)),
    }


def flow(trajectory: Mapping[str, Any], depth: int = 0) -> Iterator[dict[str, Any]]:
    """Step by step; what is not of the expected shape is shown as it is, never refused."""
    subagents = {
        str(sub.get("trajectory_id")): sub
        for sub in _mappings(trajectory.get("subagent_trajectories"))
        if sub.get("trajectory_id")
    }
    before: datetime | None = None
    for number, step in enumerate(_mappings(trajectory.get("steps"))):
        at = _time(step.get("timestamp"))
        waited = (at - before).total_seconds() * 1000 if at and before and at >= before else None
        before = at or before
        observed = _mapping(step.get("observation"))
        results = [_result(result, subagents, depth) for result in _mappings(observed.get("results"))]
        calls = [
            {
                "name": str(call.get("function_name", "?")),
                "given": _first_line(call.get("arguments"), 80),
                "arguments": _shortened(call.get("arguments")),
                "id": call.get("tool_call_id"),
                "results": [r for r in results if r["call"] and r["call"] == call.get("tool_call_id")],
            }
            for call in _mappings(step.get("tool_calls"))
        ]
        named = {call["id"] for call in calls}
        said = message(step.get("message"))
        yield {
            "number": step.get("step_id", number + 1),
            "source": str(step.get("source", "?")),
            "waited_ms": waited,
            "first": _first_line(said, 140),
            "facts": list(_facts(step)),
            "message": _shortened(said) if said else None,
            "reasoning": _shortened(step.get("reasoning_content")),
            "calls": calls,
            "results": [r for r in results if not r["call"] or r["call"] not in named],
            "context": _mapping(_mapping(step.get("extra")).get("context_management")),
        }


def _facts(step: Mapping[str, Any]) -> Iterator[str]:
    """What is known of a step beside its words."""
    if step.get("timestamp"):
        yield str(step["timestamp"])[:40]
    if step.get("model_name"):
        yield str(step["model_name"])
    if step.get("is_copied_context"):
        yield "copied context"
    metrics = _mapping(step.get("metrics"))
    for name, words in (("prompt_tokens", "in"), ("cached_tokens", "cached"), ("completion_tokens", "out")):
        if _is_number(metrics.get(name)):
            yield f"{shown.count(metrics[name])} tokens {words}"
    if _is_number(metrics.get("cost_usd")):
        yield shown.usd(metrics["cost_usd"])


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _first_line(value: Any, most: int) -> str:
    text = "" if value is None else " ".join(readable(value).split())
    return text if len(text) <= most else f"{text[:most]}…"


def _shortened(value: Any) -> str | tuple[str, str] | None:
    """A text as it is read; of a long one the beginning, and how many characters more there are."""
    if value is None:
        return None
    text = readable(value)
    return text if len(text) <= LONGEST else (text[:LONGEST], shown.count(len(text) - LONGEST))


def message(value: Any) -> str:
    """Text, or the parts of a message with media named rather than shown."""
    if value is None:
        return ""
    if isinstance(value, Sequence) and not isinstance(value, str):
        return "\n".join(_part(part) for part in value)
    return readable(value)


def _part(part: Any) -> str:
    if not isinstance(part, Mapping) or part.get("type") == "text":
        return readable(part.get("text", "") if isinstance(part, Mapping) else part)
    where = _mapping(part.get("source"))
    return f"[{part.get('type', 'part')}: {where.get('media_type', '?')}, {str(where.get('path', ''))[:200]}]"


def _result(result: Mapping[str, Any], subagents: Mapping[str, Mapping[str, Any]], depth: int) -> dict[str, Any]:
    references = [str(ref.get("trajectory_id")) for ref in _mappings(result.get("subagent_trajectory_ref"))]
    inside = [(name, subagents[name]) for name in references if name in subagents and depth < DEEPEST]
    return {
        "call": result.get("source_call_id"),
        "content": _shortened(message(result.get("content"))),
        "subagents": [
            {"name": str(_mapping(sub.get("agent")).get("name", name)), "flow": list(flow(sub, depth + 1))}
            for name, sub in inside
        ],
        "elsewhere": [name for name in references if name not in subagents],
    }


def _time(value: Any) -> datetime | None:
    try:
        found = datetime.fromisoformat(value)
    except (TypeError, ValueError):
        return None
    return found if found.tzinfo else found.replace(tzinfo=None).astimezone()


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _mappings(value: Any) -> list[Mapping[str, Any]]:
    if not isinstance(value, Sequence) or isinstance(value, str):
        return []
    return [part for part in value if isinstance(part, Mapping)]
