"""The client that answers from a script."""

from __future__ import annotations

import asyncio

import pytest

from pytest_evals import ProviderError, Reply, Request, ScriptedClient, Usage, UsageError


def ask(client, *questions):
    async def all_of_them():
        return [await client.complete(Request("s", "m-1", ({"role": "user", "content": q},))) for q in questions]

    return asyncio.run(all_of_them())


def test_texts_values_and_replies_come_in_their_order():
    client = ScriptedClient(["yes", {"score": 1}, Reply("no", usage=Usage(7, 3), model="other")])
    replies = ask(client, "a", "b", "c")
    assert [reply.text for reply in replies] == ["yes", '{"score": 1}', "no"]
    assert [reply.model for reply in replies] == ["m-1", "m-1", "other"]
    assert replies[2].usage == Usage(7, 3)
    assert [request.messages[0]["content"] for request in client.requests] == ["a", "b", "c"]


def test_an_error_of_the_script_is_raised():
    client = ScriptedClient([ProviderError("busy", status=529), "yes"])
    with pytest.raises(ProviderError, match="busy"):
        ask(client, "a")
    assert ask(client, "a")[0].text == "yes"


def test_a_function_sees_what_is_asked():
    client = ScriptedClient(lambda request: request.messages[-1]["content"].upper())
    assert [reply.text for reply in ask(client, "a", "b")] == ["A", "B"]


def test_a_script_that_is_at_its_end_says_so_unless_it_starts_again():
    with pytest.raises(UsageError, match="the script has one reply; this is request 2"):
        ask(ScriptedClient(["a"]), "q", "q")
    assert [reply.text for reply in ask(ScriptedClient(["a", "b"], cycle=True), *"qqq")] == ["a", "b", "a"]


def test_tokens_are_estimated_from_the_texts():
    (reply,) = ask(ScriptedClient(["12345678"]), "1234")
    assert reply.usage == Usage(1, 2)
