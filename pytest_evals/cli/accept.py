"""``pytest-evals accept``: drafts become cases that count."""

from __future__ import annotations

from pathlib import Path

import click

from .lazy import example


@click.command(
    "accept", epilog=example("pytest-evals accept output/groundtruth", "pytest-evals accept evals/qa.eval.yaml")
)
@click.argument("paths", metavar="PATH...", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def accept_command(paths: tuple[Path, ...], as_json: bool) -> None:
    """Accept drafts of suites and of ground truth.

    From now on gates count them, and they can fail a session. PATH is a suite, a file of ground truth, or a folder of
    them. With a suite the ground truth that it names is accepted, with a consolidated file those of its documents.
    Look at them first: a model wrote them.
    """
    from ..pipeline.accepting import accept
    from ..pipeline.files import shown
    from ..report.format import counted

    done = [accept(path) for path in paths]
    suites = {suite: None for each in done for suite in each.suites}
    documents = {path: names for each in done for path, names in each.documents.items()}
    if as_json:
        from .history.options import print_json

        print_json(
            suites=[shown(suite) for suite in suites],
            documents={shown(path): names for path, names in documents.items()},
        )
        return
    for suite in suites:
        click.echo(f"Accepted {shown(suite)}")
    for path, names in documents.items():
        click.echo(f"Accepted {shown(path)}: {counted(len(names), 'document')}")
    if not suites and not documents:
        click.echo("There are no drafts: nothing was changed.")
