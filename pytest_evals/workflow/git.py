"""The state of the git repository a folder is in."""

from __future__ import annotations

import os
import subprocess
from dataclasses import dataclass
from pathlib import Path

TIMEOUT_S = 2.0


@dataclass(frozen=True, slots=True)
class GitState:
    """What git says. Unknown parts are ``None``."""

    commit: str | None
    branch: str | None
    """``None`` also when a commit is checked out by itself, as CI does."""
    dirty: bool | None
    """Whether tracked files have changes that are not committed."""


def git_state(folder: Path, *, timeout_s: float = TIMEOUT_S) -> GitState | None:
    """The state of the repository the folder is in; ``None`` when it is in none."""
    repository = _repository(folder)
    if repository is None:
        return None
    said = _ask_git(folder, timeout_s)
    return said if said is not None else _read(repository)


def _ask_git(folder: Path, timeout_s: float) -> GitState | None:
    command = ["git", "-c", "core.fsmonitor=false", "status", "--porcelain=v2", "--branch", "--untracked-files=no"]
    environ = {**os.environ, "GIT_OPTIONAL_LOCKS": "0", "LC_ALL": "C"}  # looking must not disturb others
    for name in ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE"):  # set within hooks, for another folder
        environ.pop(name, None)
    try:
        done = subprocess.run(
            command,
            cwd=folder,
            env=environ,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=timeout_s,
            check=True,
        )
    except (OSError, subprocess.SubprocessError):  # no git, too slow, or a repository it does not trust
        return None
    commit = branch = None
    dirty = False
    for line in done.stdout.decode("utf-8", "replace").splitlines():
        if line.startswith("# branch.oid "):
            commit = line.removeprefix("# branch.oid ")
        elif line.startswith("# branch.head "):
            branch = line.removeprefix("# branch.head ")
        elif not line.startswith("#"):
            dirty = True
    return GitState(
        None if commit == "(initial)" else commit,
        None if branch == "(detached)" else branch,
        dirty,
    )


def _repository(folder: Path) -> Path | None:
    for place in (folder.absolute(), *folder.absolute().parents):
        found = place / ".git"
        if found.is_dir():
            return found
        if found.is_file():  # a worktree or submodule: "gitdir: <path>"
            pointer = found.read_text("utf-8", "replace").removeprefix("gitdir:").strip()
            return place / pointer
    return None


def _read(repository: Path) -> GitState:
    """Commit and branch from the repository's own files; what is dirty only git can say."""
    head = _text(repository / "HEAD")
    if not head.startswith("ref:"):
        return GitState(head or None, None, None)
    reference = head.removeprefix("ref:").strip()
    common = repository / (_text(repository / "commondir") or ".")
    commit = _text(repository / reference) or _text(common / reference)
    if not commit:
        packed = (line.split() for line in _text(common / "packed-refs").splitlines())
        commit = next((parts[0] for parts in packed if len(parts) == 2 and parts[1] == reference), "")
    return GitState(commit or None, reference.removeprefix("refs/heads/"), None)


def _text(path: Path) -> str:
    try:
        return path.read_text("utf-8", "replace").strip()
    except OSError:
        return ""


def person(folder: Path, *, timeout_s: float = TIMEOUT_S) -> str:
    """Who works here: the name that git knows, else that of the account."""
    import getpass

    try:
        done = subprocess.run(
            ["git", "config", "user.name"],
            cwd=folder,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=timeout_s,
            check=True,
        )
        name = done.stdout.decode("utf-8", "replace").strip()
    except (OSError, subprocess.SubprocessError):
        name = ""
    try:
        return name or getpass.getuser()
    except (OSError, KeyError):  # an account without a name
        return "somebody"
