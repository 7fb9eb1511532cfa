from __future__ import annotations

import json
import subprocess
import sys
from importlib.metadata import version

import pytest
from click.testing import CliRunner

from pytest_evals.cli import main

ALONE = """
import sys
from pytest_evals.cli import main
main({!r}, standalone_mode=False)
print([name for name in {!r} if name in sys.modules])
"""


@pytest.mark.parametrize("arguments", [["--help"], ["--version"], ["history", "--help"], ["history", "show", "--help"]])
def test_help_loads_nothing_heavy(arguments):
    heavy = ["sqlalchemy", "yaml", "pydantic", "pytest", "asyncio", "sqlite3"]
    done = subprocess.run(
        [sys.executable, "-c", ALONE.format(arguments, heavy)], capture_output=True, text=True, check=True, timeout=60
    )
    assert done.stdout.splitlines()[-1] == "[]"


def test_the_version_is_that_of_the_distribution():
    assert CliRunner().invoke(main, ["--version"]).output == f"pytest-evals, version {version('pytest-evals-suite')}\n"


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (["hisory"], "Error: no such command: 'hisory'; did you mean 'history'?"),
        (["history", "shwo", "last"], "Error: no such command: 'shwo'; did you mean 'show'?"),
        (["history", "zzz"], "Error: no such command: 'zzz'"),
        (["history", "--limit", "x"], "Error: Invalid value for '--limit' / '-n': 'x' is not a valid integer range."),
    ],
)
def test_a_mistyped_command_is_one_line_with_what_was_meant(arguments, line):
    result = CliRunner().invoke(main, arguments)
    assert result.exit_code == 2
    assert result.stderr.splitlines()[-1] == line


def test_an_error_of_ours_is_one_line_and_exit_2(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    result = CliRunner().invoke(main, ["history", "--history", str(tmp_path)])
    assert (result.exit_code, result.stdout) == (2, "")
    assert (
        result.stderr
        == f"Error: {tmp_path}: the history is a file, and this is a folder; write {tmp_path}/history.db\n"
    )


def test_a_bug_of_ours_keeps_its_traceback(tmp_path, monkeypatch):
    from pytest_evals.cli.history import list as module

    monkeypatch.setattr(module, "find_history", lambda _: 1 / 0)
    result = CliRunner().invoke(main, ["history"])
    assert isinstance(result.exception, ZeroDivisionError)


def test_the_console_script_is_installed_and_a_closed_pipe_is_no_traceback(tmp_path):
    script = f"{sys.executable} -m pytest_evals.cli.history 2>/dev/null; {sys.prefix}/bin/pytest-evals --help | head -1"
    done = subprocess.run(["sh", "-c", script], capture_output=True, text=True, check=False, cwd=tmp_path, timeout=60)
    assert done.stdout.splitlines()[-1].startswith("Usage: pytest-evals")
    assert "Traceback" not in done.stderr


def test_a_terminal_that_cannot_show_a_name_still_gets_the_rest(tmp_path):
    from factories import result
    from histories import history, record

    record(history(tmp_path), [result("failed", "größe-東京")])
    done = subprocess.run(
        [f"{sys.prefix}/bin/pytest-evals", "history", "case", "bot::größe-東京"],
        capture_output=True,
        check=False,
        cwd=tmp_path,
        env={"PYTHONIOENCODING": "latin-1", "PATH": "/usr/bin", "PYTHONUTF8": "0"},
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    assert "bot::größe-\\u6771\\u4eac, 1 result".encode("latin-1") in done.stdout
    assert b"oldest > newest: x" in done.stdout


def test_json_is_json_for_every_command_that_offers_it(tmp_path, monkeypatch):
    from factories import result
    from histories import history, record

    monkeypatch.chdir(tmp_path)
    record(history(tmp_path), [result("failed", "a")])
    for arguments in (["list"], ["show", "last"], ["case", "bot::a"], ["experiments"], ["recover"]):
        done = CliRunner().invoke(main, ["history", *arguments, "--json"])
        assert done.exit_code == 0, done.output
        assert json.loads(done.stdout)["format"] == 1
