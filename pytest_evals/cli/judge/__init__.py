"""``pytest-evals judge``: how far a judge can be trusted."""

from __future__ import annotations

import click

from ..lazy import LazyGroup, example

_COMMANDS = ("calibrate", "stability")


@click.group(
    cls=LazyGroup,
    commands_in={name: f"{__name__}.{name}:{name}_command" for name in _COMMANDS},
    epilog=example(
        "pytest-evals judge calibrate labels.csv --suite evals/returns.eval.yaml --criterion tone",
        "pytest-evals judge stability last -k 5",
    ),
)
def judge() -> None:
    """Find out how far a judge can be trusted.

    What comes out is kept beside the history, in .evals/judges, for the gate `judge.kappa`.
    """
