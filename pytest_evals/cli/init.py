"""``pytest-evals init``: a first suite."""

from __future__ import annotations

import os
from pathlib import Path

import click

from ..errors import UsageError
from .lazy import example

SUITE, BOT = "first.eval.yaml", "first_bot.py"

FILES = {
    BOT: '''\
"""Stands in for your application, so that first.eval.yaml runs as it is."""

ANSWERS = {
    "return": "You can return any unused item within 30 days.",
    "ship": "Shipping costs 4.90 EUR and takes 2 to 3 days.",
}


def answer(question):
    """Takes what a case gives as input, returns the answer. It may be async; your own would ask a model."""
    for word, text in ANSWERS.items():
        if word in question.lower():
            return text
    return "I don't know."
''',
    SUITE: """\
# A first suite: each case is a test. Run it with pytest.
# Your application takes the place of first_bot.py: package.module:callable, a file, a server, a program, a model.
target: first_bot.py:answer

defaults:
  timeout: 30s

# What the whole must reach; the exit status of pytest says whether it did.
gates:
  - pass_rate >= 100%
  - latency.p95 <= 5s

cases:
  - id: return-window
    tags: [smoke]
    input: How long do I have to return a mug?
    expected_output: 30 days
    criteria: [contains]

  - id: shipping-price
    input: How much is shipping?
    criteria:
      - numeric: {expected: 4.90, pattern: costs}
      - regex: '\\d days'

  - id: out-of-scope
    input: Who won the world cup?
    criteria:
      - contains: I don't know
      - not: {contains: mug}
""",
}


@click.command("init", epilog=example("pytest-evals init", "pytest-evals init tests/evals"))
@click.argument("folder", metavar="[DIR]", default="evals", type=click.Path(path_type=Path, file_okay=False))
def init_command(folder: Path) -> None:
    """Write a first suite that runs and passes.

    It asks a small stand-in for your application, which is written beside it. DIR is made if it is not there; evals by
    default. No question is asked, and no file is overwritten.
    """
    paths = {folder / name: text for name, text in FILES.items()}
    there = [str(path) for path in paths if os.path.lexists(path)]
    if there:
        raise UsageError(
            f"{' and '.join(there)} {'is' if len(there) == 1 else 'are'} there already; name another folder"
        )
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for path, text in paths.items():
            with path.open("x", encoding="utf-8") as file:  # never over a file that came meanwhile
                file.write(text)
    except OSError as error:
        raise UsageError(f"{error.filename or folder}: {error.strerror or error}; nothing was overwritten") from None
    for path in paths:
        click.echo(f"Wrote {path}")
    click.echo(f"\nRun it:  pytest {folder}\nThen name your application as its target, and write your own cases.")
