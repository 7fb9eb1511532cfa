from __future__ import annotations

import os
import subprocess
import sys

import pytest
from click.testing import CliRunner

from pytest_evals.cli import main
from pytest_evals.cli.init import FILES


@pytest.fixture
def run(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return lambda *arguments: CliRunner().invoke(main, ["init", *arguments])


def test_the_first_suite_is_valid_and_passes(run, tmp_path):
    result = run()
    assert result.exit_code == 0
    assert "Run it:  pytest evals" in result.stdout
    assert sorted(path.name for path in (tmp_path / "evals").iterdir()) == sorted(FILES)
    assert CliRunner().invoke(main, ["validate"]).exit_code == 0
    environment = {key: value for key, value in os.environ.items() if not key.startswith("PYTEST_")}
    environment |= {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    command = [sys.executable, "-m", "pytest", "-p", "pytest_evals.plugin", "-p", "no:cacheprovider", "-q", "evals"]
    ran = subprocess.run(
        [*command, "--evals-no-history"], env=environment, capture_output=True, text=True, check=False, timeout=60
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert "3 passed" in ran.stdout


def test_the_folder_is_made(run, tmp_path):
    assert run("tests/evals/deep").exit_code == 0
    assert (tmp_path / "tests/evals/deep/first.eval.yaml").is_file()


@pytest.mark.parametrize("name", sorted(FILES))
def test_no_file_is_overwritten_and_none_is_written_beside_it(run, tmp_path, name):
    (tmp_path / "evals").mkdir()
    (tmp_path / "evals" / name).write_text("mine")
    result = run()
    assert (result.exit_code, result.stdout) == (2, "")
    assert f"evals/{name} is there already; name another folder" in result.stderr
    assert [(path.name, path.read_text()) for path in (tmp_path / "evals").iterdir()] == [(name, "mine")]


def test_a_dead_link_is_a_file_too(run, tmp_path):
    (tmp_path / "evals").mkdir()
    (tmp_path / "evals/first.eval.yaml").symlink_to(tmp_path / "elsewhere.yaml")
    assert run().exit_code == 2
    assert not (tmp_path / "elsewhere.yaml").exists()


def test_a_folder_that_cannot_be_made_is_one_line(run, tmp_path):
    (tmp_path / "evals").write_text("a file")
    result = run("evals/deep")
    assert (result.exit_code, result.stderr.count("Traceback")) == (2, 0)
