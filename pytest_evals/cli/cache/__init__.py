"""``pytest-evals cache``: replies of models that are kept."""

from __future__ import annotations

import click

from ..lazy import LazyGroup, example

_COMMANDS = ("stats", "clear")


@click.group(
    cls=LazyGroup,
    commands_in={name: f"{__name__}.{name}:{name}_command" for name in _COMMANDS},
    default="stats",
    epilog=example("pytest-evals cache", "pytest-evals cache clear --model 'openai/*'"),
)
def cache() -> None:
    """Show and forget the replies that `pytest --evals-cache` kept.

    Without a command: show what there is.
    """
