"""``pytest-evals import``: suites from other tools' files."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from ..errors import UsageError
from ..importers import FORMATS
from .history.options import experiment_option, history_option
from .lazy import example

if TYPE_CHECKING:
    from ..importers.imported import Imported
    from ..importers.writing import Written

RESULTS = "gaia"
"""What is no suite: results of the pipeline."""

STATUS_DROPPED = 1
"""Everything was written, but something of the file has no equivalent, or must be mended in the suite."""


@click.command(
    "import",
    epilog=example(
        "pytest-evals import promptfoo promptfooconfig.yaml -o evals/support.eval.yaml",
        "pytest-evals import csv questions.csv -o evals/qa.eval.yaml --map input=question --target my_app:answer",
    )
    + "\n\n\b\nFormats:\n"
    + "\n".join(f"  {name:<15} {format.summary}" for name, format in FORMATS.items())
    + f"\n  {RESULTS:<15} a folder of evaluations, which are brought into the history",
)
@click.argument("format", type=click.Choice([*FORMATS, RESULTS]), metavar="FORMAT")
@click.argument("file", type=click.Path(path_type=Path), metavar="FILE")
@click.option("--output", "-o", "suite", type=click.Path(path_type=Path), metavar="SUITE", help="The suite to write.")
@click.option("--map", "maps", multiple=True, metavar="KEY=COLUMN", help="Which column or field fills a key of cases.")
@click.option("--criterion", "criteria", multiple=True, metavar="NAME", help="A scorer for files that name none.")
@click.option("--target", metavar="TARGET", default="", help="The application, as a suite writes it.")
@click.option("--name", metavar="NAME", default="", help="The name of the suite.")
@click.option("--force", is_flag=True, help="Replace files that are there already.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@experiment_option
@history_option
def import_command(
    format: str,
    file: Path,
    suite: Path | None,
    maps: tuple[str, ...],
    criteria: tuple[str, ...],
    target: str,
    name: str,
    force: bool,
    as_json: bool,
    experiment: str | None,
    where: str | None,
) -> None:
    """Write a suite from another tool's FILE.

    Everything with an equivalent is converted; what has none is listed, and kept in the suite under x-not-imported. The
    exit status is 1 when there was any. Without -o the suite is printed, for a look at it. Of gaia, FILE is a folder of
    evaluations, which are brought into the history.
    """
    if format == RESULTS:
        if suite or maps or criteria or target or name or force:
            raise UsageError("results are brought into the history as they are: only --experiment and --history apply")
        _results(file, experiment, where, as_json)
        return
    if experiment or where:
        raise UsageError("--experiment and --history are for results (gaia); a suite is written to the file of -o")
    from ..importers import import_file
    from ..importers.imported import Wishes
    from ..importers.text import suite_text
    from ..importers.writing import check_name, header, write

    chosen = FORMATS[format]
    if maps and not chosen.maps:
        raise UsageError(f"--map says nothing about a file of {format}")
    if criteria and not chosen.asks:
        raise UsageError(f"--criterion says nothing about a file of {format}: it names its own")
    if suite is not None:
        check_name(suite)
    wishes = Wishes(_pairs(maps), _known(criteria), target, name)
    imported = import_file(format, file, wishes, suite if suite is not None else Path("suite.eval.yaml"))
    if suite is None:
        if as_json:
            raise UsageError("--json tells what was written: name the suite with -o")
        click.echo(suite_text(imported, header(imported, file, format)), nl=False)
        if imported.code or imported.answers:
            click.echo("The suite needs a file beside it, which is written when -o names the suite.", err=True)
        written = None
    else:
        written = write(imported, suite, file, format, replace=force)
        _report(imported, written, as_json)
    if not as_json:
        _tell(imported)
    if imported.notes.count("dropped") or (written is not None and written.problems):
        click.get_current_context().exit(STATUS_DROPPED)


def _results(folder: Path, experiment: str | None, where: str | None, as_json: bool) -> None:
    from ..report.format import counted
    from ..workflow.gaiaimport import EXPERIMENT, import_results

    brought = import_results(folder, experiment=experiment or EXPERIMENT, history=where)
    if as_json:
        from .history.options import print_json

        print_json(runs=list(brought.runs), there=list(brought.there), unjudged=list(brought.unjudged))
        return
    click.echo(
        f"{counted(len(brought.runs), 'run')} brought into the history: {', '.join(brought.runs) or 'none is new'}."
    )
    if brought.there:
        click.echo(f"{len(brought.there)} are there already.")
    for path in brought.unjudged:
        click.echo(f"{path} was not judged, and is left out: pytest-evals eval -f {path}", err=True)


def _pairs(maps: tuple[str, ...]) -> dict[str, str]:
    found: dict[str, str] = {}
    for given in maps:
        key, equals, column = given.partition("=")
        if not equals or not key.strip() or not column.strip():
            raise UsageError(f"--map {given}: write KEY=COLUMN, such as input=question")
        if key.strip() in found:
            raise UsageError(f"--map {key.strip()} is given twice")
        found[key.strip()] = column.strip()
    return found


def _known(criteria: tuple[str, ...]) -> tuple[str, ...]:
    """The names of scorers; those of a project's own cannot be judged here."""
    for name in criteria:
        if not name.isidentifier():
            raise UsageError(f"--criterion {name}: name a scorer, such as contains; write options in the suite")
    return criteria


def _report(imported: Imported, written: Written, as_json: bool) -> None:
    from ..importers.foreign import shown
    from ..report.format import counted

    if as_json:
        from .history.options import print_json

        print_json(
            suite=shown(written.suite),
            answers=shown(written.answers) if written.answers else None,
            code=shown(written.code) if written.code else None,
            cases=written.cases,
            dropped=imported.notes.count("dropped"),
            changed=imported.notes.count("changed"),
            chosen=imported.notes.count("chosen"),
            notes=[
                {"kind": note.kind, "what": note.what, "why": note.why, "place": note.place, "case": note.case}
                for note in imported.notes
            ],
            problems=[str(problem) for problem in written.problems],
        )
        return
    files = [shown(path) for path in (written.suite, written.answers, written.code) if path is not None]
    click.echo(f"Wrote {' and '.join(files)}: {counted(written.cases, 'case')}.")
    for problem in written.problems:
        click.echo(f"to mend: {problem}", err=True)


MOST_TOLD = 100
"""Notes on standard error; all of them stand in the suite, and in what --json prints."""

_WORDS = {"dropped": "not imported", "changed": "differs", "chosen": "chosen"}


def _tell(imported: Imported) -> None:
    from ..importers.text import KEPT
    from ..report.format import counted

    for note in imported.notes.all[:MOST_TOLD]:
        click.echo(f"{_WORDS[note.kind]}: {note}", err=True)
    if len(imported.notes.all) > MOST_TOLD:
        more = len(imported.notes.all) - MOST_TOLD
        click.echo(f"… and {more:,} more, which stand in the suite as comments", err=True)
    if dropped := imported.notes.count("dropped"):
        verb = "has" if dropped == 1 else "have"
        click.echo(f"{counted(dropped, 'thing')} {verb} no equivalent; see {KEPT} in the suite.", err=True)
