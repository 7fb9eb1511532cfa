"""What runs and experiments may be called."""

from __future__ import annotations

from ..errors import UsageError


def check_run_name(name: str) -> str:
    """The name without space around it. Raises ``UsageError`` for one that would mean something else."""
    name = name.strip()
    if name == "last" or name.startswith("last:"):
        raise UsageError(f"a run cannot be named {name!r}: that means the newest run")
    if not name.isprintable():
        raise UsageError("a run's name is one line of printable characters")
    return name


def check_experiment_name(name: str) -> str:
    """The name as it is. Raises ``UsageError`` for a blank one."""
    if not name.strip():
        raise UsageError("an experiment needs a name that is not blank")
    return name
