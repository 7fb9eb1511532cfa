"""What the commands that ask models have in common."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

import click

if TYPE_CHECKING:
    from ..pipeline.spent import Spent
    from ..workflow.pipelineasking import AskOptions

F = TypeVar("F", bound=Callable[..., Any])


def asking_options(function: F) -> F:
    """``--model`` and how it is asked; ``--json`` and ``--quiet``."""
    options = (
        click.option(
            "--model",
            metavar="MODEL",
            default="",
            help="provider/name.  [default: PYTEST_EVALS_PIPELINE_MODEL, or anthropic/claude-haiku-5-5]",
        ),
        click.option("--base-url", metavar="URL", default="", help="The address of the server, if not the provider's."),
        click.option("--max-tokens", type=click.IntRange(min=1), metavar="N", help="At most so many of a reply."),
        click.option("--temperature", type=click.FloatRange(0, 2), metavar="T", help="Sent if given."),
        click.option(
            "--concurrency",
            type=click.IntRange(min=1),
            default=4,
            show_default=True,
            metavar="N",
            help="How many are made at a time.",
        ),
        click.option("--quiet", "-q", is_flag=True, help="No line for each file."),
        click.option("--json", "as_json", is_flag=True, help="Print JSON."),
    )
    for option in reversed(options):
        function = option(function)
    return function


def asking_settings(**given: Any) -> AskOptions:
    """Those options as a value."""
    from ..workflow.pipelineasking import AskOptions

    return AskOptions(**given)


def names(given: Iterable[str]) -> tuple[str, ...]:
    """Names with commas between, or the option several times."""
    return tuple(name.strip() for text in given for name in text.split(",") if name.strip())


class Told:
    """Prints progress on standard error."""

    def __init__(self, quiet: bool) -> None:
        self._quiet = quiet

    def __call__(self, line: str) -> None:
        if not self._quiet:
            click.echo(line, err=True)


class Result(Protocol):
    """What a command did."""

    @property
    def made(self) -> int: ...
    @property
    def kept(self) -> int: ...
    @property
    def errors(self) -> Sequence[str]: ...
    @property
    def spent(self) -> Spent: ...
    @property
    def calls(self) -> int: ...
    @property
    def status(self) -> int: ...
    @property
    def told(self) -> Sequence[str]: ...
    @property
    def unpriced(self) -> Sequence[str]: ...


def finish(result: Result, folder: Path, as_json: bool) -> None:
    """Print what was done, and end with its status."""
    from ..pipeline.asking.progress import price
    from ..pipeline.files import shown

    if as_json:
        from .history.options import print_json

        print_json(
            folder=shown(folder),
            made=result.made,
            kept=result.kept,
            errors=list(result.errors),
            calls=result.calls,
            usage=result.spent.usage_json(),
            cost=result.spent.cost_json(),
            notes=list(result.told),
        )
    else:
        click.echo(_whole(result, folder, price(result.spent)))
        for line in result.told:
            click.echo(line)
        for model in result.unpriced:
            click.echo(f"The price of {model} is not known: name it in the file of evals_prices.", err=True)
        for error in result.errors:
            click.echo(f"Error: {error}", err=True)
    if result.status:
        click.get_current_context().exit(result.status)


def _whole(result: Result, folder: Path, price: str) -> str:
    from ..pipeline.asking.progress import dollars
    from ..pipeline.files import shown
    from ..report.format import counted

    parts = [f"{counted(result.made, 'file')} made", f"{result.kept} kept"]
    if result.errors:
        parts.append(f"{len(result.errors)} failed")
    usd = result.spent.total_usd
    average = f", {dollars(usd / result.made)} a file" if usd and result.made > 1 else ""
    return f"{shown(folder)}: {', '.join(parts)}; {counted(result.calls, 'call')}, {price}{average}."
