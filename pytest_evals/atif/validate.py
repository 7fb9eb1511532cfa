"""The rules of the format, strictly: what the official models refuse is an error here, with its place.

What nobody checks, but is hardly meant, is a warning: see ``doubts``.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..errors import TrajectoryError
from ..model.text import one_line
from .doubts import doubts
from .fields import (
    Field,
    anything_named,
    check_object,
    list_of,
    number,
    text,
    text_or_number,
    truth,
    whole,
)
from .findings import Findings
from .parts import AUDIO_TYPES, IMAGE_TYPES, audio_type
from .read import DEEPEST, MOST_AGENTS, read
from .values import is_list, kind_of, mappings_of, time_of, whole_of
from .versions import CURRENT, NEWEST, minor_of

AGENT_ONLY = ("model_name", "reasoning_effort", "reasoning_content", "tool_calls", "metrics")


def validate(document: Any) -> Findings:
    """What is wrong with a document, errors and warnings, in its order; none: it is valid and nothing is odd."""
    found = Findings()
    _trajectory(document, "$", found, 0)
    try:
        trajectory = read(document)
    except TrajectoryError as error:
        if not found:
            found.error(error.path, error.message)
    else:
        doubts(trajectory, "$", found)
    return found


def _trajectory(value: Any, path: str, found: Findings, depth: int) -> None:
    found.agents += 1
    if found.agents > MOST_AGENTS:
        if found.agents == MOST_AGENTS + 1:
            found.error(path[:200], f"more than {MOST_AGENTS} agents are in the document")
        return
    if not check_object(value, _TRAJECTORY, path, found, "a trajectory"):
        return
    tag = value.get("schema_version")
    if tag is None:
        found.warn(f"{path}.schema_version", f"missing; {CURRENT} is assumed")
    elif isinstance(tag, str) and (minor := minor_of(tag)) is None:
        found.error(f"{path}.schema_version", f"{one_line(tag, 40)!r} is not ATIF-v1.x")
    elif isinstance(tag, str) and (minor is None or minor > NEWEST or tag != f"ATIF-v1.{minor}"):
        found.error(f"{path}.schema_version", f"{tag} is not known; the newest that is: {CURRENT}")
    _numbering(value.get("steps"), f"{path}.steps", found)
    _subagents(value.get("subagent_trajectories"), f"{path}.subagent_trajectories", found, depth)


def _numbering(steps: Any, path: str, found: Findings) -> None:
    if not is_list(steps):
        return
    if not steps:
        found.error(path, "must hold at least one step")
    for position, step in enumerate(steps, start=1):
        number = whole_of(step.get("step_id")) if isinstance(step, Mapping) else None
        if number is not None and number >= 1 and number != position:
            found.error(f"{path}[{position - 1}].step_id", f"must be {position}, not {number}: 1, 2, 3 and so on")


def _subagents(inside: Any, path: str, found: Findings, depth: int) -> None:
    if inside is None or not is_list(inside):
        if inside is not None:
            found.error(path, f"must be a list, not {kind_of(inside)}")
        return
    if depth >= DEEPEST:
        found.error(path, f"agents within agents are checked {DEEPEST} levels deep")
        return
    seen: set[str] = set()
    for position, sub in enumerate(inside):
        if found.agents > MOST_AGENTS:
            return
        where = f"{path}[{position}]"
        _trajectory(sub, where, found, depth + 1)
        name = sub.get("trajectory_id") if isinstance(sub, Mapping) else None
        if isinstance(sub, Mapping) and name is None:
            found.error(f"{where}.trajectory_id", "missing; an embedded trajectory needs one")
        elif isinstance(name, str):
            if name in seen:
                found.error(f"{where}.trajectory_id", f"{one_line(name, 60)!r} is the id of an earlier one in the list")
            seen.add(name)


def _agent(value: Any, path: str, found: Findings) -> None:
    check_object(value, _AGENT, path, found, "an agent")


def _step(value: Any, path: str, found: Findings) -> None:
    if not check_object(value, _STEP, path, found, "a step"):
        return
    source = value.get("source")
    if source in ("system", "user"):
        for name in AGENT_ONLY:
            if value.get(name) is not None:
                found.error(f"{path}.{name}", f"only a step of the agent has it; this one is of the {source}")
    if source == "agent" and whole_of(value.get("llm_call_count")) == 0:
        for name in ("metrics", "reasoning_content"):
            if value.get(name) is not None:
                found.error(f"{path}.{name}", "llm_call_count 0 says that no model was asked")
    _answers(value, path, found)


def _answers(step: Mapping[str, Any], path: str, found: Findings) -> None:
    """Each result that names a call names one of the same step."""
    ids = {call["tool_call_id"] for call in mappings_of(step.get("tool_calls")) if _is_text(call.get("tool_call_id"))}
    observation = step.get("observation")
    results = observation.get("results") if isinstance(observation, Mapping) else None
    for position, result in enumerate(results if is_list(results) else ()):
        name = result.get("source_call_id") if isinstance(result, Mapping) else None
        if _is_text(name) and name not in ids:
            where = f"{path}.observation.results[{position}].source_call_id"
            found.error(where, f"no tool call of this step is {one_line(name, 60)!r}")


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _source(value: Any, path: str, found: Findings) -> None:
    if value not in ("system", "user", "agent"):
        found.error(path, f"must be system, user or agent, not {one_line(value, 40)}")


def _time(value: Any, path: str, found: Findings) -> None:
    if time_of(value) is None:
        found.error(path, f"must be a time in ISO 8601, not {one_line(value, 40)}")


def _content(value: Any, path: str, found: Findings) -> None:
    if isinstance(value, str):
        return
    if not is_list(value):
        found.error(path, f"must be text or a list of parts, not {kind_of(value)}")
        return
    list_of(_part)(value, path, found)


def _part(value: Any, path: str, found: Findings) -> None:
    if not check_object(value, _PART, path, found, "a part"):
        return
    kind, source = value.get("type"), value.get("source")
    if kind == "text":
        if value.get("text") is None:
            found.error(f"{path}.text", "missing; a text part needs it")
        if source is not None:
            found.error(f"{path}.source", "a text part has none")
    elif kind in ("image", "audio"):
        if value.get("text") is not None:
            found.error(f"{path}.text", f"a part of type {kind} has none")
        if source is None:
            found.error(f"{path}.source", f"missing; a part of type {kind} needs it")
        else:
            _media(source, kind, f"{path}.source", found)
    elif kind is not None:
        found.error(f"{path}.type", f"must be text, image or audio, not {one_line(kind, 40)}")


def _media(value: Any, kind: str, path: str, found: Findings) -> None:
    fields = _AUDIO if kind == "audio" else _IMAGE
    if not check_object(value, fields, path, found, f"the source of {'an image' if kind == 'image' else 'audio'}"):
        return
    given = value.get("media_type")
    if isinstance(given, str):
        known = audio_type(given) in AUDIO_TYPES if kind == "audio" else given in IMAGE_TYPES
        if not known:
            allowed = ", ".join(AUDIO_TYPES if kind == "audio" else IMAGE_TYPES)
            found.error(f"{path}.media_type", f"{one_line(given, 40)!r} is no media type of {kind} parts: {allowed}")


def _anything(value: Any, path: str, found: Findings) -> None:
    """Looked at where more is known."""


def _call(value: Any, path: str, found: Findings) -> None:
    check_object(value, _CALL, path, found, "a tool call")


def _observation(value: Any, path: str, found: Findings) -> None:
    check_object(value, _OBSERVATION, path, found, "an observation")


def _result(value: Any, path: str, found: Findings) -> None:
    check_object(value, _RESULT, path, found, "a result")


def _reference(value: Any, path: str, found: Findings) -> None:
    if not check_object(value, _REFERENCE, path, found, "a reference"):
        return
    if value.get("trajectory_id") is None and value.get("trajectory_path") is None:
        found.error(path, "names no trajectory: it needs trajectory_id or trajectory_path")


def _metrics(value: Any, path: str, found: Findings) -> None:
    check_object(value, _METRICS, path, found, "metrics")


def _final(value: Any, path: str, found: Findings) -> None:
    check_object(value, _FINAL, path, found, "final metrics")


_EXTRA = Field(anything_named)
_TEXT = Field(text)
_NEEDED = Field(text, required=True)
_COUNT = Field(whole())

_AGENT = {
    "name": _NEEDED,
    "version": _NEEDED,
    "model_name": _TEXT,
    "tool_definitions": Field(list_of(anything_named)),
    "extra": _EXTRA,
}
_IMAGE = {"media_type": _NEEDED, "path": _NEEDED}
_AUDIO = {**_IMAGE, "duration_sec": Field(number(0))}
_PART = {"type": _NEEDED, "text": _TEXT, "source": Field(_anything)}
_CALL = {
    "tool_call_id": _NEEDED,
    "function_name": _NEEDED,
    "arguments": Field(anything_named, required=True),
    "extra": _EXTRA,
}
_REFERENCE = {"trajectory_id": _TEXT, "trajectory_path": _TEXT, "session_id": _TEXT, "extra": _EXTRA}
_RESULT = {
    "source_call_id": _TEXT,
    "content": Field(_content),
    "subagent_trajectory_ref": Field(list_of(_reference)),
    "extra": _EXTRA,
}
_OBSERVATION = {"results": Field(list_of(_result), required=True)}
_METRICS = {
    "prompt_tokens": _COUNT,
    "completion_tokens": _COUNT,
    "cached_tokens": _COUNT,
    "cost_usd": Field(number()),
    "prompt_token_ids": Field(list_of(whole())),
    "completion_token_ids": Field(list_of(whole())),
    "logprobs": Field(list_of(number())),
    "extra": _EXTRA,
}
_FINAL = {
    "total_prompt_tokens": _COUNT,
    "total_completion_tokens": _COUNT,
    "total_cached_tokens": _COUNT,
    "total_cost_usd": Field(number()),
    "total_steps": Field(whole(0)),
    "extra": _EXTRA,
}
_STEP = {
    "step_id": Field(whole(1), required=True),
    "timestamp": Field(_time),
    "source": Field(_source, required=True),
    "model_name": _TEXT,
    "reasoning_effort": Field(text_or_number),
    "message": Field(_content, required=True),
    "reasoning_content": _TEXT,
    "tool_calls": Field(list_of(_call)),
    "observation": Field(_observation),
    "metrics": Field(_metrics),
    "llm_call_count": Field(whole(0)),
    "is_copied_context": Field(truth),
    "extra": _EXTRA,
}
_TRAJECTORY = {
    "schema_version": _TEXT,
    "session_id": _TEXT,
    "trajectory_id": _TEXT,
    "agent": Field(_agent, required=True),
    "steps": Field(list_of(_step), required=True),
    "notes": _TEXT,
    "final_metrics": Field(_final),
    "continued_trajectory_ref": _TEXT,
    "extra": _EXTRA,
    "subagent_trajectories": Field(_anything),
}
