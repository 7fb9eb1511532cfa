"""``pytest-evals atif show``: trajectory files, step by step."""

from __future__ import annotations

from pathlib import Path

import click

from ..history.options import json_option, print_json
from ..lazy import example


@click.command("show", epilog=example("pytest-evals atif show run.json", "pytest-evals atif show run.json --json"))
@click.argument("files", metavar="FILE...", nargs=-1, required=True, type=click.Path(path_type=Path))
@json_option
def show_command(files: tuple[Path, ...], as_json: bool) -> None:
    """Show what agents did, step by step.

    Messages, tool calls and their results, and below them the steps of subagents.
    Files that a trajectory refers to are named, not opened.
    """
    from ...atif.read import load
    from ...atif.show import lines
    from ..styled import terminal_width

    found = {file: load(file) for file in files}
    if as_json:
        print_json(
            files=[
                {
                    "file": str(file),
                    "warnings": list(trajectory.warnings),
                    "steps": [step.raw for step in trajectory.steps],
                }
                for file, trajectory in found.items()
            ]
        )
        return
    for number, (file, trajectory) in enumerate(found.items()):
        if len(found) > 1:
            click.echo(f"{'' if number == 0 else chr(10)}{file}")
        for line in lines(trajectory, terminal_width()):
            click.echo(line)
        for warning in trajectory.warnings:
            click.echo(f"{file}: {warning}", err=True)
