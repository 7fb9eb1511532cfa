"""``pytest-evals history experiments``: the named series of runs."""

from __future__ import annotations

import click

from ...workflow.where import find_history
from ..lazy import example
from .options import history_option, json_option, print_json, said_empty


@click.command("experiments", epilog=example("pytest-evals history experiments"))
@json_option
@history_option
def experiments_command(as_json: bool, where: str | None) -> None:
    """List experiments with their runs by status.

    That with the newest run comes first.
    """
    location = find_history(where)
    if said_empty(location):
        if as_json:
            print_json(experiments=[])
        return
    from ...report.format import count, usd
    from ...store.connect import reading
    from ...store.runs import list_experiments
    from ..table import minute, table

    with reading(location) as connection:
        found = list_experiments(connection)
    if as_json:
        print_json(experiments=[experiment.plain() for experiment in found])
    elif not found:
        click.echo(f"No experiments in {location}.")
    else:
        rows = [
            (
                experiment.name,
                experiment.type,
                ", ".join(f"{number} {status}" for status, number in experiment.runs.items()) or "none",
                count(experiment.cases),
                minute(experiment.last_started_at),
                experiment.last_run,
                usd(experiment.cost_usd),
                experiment.description,
            )
            for experiment in found
        ]
        headers = ("experiment", "type", "runs", "cases", "last (UTC)", "last run", "cost", "description")
        click.echo(table(headers, rows, right=(3, 6)))
