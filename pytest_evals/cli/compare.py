"""``pytest-evals compare A B``: is run B better or worse than run A."""

from __future__ import annotations

from pathlib import Path

import click

from .history.options import experiment_option, history_option, print_json
from .lazy import example


@click.command(
    "compare",
    epilog=example(
        "pytest-evals compare last:main last",
        "pytest-evals compare evals/baseline.json last --exit-code",
        "pytest-evals compare last@small last@large --markdown",
    ),
)
@click.argument("before", metavar="A")
@click.argument("after", metavar="B")
@click.option("--verbose", "-v", count=True, help="List all cases.")
@click.option("--markdown", is_flag=True, help="Print Markdown.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.option("--exit-code", is_flag=True, help="Exit with 1 if a case broke or a figure regressed.")
@click.option("--allow-missing", is_flag=True, help="A case that is gone from its suite did not break.")
@experiment_option
@history_option
def compare_command(
    before: str,
    after: str,
    verbose: int,
    markdown: bool,
    as_json: bool,
    exit_code: bool,
    allow_missing: bool,
    experiment: str | None,
    where: str | None,
) -> None:
    """Say whether run B is better or worse than run A.

    Prints the figures of both with their intervals, and what became of each case. A and B are runs (id, the
    beginning of one, name, last, last:BRANCH), names of experiments (their newest run),
    variants of a run (RUN@VARIANT), or baseline files (*.json).
    """
    from ..report.comparison import comparison_lines
    from ..report.comparison_json import comparison_plain
    from ..report.comparison_markdown import comparison_markdown
    from ..workflow.comparing import compare_specs, is_file
    from ..workflow.where import find_history

    needs_history = not (is_file(before) and is_file(after))
    location = find_history(where, start=Path.cwd()) if needs_history else None
    found = compare_specs(before, after, location, experiment=experiment, allow_missing=allow_missing)
    if as_json:
        print_json(**comparison_plain(found))
    elif markdown:
        click.echo(comparison_markdown(found))
    else:
        from .styled import echo_lines, terminal_width

        echo_lines(comparison_lines(found, width=terminal_width(), verbose=verbose))
    if exit_code and (found.regressions or any(metric.standing == "regressed" for metric in found.metrics)):
        raise SystemExit(1)
