"""``pytest-evals merge``: one evaluation of the shards that several machines ran."""

from __future__ import annotations

from pathlib import Path

import click

from .history.options import history_option
from .lazy import example


@click.command(
    "merge",
    epilog=example(
        "pytest-evals merge shards/*.shard",
        "pytest-evals merge shards/*.shard -o evals.json -o evals.html -o github",
        "pytest-evals merge shards/*.shard --baseline evals/baseline.json -o evals.plan.json",
    ),
)
@click.option(
    "--output", "-o", "reports", multiple=True, metavar="REPORT", help="Write a report: FORMAT:PATH, or PATH."
)
@click.option("--gate", "-g", "gates", multiple=True, metavar="GATE", help="A further condition on all cases.")
@click.option("--baseline", metavar="WHAT", help="Compare with a run, RUN@VARIANT or baseline file (*.json).")
@click.option("--allow-missing", is_flag=True, help="A case that is gone from its suite is no regression.")
@click.option("--run-name", metavar="NAME", help="A name for the run.")
@click.option("--verbose", "-v", count=True, help="List all cases.")
@click.option("--no-history", is_flag=True, help="Keep no run.")
@history_option
@click.argument("files", nargs=-1, required=True, metavar="SHARD...", type=click.Path(path_type=Path))
def merge_command(
    reports: tuple[str, ...],
    gates: tuple[str, ...],
    baseline: str | None,
    allow_missing: bool,
    run_name: str | None,
    verbose: int,
    no_history: bool,
    where: str | None,
    files: tuple[Path, ...],
) -> None:
    """Make one evaluation of the shards it was run in.

    They are what pytest wrote with --evals-shard. Everything is computed again from their results: figures, gates,
    the comparison with a baseline, reports, and the run of the history. The exit status is the one that a single
    session would have had. Files that are there twice, do not belong together, or are not all of the shards are
    refused by name.
    """
    from ..report import parse_report_option, said_by
    from ..report.terminal import section
    from ..workflow.mergedrun import MergedRun
    from ..workflow.where import find_history
    from .styled import echo_lines, terminal_width

    asked = [parse_report_option(text) for text in reports]
    location = None if no_history else find_history(where, start=Path.cwd())
    run = MergedRun.of(files, location, gates=gates, baseline=baseline, allow_missing=allow_missing, run_name=run_name)
    try:
        stored, problem = run.record()
        written = [run.write(name, path) for name, path in asked]
    finally:
        run.close()
    lines = section(
        run.session,
        width=terminal_width(),
        verbose=verbose,
        reports=[*written, *([problem] if problem else [])],
        runs=stored,
        other_tests=run.other_tests,
    )
    echo_lines(lines)
    for name, _ in asked:
        for said in said_by(name, run.session):
            click.echo(said)
    raise SystemExit(run.session.exit_status)
