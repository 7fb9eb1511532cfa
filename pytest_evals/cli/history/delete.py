"""``pytest-evals history delete``: runs, or whole experiments."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from ...errors import UsageError
from ..lazy import example
from .options import history_option, reading, type_option, writing, yes_option

if TYPE_CHECKING:
    from ...store.values import StoredTrajectory


@click.command(
    "delete",
    epilog=example(
        "pytest-evals history delete k3f9x p0q2m", "pytest-evals history delete --experiment scratch --files --yes"
    ),
)
@click.argument("run", metavar="[RUN]...", nargs=-1)
@click.option("--experiment", metavar="NAME", help="Delete this experiment with all its runs.")
@type_option
@click.option("--files", is_flag=True, help="Remove the files of their trajectories, too.")
@yes_option
@history_option
def delete_command(
    run: tuple[str, ...], experiment: str | None, kind: str | None, files: bool, yes: bool, where: str | None
) -> None:
    """Delete runs, or an experiment, with their results.

    The files of trajectories are listed, and removed only with --files. A pinned run is refused.
    """
    from ...report.format import counted
    from ...store.edit import delete_experiment, delete_runs, trajectories_of_runs
    from ...store.runs import find_experiment, find_run, list_runs

    if bool(run) == bool(experiment):
        raise UsageError("name either runs or --experiment NAME")
    with reading(where) as connection:
        if experiment:
            series = find_experiment(connection, experiment, kind)  # type: ignore[arg-type]
            runs = list_runs(connection, experiment=series.name, kind=series.type)
        else:
            runs = list({found.id: found for found in (find_run(connection, one) for one in run)}.values())
        references = trajectories_of_runs(connection, runs)
    if pinned := [found.uid for found in runs if found.pinned]:
        raise UsageError(f"pinned: {', '.join(pinned)}; unpin first: pytest-evals history pin --off {pinned[0]}")
    what = f"experiment {series.name} ({series.type}) with " if experiment else ""
    results = sum(found.results for found in runs)
    what += f"{counted(len(runs), 'run')} ({counted(results, 'result')})"
    _list(references)
    if not yes:
        click.confirm(f"Delete {what}{' and these files' if files and references else ''}?", abort=True)
    with writing(where) as connection:
        if experiment:
            delete_experiment(connection, series.id)
        else:
            delete_runs(connection, runs)
    click.echo(f"Deleted {what}.")
    after(references, files)


def _list(references: Sequence[StoredTrajectory]) -> None:
    from ...report.format import counted

    if references:
        click.echo(f"Files of {counted(len(references), 'trajectory', 'trajectories')}:")
        for reference in references:
            click.echo(f"  {click.format_filename(reference.path)}")


def after(references: Sequence[StoredTrajectory], files: bool) -> None:
    """Remove the files of trajectories whose references are gone, or say that they stay."""
    from ...workflow.trajectories import remove_files

    if references and files:
        removed = remove_files(references)
        click.echo(f"Removed {len(removed)} of {len(references)} files.")
    elif references:
        click.echo("The files of trajectories stay; --files removes them.")
