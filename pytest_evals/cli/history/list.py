"""``pytest-evals history [list]``: the newest runs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from ...workflow.where import find_history
from ..lazy import example
from .options import experiment_option, history_option, json_option, limit_option, print_json, said_empty, type_option

if TYPE_CHECKING:
    from ...store.values import StoredRun


@click.command(
    "list",
    epilog=example(
        "pytest-evals history --limit 5", "pytest-evals history list --experiment support --branch main --json"
    ),
)
@limit_option(20)
@experiment_option
@type_option
@click.option("--branch", metavar="NAME", help="Only runs of this git branch.")
@json_option
@history_option
def list_command(
    limit: int, experiment: str | None, kind: str | None, branch: str | None, as_json: bool, where: str | None
) -> None:
    """List runs, newest first. This is what `history` alone does."""
    location = find_history(where)
    if said_empty(location):
        if as_json:
            print_json(runs=[])
        return
    from ...store.connect import reading
    from ...store.runs import count_runs, list_runs

    with reading(location) as connection:
        runs = list_runs(connection, experiment=experiment, kind=kind, branch=branch, limit=limit or None)  # type: ignore[arg-type]
        total = count_runs(connection)
    if as_json:
        print_json(runs=[run.plain() for run in runs])
    elif not runs:
        click.echo(f"No runs{' match' if total else ''} in {location}.")
    else:
        click.echo(runs_table(runs))
        if len(runs) == limit and total > len(runs):
            click.echo(f"({len(runs)} of {total:,} runs; --limit 0 shows all)")


def runs_table(runs: list[StoredRun]) -> str:
    """The runs, a line each."""
    from ...report.format import percent, score, usd
    from ..table import minute, table

    headers = ("run", "started (UTC)", "experiment", "status", "passed", "score", "cost", "branch", "name")
    rows = [
        (
            run.uid + ("*" if run.pinned else ""),
            minute(run.started_at),
            run.experiment,
            run.status,
            percent(run.pass_rate) if run.type == "checked" else "",
            score(run.score),
            ("≥ " if run.cost_usd is not None and run.unpriced_cases else "") + usd(run.cost_usd),
            run.git_branch,
            run.name,
        )
        for run in runs
    ]
    note = "\n* pinned" if any(run.pinned for run in runs) else ""
    return table(headers, rows, right=(4, 5, 6), width=24) + note
