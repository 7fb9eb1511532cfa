"""``pytest-evals judge calibrate LABELS``: does a judge say what people say."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from ..history.options import history_option, json_option, print_json
from ..lazy import example
from .options import asking_options, progress

if TYPE_CHECKING:
    from ...stats.calibration import Calibration
    from ...workflow.calibrationplan import Plan

NOTHING_JUDGED = 75
"""Exit status when the judge gave no verdict at all: that says nothing of it, run it again."""


@click.command(
    "calibrate",
    epilog=example(
        "pytest-evals judge calibrate labels.csv --suite evals/returns.eval.yaml --criterion tone",
        "pytest-evals judge calibrate verdicts.csv --judge-model anthropic/claude-haiku-5-5",
        "pytest-evals judge calibrate labels.csv --rubric 'It is polite.' --judge-model openai/gpt-5-mini",
    ),
)
@click.argument("labels", metavar="LABELS", type=click.Path(path_type=Path))
@click.option(
    "--suite",
    "-s",
    "suites",
    multiple=True,
    metavar="SUITE",
    type=click.Path(path_type=Path),
    help="The suite file whose criterion is judged by.  [default: those of the labels' runs]",
)
@asking_options
@click.option("--rubric", metavar="TEXT", help="What is judged, in the place of a suite's criterion.")
@click.option("--preset", metavar="NAME", help="The same, ready made: safety, faithfulness, …")
@click.option(
    "--scale", metavar="SCALE", help="With --rubric, --preset or a column 'rubric': in what the judge scores."
)
@click.option(
    "--threshold",
    type=click.FloatRange(0, 1),
    metavar="SCORE",
    help="The score from which on the judge lets an answer pass.  [default: the criterion's]",
)
@click.option("--run", metavar="RUN", help="The run that has the answers of labels that name none.")
@click.option(
    "--worst",
    type=click.IntRange(min=0),
    default=10,
    show_default=True,
    metavar="N",
    help="Show at most so many disagreements; 0 is all.",
)
@json_option
@history_option
def calibrate_command(
    labels: Path,
    suites: tuple[Path, ...],
    criterion: str | None,
    judge_model: str | None,
    concurrency: int | None,
    no_cache: bool,
    rubric: str | None,
    preset: str | None,
    scale: str | None,
    threshold: float | None,
    run: str | None,
    worst: int,
    as_json: bool,
    where: str | None,
) -> None:
    """Say how far a judge agrees with people.

    It scores the answers that they labelled in LABELS: CSV, JSON Lines or JSON with the columns label (or verdict),
    which is pass, fail or a score, and output, or run and case of a stored answer, as the viewer exports them. Prints
    agreement, Cohen's kappa, the rates of what people let pass and fail, and the worst disagreements. What comes out is
    kept for the gate judge.kappa.
    """
    from ...workflow.bench import Bench
    from ...workflow.calibrating import calibrate
    from ...workflow.calibrationplan import Wanted, plan
    from ...workflow.judgequestion import said_criterion
    from ...workflow.judgetrustfile import trust_folder
    from ...workflow.where import find_history

    start = Path.cwd()
    location = find_history(where, start=start)
    wanted = Wanted(suites, criterion, said_criterion(rubric, preset, scale, criterion), run, judge_model, threshold)
    with Bench(start, keep=not no_cache, concurrency=concurrency) as bench:
        planned = plan(labels, wanted, bench, location, start)
        with progress(planned.calls, quiet=as_json) as told:
            found = calibrate(planned, bench, told)
    files = [_keep(trust_folder(location), each, labels) for each in found]
    if as_json:
        _print_json(found, files, planned)
    else:
        _print(found, files, planned, worst)
    if not any(each.rated for each in found):
        raise SystemExit(NOTHING_JUDGED)


def _keep(folder: Path, found: Calibration, labels: Path) -> Path | None:
    """The file it is kept in; ``None`` when there is nothing to keep."""
    from ...report.calibration import calibration_plain
    from ...workflow.judgetrustfile import keep

    if not found.prompt or not found.rated:
        return None
    return keep(folder, found.judge, found.prompt, "calibration", {"labels": labels.name, **calibration_plain(found)})


def _print(found: list[Calibration], files: list[Path | None], planned: Plan, worst: int) -> None:
    from ...report.calibration import calibration_lines
    from ...report.format import counted
    from ..styled import echo_lines, terminal_width

    for number, (each, file) in enumerate(zip(found, files, strict=True)):
        if number:
            click.echo()
        echo_lines(calibration_lines(each, terminal_width(), worst))
        if file is not None:
            click.echo(f"  kept in {shown_path(file)}")
    for reason, labels in planned.left_out.items():
        click.echo(f"Left out: {counted(labels, 'label')} {reason}.", err=True)


def _print_json(found: list[Calibration], files: list[Path | None], planned: Plan) -> None:
    from ...report.calibration import calibration_plain, disagreements_plain

    print_json(
        calibrations=[
            {
                "judge": each.judge,
                "prompt": each.prompt or None,
                "file": None if file is None else str(file),
                **calibration_plain(each),
                "disagreements": disagreements_plain(each),
                "errors": [{"id": answer, "error": error} for answer, error in each.unjudged],
            }
            for each, file in zip(found, files, strict=True)
        ],
        left_out=dict(planned.left_out),
    )


def shown_path(file: Path) -> str:
    """Relative to the current directory when below it."""
    here = Path.cwd()
    return str(file.relative_to(here)) if file.is_relative_to(here) else str(file)
