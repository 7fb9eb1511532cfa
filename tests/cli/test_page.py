"""docs/cli.md has every command with every option, and no other; every command has help with an example."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from pytest_evals.cli import main

PAGE = Path(__file__).parents[2] / "docs" / "cli.md"


def commands(command: click.Command = main, path: str = "pytest-evals") -> Iterator[tuple[str, click.Command]]:
    yield path, command
    if isinstance(command, click.Group):
        context = click.Context(command)
        for name in command.list_commands(context):
            found = command.get_command(context, name)
            assert found is not None
            yield from commands(found, f"{path} {name}")


COMMANDS = dict(commands())


def sections() -> dict[str, str]:
    """The page's text by the command in the heading."""
    parts = re.split(r"^##+ `(pytest-evals[^`]*)`$", PAGE.read_text("utf-8"), flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def options(command: click.Command) -> set[str]:
    return {word for option in command.params if isinstance(option, click.Option) for word in option.opts}


def test_every_command_has_a_section_and_every_section_a_command():
    assert list(sections()) == list(COMMANDS)


@pytest.mark.parametrize("path", COMMANDS)
def test_every_option_is_in_its_section_and_no_other(path):
    documented = set(re.findall(r"^\| `(--[\w-]+)", sections()[path], re.MULTILINE))
    known = {word for word in options(COMMANDS[path]) if word.startswith("--")} - {"--help", "--version"}
    if isinstance(COMMANDS[path], click.Group):
        known = set()
    assert documented == known


@pytest.mark.parametrize("path", COMMANDS)
def test_every_command_has_help_with_an_example(path):
    command = COMMANDS[path]
    assert command.help
    with click.Context(command, info_name=path) as context:
        text = command.get_help(context)
    assert re.search(r"Example:\n +pytest", text), text
    short = command.get_short_help_str(limit=61)
    assert not short.endswith("..."), short
    for option in command.params:
        assert not isinstance(option, click.Option) or option.help, option


@pytest.mark.parametrize("path", COMMANDS)
def test_the_examples_of_the_help_are_commands_that_exist(path):
    epilog = COMMANDS[path].epilog or ""
    for line in re.findall(r"^  (pytest-evals .*)$", epilog, re.MULTILINE):
        words = line.split()
        name = max((p for p in COMMANDS if line.startswith(p)), key=len)
        used = {word.partition("=")[0] for word in words if word.startswith("--")}
        allowed = options(COMMANDS[name])
        if name == "pytest-evals history":
            allowed |= options(COMMANDS["pytest-evals history list"])
        assert used <= allowed, line
