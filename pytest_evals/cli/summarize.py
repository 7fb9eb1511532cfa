"""``pytest-evals summarize``: summaries of one document, in several styles."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from .lazy import example
from .pipeline import Told, asking_options, asking_settings, finish, names


@click.command(
    "summarize",
    epilog=example(
        "pytest-evals summarize -i meeting.txt",
        "pytest-evals summarize -i report.pdf --styles brief,bullets --combined-prompt -o summaries",
    ),
)
@click.option(
    "--input", "-i", "input_path", type=click.Path(path_type=Path), required=True, metavar="PATH", help="Text or PDF."
)
@click.option(
    "--styles",
    multiple=True,
    metavar="STYLE,…",
    help="brief, detailed, bullets, executive, participants, action_items, key_decisions, topics_discussed, or all.  "
    "[executive, participants, action_items]",
)
@click.option("--combined-prompt", is_flag=True, help="Ask for all styles at once.")
@click.option(
    "--output",
    "-o",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path("output/summaries"),
    show_default=True,
    metavar="DIR",
    help="Where the file goes.",
)
@click.option("--force", is_flag=True, help="Ask anew.")
@asking_options
def summarize_command(
    input_path: Path,
    styles: tuple[str, ...],
    combined_prompt: bool,
    output: Path,
    force: bool,
    as_json: bool,
    quiet: bool,
    **asking: Any,
) -> None:
    """Summarise a document, or all of a folder, in several styles.

    The summaries are printed, and kept as a file of an experiment that pytest-evals eval judges. The exit status is 1
    when something could not be summarised, and 75 when a provider was in trouble.
    """
    from ..workflow.summarizing import summarize

    made, texts = summarize(
        input_path,
        names(styles),
        combined=combined_prompt,
        output=output,
        force=force,
        asking=asking_settings(**asking),
        tell=Told(quiet or as_json),
    )
    if not as_json:
        for title, text in texts:
            click.echo(f"\n# {title}\n\n{text}")
        click.echo()
    finish(made, made.folder, as_json)
