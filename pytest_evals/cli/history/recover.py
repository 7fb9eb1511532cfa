"""``pytest-evals history recover``: the runs of sessions that were cut off."""

from __future__ import annotations

import click

from ...workflow.where import find_history
from ..lazy import example
from .options import history_option, json_option, print_json


@click.command("recover", epilog=example("pytest-evals history recover"))
@click.option(
    "--foreign", is_flag=True, help="Also those of other machines or containers that wrote within the last hour."
)
@json_option
@history_option
def recover_command(foreign: bool, as_json: bool, where: str | None) -> None:
    """Keep the runs of sessions that were cut off.

    These were killed, or could not write the history.

    What they had answered goes to the history; a run that was cut off is marked cancelled. The next session that runs
    cases does this by itself. The exit status is 1 when a journal cannot be recovered.
    """
    from ...report.format import counted
    from ...workflow.history import recover

    result = recover(find_history(where), foreign=foreign)
    if as_json:
        print_json(
            runs=[run.plain() for run in result.runs],
            empty=result.empty,
            alive=[{"journal": str(path), "host": owner.host, "pid": owner.pid} for path, owner in result.alive],
            failed=[*result.failed],
        )
    else:
        for run in result.runs:
            came_to = f"{run.status}, {counted(run.results, 'result')}"
            click.echo(f"Recovered run {run.uid} of experiment {run.experiment}: {came_to}.")
        if not result.runs:
            click.echo("There is nothing to recover.")
        for path, owner in result.alive:
            place = (
                "a session that runs" if owner.near else f"a session on {owner.host}, which may still run (--foreign)"
            )
            click.echo(f"Left alone: {path} of {place}.")
        for line in result.failed:
            click.echo(f"Cannot be recovered: {line}", err=True)
    if result.failed:
        raise SystemExit(1)
