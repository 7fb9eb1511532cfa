"""``pytest-evals doctor``: what is missing."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

import click

from .history.options import history_option, json_option, print_json
from .lazy import example

_SIGNS = {"ok": ("ok", "green"), "unused": ("–", "bright_black"), "warning": ("!", "yellow"), "failed": ("✗", "red")}


@click.command("doctor", epilog=example("pytest-evals doctor", "pytest-evals doctor evals --json"))
@click.argument("paths", metavar="[PATH]...", nargs=-1, type=click.Path(exists=True, path_type=Path))
@click.option("--all", "-a", "everything", is_flag=True, help="Also settings that have their default.")
@json_option
@history_option
def doctor_command(paths: tuple[Path, ...], everything: bool, as_json: bool, where: str | None) -> None:
    """Look whether everything is there that evaluations need.

    Keys, packages, servers of your own, folders, the history, prices, and each setting with where it comes from. With
    suites or folders of suites it looks for what they need. No model is called, and no key is printed.

    The exit status is 1 when something is missing.
    """
    from ..workflow.doctor import examine

    found = examine(Path.cwd(), paths, history=where)
    if as_json:
        print_json(
            rootdir=str(found.rootdir),
            ok=not found.failed,
            checks=[asdict(check) for check in found.checks],
            settings=[
                {"name": said.name, "value": said.shown, "origin": said.origin, "problem": said.problem}
                for said in found.settings
            ],
        )
    else:
        from .table import table

        click.echo(f"rootdir {found.rootdir}\n")
        topic = ""
        for check in found.checks:
            sign, colour = _SIGNS[check.standing]
            shown = check.topic if check.topic != topic else ""
            cure = f"; {check.cure}" if check.cure else ""
            click.echo(f"  {shown:<9} {click.style(f'{sign:<3}', fg=colour)}{check.found}{cure}")
            topic = check.topic
        rows = [
            (said.name, said.shown or "–", said.origin)
            for said in found.settings
            if not said.problem and (everything or said.origin != "default")
        ]
        if rows:
            click.echo("\n" + table(("setting", "value", "from"), rows, width=60))
        else:
            click.echo("\nAll settings have their defaults (--all shows them).")
    if found.failed:
        raise SystemExit(1)
