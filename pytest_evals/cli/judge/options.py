"""What the commands of ``judge`` have in common."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TypeVar

import click

if TYPE_CHECKING:
    from ...errors import EvalsError
    from ...model.score import Score

F = TypeVar("F", bound=Callable[..., Any])

INTERRUPTED = 130
"""Exit status at Ctrl-C, as of any program."""


def asking_options(function: F) -> F:
    """Which judge is asked, and how."""
    options = (
        click.option("--criterion", "-c", metavar="NAME", help="Only this criterion."),
        click.option(
            "--judge-model",
            metavar="MODEL",
            help="The judge: provider/name.  [default: that of the suite, then evals_judge_model]",
        ),
        click.option("--concurrency", type=click.IntRange(min=1), metavar="N", help="Calls in flight.  [default: 16]"),
        click.option("--no-cache", is_flag=True, help="Ask anew, and keep no reply for the next time."),
    )
    for option in reversed(options):
        function = option(function)
    return function


@contextmanager
def progress(calls: int, *, quiet: bool) -> Iterator[Callable[[Score | EvalsError], object]]:
    """Shows on a terminal how many calls are done, while the block runs, and ends it in order at Ctrl-C."""
    from ...workflow.bench import Interrupted

    shown = sys.stderr.isatty() and not quiet
    done = errors = 0

    def told(found: Score | EvalsError) -> None:
        nonlocal done, errors
        done, errors = done + 1, errors + isinstance(found, Exception)
        if shown:
            wrong = f", {errors:,} without a verdict" if errors else ""
            click.echo(f"\r{done:,} of {calls:,} judged{wrong}", nl=done == calls, err=True)

    try:
        yield told
    except Interrupted as stop:
        if shown:
            click.echo(err=True)
        kept = (
            "; their replies are kept: the same command goes on from there"
            if stop.kept
            else "; nothing is kept with --no-cache"
        )
        click.echo(f"Interrupted: {stop.done:,} of {stop.of:,} answers are judged{kept}.", err=True)
        raise SystemExit(INTERRUPTED) from None
