"""``pytest-evals validate``: the mistakes of suites, without running anything."""

from __future__ import annotations

from pathlib import Path

import click

from .history.options import json_option, print_json
from .lazy import example


@click.command("validate", epilog=example("pytest-evals validate evals", "pytest-evals validate evals --json"))
@click.argument("paths", metavar="[PATH]...", nargs=-1, type=click.Path(path_type=Path))
@json_option
def validate_command(paths: tuple[Path, ...], as_json: bool) -> None:
    """Tell every mistake of suites, a line each.

    PATH is a suite, or a folder in which pytest would find some; the current one by default. What is checked is what
    pytest checks when it collects the suites, without importing anything of yours: the suites, the files they include,
    data sets, prompts and recorded answers; that files of targets and functions exist and define them; settings of
    models. No target is called.

    Fixtures, and targets and functions in modules, are left to pytest, which imports them: pytest --collect-only PATH.

    The exit status is 1 when there is a mistake.
    """
    from ..workflow.validate import validate

    checked = validate(paths or (Path(),))
    wrong = [each for each in checked if each.problems]
    if as_json:
        print_json(
            ok=not wrong,
            suites=[
                {
                    "path": each.path,
                    "suite": each.suite,
                    "cases": each.cases,
                    "problems": [
                        {
                            "path": problem.place.path,
                            "line": problem.place.line,
                            "column": problem.place.column,
                            "message": problem.message,
                        }
                        for problem in each.problems
                    ],
                    "unchecked": list(each.unchecked),
                }
                for each in checked
            ],
        )
    else:
        # a file that several suites include is wrong once
        lines = dict.fromkeys(str(problem) for each in wrong for problem in each.problems)
        for line in lines:
            click.echo(line)
        click.echo(_summary(len(checked), len(wrong), len(lines), sum(each.cases for each in checked)), err=bool(wrong))
    if wrong:
        raise SystemExit(1)


def _summary(suites: int, wrong: int, mistakes: int, cases: int) -> str:
    from ..report.format import counted

    if wrong:
        return f"{counted(mistakes, 'mistake')} in {wrong} of {counted(suites, 'suite')}"
    return f"{counted(suites, 'suite')} with {counted(cases, 'case')}: no mistake"
