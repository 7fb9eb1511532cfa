"""``pytest-evals doctor``."""

from __future__ import annotations

import json
import os

import pytest
from click.testing import CliRunner
from servers import Reply, serve

from pytest_evals.cli import main
from pytest_evals.llm.providers import PROVIDERS
from pytest_evals.model.llm import Reply as ModelReply
from pytest_evals.workflow.replies import open_cache

SUITE = "target: {{model: {model}}}\ncases:\n  - {{id: a, input: x, criteria: [{{contains: x}}]}}\n"


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in [name for name in os.environ if name.startswith("PYTEST_")]:
        monkeypatch.delenv(name)
    for provider in PROVIDERS.values():
        for name in (*provider.keys, provider.address):
            if name:
                monkeypatch.delenv(name, raising=False)
    (tmp_path / "pytest.ini").write_text("[pytest]\n", "utf-8")
    return tmp_path


def say(*arguments, status=0):
    done = CliRunner().invoke(main, ["doctor", *arguments])
    assert done.exit_code == status, done.output + repr(done.exception)
    return done.output


def found(*arguments, status=0):
    return json.loads(say("--json", *arguments, status=status))


def checks(topic, *arguments, status=0):
    return [
        (check["standing"], check["found"])
        for check in found(*arguments, status=status)["checks"]
        if check["topic"] == topic
    ]


def test_a_project_that_asks_no_model_needs_no_key(here):
    said = say()
    assert f"rootdir {here}\n" in said
    assert "keys      –  ANTHROPIC_API_KEY is not set" in said
    assert f"history   ok there is none yet at {here}/.evals/history.db" in said
    assert f"folders   ok {here}/.evals can be made" in said
    assert "prices    ok genai-prices " in said
    assert "All settings have their defaults" in said
    assert sorted(path.name for path in here.iterdir()) == ["pytest.ini"], "nothing was made"


def test_no_key_is_ever_printed(here, monkeypatch):
    secret = "sk-planted-in-the-environment"
    monkeypatch.setenv("ANTHROPIC_API_KEY", secret)
    monkeypatch.setenv("PYTEST_EVALS_HISTORY", f"postgresql+psycopg://me:{secret}@127.0.0.1:1/h")
    monkeypatch.setenv("PYTEST_EVALS_RUN_NAME", f"with {secret}")
    for output in (say("--all", status=1), say("--all", "--json", status=1)):
        assert "planted" not in output
        assert "ANTHROPIC_API_KEY is set" in output


def test_a_key_that_a_suite_needs_is_missing(here):
    (here / "a.eval.yaml").write_text(SUITE.format(model="anthropic/m"), "utf-8")
    assert checks("keys", "a.eval.yaml", status=1)[0] == (
        "failed",
        "ANTHROPIC_API_KEY is not set, and suites ask anthropic",
    )
    assert checks("keys")[0] == ("unused", "ANTHROPIC_API_KEY is not set")


def test_with_an_address_of_ones_own_no_key_is_needed(here):
    model = "anthropic/m, base_url: 'http://127.0.0.1:1'"
    (here / "a.eval.yaml").write_text(SUITE.format(model=model), "utf-8")
    assert checks("keys", ".")[0] == ("unused", "ANTHROPIC_API_KEY is not set")


def test_a_suite_that_cannot_be_read_is_told_with_its_place(here):
    (here / "evals").mkdir()
    (here / "evals" / "a.eval.yaml").write_text("targt: echo\ncases: []\n", "utf-8")
    problems = checks("suites", "evals", status=1)
    assert ("failed", "evals/a.eval.yaml:1:1: unknown key 'targt'; did you mean 'target'?") in problems


def test_a_server_that_is_up_answers(here, monkeypatch):
    with serve(lambda asked: Reply({"status": "ok"})) as server:
        monkeypatch.setenv("LEMONADE_BASE_URL", f"{server.url}/api/v1")
        monkeypatch.setenv("LEMONADE_API_KEY", "planted-key")
        (check,) = [each for each in checks("servers") if each[0] != "unused"]
    assert check[0] == "ok"
    assert check[1].startswith(f"lemonade at {server.url}/api/v1 answers (")
    (asked,) = server.asked
    assert (asked.method, asked.path) == ("GET", "/api/v1/health")
    assert asked.headers["Authorization"] == "Bearer planted-key"


@pytest.mark.parametrize(("status", "trouble"), [(500, "HTTP 500"), (404, "HTTP 404"), (401, "")])
def test_a_server_that_is_not_well_is_told(here, monkeypatch, status, trouble):
    with serve(lambda asked: Reply("no", status=status)) as server:
        monkeypatch.setenv("VLLM_BASE_URL", server.url)
        (check,) = [each for each in checks("servers", status=bool(trouble)) if each[0] != "unused"]
    assert check[0] == ("failed" if trouble else "ok"), "one that wants a key is up"
    assert trouble in check[1]


