"""Recorded replies."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from pytest_evals.llm.cassettes import CassetteError, Cassettes
from pytest_evals.model.llm import Reply, Request
from pytest_evals.model.redaction import Redactor
from pytest_evals.model.response import ToolCall, Usage

QUESTION = "How long do I have to return a mug?"
ASKED = Request("anthropic", "claude-haiku-5-5", ({"role": "user", "content": QUESTION},), system="Be brief.")
REPLY = Reply("30 days", usage=Usage(20, 3), request_id="req_1", raw_usage={"input_tokens": 20})


@pytest.fixture
def cassettes(tmp_path):
    return Cassettes(tmp_path / "recorded", Redactor({}))


def again(cassettes):
    """As another session reads them."""
    return Cassettes(cassettes.folder, Redactor({}))


def test_a_recorded_reply_answers_the_same_request(cassettes):
    cassettes.record(ASKED, REPLY, 812.4)
    found = again(cassettes).find(ASKED)
    assert (found.reply.text, found.reply.usage, found.latency_ms) == ("30 days", Usage(20, 3), 812)
    assert again(cassettes).find(replace(ASKED, trial=2)) is None
    assert again(cassettes).find(replace(ASKED, system="")) is None


def test_a_file_can_be_read_and_diffed(cassettes):
    path = cassettes.record(ASKED, REPLY, 812.4)
    name = path.relative_to(cassettes.folder).as_posix()
    assert name.startswith("anthropic/claude-haiku-5-5/how-long-do-i-have-to-return-a-mug-")
    content = path.read_text("utf-8")
    assert (
        content
        == """\
{
  "format": 1,
  "latency_ms": 812,
  "reply": {
    "stop_reason": "end",
    "text": "30 days",
    "usage": {
      "input_tokens": 20,
      "output_tokens": 3
    }
  },
  "request": {
    "messages": [
      {
        "content": "How long do I have to return a mug?",
        "role": "user"
      }
    ],
    "model": "claude-haiku-5-5",
    "provider": "anthropic",
    "system": "Be brief.",
    "trial": 1
  }
}
"""
    )


def test_recording_again_replaces_the_file(cassettes):
    first = cassettes.record(ASKED, REPLY, 1.0)
    assert cassettes.record(ASKED, replace(REPLY, text="60 days"), 1.0) == first
    assert [path.name for path in first.parent.iterdir()] == [first.name]
    assert again(cassettes).find(ASKED).reply.text == "60 days"


def test_a_file_may_be_renamed_and_its_reply_edited(cassettes):
    path = cassettes.record(ASKED, REPLY, 1.0)
    moved = cassettes.folder / "mug.json"
    path.rename(moved)
    moved.write_text(moved.read_text("utf-8").replace("30 days", "a month"), "utf-8")
    assert again(cassettes).find(ASKED).reply.text == "a month"


@pytest.mark.parametrize(
    "content",
    [
        "",
        "../../etc/passwd",
        "日本語の質問",
        "a" * 500,
        [{"type": "text", "text": "look"}],
        [{"type": "image"}],
        None,
        7,
    ],
    ids=repr,
)
def test_every_question_has_a_file_name(cassettes, content):
    asked = replace(ASKED, messages=({"role": "user", "content": content},), model="a/../b:c")
    path = cassettes.record(asked, REPLY, None)
    assert path.resolve().is_relative_to(cassettes.folder.resolve())
    assert len(path.name) < 80
    assert again(cassettes).find(asked).reply.text == "30 days"


def test_refusals_and_cut_replies_are_recorded_too(cassettes):
    reply = Reply("", stop_reason="refusal", refusal="no", tool_calls=(ToolCall("t", {"a": 1}),))
    cassettes.record(ASKED, reply, None)
    assert again(cassettes).find(ASKED).reply == reply


def test_no_secret_reaches_a_file_and_another_secret_finds_the_reply(tmp_path):
    def session(password):
        return Cassettes(tmp_path, Redactor({"SHOP_PASSWORD": password}))

    def asked(password):
        said = f"log in with {password}; api_key=sk-abcdefghijklmnopqrstuvwx"
        return replace(
            ASKED,
            messages=({"role": "user", "content": said},),
            system=f"The password is {password}",
            extra={"metadata": {"authorization": "Bearer abcdef123456"}},
        )

    reply = Reply("Bearer abcdef123456", tool_calls=(ToolCall("login", {"password": "hunter-2-hunter"}),))
    path = session("correct-horse").record(asked("correct-horse"), reply, 1.0)
    for file in tmp_path.rglob("*"):
        shown = str(file) + (file.read_text("utf-8") if file.is_file() else "")
        for secret in ("correct", "horse", "sk-abcdef", "abcdef123456", "hunter"):
            assert secret not in shown
    assert "***" in path.read_text("utf-8")
    assert session("battery-staple").find(asked("battery-staple")) is not None


def test_a_miss_shows_what_differs_from_the_nearest_request(cassettes):
    cassettes.record(ASKED, REPLY, 1.0)
    cassettes.record(replace(ASKED, messages=({"role": "user", "content": "What is a mug?"},)), REPLY, 1.0)
    asked = replace(ASKED, messages=({"role": "user", "content": "How long do I have to return a cup?"},))
    error = again(cassettes).miss(asked)
    assert str(error) == (
        f"no reply of anthropic/claude-haiku-5-5 was recorded for this request in {cassettes.folder}; the nearest, "
        f"{cassettes.record(ASKED, REPLY, 1.0).relative_to(cassettes.folder).as_posix()}, differs in "
        "messages[0].content: recorded 'How long do I have to return a mug?', asked 'How long do I have to return a "
        "cup?'; record it with --evals-record"
    )
    assert error.detail.splitlines()[1:] == [
        "messages[0].content:",
        "  -How long do I have to return a mug?",
        "  +How long do I have to return a cup?",
    ]


def test_a_miss_tells_of_settings_and_trials(cassettes):
    cassettes.record(ASKED, REPLY, 1.0)
    assert "differs in trial: recorded 1, asked 2; " in str(again(cassettes).miss(replace(ASKED, trial=2)))
    error = again(cassettes).miss(replace(ASKED, temperature=0.5, system=""))
    assert "differs in temperature: recorded nothing, asked 0.5 and 1 more; " in str(error)
    assert error.detail.splitlines()[1:] == [
        "temperature:",
        "  -nothing",
        "  +0.5",
        "system:",
        "  -'Be brief.'",
        "  +nothing",
    ]


def test_no_secret_is_in_the_message_of_a_miss(cassettes):
    cassettes.record(ASKED, REPLY, 1.0)
    error = again(cassettes).miss(replace(ASKED, system="api_key=sk-abcdefghijklmnopqrstuvwx"))
    assert "sk-abc" not in str(error) + error.detail
    assert "***" in str(error)


def test_an_empty_or_missing_folder_says_so(cassettes):
    assert "does not exist; record replies with --evals-record" in str(cassettes.miss(ASKED))
    cassettes.folder.mkdir()
    assert "has none; record replies with --evals-record" in str(again(cassettes).miss(ASKED))


def test_after_many_misses_nothing_is_compared_any_more(cassettes):
    cassettes.record(ASKED, REPLY, 1.0)
    session = again(cassettes)
    said = [str(session.miss(replace(ASKED, trial=n))) for n in range(2, 30)]
    assert "nearest" in said[0]
    assert "nearest" not in said[-1]


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        ("{", "Expecting property name"),
        ("[]", "it is no recorded reply"),
        ('{"format": 9, "request": {}, "reply": {"text": "x"}}', "its format is 9, and this version reads 1"),
        ('{"format": 1, "request": {}, "reply": {}}', "not a reply"),
    ],
)
def test_a_file_that_is_none_is_named(cassettes, content, reason):
    cassettes.folder.mkdir()
    (cassettes.folder / "x.json").write_text(content, "utf-8")
    with pytest.raises(CassetteError, match=rf"x\.json: cannot be read: .*{reason}"):
        cassettes.find(ASKED)


def test_other_files_are_left_alone(cassettes):
    cassettes.folder.mkdir()
    (cassettes.folder / "README.md").write_text("what this is", "utf-8")
    (cassettes.folder / ".tmp.json").write_text("half", "utf-8")
    assert cassettes.find(ASKED) is None


def test_a_lone_surrogate_can_be_recorded(cassettes):
    path = cassettes.record(ASKED, Reply("a\ud800b"), 1.0)
    json.loads(path.read_text("utf-8"))


def test_a_folder_that_cannot_be_written_is_named(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(CassetteError, match="the reply cannot be recorded"):
        Cassettes(tmp_path / "file", Redactor({})).record(ASKED, REPLY, 1.0)
