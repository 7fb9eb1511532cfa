"""``pytest-evals atif stats``: what trajectories come to."""

from __future__ import annotations

from pathlib import Path

import click

from ..history.options import json_option, print_json
from ..lazy import example


@click.command("stats", epilog=example("pytest-evals atif stats *.json", "pytest-evals atif stats run.json --json"))
@click.argument("files", metavar="FILE...", nargs=-1, required=True, type=click.Path(path_type=Path))
@json_option
def stats_command(files: tuple[Path, ...], as_json: bool) -> None:
    """Count steps, tool calls, tokens and cost.

    A line for each file, with the calls that failed. What subagents did is counted in. Unknown amounts stay empty.
    """
    from ...atif.read import load
    from ...atif.show import figures
    from ...report.format import count, usd
    from ..table import table

    found = [(file, figures(load(file))) for file in files]
    if as_json:
        print_json(files=[{"file": str(file), **made} for file, made in found])
        return

    def number(value: float | None) -> str:
        return "" if value is None else count(int(value))

    rows = [
        (
            file.name,
            made["agent"],
            count(made["steps"]),
            count(made["tool_calls"]),
            count(made["tool_errors"]),
            number(made["prompt_tokens"]),
            number(made["completion_tokens"]),
            "" if made["cost_usd"] is None else usd(made["cost_usd"]),
            ", ".join(f"{name} {times}" for name, times in made["tools"].items()),
        )
        for file, made in found
    ]
    headers = ("file", "agent", "steps", "calls", "errors", "input", "output", "cost", "tools")
    click.echo(table(headers, rows, right=(2, 3, 4, 5, 6, 7), width=60))
