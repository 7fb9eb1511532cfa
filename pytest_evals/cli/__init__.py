"""Floor 4: the command line. One command a file, loaded when it is used."""

from __future__ import annotations

import gc
import sys
from typing import Any

import click

from .lazy import LazyGroup, example


class Main(LazyGroup):
    """The whole command line."""

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        # What is imported stays: to look for garbage among it is a tenth of a command that reads the history.
        gc.set_threshold(50_000, 20, 20)
        return super().__call__(*args, **kwargs)

    def main(self, *args: Any, **kwargs: Any) -> Any:
        for stream in (sys.stdout, sys.stderr):
            if hasattr(stream, "reconfigure"):
                stream.reconfigure(errors="backslashreplace")  # a terminal that cannot show a name is no reason to stop
        return super().main(*args, **kwargs)


@click.group(
    cls=Main,
    commands_in={
        "accept": "pytest_evals.cli.accept:accept_command",
        "atif": "pytest_evals.cli.atif:atif",
        "bless": "pytest_evals.cli.bless:bless_command",
        "cache": "pytest_evals.cli.cache:cache",
        "compare": "pytest_evals.cli.compare:compare_command",
        "doctor": "pytest_evals.cli.doctor:doctor_command",
        "eval": "pytest_evals.cli.eval:eval_command",
        "experiment": "pytest_evals.cli.experiment:experiment_command",
        "gate": "pytest_evals.cli.gate:gate_command",
        "generate": "pytest_evals.cli.generate:generate_command",
        "groundtruth": "pytest_evals.cli.groundtruth:groundtruth_command",
        "history": "pytest_evals.cli.history:history",
        "import": "pytest_evals.cli.import_:import_command",
        "init": "pytest_evals.cli.init:init_command",
        "judge": "pytest_evals.cli.judge:judge",
        "merge": "pytest_evals.cli.merge:merge_command",
        "report": "pytest_evals.cli.report:report_command",
        "schema": "pytest_evals.cli.schema:schema_command",
        "summarize": "pytest_evals.cli.summarize:summarize_command",
        "template": "pytest_evals.cli.template:template_command",
        "validate": "pytest_evals.cli.validate:validate_command",
        "view": "pytest_evals.cli.view:view_command",
    },
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog=example("pytest evals                  (cases are run by pytest itself)", "pytest-evals history --limit 5"),
)
@click.version_option(package_name="pytest-evals-suite", prog_name="pytest-evals")
def main() -> None:
    """Look after evaluations that run as pytest tests."""
