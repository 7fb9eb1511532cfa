"""``pytest-evals history note RUN TEXT``."""

from __future__ import annotations

import click

from ..lazy import example
from .options import history_option, run_argument, writing


@click.command("note", epilog=example('pytest-evals history note last "with the prompt of ticket 1234"'))
@run_argument
@click.argument("text")
@history_option
def note_command(run: str, text: str, where: str | None) -> None:
    """Write a note to a run; '' takes it away.

    It takes the place of the note the run has.
    """
    from ...store.edit import note_run
    from ...store.runs import find_run

    with writing(where) as connection:
        found = find_run(connection, run)
        note_run(connection, found, text)
    click.echo(f"Run {found.uid} has {'a' if text else 'no'} note.")
