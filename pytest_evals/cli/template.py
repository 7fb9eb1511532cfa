"""``pytest-evals template``: a file to fill with the answers of a system that cannot be called."""

from __future__ import annotations

from pathlib import Path

import click

from ..errors import SuiteError, UsageError
from .groundtruth import USE_CASES
from .lazy import example

FORMATS = ("json", "csv", "jsonl", "xml")


@click.command(
    "template",
    epilog=example(
        "pytest-evals template output/groundtruth --use-case qa --format csv",
        "pytest-evals template output/test_data/meetings",
    ),
)
@click.argument("path", type=click.Path(path_type=Path), metavar="[PATH]", default=Path("output/groundtruth"))
@click.option("--use-case", "-u", type=click.Choice(USE_CASES), help="Which ground truth of a folder.")
@click.option(
    "--format", "-f", "format", type=click.Choice(FORMATS), default=FORMATS[0], show_default=True, help="Of the file."
)
@click.option(
    "--output",
    "-o",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path("output/templates"),
    show_default=True,
    metavar="DIR",
    help="Where the file goes.",
)
@click.option(
    "--threshold",
    type=click.FloatRange(0, 1),
    default=0.7,
    show_default=True,
    metavar="SCORE",
    help="The similarity that answers must reach.",
)
@click.option("--force", is_flag=True, help="Replace a template that holds answers.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def template_command(
    path: Path, use_case: str | None, format: str, output: Path, threshold: float, force: bool, as_json: bool
) -> None:
    """Write questions into a file that has room for answers.

    PATH is a file or folder of ground truth, output/groundtruth by default, or documents without any. The filled
    template is a target of suites ({responses: FILE}) whose cases are the ground truth. What is left blank is not
    answered, and never judged.
    """
    from ..pipeline.files import shown, write_text
    from ..pipeline.templates.making import file_stem, template_of
    from ..pipeline.templates.writing import FORMATS as WRITERS
    from ..report.format import counted

    template = template_of(path, use_case or "", threshold)
    target = output / f"{file_stem(path, template.use_case)}.template.{format}"
    if not force:
        _check_free(target)
    write_text(target, WRITERS[format](template))
    if as_json:
        from .history.options import print_json

        print_json(template=shown(target), use_case=template.use_case, items=len(template.items))
        return
    click.echo(f"Wrote {shown(target)}: {counted(len(template.items), 'item')} to answer.")
    click.echo(f"Write answers into 'response', then: pytest-evals eval -f {shown(target)}")


def _check_free(target: Path) -> None:
    """Raise ``UsageError`` rather than lose what somebody has filled in."""
    from ..pipeline.files import shown
    from ..suite import read_template

    if not target.exists():
        return
    try:
        answered = sum(item.answered for item in read_template(target, shown=shown(target)).items)
    except SuiteError:
        raise UsageError(f"{shown(target)} is there and cannot be read; --force replaces it") from None
    if answered:
        raise UsageError(f"{shown(target)} holds {answered} answers; --force replaces it, -o writes elsewhere")
