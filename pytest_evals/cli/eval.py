"""``pytest-evals eval``: score the answers of a stored run again; or judge those of experiments and templates."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from .history.options import experiment_option, history_option
from .lazy import example
from .pipeline import Told, asking_options, asking_settings, finish

if TYPE_CHECKING:
    from ..workflow.evaluating import EvalOptions

INPUT, OUTPUT = Path("output/experiments"), Path("output/evaluations")

_PATH = click.Path(path_type=Path)


@click.command(
    "eval",
    epilog=example(
        "pytest-evals eval last",
        "pytest-evals eval last --suite evals/stricter.eval.yaml -o json:out.json",
        "pytest-evals eval -d output/experiments --model anthropic/claude-haiku-5-5",
        "pytest-evals eval -f answers.template.csv -g output/groundtruth/consolidated_qa_groundtruth.json",
    ),
)
@click.argument("run", metavar="[RUN]", default="")
@click.option("--file", "-f", "file", type=_PATH, metavar="FILE", help="Judge an experiment or a filled template.")
@click.option(
    "--directory", "-d", type=_PATH, metavar="DIR", help=f"Judge all of a folder.  [without RUN: {INPUT.as_posix()}]"
)
@click.option("--groundtruth", "-g", "truth", type=_PATH, metavar="PATH", help="What answers are held against.")
@click.option(
    "--output",
    "-o",
    "outputs",
    multiple=True,
    metavar="REPORT|DIR",
    help=f"Of a run a report, FORMAT:PATH or PATH; else the folder to write to.  [{OUTPUT.as_posix()}]",
)
@click.option("--force", is_flag=True, help="Judge all anew.")
@click.option("--summary-only", is_flag=True, help="Judge and print, and write nothing.")
@click.option("--report-only", is_flag=True, help="Judge nothing; write the consolidated report of what is there.")
@click.option(
    "--regenerate-report", is_flag=True, expose_value=False, help="The same after judging; it always is written."
)
@click.option(
    "--incremental-update",
    is_flag=True,
    expose_value=False,
    help="The same: the report has all evaluations, new ones and old.",
)
@click.option("--require-groundtruth", is_flag=True, help="Fail for answers that have nothing to be held against.")
@click.option("--no-overview", is_flag=True, help="Let the model write no words about the whole.")
@click.option("--suite", "-s", "suites", multiple=True, metavar="SUITE", help="Of a run: score with this suite file.")
@click.option("--gate", "gates", multiple=True, metavar="GATE", help="A further condition on all cases.")
@click.option("--baseline", metavar="WHAT", help="Of a run: compare with a run, RUN@VARIANT or baseline file (*.json).")
@click.option("--run-name", metavar="NAME", help="Of a run: a name for the new one.")
@experiment_option
@history_option
@asking_options
@click.argument("pytest_args", nargs=-1, metavar="[-- PYTEST_ARGS]...", type=click.UNPROCESSED)
def eval_command(
    run: str,
    file: Path | None,
    directory: Path | None,
    truth: Path | None,
    outputs: tuple[str, ...],
    force: bool,
    summary_only: bool,
    report_only: bool,
    require_groundtruth: bool,
    no_overview: bool,
    suites: tuple[str, ...],
    gates: tuple[str, ...],
    baseline: str | None,
    run_name: str | None,
    experiment: str | None,
    where: str | None,
    as_json: bool,
    quiet: bool,
    pytest_args: tuple[str, ...],
    **asking: Any,
) -> None:
    """Score answers that are there already; no target is called.

    With RUN: the answers of a run of the history, by the criteria that its suites, or SUITE, have now. What comes of
    it is a run of its own, linked to the old one, with gates, reports and exit status as pytest has them. Cases that
    the run has no answer for are left out, and said. What follows -- goes to pytest.

    Without RUN: the answers of experiments and filled templates, by the ratings of a judge, held against the ground
    truth that they carry or that -g names, else on their own. What was judged in the same way is kept. Each experiment
    is a run of the history, too. The exit status is 1 when something could not be judged or a gate is broken, and 75
    when a provider was in trouble.
    """
    from ..errors import UsageError

    if run:
        if file or directory or truth:
            raise UsageError("a run of the history is scored with suites; -f, -d and -g are for files of answers")
        _rescore(run, suites, outputs, gates, baseline, run_name, experiment, where, pytest_args)
    if file and directory:
        raise UsageError("name a file with -f or a folder with -d, not both")
    if suites or baseline or run_name or pytest_args:
        raise UsageError("--suite, --baseline, --run-name and what follows -- are for a RUN of the history")
    if len(outputs) > 1:
        raise UsageError("name one folder with -o")
    from ..workflow.evaluating import EXPERIMENT, EvalOptions, write_consolidated

    output = Path(outputs[0]) if outputs else OUTPUT
    if report_only:
        click.echo(_shown(write_consolidated(output)))
        return
    options = EvalOptions(
        path=file or directory or INPUT,
        truth=truth,
        output=output,
        force=force,
        write=not summary_only,
        needs_truth=require_groundtruth,
        overview=not no_overview,
        gates=gates,
        experiment=experiment or EXPERIMENT,
        history=where,
        asking=asking_settings(**asking),
    )
    _judge(options, as_json=as_json, quiet=quiet)


def _judge(options: EvalOptions, *, as_json: bool, quiet: bool) -> None:
    from ..pipeline.evaluation.report import summary_lines
    from ..pipeline.shapes.evaluations import EvaluationFile
    from ..workflow.evaluating import evaluate

    made = evaluate(options, Told(quiet or as_json))
    if not as_json:
        for line in summary_lines([EvaluationFile(options.path, data) for data in made.evaluations]):
            click.echo(line)
    finish(made, made.folder, as_json)


def _shown(path: Path) -> str:
    from ..pipeline.files import shown

    return shown(path)


def _rescore(
    run: str,
    suites: Sequence[str],
    reports: Sequence[str],
    gates: Sequence[str],
    baseline: str | None,
    run_name: str | None,
    experiment: str | None,
    where: str | None,
    pytest_args: Sequence[str],
) -> None:
    from ..store.runs import find_run
    from ..workflow.rescoring import rescore
    from ..workflow.where import find_history
    from .history.options import reading

    with reading(where) as connection:
        found = find_run(connection, run, experiment=experiment)
    options = [f"--evals-report={report}" for report in reports]
    options += [f"--evals-gate={gate}" for gate in gates]
    options += [f"--evals-baseline={baseline}"] if baseline is not None else []
    options += [f"--evals-run-name={run_name}"] if run_name is not None else []
    raise SystemExit(rescore(find_history(where), found, suites, [*options, *pytest_args]))
