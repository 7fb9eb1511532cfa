"""``pytest-evals history copy``: runs from one history to another."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ...workflow.where import find_history
from ..lazy import example
from .options import json_option, print_json

if TYPE_CHECKING:
    from ...store.values import StoredRun

_MOST_NAMED = 10


@click.command(
    "copy",
    epilog=example(
        "pytest-evals history copy .evals/history.db postgresql+psycopg://me@db.example/evals",
        "pytest-evals history copy postgresql+psycopg://me@db.example/evals mine.db --experiment support",
    ),
)
@click.argument("source", metavar="SRC")
@click.argument("target", metavar="DST")
@click.option("--run", "runs", metavar="RUN", multiple=True, help="Only this run; may be given several times.")
@click.option("--experiment", metavar="NAME", help="Only runs of this experiment.")
@click.option("--dry-run", is_flag=True, help="Only say what would be copied.")
@json_option
def copy_command(
    source: str, target: str, runs: tuple[str, ...], experiment: str | None, dry_run: bool, as_json: bool
) -> None:
    """Copy runs from the history SRC to the history DST.

    Both are a path or a database URL; DST is made when it is missing. A run comes with its results, gates, name,
    note, pin and the references to trajectories, whose files stay where they are. A run that DST has already is named
    and left alone. Runs are copied one by one: after an interruption, give the same command again.

    The exit status is 1 when DST has a run of the same id with other results, or has every run named with --run.
    """
    from ...report.format import counted
    from ...workflow.copying import copy_history

    here = Path.cwd()
    shown = sys.stderr.isatty() and not as_json

    def progress(done: int, of: int) -> None:
        if shown:
            click.echo(f"\r{done:,} of {counted(of, 'run')}", nl=done == of, err=True)

    done = copy_history(
        find_history(source, start=here),
        find_history(target, start=here),
        runs=runs,
        experiment=experiment,
        dry_run=dry_run,
        progress=progress,
    )
    if as_json:
        print_json(
            copied=[run.uid for run in done.runs],
            there=[run.uid for run in done.there],
            different=[run.uid for run in done.different],
            trajectories_left_out=done.trajectories_left_out,
        )
    else:
        results = sum(run.results for run in done.runs)
        what = f"{counted(len(done.runs), 'run')} ({counted(results, 'result')})"
        click.echo(f"{what} would be copied." if dry_run else f"Copied {what}.")
        if done.there:
            click.echo(f"Already there, left alone: {_named(done.there)}.")
        if done.trajectories_left_out:
            number = counted(done.trajectories_left_out, "reference")
            click.echo(f"Left out: {number} to trajectories whose ids other runs there have.")
        for run in done.different:
            click.echo(f"Refused: {_name(run)} is there with other results; delete one of the two.", err=True)
    if done.different or (runs and not done.runs):
        raise SystemExit(1)


def _named(runs: Sequence[StoredRun]) -> str:
    more = f" and {len(runs) - _MOST_NAMED:,} more" if len(runs) > _MOST_NAMED else ""
    return ", ".join(map(_name, runs[:_MOST_NAMED])) + more


def _name(run: StoredRun) -> str:
    return f"{run.uid} ({run.name})" if run.name else run.uid
