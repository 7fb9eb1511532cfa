"""``pytest-evals atif``: trajectory files."""

from __future__ import annotations

import click

from ..lazy import LazyGroup, example

_COMMANDS = ("validate", "show", "stats")


@click.group(
    cls=LazyGroup,
    commands_in={name: f"{__name__}.{name}:{name}_command" for name in _COMMANDS},
    epilog=example("pytest-evals atif validate run.json", "pytest-evals atif show run.json"),
)
def atif() -> None:
    """Check and read trajectories of agents (ATIF)."""
