"""Requests and replies as plain JSON."""

from __future__ import annotations

import json

import pytest

from pytest_evals.llm.canonical import digest, reply_json, reply_of, request_json
from pytest_evals.model.llm import Reply, Request, Tool
from pytest_evals.model.response import ToolCall, Usage

ASKED = Request("p", "m", ({"role": "user", "content": "hello"},))


def test_what_is_not_sent_is_not_compared():
    assert request_json(ASKED) == {
        "provider": "p",
        "model": "m",
        "messages": [{"role": "user", "content": "hello"}],
        "trial": 1,
    }


def test_zero_is_something_that_was_said():
    assert request_json(Request("p", "m", (), temperature=0.0, seed=0))["temperature"] == 0.0
    assert request_json(Request("p", "m", (), temperature=0.0, seed=0))["seed"] == 0


def test_the_order_of_keys_makes_no_other_request():
    one = Request("p", "m", ({"role": "user", "content": "x"},), extra={"a": 1, "b": {"c": 1, "d": 2}})
    two = Request("p", "m", ({"content": "x", "role": "user"},), extra={"b": {"d": 2, "c": 1}, "a": 1})
    assert digest(request_json(one)) == digest(request_json(two))


@pytest.mark.parametrize(
    "change",
    [
        {"provider": "q"},
        {"model": "n"},
        {"messages": ({"role": "user", "content": "Hello"},)},
        {"messages": ({"role": "assistant", "content": "hello"},)},
        {"system": "s"},
        {"max_tokens": 5},
        {"temperature": 0.0},
        {"top_p": 1.0},
        {"seed": 1},
        {"stop": ("x",)},
        {"tools": (Tool("t"),)},
        {"tool_choice": "any"},
        {"schema": {"type": "object"}},
        {"extra": {"k": None}},
        {"trial": 2},
    ],
    ids=str,
)
def test_everything_that_is_asked_makes_another_request(change):
    from dataclasses import fields, replace

    assert digest(request_json(replace(ASKED, **change))) != digest(request_json(ASKED))
    assert set(change) <= {f.name for f in fields(Request)}


def test_every_part_of_a_request_is_compared():
    from dataclasses import fields

    compared = {"provider", "model", "messages", "system", "max_tokens", "temperature", "top_p", "seed", "stop"}
    compared |= {"tools", "tool_choice", "schema", "extra", "trial"}
    assert {f.name for f in fields(Request)} == compared, "a new part of a request needs a line in the test above"


def test_a_reply_comes_back_from_json_as_it_was():
    reply = Reply(
        "é",
        reasoning="r",
        tool_calls=(ToolCall("t", {"a": [1]}), ToolCall("u")),
        usage=Usage(3, None, 1),
        cache_write_tokens=0,
        reasoning_tokens=2,
        stop_reason="refusal",
        refusal="no",
        model="m",
        raw_usage={"x": 1},
    )
    assert reply_of(json.loads(json.dumps(reply_json(reply)))) == reply
    assert reply_of(reply_json(Reply(""))) == Reply("")


def test_what_is_known_of_this_one_call_is_left_out():
    said = reply_json(Reply("x", request_id="r", cached=True, latency_ms=3.0, raw_usage={"a": 1}), raw=False)
    assert said == {"text": "x", "stop_reason": "end"}


@pytest.mark.parametrize("data", [{}, {"text": 3}, {"text": "x", "usage": 3}, {"text": "x", "tool_calls": ["t"]}, []])
def test_what_is_no_reply_is_refused(data):
    with pytest.raises(ValueError, match="not a reply"):
        reply_of(data)
