"""docs/reference.md has an entry for everything that can be set, asked for or hooked into."""

from __future__ import annotations

import importlib
import inspect
import os
import re
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@cache
def entries() -> set[str]:
    """What the page has an entry for: the code that starts a heading or a row of a table."""
    text = (ROOT / "docs" / "reference.md").read_text("utf-8")
    return set(re.findall(r"^(?:#+ |\| )`([^`]+)`", text, re.MULTILINE))


@cache
def pytest_says(argument: str) -> str:
    """What pytest prints about itself with this plugin and xdist alone."""
    environment = {key: value for key, value in os.environ.items() if not key.startswith("PYTEST_")}
    environment |= {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "COLUMNS": "250", "NO_COLOR": "1"}
    command = [sys.executable, "-m", "pytest", "-p", "pytest_evals.plugin", argument]
    said = subprocess.run(
        command, cwd=ROOT / "docs", capture_output=True, text=True, check=False, env=environment, timeout=60
    )
    assert said.stdout, said.stderr
    return said.stdout


def name_of(entry: str) -> str:
    """``--evals-report REPORT`` → ``--evals-report``; ``evals.check(…)`` stays whole."""
    return entry.split(maxsplit=1)[0]


def documented(names: set[str]) -> set[str]:
    return names & {name_of(entry) for entry in entries()}


def test_every_command_line_option_has_an_entry():
    options = set(re.findall(r"^\s+(--evals-[\w-]+)", pytest_says("--help"), re.MULTILINE))
    assert "--evals-report" in options
    assert options - documented(options) == set()


def test_every_ini_key_has_an_entry():
    keys = set(re.findall(r"^\s+(evals_\w+) \(", pytest_says("--help"), re.MULTILINE))
    assert "evals_files" in keys
    assert keys - documented(keys) == set()


def test_every_environment_variable_has_an_entry():
    # one for each setting that can be written in the ini file, with the same name in capitals
    keys = set(re.findall(r"^\s+(evals_\w+) \(", pytest_says("--help"), re.MULTILINE))
    variables = {f"PYTEST_{key.upper()}" for key in keys}
    text = (ROOT / "docs" / "reference.md").read_text("utf-8")
    assert {variable for variable in variables if f"`{variable}`" not in text} == set()


def test_every_option_and_key_of_the_page_exists():
    said = pytest_says("--help") + pytest_says("--fixtures")
    page = {name_of(entry) for entry in entries()}
    assert {name for name in page if name.startswith(("--evals-", "evals_")) and name not in said} == set()


def test_every_fixture_has_an_entry():
    said = pytest_says("--fixtures")
    sections = re.split(r"^-+ fixtures defined from (\S+) -+$", said, flags=re.MULTILINE)[1:]
    ours = "".join(text for module, text in zip(sections[::2], sections[1::2], strict=True) if "pytest_evals" in module)
    fixtures = set(re.findall(r"^(\w+)(?: \[\w+ scope\])?(?: -- .*)?$", ours, re.MULTILINE))
    assert {"evals", "exact_match_scorer"} <= fixtures
    assert fixtures - documented(fixtures) == set()


def test_every_hook_has_an_entry_with_its_exact_signature():
    if importlib.util.find_spec("pytest_evals.hookspecs") is None:
        pytest.fail("there is no pytest_evals/hookspecs.py") if "Hooks" in "".join(entries()) else None
        return
    specs = importlib.import_module("pytest_evals.hookspecs")
    hooks = {
        f"{name}({', '.join(inspect.signature(function).parameters)})"
        for name, function in vars(specs).items()
        if name.startswith("pytest_evals_")
    }
    assert hooks - entries() == set()


def test_every_public_name_has_an_entry():
    package = importlib.import_module("pytest_evals")
    public = set(package.__all__)
    named = {re.split(r"\W", entry.removeprefix("pytest_evals."))[0] for entry in entries()}
    assert public - named == set()
