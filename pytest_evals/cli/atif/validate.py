"""``pytest-evals atif validate``: what is wrong with trajectory files."""

from __future__ import annotations

from pathlib import Path

import click

from ..history.options import json_option, print_json
from ..lazy import example


@click.command(
    "validate", epilog=example("pytest-evals atif validate *.json", "pytest-evals atif validate x.json --json")
)
@click.argument("files", metavar="FILE...", nargs=-1, required=True, type=click.Path(path_type=Path))
@json_option
def validate_command(files: tuple[Path, ...], as_json: bool) -> None:
    """Hold trajectories against the rules of the format, strictly.

    A line for each mistake, with its place in the document. Warnings are what the rules allow but is hardly meant:
    totals that do not add up, two calls of one id, times that go backwards, references that lead nowhere, features
    newer than the version.

    The exit status is 1 when a file is not valid; warnings do not count.
    """
    from ...atif.findings import Finding
    from ...atif.read import load_document
    from ...atif.validate import validate
    from ...errors import TrajectoryError
    from ...report.format import counted

    found: dict[Path, list[Finding]] = {}
    for file in files:
        try:
            found[file] = list(validate(load_document(file)))
        except TrajectoryError as error:
            found[file] = [Finding("$", error.message)]
    invalid = [file for file, findings in found.items() if any(f.severity == "error" for f in findings)]
    if as_json:
        print_json(
            ok=not invalid,
            files=[
                {"file": str(file), "valid": file not in invalid, "findings": [each.plain() for each in findings]}
                for file, findings in found.items()
            ],
        )
    else:
        for file, findings in found.items():
            for finding in findings:
                click.echo(f"{file}: {finding}")
        valid = f"{len(found) - len(invalid)} of {counted(len(found), 'trajectory', 'trajectories')} valid"
        click.echo(valid, err=bool(invalid))
    if invalid:
        raise SystemExit(1)
