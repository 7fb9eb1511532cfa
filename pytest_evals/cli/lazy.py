"""Command groups that import a command's file when it is used, and print what a person can mend as one line."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Any

import click

from ..errors import EvalsError
from ..model.place import did_you_mean


def example(*lines: str) -> str:
    """The end of a command's help: what to type, each on its own line."""
    return "\n".join(("\b", "Example:", *(f"  {line}" for line in lines)))


class Mendable(click.ClickException):
    """An ``EvalsError`` on its way to the terminal."""

    exit_code = 2


class LazyGroup(click.Group):
    """A group that knows where its commands are: ``{"history": "pytest_evals.cli.history:history"}``."""

    def __init__(
        self, *args: Any, commands_in: Mapping[str, str] | None = None, default: str = "", **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        self._places = dict(commands_in or {})
        self._default = default
        """The command that is meant when only options follow, or nothing."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return [*self._places, *super().list_commands(ctx)]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        place = self._places.get(cmd_name)
        if place is None:
            return super().get_command(ctx, cmd_name)
        module, _, attribute = place.partition(":")
        command: click.Command = getattr(import_module(module), attribute)
        return command

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if self._default and (not args or (args[0].startswith("-") and args[0] not in ctx.help_option_names)):
            args.insert(0, self._default)
        return super().parse_args(ctx, args)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        name = args[0]
        if self.get_command(ctx, name) is None and not name.startswith("-"):
            raise click.UsageError(f"no such command: {name!r}{did_you_mean(name, self.list_commands(ctx))}", ctx)
        return super().resolve_command(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except EvalsError as error:
            raise Mendable(str(error)) from error
