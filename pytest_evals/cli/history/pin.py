"""``pytest-evals history pin RUN``."""

from __future__ import annotations

import click

from ..lazy import example
from .options import history_option, run_argument, writing


@click.command(
    "pin", epilog=example("pytest-evals history pin release-1.4", "pytest-evals history pin --off release-1.4")
)
@run_argument
@click.option("--off", is_flag=True, help="Unpin it.")
@history_option
def pin_command(run: str, off: bool, where: str | None) -> None:
    """Pin a run: prune keeps it, and delete refuses it."""
    from ...store.edit import pin_run
    from ...store.runs import find_run

    with writing(where) as connection:
        found = find_run(connection, run)
        pin_run(connection, found, not off)
    click.echo(f"Run {found.uid} is {'no longer ' if off else ''}pinned.")
