"""Where the trajectories of a call are gathered while it runs: each call has its own."""

from __future__ import annotations

from contextvars import ContextVar
from dataclasses import dataclass, field

from ..model.trajectory import Trajectory


@dataclass(slots=True)
class Collector:
    """The trajectories that were recorded during one call of an application, in whatever task or thread."""

    session_id: str = ""
    """The call's, which its documents carry."""
    recorded: list[Trajectory] = field(default_factory=list)

    def take(self) -> list[Trajectory]:
        """What was recorded since the last time."""
        taken, self.recorded = self.recorded, []
        return taken


COLLECTOR: ContextVar[Collector | None] = ContextVar("pytest_evals_trajectories", default=None)
