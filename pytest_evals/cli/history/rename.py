"""``pytest-evals history rename RUN NAME``."""

from __future__ import annotations

import click

from ..lazy import example
from .options import history_option, run_argument, writing


@click.command("rename", epilog=example("pytest-evals history rename last release-1.4"))
@run_argument
@click.argument("name")
@history_option
def rename_command(run: str, name: str, where: str | None) -> None:
    """Give a run a name; '' takes it away.

    Other commands know the run by it.

    Several runs may have one name: it then means the newest of them.
    """
    from ...store.edit import rename_run
    from ...store.runs import find_run

    with writing(where) as connection:
        found = find_run(connection, run)
        rename_run(connection, found, name)
    click.echo(f"Run {found.uid} is named {name.strip()}." if name.strip() else f"Run {found.uid} has no name.")
