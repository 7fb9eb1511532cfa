from __future__ import annotations

import pytest

from pytest_evals.errors import UsageError
from pytest_evals.workflow.where import find_history


@pytest.fixture
def project(tmp_path):
    (tmp_path / "evals" / "deep").mkdir(parents=True)
    return tmp_path


def found(start, said=None, **environ):
    return find_history(said, start=start, environ=environ)


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("pyproject.toml", "[tool.pytest.ini_options]\naddopts = '-q'\n"),
        ("pyproject.toml", "[tool.pytest]\n"),
        ("pytest.ini", ""),
        (".pytest.ini", "[pytest]\n"),
        ("pytest.toml", "[pytest]\n"),
        ("tox.ini", "[tox]\nx=1\n[pytest]\n"),
        ("setup.cfg", "[tool:pytest]\n"),
        ("setup.py", ""),
    ],
)
def test_the_history_of_a_project_is_at_pytests_rootdir(project, name, content):
    (project / name).write_text(content, "utf-8")
    assert found(project / "evals" / "deep").path == project / ".evals" / "history.db"


@pytest.mark.parametrize(
    ("name", "content"),
    [("pyproject.toml", "[tool.ruff]\n"), ("tox.ini", "[tox]\n"), ("setup.cfg", "[metadata]\nname = x\n")],
)
def test_a_file_without_settings_for_pytest_makes_no_rootdir(project, name, content):
    (project / name).write_text(content, "utf-8")
    assert found(project / "evals").path == project / "evals" / ".evals" / "history.db"


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("pyproject.toml", "[tool.pytest.ini_options]\nevals_history = 'runs/h.db'\n"),
        ("pytest.toml", "[pytest]\nevals_history = 'runs/h.db'\n"),
        ("pytest.ini", "[pytest]\nevals_history = runs/h.db\n"),
        ("tox.ini", "[pytest]\nevals_history=runs/h.db\n"),
        ("setup.cfg", "[tool:pytest]\nevals_history = runs/h.db\n"),
    ],
)
def test_the_ini_key_is_relative_to_the_rootdir(project, name, content):
    (project / name).write_text(content, "utf-8")
    assert found(project / "evals" / "deep").path == project / "runs" / "h.db"


def test_later_wins_ini_variable_option(project):
    (project / "pytest.ini").write_text("[pytest]\nevals_history = ini.db\n")
    start = project / "evals"
    assert found(start).path == project / "ini.db"
    assert found(start, PYTEST_EVALS_HISTORY="variable.db").path == project / "variable.db"
    assert found(start, "said.db", PYTEST_EVALS_HISTORY="variable.db").path == start / "said.db"


def test_a_history_in_a_folder_between_is_found(project):
    (project / "pytest.ini").touch()
    (project / "evals" / ".evals").mkdir()
    (project / "evals" / ".evals" / "history.db").touch()
    assert found(project / "evals" / "deep").path == project / "evals" / ".evals" / "history.db"
    assert found(project).path == project / ".evals" / "history.db"


def test_an_ini_file_that_cannot_be_read_is_one_line_and_can_be_passed_by(project):
    (project / "pyproject.toml").write_text("[tool.pytest\n")
    with pytest.raises(UsageError, match=r"pyproject\.toml: cannot be read") as raised:
        found(project)
    assert "\n" not in str(raised.value)
    assert found(project, "h.db").path == project / "h.db"
