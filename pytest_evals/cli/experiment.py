"""``pytest-evals experiment``: the same documents and questions, put to several models."""

from __future__ import annotations

from pathlib import Path

import click

from .lazy import example
from .pipeline import Told, finish


@click.command(
    "experiment",
    epilog=example(
        "pytest-evals experiment --create-sample-config models.json",
        "pytest-evals experiment -c models.json",
        "pytest-evals experiment -c models.json -i output/groundtruth/consolidated_qa_groundtruth.json",
    ),
)
@click.option("--config", "-c", type=click.Path(path_type=Path, dir_okay=False), metavar="CONFIG", help="JSON or YAML.")
@click.option(
    "--input",
    "-i",
    "input_path",
    type=click.Path(path_type=Path),
    metavar="PATH",
    help="Ground truth, or documents.  [the consolidated ground truth, else output/test_data]",
)
@click.option(
    "--queries-source",
    "-q",
    "queries",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Ground truth whose questions are asked of documents.",
)
@click.option(
    "--output",
    "-o",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path("output/experiments"),
    show_default=True,
    metavar="DIR",
    help="Where the files go.",
)
@click.option("--delay", type=click.FloatRange(0), default=0.0, metavar="SECONDS", help="Before each item.")
@click.option("--force", is_flag=True, help="Ask all anew.")
@click.option(
    "--concurrency", type=click.IntRange(min=1), default=4, show_default=True, metavar="N", help="Items at a time."
)
@click.option(
    "--create-sample-config",
    "sample",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Write a configuration to begin with, and ask nothing.",
)
@click.option(
    "--create-config-from-groundtruth",
    "truth",
    type=click.Path(path_type=Path, exists=True),
    metavar="FILE",
    help="Write a configuration for ground truth beside it, or where --config says, and ask nothing.",
)
@click.option("--quiet", is_flag=True, help="No line for each item.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def experiment_command(
    config: Path | None,
    input_path: Path | None,
    queries: Path | None,
    output: Path,
    delay: float,
    force: bool,
    concurrency: int,
    sample: Path | None,
    truth: Path | None,
    quiet: bool,
    as_json: bool,
) -> None:
    """Put the same documents and questions to several models.

    They summarise documents, or answer questions about them. Which models, and how they are asked, stands in CONFIG.
    What was asked in the same way before is skipped, down to the single document; an interrupted command goes on where
    it was. The exit status is 1 when something could not be answered, and 75 when a provider was in trouble.
    """
    from ..errors import UsageError
    from ..pipeline.files import shown
    from ..workflow.experimenting import ExperimentOptions, run_experiments, write_config_for, write_sample
    from ..workflow.pipelineasking import AskOptions

    if sample is not None:
        write_sample(sample)
        click.echo(f"Wrote {shown(sample)}; run it with: pytest-evals experiment -c {shown(sample)}")
        return
    if truth is not None:
        written = write_config_for(truth, config)
        click.echo(
            f"Wrote {shown(written)}; run it with: pytest-evals experiment -c {shown(written)} -i {shown(truth)}"
        )
        return
    if config is None:
        raise UsageError("name a configuration with -c; --create-sample-config FILE writes one to begin with")
    options = ExperimentOptions(
        config, input_path, queries, output, delay, force, AskOptions(concurrency=1 if delay else concurrency)
    )
    made = run_experiments(options, Told(quiet or as_json))
    finish(made, made.folder, as_json)
