from __future__ import annotations

import shutil
import subprocess

import pytest

from pytest_evals.workflow import git
from pytest_evals.workflow.git import GitState, git_state

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="needs git")


@pytest.fixture
def run(tmp_path, monkeypatch):
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(tmp_path / "none"))
    monkeypatch.setenv("GIT_CONFIG_SYSTEM", str(tmp_path / "none"))

    def run(*words, cwd):
        command = ["git", "-c", "user.name=A", "-c", "user.email=a@b", *words]
        return subprocess.run(command, cwd=cwd, check=True, capture_output=True, text=True).stdout.strip()

    return run


@pytest.fixture
def repository(tmp_path, run):
    folder = tmp_path / "repository"
    (folder / "evals").mkdir(parents=True)
    run("init", "-q", "-b", "feature/x", cwd=folder)
    (folder / "file").write_text("one")
    run("add", ".", cwd=folder)
    run("commit", "-q", "-m", "first", cwd=folder)
    return folder


def commit(run, folder):
    return run("rev-parse", "HEAD", cwd=folder)


def test_commit_branch_and_whether_tracked_files_changed(repository, run):
    here = commit(run, repository)
    assert git_state(repository / "evals") == GitState(here, "feature/x", False)
    (repository / "untracked").write_text("x")
    assert git_state(repository).dirty is False
    (repository / "file").write_text("two")
    assert git_state(repository).dirty is True


def test_a_commit_that_is_checked_out_by_itself_has_no_branch(repository, run):
    run("checkout", "-q", "--detach", cwd=repository)
    assert git_state(repository) == GitState(commit(run, repository), None, False)


def test_a_repository_without_a_commit(tmp_path, run):
    run("init", "-q", "-b", "main", cwd=tmp_path)
    assert git_state(tmp_path) == GitState(None, "main", False)


def test_no_repository(tmp_path):
    assert git_state(tmp_path) is None


@pytest.fixture
def without_git(monkeypatch):
    monkeypatch.setattr(git, "_ask_git", lambda *_: None)


@pytest.mark.usefixtures("without_git")
def test_without_the_command_the_files_of_the_repository_say_it(repository, run):
    here = commit(run, repository)
    assert git_state(repository) == GitState(here, "feature/x", None)
    run("pack-refs", "--all", cwd=repository)
    assert git_state(repository) == GitState(here, "feature/x", None)
    run("checkout", "-q", "--detach", cwd=repository)
    assert git_state(repository) == GitState(here, None, None)


@pytest.mark.usefixtures("without_git")
def test_without_the_command_a_worktree_is_understood(repository, run, tmp_path):
    run("worktree", "add", "-q", "-b", "other", str(tmp_path / "tree"), cwd=repository)
    assert git_state(tmp_path / "tree") == GitState(commit(run, repository), "other", None)


def test_git_that_does_not_answer_in_time_is_not_waited_for(repository, monkeypatch, tmp_path, run):
    here = commit(run, repository)
    slow = tmp_path / "bin" / "git"
    slow.parent.mkdir()
    slow.write_text("#!/bin/sh\nexec sleep 30\n")
    slow.chmod(0o755)
    monkeypatch.setenv("PATH", f"{slow.parent}:/usr/bin:/bin")
    assert git_state(repository, timeout_s=0.2) == GitState(here, "feature/x", None)


def test_variables_of_a_hook_of_another_repository_do_not_mislead(repository, run, tmp_path, monkeypatch):
    other = tmp_path / "other"
    other.mkdir()
    run("init", "-q", "-b", "wrong", cwd=other)
    here = commit(run, repository)
    monkeypatch.setenv("GIT_DIR", str(other / ".git"))
    assert git_state(repository) == GitState(here, "feature/x", False)
