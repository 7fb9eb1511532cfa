"""``pytest-evals schema``: what editors need to complete suite files."""

from __future__ import annotations

import json
from pathlib import Path

import click

from ..errors import UsageError
from .lazy import example


@click.command(
    "schema",
    epilog=example("pytest-evals schema -o evals/suite.schema.json", "pytest-evals schema --defaults"),
)
@click.option("--defaults", is_flag=True, help="The schema of evals.defaults.yaml and of included files.")
@click.option("--output", "-o", metavar="FILE", type=click.Path(path_type=Path), help="Write it to a file.")
def schema_command(defaults: bool, output: Path | None) -> None:
    """Print the JSON Schema of suites, for editors.

    With it an editor completes and checks suite files while they are written. Editors with the YAML language server
    take it from the first line of a suite:

    \b
      # yaml-language-server: $schema=suite.schema.json

    Write it anew when pytest-evals is upgraded. A project's own scorers may have any options.
    """  # noqa: D301  (click wants the control character)
    from ..scoring import specs
    from ..suite.jsonschema import defaults_schema, suite_schema

    made = (defaults_schema if defaults else suite_schema)(specs())
    text = json.dumps(made, ensure_ascii=False, indent=1)
    if output is None:
        click.echo(text)
        return
    try:
        output.parent.mkdir(parents=True, exist_ok=True)
        output.write_text(text + "\n", encoding="utf-8")
    except OSError as error:
        raise UsageError(f"{output} cannot be written: {error.strerror or error}") from None
    click.echo(f"Wrote {output}. First line of a suite: # yaml-language-server: $schema={output.name}")
