"""A trajectory as lines of text, and as figures."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from ..model.text import one_line, text_of
from .calls import uses
from .read import Step, Trajectory
from .totals import totals


def lines(trajectory: Trajectory, width: int = 120, indent: str = "") -> Iterator[str]:
    """Step by step, each on few lines; subagents are indented below their caller's steps."""
    name = " ".join(part for part in (trajectory.agent_name or "an agent", trajectory.agent_version) if part)
    model = f", {trajectory.model}" if trajectory.model else ""
    title = f"{trajectory.version} {trajectory.trajectory_id}".rstrip()
    yield f"{indent}{one_line(title, 100)}: {one_line(name + model, 100)}"
    for step in trajectory.steps:
        yield from _step(step, width, indent)
    if trajectory.continued:
        yield f"{indent}goes on in {one_line(trajectory.continued, width)}"
    for subagent in trajectory.subagents:
        yield from lines(subagent, width, indent + "    ")


def _step(step: Step, width: int, indent: str) -> Iterator[str]:
    room = max(30, width - len(indent) - 4)
    copied = " (taken over)" if step.copied else ""
    managed = step.raw.get("extra")
    context = managed.get("context_management") if isinstance(managed, dict) else None
    said = f" [{one_line(context.get('type'), 40)}]" if isinstance(context, dict) else ""
    message = one_line(step.text, room - 14)
    yield f"{indent}{step.number:>3} {one_line(step.source, 10)}{copied}{said}: {message}".rstrip(" :")
    if step.reasoning:
        yield f"{indent}      thinks: {one_line(step.reasoning, room - 10)}"
    for call in step.calls:
        yield f"{indent}      {one_line(f'{call.name} {text_of(call.arguments)}', room)}"
        for result in step.results_of(call):
            yield f"{indent}        -> {one_line(result.text, room - 6) or _elsewhere(result.subagents)}"
    known = {call.id for call in step.calls}
    for result in step.results:
        if result.call_id not in known:
            yield f"{indent}      -> {one_line(result.text, room - 6)}"


def _elsewhere(references: Any) -> str:
    names = [text_of(ref.get("trajectory_id") or ref.get("trajectory_path")) for ref in references]
    return one_line(f"see {', '.join(names)}") if names else "(nothing)"


def figures(trajectory: Trajectory) -> dict[str, Any]:
    """What a trajectory comes to, in JSON values; unknown is null."""
    took = totals(trajectory)
    made = uses(trajectory)
    times = [step.time for step in trajectory.steps if step.time is not None]
    return {
        "version": trajectory.version,
        "trajectory_id": trajectory.trajectory_id or None,
        "agent": trajectory.agent_name or None,
        "model": trajectory.model or None,
        "steps": len(trajectory.steps),
        "agent_steps": len(trajectory.agent_steps),
        "subagents": sum(1 for _ in trajectory.everyone()) - 1,
        "tool_calls": len(made),
        "tools": dict(Counter(use.name for use in made).most_common()),
        "tool_errors": sum(bool(use.error) for use in made),
        "prompt_tokens": took.prompt_tokens,
        "completion_tokens": took.completion_tokens,
        "cached_tokens": took.cached_tokens,
        "cost_usd": took.cost_usd,
        "seconds": (max(times) - min(times)).total_seconds() if times else None,
    }
