"""``pytest-evals history``: what is kept of past runs."""

from __future__ import annotations

import click

from ..lazy import LazyGroup, example

_COMMANDS = ("list", "show", "case", "experiments", "rename", "pin", "note", "delete", "prune", "copy", "recover")


@click.group(
    cls=LazyGroup,
    commands_in={name: f"{__name__}.{name}:{name}_command" for name in _COMMANDS},
    default="list",
    epilog=example("pytest-evals history", "pytest-evals history show last")
    + "\n\nRUN is a run's id or its beginning, its name, last, or last:BRANCH.",
)
def history() -> None:
    """List, show and tidy the runs that are kept.

    Without a command: list them.
    """
