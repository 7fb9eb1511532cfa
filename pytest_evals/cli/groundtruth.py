"""``pytest-evals groundtruth``: what good answers about documents say."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from .lazy import example
from .pipeline import Told, asking_options, asking_settings, finish

USE_CASES = ("summarization", "qa", "email", "pdf", "rag")


@click.command(
    "groundtruth",
    epilog=example(
        "pytest-evals groundtruth output/test_data/meetings",
        "pytest-evals groundtruth docs/handbook.pdf --use-case qa --num-samples 10",
    ),
)
@click.argument("path", type=click.Path(path_type=Path), metavar="[PATH]", default=Path("output/test_data"))
@click.option(
    "--use-case", "-u", type=click.Choice(USE_CASES), default=USE_CASES[0], show_default=True, help="What it is for."
)
@click.option("--pattern", "-p", metavar="GLOB", default="*", help="Which files of the folder.  [all text and PDF]")
@click.option(
    "--num-samples",
    "-n",
    type=click.IntRange(1, 100),
    default=5,
    show_default=True,
    metavar="N",
    help="Pairs of question and answer, for qa and rag.",
)
@click.option(
    "--custom-prompt", type=click.Path(path_type=Path), metavar="FILE", help="What to ask for, in your words."
)
@click.option(
    "--output",
    "-o",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path("output/groundtruth"),
    show_default=True,
    metavar="DIR",
    help="Where the files go.",
)
@click.option("--force", is_flag=True, help="Make all anew, also what a person wrote or accepted.")
@asking_options
def groundtruth_command(
    path: Path,
    use_case: str,
    pattern: str,
    num_samples: int,
    custom_prompt: Path | None,
    output: Path,
    force: bool,
    as_json: bool,
    quiet: bool,
    **asking: Any,
) -> None:
    """Let a model write what good answers about documents say.

    PATH is a document or a folder, output/test_data by default. Each document has its file, all together have a
    consolidated one, which is a data set for suites. What is there is made anew only when the document, the prompt or
    the model changed; what a person wrote is kept. All are drafts until pytest-evals accept. The exit status is 1 when
    something could not be made, and 75 when the provider was in trouble.
    """
    from ..pipeline.shapes.usecases import USE_CASES as ALL
    from ..workflow.groundtruthing import TruthOptions, make_ground_truth

    options = TruthOptions(
        path=path,
        use_case=ALL[use_case],
        pattern=pattern,
        num_samples=num_samples,
        custom_prompt=custom_prompt,
        output=output,
        force=force,
        asking=asking_settings(**asking),
    )
    made = make_ground_truth(options, Told(quiet or as_json))
    finish(made, made.folder, as_json)
