"""``pytest-evals history prune``: old runs."""

from __future__ import annotations

from datetime import UTC, datetime

import click

from ...errors import UsageError
from ...workflow.where import find_history
from ..ages import age
from ..lazy import example
from .delete import after
from .list import runs_table
from .options import history_option, reading, said_empty, writing, yes_option


@click.command(
    "prune",
    epilog=example(
        "pytest-evals history prune --keep 50 --dry-run", "pytest-evals history prune --older-than 90d --yes --compact"
    ),
)
@click.option("--keep", type=click.IntRange(min=0), metavar="N", help="Keep the newest N runs of each experiment.")
@click.option("--older-than", metavar="AGE", help="Only runs older than this: 36h, 30d, 8w.")
@click.option("--files", is_flag=True, help="Remove the files of their trajectories, too.")
@click.option("--compact", is_flag=True, help="Then give the space back to the disk (SQLite).")
@click.option("--dry-run", is_flag=True, help="Only show which runs.")
@yes_option
@history_option
def prune_command(
    keep: int | None, older_than: str | None, files: bool, compact: bool, dry_run: bool, yes: bool, where: str | None
) -> None:
    """Delete old runs. Pinned and running ones are kept.

    With both --keep and --older-than, a run goes only when both say so.
    """
    from ...report.format import counted
    from ...store.edit import delete_runs, runs_to_prune, trajectories_of_runs

    if keep is None and older_than is None:
        raise UsageError("say which runs are old: --keep N, --older-than AGE, or both")
    before = None if older_than is None else (datetime.now(UTC) - age(older_than)).isoformat()
    if said_empty(find_history(where)):
        return
    with reading(where) as connection:
        runs = runs_to_prune(connection, keep=keep, before=before)
        references = trajectories_of_runs(connection, runs)
    if runs:
        click.echo(runs_table(runs))
        if dry_run:
            click.echo(f"{counted(len(runs), 'run')} would be deleted.")
            return
        if not yes:
            click.confirm(f"Delete {counted(len(runs), 'run')}?", abort=True)
        with writing(where) as connection:
            delete_runs(connection, runs)
        click.echo(f"Deleted {counted(len(runs), 'run')}.")
        after(references, files)
    else:
        click.echo("No run is to be deleted.")
    if compact and not dry_run:
        from ...store.connect import compact as give_back

        give_back(find_history(where))
        click.echo("Compacted.")
