"""What an agent did, as scorers look at it: its trajectories, and the calls of tools in them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from ..atif.calls import uses
from ..atif.read import Trajectory, load, read
from ..atif.summary import summary
from ..errors import ScorerError, TrajectoryError
from ..model.criterion import Option
from ..model.response import Response, ToolCall
from ..model.trajectory import PROBLEM, given_trajectories
from .builtin import Asked

SUBAGENTS = Option(
    "subagents", "boolean", "Whether what the agents did counts that the agent let work for it.", default=True
)


class Made(NamedTuple):
    """A call that was made."""

    call: ToolCall
    step: int | None = None
    """``None`` where only the calls are known."""
    error: str = ""
    agent: str = ""

    @property
    def where(self) -> str:
        return "" if self.step is None else f" in step {self.step}"


def trajectories_of(asked: Asked, *, needed: bool = True) -> list[Trajectory]:
    """The trajectories of the answer. Raises ``ScorerError`` when there is none, if it is needed, or one is none."""
    name = asked.criterion.scorer if asked.criterion is not None else "what scores steps"
    response = asked.response
    if response is None:
        raise ScorerError(f"{name} needs a Response, which has the steps beside the answer")
    try:
        found = [_read(given) for given in given_trajectories(response.trajectory)]
    except (TrajectoryError, ValueError) as error:
        raise ScorerError(f"the trajectory cannot be read: {error}") from None
    if not found and (problem := response.metadata.get(PROBLEM)) and (needed or not response.tool_calls):
        raise ScorerError(f"the trajectory cannot be read: {problem}")
    if not found and needed:
        raise ScorerError(
            f"{name} looks at the steps of an agent, and none were recorded: use record_trajectory, "
            "or return Response(…, trajectory=…)"
        )
    return found


def _read(given: Any) -> Trajectory:
    return read(given.document) if given.document is not None else load(given.path)


def calls_made(asked: Asked) -> list[Made]:
    """Every call of a tool in its order: those of the trajectories, else those that the answer tells of."""
    subagents = bool(asked.options.get("subagents", True))
    found = trajectories_of(asked, needed=False)
    if found:
        return [
            Made(ToolCall(use.name, use.arguments), use.step, use.error, use.agent)
            for trajectory in found
            for use in uses(trajectory, subagents=subagents)
        ]
    response = asked.response
    return [Made(call) for call in response.tool_calls] if response is not None else []


def tool_calls_of(response: Response) -> Sequence[ToolCall]:
    """The calls that an answer tells of; those of its trajectories when it tells of none."""
    if response.tool_calls or response.trajectory is None:
        return response.tool_calls
    asked = Asked(None, None, (), {}, {}, response)
    return [made.call for made in calls_made(asked)]


def steps_told(response: Response) -> str:
    """What the agents did, as a judge reads it. Raises ``ScorerError`` when no steps were recorded."""
    return summary(trajectories_of(Asked(None, None, (), {}, {}, response)))


def agent_steps(asked: Asked) -> list[tuple[Trajectory, Any]]:
    """The agent's own steps, each with its trajectory; those of subagents too, unless the options say otherwise."""
    return [
        (each, step)
        for trajectory in trajectories_of(asked)
        for each in (trajectory.everyone() if asked.options.get("subagents", True) else (trajectory,))
        for step in each.agent_steps
    ]


def texts_option(options: Mapping[str, Any], name: str) -> frozenset[str]:
    """An option that is one text or a list of them."""
    value = options.get(name)
    return frozenset() if value is None else frozenset([value] if isinstance(value, str) else map(str, value))