def test_a_server_that_a_suite_asks_is_down(here):
    model = "ollama/m, base_url: 'http://127.0.0.1:9/v1'"
    (here / "a.eval.yaml").write_text(SUITE.format(model=model), "utf-8")
    said = say("a.eval.yaml", status=1)
    assert "✗  ollama at http://127.0.0.1:9/v1: Connection refused; start it, or set OLLAMA_HOST to its address" in said


def test_a_server_without_an_address_is_told_both_ports(here):
    (here / "a.eval.yaml").write_text(SUITE.format(model="lemonade/m"), "utf-8")
    (failed,) = [each for each in checks("servers", "a.eval.yaml", status=1) if each[0] == "failed"]
    assert "13305" in failed[1]
    assert "8000" in failed[1]


def test_a_damaged_history_is_told(here):
    (here / ".evals").mkdir()
    (here / ".evals" / "history.db").write_bytes(b"no database" * 100)
    ((standing, said),) = checks("history", status=1)
    assert standing == "failed"
    assert said.startswith(f"{here}/.evals/history.db: ")


def test_kept_and_recorded_replies_are_counted(here):
    cache = open_cache(here)
    cache.put("k", "p/m", ModelReply("x"), None)
    cache.close()
    (here / "recorded").mkdir()
    (here / "pytest.ini").write_text("[pytest]\nevals_replay = recorded\n", "utf-8")
    assert checks("replies", status=1) == [
        ("ok", f"{here}/.evals/replies.db: 1 kept"),
        ("failed", f"{here}/recorded: 0 recorded"),
    ]


def test_a_file_of_prices_is_checked(here):
    (here / "pytest.ini").write_text("[pytest]\nevals_prices = p.toml\n", "utf-8")
    (here / "p.toml").write_text('version = "ours"\n[models."a/b"]\ninput = 1\noutput = 2\n', "utf-8")
    assert checks("prices")[1] == ("ok", "p.toml (ours): 1 prices")
    (here / "p.toml").write_text('[models."a/b"]\ninput = 1\n', "utf-8")
    ((standing, said),) = checks("settings", status=1)
    assert standing == "failed"
    assert said.startswith("p.toml:1:10: 'a/b' has no price for output")


def test_each_setting_is_told_with_where_it_comes_from(here, monkeypatch):
    (here / "pytest.ini").write_text(
        "[pytest]\naddopts = -q --evals-cache --evals-retries=3\nevals_timeout = 20s\nevals_retries = 2\n"
        "evals_report =\n    json:a.json\n    b.json\n",
        "utf-8",
    )
    monkeypatch.setenv("PYTEST_EVALS_TIMEOUT", "30s")
    monkeypatch.setenv("PYTEST_ADDOPTS", "--evals-warn 0.5")
    settings = {each["name"]: (each["value"], each["origin"]) for each in found()["settings"]}
    assert settings["cache"] == ("yes", "--evals-cache (addopts)")
    assert settings["retries"] == ("3", "--evals-retries (addopts)")
    assert settings["timeout"] == ("30s", "PYTEST_EVALS_TIMEOUT")
    assert settings["warn"] == ("0.5", "--evals-warn (PYTEST_ADDOPTS)")
    assert settings["report"] == ("json:a.json; b.json", "evals_report")
    assert settings["cache_age"] == ("30d", "default")
    assert settings["cache_size"] == ("500MB", "default")
    assert settings["threshold"] == ("", "default")
    shown = say()
    assert "cache_age" not in shown
    assert "cache_age" in say("--all")


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("evals_timeout = soon", "evals_timeout: 'soon' is not a time such as 30s, 500ms or 2m"),
        ("evals_cache_size = big", "evals_cache_size: 'big' is not a size such as 200MB or 1GB"),
        ("evals_limits = anthropic: 50 tpn", "evals_limits: 'anthropic: 50 tpn': unknown unit 'tpn'"),
        ("evals_replay = gone", "evals_replay: there is no folder "),
        ("evals_report = out.doc", "report 'out.doc': "),
    ],
)
def test_a_bad_setting_is_told(here, line, problem):
    (here / "pytest.ini").write_text(f"[pytest]\n{line}\n", "utf-8")
    ((standing, said),) = checks("settings", status=1)
    assert (standing, said[: len(problem)]) == ("failed", problem)


def test_settings_agree_with_what_a_session_uses(here, monkeypatch, pytester):
    # the same project, asked both ways
    pytester.makeini("[pytest]\naddopts = --evals-retries 4\nevals_cache = true\nevals_cache_size = 2MB\n")
    monkeypatch.chdir(pytester.path)
    monkeypatch.setenv("PYTEST_EVALS_CONCURRENCY", "3")
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    config = pytester.parseconfigure("-p", "pytest_evals.plugin")
    from pytest_evals.plugin.options import SETTINGS_KEY
    from pytest_evals.workflow.origins import settings_of
    from pytest_evals.workflow.settings import SETTINGS

    in_session = {setting.name: config.stash[SETTINGS_KEY].origin(setting.name) for setting in SETTINGS}
    outside = {each.name: (each.value, each.origin.partition(" ")[0]) for each in settings_of(pytester.path)}
    assert outside == in_session
