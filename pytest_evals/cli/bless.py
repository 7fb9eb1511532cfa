"""``pytest-evals bless``: make a run the baseline that code reviews see."""

from __future__ import annotations

from pathlib import Path

import click

from .history.options import experiment_option, history_option
from .lazy import example

DEFAULT_FILE = "evals/baseline.json"


@click.command(
    "bless",
    epilog=example("pytest-evals bless -o evals/baseline.json", "pytest evals --evals-baseline evals/baseline.json"),
)
@click.argument("run", metavar="[RUN]", default="last")
@click.option(
    "--output", "-o", metavar="FILE", default=DEFAULT_FILE, show_default=True, help="The baseline file to write."
)
@click.option("--partial", is_flag=True, help="Also bless a run that was a selection, or was cut off.")
@experiment_option
@history_option
def bless_command(run: str, output: str, partial: bool, experiment: str | None, where: str | None) -> None:
    """Write a run into a baseline file, for code reviews.

    It holds the verdict and score of each case, nothing else. RUN is the newest one unless you name another (id,
    the beginning of one, name, last:BRANCH, RUN@VARIANT).
    The file is small and sorted, made to be committed and reviewed; sessions never change it.
    """
    from ..errors import UsageError
    from ..report.format import counted
    from ..workflow.baseline import write_baseline
    from ..workflow.comparing import is_file, sides
    from ..workflow.where import find_history

    if not is_file(output):
        raise UsageError(f"--output {output}: a baseline file ends in .json")
    [side] = sides([run], find_history(where, start=Path.cwd()), experiment=experiment)
    if side.incomplete and not partial:
        raise UsageError(f"{side.label} is incomplete: {side.incomplete}; run all cases, or add --partial")
    changed = write_baseline(Path(output), side.rows, side.definitions)
    passed = sum(row.outcome in ("passed", "warned") for row in side.rows)
    said = "written" if changed else "unchanged"
    click.echo(f"{output} {said}: {counted(len(side.rows), 'case')} of {side.label}, {passed:,} passed")
