"""``pytest-evals cache``."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

from pytest_evals.cli import main
from pytest_evals.model.llm import Reply
from pytest_evals.workflow.replies import open_cache


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "pytest.ini").touch()
    return tmp_path


@pytest.fixture
def kept(here):
    cache = open_cache(here)
    for number, model in enumerate(("openai/gpt-5", "mine/small", "mine/small")):
        cache.put(str(number), model, Reply("x" * 1000), 5.0)
    yield cache
    cache.close()


def say(*arguments, answer=None, status=0):
    done = CliRunner().invoke(main, ["cache", *arguments], input=answer)
    assert done.exit_code == status, done.output + repr(done.exception)
    return done.output


def test_it_shows_what_is_kept(here, kept):
    said = say().splitlines()
    assert said[0] == f"3 replies, 3.1 kB, in {here}/.evals/replies.db"
    assert said[1].startswith("kept from 20")
    assert [line.split() for line in said[3:]] == [
        ["model", "replies", "size"],
        ["mine/small", "2", "2.1", "kB"],
        ["openai/gpt-5", "1", "1.0", "kB"],
    ]


def test_it_shows_it_to_programs(here, kept):
    found = json.loads(say("--json"))
    assert (found["format"], found["replies"], found["file"]) == (1, 3, f"{here}/.evals/replies.db")
    assert found["models"][0] == {"model": "mine/small", "replies": 2, "bytes": found["models"][0]["bytes"]}
    assert found["oldest"] <= found["newest"]
    assert found["oldest"].endswith("+00:00")


@pytest.mark.parametrize("command", [[], ["clear"]])
def test_nothing_is_kept_and_nothing_is_made(here, command):
    assert say(*command) == f"No replies are kept in {here}/.evals/replies.db.\n"
    assert not (here / ".evals").exists()
    assert json.loads(say("stats", "--json"))["replies"] == 0


def test_one_in_a_folder_below_is_named(tmp_path, monkeypatch):
    # without an ini file, `pytest evals` keeps its replies below evals
    cache = open_cache(tmp_path / "evals")
    cache.put("k", "p/m", Reply("x"), None)
    cache.close()
    monkeypatch.chdir(tmp_path)
    for command in ([], ["clear"]):
        assert say(*command).endswith("/.evals/replies.db; there is one at evals/.evals/replies.db.\n")
    monkeypatch.chdir(tmp_path / "evals")
    assert say().startswith("1 reply, ")


def test_it_is_found_from_a_folder_below(here, kept, monkeypatch):
    (here / "evals" / "deep").mkdir(parents=True)
    monkeypatch.chdir(here / "evals" / "deep")
    assert say().startswith("3 replies, ")


def test_clear_asks_before_it_forgets(kept):
    assert "Forget all kept replies in" in say("clear", answer="n\n", status=1)
    assert kept.stats().replies == 3
    assert say("clear", answer="y\n").endswith("Forgot 3 replies.\n")
    assert kept.stats().replies == 0


def test_clear_forgets_some(kept):
    assert json.loads(say("clear", "--model", "mine/*", "--json"))["forgotten"] == 2
    assert say("clear", "--older-than", "1h", "--yes") == "Forgot 0 replies.\n"
    assert kept.stats().replies == 1
    assert say("clear", "--older-than", "soon", "--yes", status=2) == (
        "Error: 'soon' is not an age such as 36h, 30d or 8w\n"
    )


def test_clear_removes_a_damaged_file(here):
    (here / ".evals").mkdir()
    file = here / ".evals" / "replies.db"
    file.write_bytes(b"no database at all" * 100)
    assert "kept replies cannot be used" in say(status=2)
    assert "kept replies cannot be used" in say("clear", "--model", "x", "--yes", status=2)
    assert f"Removed {file}, which was damaged." in say("clear", "--yes")
    assert not file.exists()
