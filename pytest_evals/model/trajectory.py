"""An agent's recorded steps: what a target hands over, and the reference that is kept of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from .text import one_line
from .wire import plain

PROBLEM = "trajectory_problem"
"""Under this name the metadata of an answer says why a trajectory could not be read."""


@dataclass(frozen=True, slots=True)
class Trajectory:
    """An agent's recorded steps, to be kept with a case: an ATIF document, or the file that holds one."""

    document: Mapping[str, Any] | None = None
    path: Path | str | None = None
    """The file, when the document is not given."""
    trajectory_id: str = ""
    """The document's own, or a new one, when empty."""
    kind: str = "run"
    """What the agent was doing, in a word of your own."""
    artifact_ids: Sequence[str] = ()
    """Ids of what its steps stored or used."""
    cost_usd: float | None = None


@dataclass(frozen=True, slots=True)
class TrajectoryRef:
    """What a result says of a trajectory; the document is a file of its own."""

    trajectory_id: str
    kind: str = "run"
    agent_name: str = ""
    steps: int = 0
    cost_usd: float | None = None
    path: str = ""
    """The file; empty when it was not kept."""
    sha256: str | None = None
    artifact_ids: tuple[str, ...] = ()
    calls: tuple[Mapping[str, Any], ...] = field(default=())
    """Its tool calls: ``name``, ``step``, ``agent``, ``query``, ``result_count``, ``error``."""
    calls_left_out: int = 0
    """How many calls there are beyond those."""

    @classmethod
    def of_plain(cls, data: Mapping[str, Any]) -> TrajectoryRef:
        """The reference that JSON values hold; what later versions add is left out."""
        known = {name: data[name] for name in cls.__dataclass_fields__ if name in data}
        for name in ("artifact_ids", "calls"):
            known[name] = tuple(known.get(name, ()))
        return cls(**known)


def given_trajectories(value: Any) -> list[Trajectory]:
    """What a target gave as its trajectory: none, one or several; each a document, a path or a ``Trajectory``.

    Raises ``ValueError`` for what is none of that.
    """
    if value is None:
        return []
    if isinstance(value, Trajectory):
        return [value]
    if isinstance(value, Mapping):
        return [Trajectory(document=value)]
    if isinstance(value, (str, Path)):
        return [Trajectory(path=value)]
    if isinstance(value, (list, tuple)):
        return [each for item in value for each in given_trajectories(item)]
    document = plain(value)  # a model of someone else's package
    if isinstance(document, dict):
        return [Trajectory(document=document)]
    raise ValueError(f"a trajectory is a document or the path of one, not {one_line(value, 40)!r}")
