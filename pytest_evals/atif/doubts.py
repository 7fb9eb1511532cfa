"""Warnings of our own: what the official rules let pass, but is hardly meant."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ..model.text import one_line
from .findings import Findings
from .read import Trajectory
from .totals import summed, total_of
from .values import count_of, is_list, mapping_of, mappings_of, number_of, whole_of
from .versions import (
    AUDIO_SINCE,
    NEWEST,
    PARTS_SINCE,
    SESSION_OPTIONAL_SINCE,
    SINCE,
    SYSTEM_OBSERVATIONS_SINCE,
    minor_of,
)

_TOLERANCE = 1e-6
"""Of a sum of costs, relative and in dollars."""


def doubts(trajectory: Trajectory, path: str, found: Findings) -> None:
    """Warn of what is odd in a document that could be read, and in those within it."""
    _call_ids(trajectory, path, found)
    _times(trajectory, path, found)
    _amounts(trajectory, path, found)
    _sums(trajectory, path, found)
    _references(trajectory, path, found)
    _newer(trajectory, path, found)
    for position, subagent in enumerate(trajectory.subagents):
        where = f"{path}.subagent_trajectories[{position}]"
        if subagent.trajectory_id and subagent.trajectory_id == trajectory.trajectory_id:
            found.warn(f"{where}.trajectory_id", "the id of the trajectory it is in")
        doubts(subagent, where, found)


def _call_ids(trajectory: Trajectory, path: str, found: Findings) -> None:
    seen: dict[str, int] = {}
    for n, step in enumerate(trajectory.steps):
        for m, call in enumerate(step.calls):
            if call.id and call.id in seen and not step.copied:
                where = f"{path}.steps[{n}].tool_calls[{m}].tool_call_id"
                found.warn(where, f"{one_line(call.id, 60)!r} is the id of a call in step {seen[call.id]}, too")
            seen.setdefault(call.id, step.number)


def _times(trajectory: Trajectory, path: str, found: Findings) -> None:
    latest = None
    for n, step in enumerate(trajectory.steps):
        if step.time is None:
            continue
        if latest is not None and step.time < latest:
            found.warn(f"{path}.steps[{n}].timestamp", "earlier than that of a step before it")
        latest = step.time if latest is None else max(latest, step.time)


def _amounts(trajectory: Trajectory, path: str, found: Findings) -> None:
    places = [
        (f"{path}.steps[{n}].metrics", mapping_of(step.raw.get("metrics")), "")
        for n, step in enumerate(trajectory.steps)
    ]
    places.append((f"{path}.final_metrics", mapping_of(trajectory.raw.get("final_metrics")), "total_"))
    for where, metrics, prefix in places:
        for name in ("prompt_tokens", "completion_tokens", "cached_tokens", "cost_usd"):
            if (number_of(metrics.get(prefix + name)) or 0) < 0:
                found.warn(f"{where}.{prefix}{name}", f"negative: {one_line(metrics[prefix + name], 40)}")
        cached, prompt = (
            count_of(metrics.get(f"{prefix}cached_tokens")),
            count_of(metrics.get(f"{prefix}prompt_tokens")),
        )
        if cached is not None and prompt is not None and cached > prompt:
            found.warn(f"{where}.{prefix}cached_tokens", f"{cached} cached of {prompt} prompt tokens")
        for ids, count in (("prompt_token_ids", "prompt_tokens"), ("completion_token_ids", "completion_tokens")):
            _length(metrics, ids, count_of(metrics.get(count)), count, where, found)
        tokens = metrics.get("completion_token_ids")
        known = len(tokens) if is_list(tokens) else count_of(metrics.get("completion_tokens"))
        _length(metrics, "logprobs", known, "completion tokens", where, found)


def _length(metrics: Mapping[str, Any], name: str, count: int | None, what: str, path: str, found: Findings) -> None:
    values = metrics.get(name)
    if is_list(values) and count is not None and len(values) != count:
        found.warn(f"{path}.{name}", f"{len(values)} values, but {count} {what.replace('_', ' ')}")


def _sums(trajectory: Trajectory, path: str, found: Findings) -> None:
    final = mapping_of(trajectory.raw.get("final_metrics"))
    where = f"{path}.final_metrics"
    stated_steps = whole_of(final.get("total_steps"))
    if stated_steps is not None and stated_steps != len(trajectory.steps) and not trajectory.notes:
        found.warn(
            f"{where}.total_steps", f"{stated_steps}, but there are {len(trajectory.steps)}, and no notes say why"
        )
    for name in ("prompt_tokens", "completion_tokens", "cached_tokens"):
        total, added = getattr(trajectory.final, name), summed(trajectory, name)
        if total is not None and added is not None and total != added:
            found.warn(f"{where}.total_{name}", f"{total}, but the steps add up to {added:g}")
    cost, added = trajectory.final.cost_usd, summed(trajectory, "cost_usd")
    inside = [total_of(subagent, "cost_usd") for subagent in trajectory.subagents]
    if cost is not None and added is not None and None not in inside:
        whole = added + sum(amount for amount in inside if amount is not None)
        if abs(cost - whole) > _TOLERANCE * max(1.0, cost):
            found.warn(f"{where}.total_cost_usd", f"{cost:g}, but the steps (subagents included) add up to {whole:g}")


def _references(trajectory: Trajectory, path: str, found: Findings) -> None:
    known = {subagent.trajectory_id for subagent in trajectory.subagents}
    for n, step in enumerate(trajectory.steps):
        for m, result in enumerate(step.results):
            for k, reference in enumerate(result.subagents):
                name = reference.get("trajectory_id")
                if not isinstance(name, str):
                    continue
                if name not in known and reference.get("trajectory_path") is None:
                    where = f"{path}.steps[{n}].observation.results[{m}].subagent_trajectory_ref[{k}].trajectory_id"
                    found.warn(where, f"no embedded trajectory is {one_line(name, 60)!r}")


def _newer(trajectory: Trajectory, path: str, found: Findings) -> None:
    """What a document of this version cannot have."""
    tag = minor_of(trajectory.version)
    if tag is None or "schema_version" not in trajectory.raw:
        return
    if tag < SESSION_OPTIONAL_SINCE and not trajectory.session_id:
        found.warn(f"{path}.session_id", f"missing, which is allowed from 1.{SESSION_OPTIONAL_SINCE} on")
    if tag >= NEWEST:
        return
    seen: set[str] = set()
    for place, what, since in _features(trajectory.raw, path):
        if since > tag and what not in seen:
            seen.add(what)
            found.warn(place, f"{what} came with 1.{since}; the document says {trajectory.version}")


def _features(raw: Mapping[str, Any], path: str) -> Iterator[tuple[str, str, int]]:
    """Place, name and version of all that is newer than 1.0."""

    def of(value: Mapping[str, Any], kind: str, where: str) -> Iterator[tuple[str, str, int]]:
        for name, since in SINCE[kind].items():
            if value.get(name) is not None:
                yield f"{where}.{name}", f"{name} of a {kind}" if kind != "agent" else f"{name} of an agent", since

    yield from of(raw, "trajectory", path)
    yield from of(mapping_of(raw.get("agent")), "agent", f"{path}.agent")
    for n, step in enumerate(mappings_of(raw.get("steps"))):
        where = f"{path}.steps[{n}]"
        yield from of(step, "step", where)
        yield from _part_features(step.get("message"), f"{where}.message")
        for m, call in enumerate(mappings_of(step.get("tool_calls"))):
            yield from of(call, "tool call", f"{where}.tool_calls[{m}]")
        yield from of(mapping_of(step.get("metrics")), "metrics", f"{where}.metrics")
        observation = mapping_of(step.get("observation"))
        if observation and step.get("source") == "system":
            yield f"{where}.observation", "the observation of a system step", SYSTEM_OBSERVATIONS_SINCE
        for m, result in enumerate(mappings_of(observation.get("results"))):
            place = f"{where}.observation.results[{m}]"
            yield from of(result, "result", place)
            yield from _part_features(result.get("content"), f"{place}.content")
            for k, reference in enumerate(mappings_of(result.get("subagent_trajectory_ref"))):
                yield from of(reference, "reference", f"{place}.subagent_trajectory_ref[{k}]")


def _part_features(content: Any, path: str) -> Iterator[tuple[str, str, int]]:
    if is_list(content):
        yield path, "content in parts", PARTS_SINCE
        if any(part.get("type") == "audio" for part in mappings_of(content)):
            yield path, "a part of sound", AUDIO_SINCE
