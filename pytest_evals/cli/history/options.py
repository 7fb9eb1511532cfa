"""What the commands of ``history`` have in common."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from ...errors import UsageError
from ...workflow.where import VARIABLE, elsewhere, find_history

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from ...store.location import Location

F = TypeVar("F", bound=Callable[..., Any])

FORMAT = 1
"""The version of what ``--json`` prints."""


def history_option(function: F) -> F:
    """``--history``: which history."""
    default = f"[default: {VARIABLE}, evals_history in pytest's ini file, or .evals/history.db]"
    text = f"The history: a path or database URL.  {default}"
    return click.option("--history", "where", metavar="WHERE", help=text)(function)


def json_option(function: F) -> F:
    """``--json``: for programs."""
    return click.option("--json", "as_json", is_flag=True, help="Print JSON.")(function)


def experiment_option(function: F) -> F:
    """``--experiment``: only that one."""
    return click.option("--experiment", metavar="NAME", help="Only runs of this experiment.")(function)


def type_option(function: F) -> F:
    """``--type``: only that one."""
    text = "Only runs of this type: with verdicts, or with scores alone."
    return click.option("--type", "kind", type=click.Choice(["checked", "judged"]), help=text)(function)


def limit_option(default: int) -> Callable[[F], F]:
    """``--limit``: how many to show."""

    def decorate(function: F) -> F:
        kind = click.IntRange(min=0)
        text = "Show at most so many; 0 is all."
        return click.option("--limit", "-n", type=kind, default=default, show_default=True, help=text)(function)

    return decorate


def yes_option(function: F) -> F:
    """``--yes``: for scripts."""
    return click.option("--yes", "-y", is_flag=True, help="Do not ask.")(function)


def run_argument(function: F) -> F:
    """The run a command is about."""
    return click.argument("run", metavar="RUN")(function)


def said_empty(location: Location) -> bool:
    """When there is no history, say so on stderr: that is no error, but it must not look like «nothing found»."""
    if not location.missing:
        return False
    hint = elsewhere() or "; it is made by the first pytest session that runs cases"
    click.echo(f"There is no history yet at {location}{hint}.", err=True)
    return True


@contextmanager
def reading(where: str | None) -> Iterator[Connection]:
    """The history for a command that needs a run in it."""
    from ...store import connect

    with connect.reading(_existing(where)) as connection:
        yield connection


@contextmanager
def writing(where: str | None) -> Iterator[Connection]:
    """The history for a command that changes a run in it."""
    from ...store import connect

    with connect.writing(_existing(where)) as connection:
        yield connection


def _existing(where: str | None) -> Location:
    location = find_history(where, start=Path.cwd())
    if location.missing:
        hint = elsewhere()
        raise UsageError(
            f"there is no history yet at {location}{hint}; name {'it' if hint else 'another one'} with --history"
        )
    return location


def print_json(**content: Any) -> None:
    """Print a JSON object that carries its format's version."""
    click.echo(json.dumps({"format": FORMAT, **content}, ensure_ascii=False, indent=2))
