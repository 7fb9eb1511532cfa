"""Floor 4: the command line. One command a file, loaded when it is used."""

from __future__ import annotations

import sys
from typing import Any

import click

from .lazy import LazyGroup, example


class Main(LazyGroup):
    """The whole command line."""

    def main(self, *args: Any, **kwargs: Any) -> Any:
        for stream in (sys.stdout, sys.stderr):
            if hasattr(stream, "reconfigure"):
                stream.reconfigure(errors="backslashreplace")  # a terminal that cannot show a name is no reason to stop
        return super().main(*args, **kwargs)


@click.group(
    cls=Main,
    commands_in={
        "bless": "pytest_evals.cli.bless:bless_command",
        "cache": "pytest_evals.cli.cache:cache",
        "compare": "pytest_evals.cli.compare:compare_command",
        "doctor": "pytest_evals.cli.doctor:doctor_command",
        "gate": "pytest_evals.cli.gate:gate_command",
        "history": "pytest_evals.cli.history:history",
        "import": "pytest_evals.cli.import_:import_command",
        "init": "pytest_evals.cli.init:init_command",
        "schema": "pytest_evals.cli.schema:schema_command",
        "validate": "pytest_evals.cli.validate:validate_command",
    },
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog=example("pytest evals                  (cases are run by pytest itself)", "pytest-evals history --limit 5"),
)
@click.version_option(package_name="pytest-evals-suite", prog_name="pytest-evals")
def main() -> None:
    """Look after evaluations that run as pytest tests."""
