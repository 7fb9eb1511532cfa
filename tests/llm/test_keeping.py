"""Clients that answer from what is kept."""

from __future__ import annotations

import asyncio
import logging

import pytest

from pytest_evals.errors import ProviderError, TargetError
from pytest_evals.llm.cache import ReplyCache
from pytest_evals.llm.cassettes import CassetteError, Cassettes
from pytest_evals.llm.clients import Clients
from pytest_evals.llm.keeping import Keeping
from pytest_evals.llm.scripted import ScriptedClient
from pytest_evals.model.llm import Endpoint, Reply, Request

HERE = Endpoint("mine", "http://127.0.0.1:1/v1")


def asked(text="hello", **settings):
    return Request("mine", "m", ({"role": "user", "content": text},), **settings)


@pytest.fixture
def cache(tmp_path):
    cache = ReplyCache(tmp_path / "replies.db")
    yield cache
    cache.close()


def ask(client, *requests):
    async def all_of_them():
        return [await client.complete(request) for request in requests]

    return asyncio.run(all_of_them())


def test_nothing_is_wrapped_when_nothing_is_kept():
    client = ScriptedClient(["x"])
    assert Keeping().wrap(client, HERE) is client


def test_the_second_time_the_model_is_not_asked(cache):
    model = ScriptedClient(["one", "two"], delay_s=0.01)
    client = Keeping(cache).wrap(model, HERE)
    first, second = ask(client, asked(), asked())
    assert (first.text, second.text, len(model.requests)) == ("one", "one", 1)
    assert (first.cached, first.latency_ms) == (False, None)
    assert second.cached
    assert second.latency_ms >= 10


def test_every_trial_has_its_own_reply(cache):
    model = ScriptedClient(["one", "two"])
    client = Keeping(cache).wrap(model, HERE)
    texts = [reply.text for reply in ask(client, asked(trial=1), asked(trial=2), asked(trial=2), asked(trial=1))]
    assert texts == ["one", "two", "two", "one"]


def test_what_one_server_said_does_not_answer_for_another(cache):
    model = ScriptedClient(["one", "two"])
    there = Endpoint("mine", "http://127.0.0.1:2/v1")
    (first,) = ask(Keeping(cache).wrap(model, HERE), asked())
    (second,) = ask(Keeping(cache).wrap(model, there), asked())
    assert (first.text, second.text) == ("one", "two")


def test_the_address_of_the_environment_counts_too(cache, monkeypatch):
    model = ScriptedClient(["one", "two", "three"])
    said = []
    for address in ("http://127.0.0.1:1/v1", "http://127.0.0.1:2/v1", "http://127.0.0.1:1/v1"):
        monkeypatch.setenv("LEMONADE_BASE_URL", address)
        (reply,) = ask(Keeping(cache).wrap(model, Endpoint("lemonade")), asked())
        said.append(reply.text)
    assert said == ["one", "two", "one"]


@pytest.mark.parametrize(
    "reply",
    [
        Reply("", stop_reason="refusal", refusal="I will not"),
        Reply("cut sh", stop_reason="max_tokens"),
        Reply("paused", stop_reason="other"),
    ],
    ids=lambda reply: reply.stop_reason,
)
def test_what_is_no_whole_answer_is_asked_for_again(cache, reply):
    model = ScriptedClient([reply, "whole"])
    assert ask(Keeping(cache).wrap(model, HERE), asked(), asked())[1].text == "whole"


def test_an_error_is_not_kept(cache):
    client = Keeping(cache).wrap(ScriptedClient([ProviderError("busy"), "fine"]), HERE)
    with pytest.raises(ProviderError):
        ask(client, asked())
    assert ask(client, asked())[0].text == "fine"


def test_a_key_never_reaches_the_cache_or_a_log(cache, monkeypatch, caplog):
    caplog.set_level(logging.DEBUG)
    monkeypatch.setenv("ANTHROPIC_API_KEY", "planted-key-in-the-environment")
    secrets = ["planted-key-in-the-environment", "sk-plantedplantedplanted", "planted-bearer-1"]
    endpoint = Endpoint("mine", "http://user:planted-bearer-1@127.0.0.1:1/v1", "sk-plantedplantedplanted")
    texts = [f"it is {secret}" for secret in secrets[:2]] + ["Authorization: Bearer planted-bearer-1"]
    model = ScriptedClient(lambda request: request.messages[0]["content"])
    client = Keeping(cache).wrap(model, endpoint)
    replies = ask(client, *[asked(text) for text in texts], asked("harmless"))
    assert [reply.text for reply in replies[:3]] == texts, "the answer itself is not changed"
    assert cache.stats().replies == 1
    cache.close()
    for file in cache.path.parent.iterdir():
        content = file.read_bytes()
        assert not any(secret.encode() in content for secret in (*secrets, "planted"))
    assert "planted" not in caplog.text


def test_a_session_that_records_asks_and_writes_down(tmp_path, cache):
    model = ScriptedClient(["one", "two"])
    record = Keeping(cache, record=Cassettes(tmp_path / "r"))
    assert [reply.text for reply in ask(record.wrap(model, HERE), asked(), asked("other"))] == ["one", "two"]
    assert cache.stats().replies == 0
    replay = Keeping(cache, replay=Cassettes(tmp_path / "r"))
    silent = ScriptedClient()
    replies = ask(replay.wrap(silent, HERE), asked("other"), asked())
    assert [(reply.text, reply.cached) for reply in replies] == [("two", True), ("one", True)]
    assert silent.requests == []


def test_a_session_that_replays_asks_nobody(tmp_path):
    replay = Keeping(replay=Cassettes(tmp_path))
    model = ScriptedClient(["one"])
    with pytest.raises(CassetteError, match="no reply of mine/m was recorded"):
        ask(replay.wrap(model, HERE), asked())
    assert model.requests == []
    assert replay.asks_nobody


def test_both_together_ask_only_for_what_is_not_recorded(tmp_path):
    ask(Keeping(record=Cassettes(tmp_path)).wrap(ScriptedClient(["old"]), HERE), asked())
    both = Keeping(record=Cassettes(tmp_path), replay=Cassettes(tmp_path))
    replies = ask(both.wrap(ScriptedClient(["new"]), HERE), asked(), asked("other"))
    assert [(reply.text, reply.cached) for reply in replies] == [("old", True), ("new", False)]
    assert Cassettes(tmp_path).find(asked("other")).reply.text == "new"


class Prepared(ScriptedClient):
    prepared = closed = 0

    async def prepare(self, request):
        self.prepared += 1

    async def aclose(self):
        self.closed += 1


def test_a_server_is_made_ready_only_when_it_is_asked(cache):
    model = Prepared(["one"], local=True)
    client = Keeping(cache).wrap(model, HERE)

    async def session():
        await client.prepare(asked())
        await client.complete(asked())
        await client.prepare(asked())
        await client.complete(asked())
        await client.aclose()

    asyncio.run(session())
    assert (model.prepared, model.closed, len(model.requests)) == (1, 1, 1)
    assert client.local


def test_a_replay_needs_no_package_of_a_provider(monkeypatch):
    monkeypatch.setattr("pytest_evals.llm.clients.missing_package", lambda provider: "it is not installed")
    with pytest.raises(TargetError, match="it is not installed"):
        Clients().client(Endpoint("openai"))
    assert Clients(offline=True).client(Endpoint("openai")) is not None
