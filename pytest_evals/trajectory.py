"""Recording what an agent does: ``from pytest_evals import trajectory``.

    with trajectory.record(agent="shop", version="1.2") as steps:
        steps.user(question)
        step = steps.agent("", usage=usage, cost_usd=0.0004)
        call = step.call("stock_lookup", {"sku": "MUG-BLUE"})
        call.result(stock_lookup(sku="MUG-BLUE"))
        steps.agent("There are 12 blue mugs left.")

Within a target the trajectory becomes part of the case that it answers. ``load`` and ``read`` read documents of others,
``validate`` holds one against the rules of the format.
"""

from __future__ import annotations

from .atif.read import load, read
from .atif.recorder import AgentStep, Recording, ToolUse, record
from .atif.validate import validate
from .errors import TrajectoryError
from .model.trajectory import Trajectory

__all__ = [
    "AgentStep",
    "Recording",
    "ToolUse",
    "Trajectory",
    "TrajectoryError",
    "load",
    "read",
    "record",
    "validate",
]
