from __future__ import annotations

import platform

import pytest

from pytest_evals.workflow import provenance as module
from pytest_evals.workflow.git import GitState
from pytest_evals.workflow.provenance import collect_provenance

CI = {
    "github": (
        {
            "GITHUB_ACTIONS": "true", "GITHUB_SERVER_URL": "https://github.com", "GITHUB_REPOSITORY": "me/app",
            "GITHUB_RUN_ID": "12", "GITHUB_REF_TYPE": "branch", "GITHUB_REF_NAME": "main",
        },
        "https://github.com/me/app/actions/runs/12", "main",
    ),
    "gitlab": (
        {"GITLAB_CI": "true", "CI_JOB_URL": "https://gitlab/j/1", "CI_PIPELINE_URL": "p", "CI_COMMIT_BRANCH": "main"},
        "https://gitlab/j/1", "main",
    ),
    "circleci": (
        {"CIRCLECI": "true", "CIRCLE_BUILD_URL": "https://c/1", "CIRCLE_BRANCH": "main"}, "https://c/1", "main",
    ),
    "jenkins": (
        {"JENKINS_URL": "https://j", "BUILD_URL": "https://j/1/", "GIT_BRANCH": "origin/main"}, "https://j/1/", "main",
    ),
    "buildkite": (
        {"BUILDKITE": "true", "BUILDKITE_BUILD_URL": "https://b/1", "BUILDKITE_BRANCH": "main"}, "https://b/1", "main",
    ),
    "azure": (
        {
            "TF_BUILD": "True", "SYSTEM_COLLECTIONURI": "https://dev.azure.com/me/", "SYSTEM_TEAMPROJECT": "app",
            "BUILD_BUILDID": "7", "BUILD_SOURCEBRANCH": "refs/heads/release/1",
        },
        "https://dev.azure.com/me/app/_build/results?buildId=7", "release/1",
    ),
    "ci": ({"CI": "true"}, None, None),
}  # fmt: skip


@pytest.fixture(autouse=True)
def detached(monkeypatch):
    """As CI checks out: a commit without a branch."""
    monkeypatch.setattr(module, "git_state", lambda _: GitState("c0ffee", None, False))


@pytest.mark.parametrize("provider", CI)
def test_the_job_that_is_running_is_known(tmp_path, provider):
    environ, url, branch = CI[provider]
    found = collect_provenance(tmp_path, environ={**environ, "CI": "true"})
    assert (found.ci_provider, found.ci_url, found.git_branch) == (provider, url, branch)
    assert found.git_commit == "c0ffee"


@pytest.mark.parametrize("environ", [{}, {"CI": ""}, {"CI": "false"}, {"CI": "0"}])
def test_outside_ci_there_is_no_provider(tmp_path, environ):
    found = collect_provenance(tmp_path, environ=environ)
    assert (found.ci_provider, found.ci_url, found.git_branch) == (None, None, None)


@pytest.mark.parametrize(
    ("environ", "branch"),
    [
        (
            {
                "GITHUB_ACTIONS": "true",
                "GITHUB_REF_TYPE": "branch",
                "GITHUB_REF_NAME": "12/merge",
                "GITHUB_HEAD_REF": "topic",
            },
            "topic",
        ),
        ({"GITHUB_ACTIONS": "true", "GITHUB_REF_TYPE": "tag", "GITHUB_REF_NAME": "v1"}, None),
        ({"GITLAB_CI": "1", "CI_MERGE_REQUEST_SOURCE_BRANCH_NAME": "topic"}, "topic"),
        ({"TF_BUILD": "1", "BUILD_SOURCEBRANCH": "refs/pull/3/merge"}, None),
        ({"TF_BUILD": "1", "SYSTEM_PULLREQUEST_SOURCEBRANCH": "refs/heads/topic"}, "topic"),
        ({"JENKINS_URL": "x", "CHANGE_BRANCH": "topic", "BRANCH_NAME": "PR-3"}, "topic"),
    ],
)
def test_of_a_pull_request_the_branch_it_comes_from_is_meant(tmp_path, environ, branch):
    assert collect_provenance(tmp_path, environ=environ).git_branch == branch


def test_a_branch_that_git_knows_wins(tmp_path, monkeypatch):
    monkeypatch.setattr(module, "git_state", lambda _: GitState("c0ffee", "mine", True))
    found = collect_provenance(tmp_path, environ=CI["gitlab"][0])
    assert (found.git_branch, found.git_dirty) == ("mine", True)


def test_outside_a_repository_its_state_is_unknown(tmp_path, monkeypatch):
    monkeypatch.setattr(module, "git_state", lambda _: None)
    found = collect_provenance(tmp_path, environ={})
    assert (found.git_commit, found.git_branch, found.git_dirty) == (None, None, None)


def test_command_settings_and_urls_are_without_secrets(tmp_path):
    found = collect_provenance(
        tmp_path,
        command=["pytest", "--evals-history", "postgresql://me:pw@host/db", "--token", "abc"],
        settings={"history": "postgresql://me:pw@host/db", "retries": 1, "api_key": "abc"},
        environ={"CIRCLECI": "1", "CIRCLE_BUILD_URL": "https://me:pw@ci/1", "MY_SECRET": "sesame-open"},
    )
    assert found.command == ["pytest", "--evals-history", "postgresql://me:***@host/db", "--token", "***"]
    assert found.settings == {"history": "postgresql://me:***@host/db", "retries": 1, "api_key": "***"}
    assert found.ci_url == "https://me:***@ci/1"


def test_versions_and_host(tmp_path):
    found = collect_provenance(tmp_path, environ={})
    assert found.versions["python"] == platform.python_version()
    assert found.versions["pytest"] == pytest.__version__
    assert "pytest-evals-suite" in found.versions
    assert found.host == platform.node()
