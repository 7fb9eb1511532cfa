"""``pytest-evals report RUN… -o PATH…``: reports of stored runs."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import click

from .history.options import experiment_option, history_option
from .lazy import example

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from ..model.comparison import Comparison, Key
    from ..model.result import CaseResult
    from ..model.run import SessionResult
    from ..store.location import Location
    from ..store.values import StoredRun
    from ..workflow.reporting import Results


@click.command(
    "report",
    epilog=example(
        "pytest-evals report last -o report.html -o results.csv",
        "pytest-evals report last --baseline last:main -o markdown:-",
        "pytest-evals report small-model large-model -o side-by-side.html",
        "pytest-evals report -d output/evaluations -o models.md",
    ),
)
@click.argument("runs", metavar="[RUN]...", nargs=-1)
@click.option(
    "--directory",
    "-d",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="Report on the evaluations of a folder instead, as Markdown.  [without RUN: output/evaluations]",
)
@click.option("--summary-only", is_flag=True, help="Of a folder: print a line for each model, and write nothing.")
@click.option(
    "--output",
    "-o",
    "outputs",
    multiple=True,
    metavar="REPORT",
    help="FORMAT:PATH, or PATH by its suffix; - is stdout.",
)
@click.option("--baseline", metavar="WHAT", help="Compare with a run, RUN@VARIANT or baseline file (*.json).")
@click.option("--verbose", "-v", count=True, help="List all cases.")
@experiment_option
@history_option
def report_command(
    runs: tuple[str, ...],
    directory: Path | None,
    summary_only: bool,
    outputs: tuple[str, ...],
    baseline: str | None,
    verbose: int,
    experiment: str | None,
    where: str | None,
) -> None:
    """Write reports of runs of the history, or of a folder.

    Formats are those that --evals-report knows. Figures are computed from the stored results; gates are as they were
    decided. Several runs are added up, or, where they are of the same cases, put side by side as variants. Without
    --output the section that ended the session is printed. Exits with 1 when a report cannot be written.

    Without RUN, models are put against each other by the evaluations of a folder, which pytest-evals eval has written:
    grades, pass rates, cost, latency, tokens, and what each is weakest in.
    """
    from ..errors import UsageError

    if directory is not None or not runs:
        if runs or baseline is not None:
            raise UsageError("name runs of the history, or a folder of evaluations with -d, not both")
        _of_folder(directory or Path("output/evaluations"), outputs, summary_only=summary_only)
        return
    if summary_only:
        raise UsageError("--summary-only is for a folder of evaluations")
    from ..report import parse_report_option
    from ..store.runs import find_run
    from ..workflow.redacting import project_redactor
    from ..workflow.reporting import reported
    from ..workflow.where import find_history
    from .history.options import reading

    asked = [parse_report_option(output) for output in outputs]
    if baseline is not None and len(runs) > 1:
        raise UsageError("--baseline compares with one run; name a single RUN")
    with reading(where) as connection:
        found = [find_run(connection, run, experiment=experiment) for run in dict.fromkeys(runs)]
        found = list({run.uid: run for run in found}.values())
        location = find_history(where, start=Path.cwd())
        comparison = None if baseline is None else _compared(connection, found[0], baseline, location, experiment)
        session, results = reported(connection, found, project_redactor(), comparison)
        if not asked:
            _print(session, verbose)
            return
        aside = any(path == "-" for _, path in asked)
        written = [_write(name, path, session, results, aside=aside) for name, path in asked]
    if not all(written):
        raise SystemExit(1)


def _of_folder(folder: Path, outputs: Sequence[str], *, summary_only: bool) -> None:
    from ..errors import UsageError
    from ..pipeline.evaluation.report import markdown, summary_lines
    from ..pipeline.files import shown, write_text
    from ..pipeline.shapes.evaluations import find_evaluations

    paths = [] if summary_only else [_markdown_path(output) for output in outputs or ("reports/models.md",)]
    found = find_evaluations(folder)
    if not found:
        raise UsageError(f"{shown(folder)} has no evaluations (*.eval.json); make them with pytest-evals eval")
    aside = "-" in paths
    for line in summary_lines(found):
        click.echo(line, err=aside)
    for path in paths:
        if path == "-":
            click.echo(markdown(found), nl=False)
        else:
            write_text(Path(path), markdown(found))
            click.echo(f"Wrote {shown(Path(path))}.", err=aside)


def _markdown_path(output: str) -> str:
    """Where the report goes. Raises ``UsageError`` for another format than Markdown."""
    from ..errors import UsageError
    from ..report import parse_report_option

    if output == "-" or (":" not in output and output.lower().endswith((".md", ".markdown"))):
        return output
    name, path = parse_report_option(output)
    if name != "markdown":
        raise UsageError(f"-o {output}: the report of a folder is Markdown; name a file that ends in .md")
    return path


def _compared(
    connection: Connection, run: StoredRun, baseline: str, location: Location, experiment: str | None
) -> Comparison:
    from ..store.results import case_results
    from ..workflow.comparing import compare_sides, side_of, sides, with_answers

    after = side_of(connection, run.uid)
    [before] = sides([baseline], location, experiment=experiment)
    comparison = compare_sides(before, after, partial=bool(after.incomplete))

    def results_of(keys: Sequence[Key]) -> Iterable[CaseResult]:
        wanted = set(keys)
        return (result for result in case_results(connection, run) if result.key in wanted)

    return with_answers(comparison, location, results_of)


def _print(session: SessionResult, verbose: int) -> None:
    from ..report.terminal import section
    from .styled import echo_lines, terminal_width

    echo_lines(section(session, width=terminal_width(), verbose=verbose))


def _write(name: str, path: str, session: SessionResult, results: Results, *, aside: bool) -> bool:
    """Write one report; returns whether that was possible. ``aside``: stdout is for a report alone."""
    from ..report import said_by, written_report

    if path == "-":
        with TemporaryDirectory() as folder:
            draft = Path(folder) / "report"
            line, done = written_report(name, draft, session, results())
            if done:
                sys.stdout.buffer.write(draft.read_bytes())
    else:
        line, done = written_report(name, path, session, results())
    if path != "-" or not done:
        click.echo(line, err=aside or not done)
    for said in said_by(name, session):
        click.echo(said, err=aside)
    return done
