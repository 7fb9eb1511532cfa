"""Embeddings of a server that speaks OpenAI's API, asked over HTTP."""

from __future__ import annotations

import asyncio

import pytest
from servers import Reply, serve

from pytest_evals.errors import ProviderError, RejectedError, ScorerError

pytest.importorskip("openai", reason="the openai extra is not installed")

from pytest_evals.llm.embeddings import connect_embedder


def embed(asked):
    rows = [{"index": n, "embedding": [float(len(text)), 1]} for n, text in enumerate(asked.json["input"])]
    return {"object": "list", "data": rows[::-1], "model": asked.json["model"]}


def ask(url, texts, environment=None, provider="openai"):
    environment = {"OPENAI_API_KEY": "key-of-a-test"} if environment is None else environment
    return asyncio.run(connect_embedder(f"{provider}/small/v1", url, environment)(texts))


def test_the_vectors_are_in_the_order_of_the_texts():
    with serve(embed) as server:
        assert ask(f"{server.url}/v1/", ["a", "bbb", "cc"]) == [[1, 1], [3, 1], [2, 1]]
    [asked] = server.asked
    assert asked.path == "/v1/embeddings"
    assert asked.json == {"model": "small/v1", "input": ["a", "bbb", "cc"], "encoding_format": "float"}
    headers = {name.lower(): value for name, value in asked.headers.items()}
    assert headers["authorization"] == "Bearer key-of-a-test"


def test_the_address_may_come_from_the_environment():
    with serve(embed) as server:
        environment = {"LEMONADE_BASE_URL": f"{server.url}/api/v1"}
        assert ask("", ["a"], environment, "lemonade") == [[1, 1]]
    assert server.asked[0].path == "/api/v1/embeddings"


def test_a_refusal_for_now_is_asked_again():
    replies = [Reply({"error": {"message": "slow down"}}, 429, {"retry-after-ms": "1"})]

    def flaky(asked):
        return replies.pop() if replies else embed(asked)

    with serve(flaky) as server:
        assert ask(server.url, ["a"]) == [[1, 1]]
    assert len(server.asked) == 2


@pytest.mark.parametrize(
    ("status", "error"), [(401, ScorerError), (404, ScorerError), (400, RejectedError), (413, RejectedError)]
)
def test_what_will_never_be_answered_says_why_without_the_key(status, error):
    with (
        serve(lambda _: Reply({"error": {"message": "no: key-of-a-test"}}, status)) as server,
        pytest.raises(error) as raised,
    ):
        ask(server.url, ["a"])
    assert f"HTTP {status}" in str(raised.value)
    assert "key-of-a-test" not in str(raised.value)
    assert len(server.asked) == 1


@pytest.mark.parametrize(
    ("reply", "says"),
    [
        ("<html>", "the reply is not JSON"),
        ({"data": 3}, "the reply has no 'data' with embeddings"),
        ({"data": [{"embedding": "x"}]}, "an 'embedding' that is no list of numbers"),
        ({"data": [{"embedding": [True]}]}, "an 'embedding' that is no list of numbers"),
    ],
)
def test_a_reply_without_vectors_is_the_service_s_failure(reply, says):
    with serve(lambda _: reply) as server, pytest.raises(ProviderError, match=says):
        ask(server.url, ["a"])


def test_rows_without_places_are_in_order():
    with serve(lambda _: {"data": [{"embedding": [1]}, {"embedding": [2]}]}) as server:
        assert ask(server.url, ["a", "b"]) == [[1], [2]]


@pytest.mark.parametrize(
    ("model", "says"),
    [
        ("opnai/x", "unknown provider 'opnai'"),
        ("anthropic/x", "anthropic has no embeddings"),
        ("openai/x", "openai needs a key: set the environment variable OPENAI_API_KEY"),
        ("lemonade/x", "lemonade needs the address of its server"),
    ],
)
def test_a_model_that_cannot_be_asked_is_told(model, says):
    with pytest.raises(ScorerError, match=says):
        connect_embedder(model, "", {})
