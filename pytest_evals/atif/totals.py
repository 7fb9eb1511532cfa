"""What a trajectory took: tokens and cost, its subagents included, nothing counted twice."""

from __future__ import annotations

from dataclasses import dataclass

from .read import Metrics, Step, Trajectory

FIELDS = ("prompt_tokens", "completion_tokens", "cached_tokens", "cost_usd")


@dataclass(frozen=True, slots=True)
class Totals:
    """Of a trajectory and all agents within it. ``None`` is unknown: a part of it was not said."""

    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    cached_tokens: int | None = None
    cost_usd: float | None = None


def totals(trajectory: Trajectory) -> Totals:
    """The stated totals where there are some, else the sum of the steps.

    A stated cost includes subagents; tokens are each agent's own, so those of subagents are added. Steps taken over
    from an earlier trajectory were paid for there.
    """
    return Totals(**{name: total_of(trajectory, name) for name in FIELDS})  # type: ignore[arg-type]


def total_of(trajectory: Trajectory, name: str) -> float | None:
    """One of the totals, by its name."""
    stated = getattr(trajectory.final, name)
    if stated is not None and name == "cost_usd":
        return float(stated)
    own = stated if stated is not None else summed(trajectory, name)
    inside = [total_of(subagent, name) for subagent in trajectory.subagents]
    if name == "cached_tokens":  # who says nothing of a cache had none
        known = [number for number in (own, *inside) if number is not None]
        return sum(known) if known else None
    if own is None or None in inside:
        return None
    return own + sum(number for number in inside if number is not None)


def summed(trajectory: Trajectory, name: str) -> float | None:
    """The sum over the steps that asked a model; ``None`` when one of them does not say, or there is none."""
    asked = [step for step in trajectory.agent_steps if step.model_calls != 0]
    if not asked:
        told = [step for step in trajectory.agent_steps if step.model_calls == 0]
        return 0 if told else None  # rules decided: nothing was paid
    values = [_of(step, name) for step in asked]
    if name == "cached_tokens":
        known = [value for value in values if value is not None]
        return sum(known) if known else None
    return None if None in values else sum(value for value in values if value is not None)


def _of(step: Step, name: str) -> float | None:
    found: float | None = getattr(step.metrics or Metrics(), name)
    return found
