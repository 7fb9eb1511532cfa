"""``pytest-evals generate``: synthetic meetings, e-mails and documents."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from .lazy import example
from .pipeline import Told, asking_options, asking_settings, finish, names

KINDS = ("meetings", "emails", "documents")


@click.command(
    "generate",
    epilog=example(
        "pytest-evals generate meetings --types standup,planning --count-per-type 2",
        "pytest-evals generate documents --pdf --model ollama/qwen3:8b -o data",
    ),
)
@click.argument("kind", type=click.Choice(KINDS), metavar="|".join(KINDS))
@click.option("--types", "-t", multiple=True, metavar="TYPES", help="Only these types, with commas between.  [all]")
@click.option(
    "--count-per-type",
    "-n",
    type=click.IntRange(1, 1000),
    default=1,
    show_default=True,
    metavar="N",
    help="How many of each type.",
)
@click.option(
    "--target-tokens",
    type=click.IntRange(min=20),
    metavar="N",
    help="How long each is to be, in tokens of four characters.  [meetings 1000, emails 800, documents 2000]",
)
@click.option(
    "--output",
    "-o",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path("output/test_data"),
    show_default=True,
    metavar="DIR",
    help="The kind's folder is made in it.",
)
@click.option("--pdf", is_flag=True, help="Write documents as PDF.")
@click.option("--force", is_flag=True, help="Write all anew, also what is there already.")
@asking_options
def generate_command(
    kind: str,
    types: tuple[str, ...],
    count_per_type: int,
    target_tokens: int | None,
    output: Path,
    pdf: bool,
    force: bool,
    as_json: bool,
    quiet: bool,
    **asking: Any,
) -> None:
    """Let a model write meetings, emails or documents.

    There are eight types of each. Beside the files stand a metadata file and a draft suite. What is there already is
    not paid again: after an interruption the same command goes on. The exit status is 1 when something could not be
    made, and 75 when the provider was in trouble and the same command may go well later.
    """
    from ..pipeline.generation.kinds import KINDS as ALL
    from ..workflow.generating import GenerateOptions, generate

    options = GenerateOptions(
        kind=ALL[kind],
        types=names(types),
        per_type=count_per_type,
        target_tokens=target_tokens,
        output=output,
        pdf=pdf,
        force=force,
        asking=asking_settings(**asking),
    )
    made = generate(options, Told(quiet or as_json))
    finish(made, made.folder, as_json)
