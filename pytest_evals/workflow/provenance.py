"""Where a run comes from: command line, settings, versions, commit, CI job, machine. Secrets are taken out."""

from __future__ import annotations

import os
import platform
import sys
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from ..model.redaction import Redactor
from ..model.wire import plain
from .git import GitState, git_state


@dataclass(frozen=True, slots=True)
class Provenance:
    """How a run came about. Unknown parts are ``None``."""

    command: Sequence[str] = ()
    """The command line."""
    settings: Mapping[str, Any] = field(default_factory=dict)
    versions: Mapping[str, str] = field(default_factory=dict)
    host: str = ""
    git_commit: str | None = None
    git_branch: str | None = None
    """In CI the branch that is built, also when a commit is checked out by itself."""
    git_dirty: bool | None = None
    """Whether tracked files had changes that were not committed."""
    ci_provider: str | None = None
    """github, gitlab, circleci, jenkins, buildkite, azure, or ci for another; ``None`` outside CI."""
    ci_url: str | None = None
    """The page of the job."""

    def plain(self) -> dict[str, Any]:
        return asdict(self)


def collect_provenance(
    rootdir: Path,
    *,
    command: Sequence[str] = (),
    settings: Mapping[str, Any] | None = None,
    environ: Mapping[str, str] | None = None,
    redact: Sequence[str] = (),
) -> Provenance:
    """Find out what can be found out of the present process and the repository that ``rootdir`` is in.

    Takes as long as one ``git status``, at most 2 s: then commit and branch are read from the repository's files.
    """
    environ = os.environ if environ is None else environ
    redactor = Redactor(environ, redact)
    provider, url, branch = _ci(environ)
    git = git_state(rootdir) or GitState(None, None, None)
    return Provenance(
        command=redactor.command(command),
        settings=redactor.value(plain(settings or {})),
        versions=_versions(),
        host=platform.node(),
        git_commit=git.commit,
        git_branch=git.branch or branch,
        git_dirty=git.dirty,
        ci_provider=provider,
        ci_url=None if url is None else redactor.text(url),
    )


def _versions() -> dict[str, str]:
    versions = {"python": platform.python_version()}
    for name, distribution in (("pytest", "pytest"), ("pytest-evals-suite", "pytest-evals-suite")):
        loaded = getattr(sys.modules.get(name), "__version__", None)
        try:
            versions[name] = loaded or version(distribution)
        except PackageNotFoundError:  # run from a source tree
            continue
    return versions


def _ci(environ: Mapping[str, str]) -> tuple[str | None, str | None, str | None]:
    """Provider, page of the job, branch."""
    get = environ.get
    if get("GITHUB_ACTIONS"):
        server, repository, run = get("GITHUB_SERVER_URL"), get("GITHUB_REPOSITORY"), get("GITHUB_RUN_ID")
        url = f"{server}/{repository}/actions/runs/{run}" if server and repository and run else None
        named = get("GITHUB_REF_NAME") if get("GITHUB_REF_TYPE", "branch") == "branch" else None
        return "github", url, get("GITHUB_HEAD_REF") or named  # of a pull request the name is 12/merge
    if get("GITLAB_CI"):
        branch = get("CI_MERGE_REQUEST_SOURCE_BRANCH_NAME") or get("CI_COMMIT_BRANCH")
        return "gitlab", get("CI_JOB_URL") or get("CI_PIPELINE_URL"), branch
    if get("CIRCLECI"):
        return "circleci", get("CIRCLE_BUILD_URL"), get("CIRCLE_BRANCH")
    if get("BUILDKITE"):
        return "buildkite", get("BUILDKITE_BUILD_URL"), get("BUILDKITE_BRANCH")
    if get("TF_BUILD"):
        server, project, build = get("SYSTEM_COLLECTIONURI"), get("SYSTEM_TEAMPROJECT"), get("BUILD_BUILDID")
        url = f"{server.rstrip('/')}/{project}/_build/results?buildId={build}" if server and project and build else None
        source = get("SYSTEM_PULLREQUEST_SOURCEBRANCH") or get("BUILD_SOURCEBRANCH") or ""
        branch = source.removeprefix("refs/heads/") if not source.startswith(("refs/pull", "refs/tags")) else None
        return "azure", url, branch or None
    if get("JENKINS_URL"):
        branch = get("CHANGE_BRANCH") or get("BRANCH_NAME") or (get("GIT_BRANCH") or "").removeprefix("origin/")
        return "jenkins", get("BUILD_URL"), branch or None
    if get("CI", "").lower() not in ("", "0", "false"):
        return "ci", None, None
    return None, None, None
