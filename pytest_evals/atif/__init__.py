"""Floor 0, above ``model``: trajectories in the Agent Trajectory Interchange Format (ATIF).

The standard library alone. ``read`` is tolerant: it takes every version from 1.0 on and keeps what it does not know.
``validate`` is strict.
"""

from __future__ import annotations

from .read import Trajectory, load, read
from .validate import validate

__all__ = ["Trajectory", "load", "read", "validate"]
