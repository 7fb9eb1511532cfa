"""Asking judges through clients, limits and prices."""

from __future__ import annotations

import asyncio

import pytest

from pytest_evals import Endpoint, ProviderError, Reply, Request, ScriptedClient, Usage
from pytest_evals.engine import judging
from pytest_evals.engine.judging import Judges
from pytest_evals.engine.model import Models
from pytest_evals.llm.clients import Clients
from pytest_evals.model.llm import ModelSpec

SPEC = ModelSpec(Endpoint("x"), "m")
REQUEST = Request("x", "m", ())


def judges(client, **more):
    return Judges(Models(Clients.given({"x": client})), **more)


def test_a_reply_comes_with_its_time_and_is_counted():
    counted = []
    client = ScriptedClient([Reply("yes", usage=Usage(5, 2))], delay_s=0.02, local=True)
    found = asyncio.run(judges(client, count=counted.append)(SPEC, REQUEST))
    assert (found.reply.text, found.cost_usd) == ("yes", 0.0)  # a local model costs nothing
    assert found.latency_ms >= 20
    assert [(response.usage, response.cost_usd) for response in counted] == [(Usage(5, 2), 0.0)]


def test_an_unknown_price_is_no_price():
    assert asyncio.run(judges(ScriptedClient(["yes"]))(SPEC, REQUEST)).cost_usd is None


def test_a_kept_reply_asks_nobody_and_has_no_time():
    class Keeps:
        async def prepare(self, request):
            return Reply("kept").kept(120.0)

        async def complete(self, request):
            raise AssertionError

    found = asyncio.run(judges(Keeps())(SPEC, REQUEST))
    assert (found.reply.text, found.latency_ms) == ("kept", None)


def test_a_judge_that_does_not_answer_is_given_up(monkeypatch):
    monkeypatch.setattr(judging, "LIMIT_S", 0.05)
    counted = []
    with pytest.raises(ProviderError, match=r"x/m: no answer within 0.05 s"):
        asyncio.run(judges(ScriptedClient(["late"], delay_s=5), count=counted.append)(SPEC, REQUEST))
    assert counted == [None]  # nobody knows what it cost


def test_a_judge_of_ones_own_is_asked_for_itself_alone():
    own, other = ScriptedClient(["mine"]), ScriptedClient(["theirs"])
    spec = ModelSpec(Endpoint("judge"), "Own")
    ask = judges(other, own=[(spec, own)])
    assert asyncio.run(ask(spec, REQUEST)).reply.text == "mine"
    assert asyncio.run(ask(SPEC, REQUEST)).reply.text == "theirs"
