"""``pytest-evals judge stability RUN``: does a judge say the same again."""

from __future__ import annotations

from fnmatch import fnmatchcase
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ..history.options import experiment_option, history_option, json_option, print_json, run_argument
from ..lazy import example
from .calibrate import NOTHING_JUDGED
from .options import asking_options, progress

if TYPE_CHECKING:
    from ...model.result import CaseResult
    from ...stats.calibration import Stability


@click.command(
    "stability",
    epilog=example(
        "pytest-evals judge stability last -k 5",
        "pytest-evals judge stability last --criterion tone --case 'refund-*' --no-cache",
    ),
)
@run_argument
@click.option(
    "-k",
    "times",
    type=click.IntRange(2, 100),
    default=5,
    show_default=True,
    metavar="N",
    help="How often each answer is judged.",
)
@click.option(
    "--suite",
    "-s",
    "suites",
    multiple=True,
    metavar="SUITE",
    type=click.Path(path_type=Path),
    help="The suite file whose criteria are judged by.  [default: those of the run]",
)
@asking_options
@click.option("--case", "cases", multiple=True, metavar="GLOB", help="Only cases with such an id.")
@click.option(
    "--worst",
    type=click.IntRange(min=0),
    default=20,
    show_default=True,
    metavar="N",
    help="Show at most so many unsteady answers; 0 is all.",
)
@json_option
@experiment_option
@history_option
def stability_command(
    run: str,
    times: int,
    suites: tuple[Path, ...],
    criterion: str | None,
    judge_model: str | None,
    concurrency: int | None,
    no_cache: bool,
    cases: tuple[str, ...],
    worst: int,
    as_json: bool,
    experiment: str | None,
    where: str | None,
) -> None:
    """Say how often a judge changes its verdict.

    It scores every answer of RUN several times. No target is called. Prints the flip rate (the share of verdicts that
    are not those of the majority) and the borderline band: the mean scores between which verdicts changed. A threshold
    in the middle of it is a coin toss.
    """
    from ...store.results import case_results
    from ...store.runs import find_run
    from ...workflow.bench import Bench
    from ...workflow.judgetrustfile import trust_folder
    from ...workflow.rescoring import suite_files
    from ...workflow.steadying import repeats, steady
    from ...workflow.suitecriteria import SuiteCriteria
    from ...workflow.where import find_history
    from ..history.options import reading

    start = Path.cwd()
    location = find_history(where, start=start)

    def wanted(result: CaseResult) -> bool:
        return not cases or any(fnmatchcase(result.case_id, pattern) for pattern in cases)

    with Bench(start, keep=not no_cache, concurrency=concurrency) as bench:
        with reading(where) as connection:
            found = find_run(connection, run, experiment=experiment)
            files = suites or [Path(file) for file in suite_files(location, found, start)]
            planned = repeats(
                case_results(connection, found),
                SuiteCriteria.read(files, start, bench.judge),
                bench,
                times=times,
                criterion=criterion,
                judge=judge_model,
                wanted=wanted,
            )
        with progress(planned.calls, quiet=as_json) as told:
            steadiness = steady(planned, bench, told)
    kept = [_keep(trust_folder(location), each, found.uid) for each in steadiness]
    if as_json:
        _print_json(steadiness, kept, found.uid)
    else:
        _print(steadiness, kept, worst)
    if not any(each.known for each in steadiness):
        raise SystemExit(NOTHING_JUDGED)


def _keep(folder: Path, found: Stability, run: str) -> Path | None:
    """The file it is kept in; ``None`` when there is nothing to keep."""
    from ...report.stability import stability_plain
    from ...workflow.judgetrustfile import keep

    if not found.prompt or not found.known:
        return None
    return keep(folder, found.judge, found.prompt, "stability", {"run": run, **stability_plain(found)})


def _print(found: list[Stability], files: list[Path | None], worst: int) -> None:
    from ...report.stability import stability_lines
    from ..styled import echo_lines, terminal_width
    from .calibrate import shown_path

    for number, (each, file) in enumerate(zip(found, files, strict=True)):
        if number:
            click.echo()
        echo_lines(stability_lines(each, terminal_width(), worst))
        if file is not None:
            click.echo(f"  kept in {shown_path(file)}")


def _print_json(found: list[Stability], files: list[Path | None], run: str) -> None:
    from ...report.stability import stability_plain

    print_json(
        run=run,
        judges=[
            {
                "judge": each.judge,
                "prompt": each.prompt or None,
                "file": None if file is None else str(file),
                **stability_plain(each),
                "first_error": each.first_error or None,
            }
            for each, file in zip(found, files, strict=True)
        ],
    )
