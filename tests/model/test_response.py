"""What a target says beside its answer is what it promises to be, or unknown, or an error of the target."""

from __future__ import annotations

import math
from decimal import Decimal

import numpy
import pytest

from pytest_evals.errors import TargetError
from pytest_evals.model.response import Response, ToolCall, Usage, as_response


def test_anything_that_is_no_response_is_the_output():
    assert as_response("hello") == Response("hello")
    assert as_response(None) == Response(None)
    assert as_response({"cost_usd": "x"}) == Response({"cost_usd": "x"})


@pytest.mark.parametrize("amount", [0, 0.25, Decimal("0.25"), numpy.float32(0.25), numpy.int64(3), Decimal(3)])
def test_amounts_of_every_type_of_number_become_floats(amount):
    response = as_response(Response("x", cost_usd=amount, latency_ms=amount))
    assert response.cost_usd == float(amount)
    assert {type(response.cost_usd), type(response.latency_ms)} == {float}


@pytest.mark.parametrize("amount", [-1, -0.5, math.nan, math.inf, 10**400, Decimal("NaN")])
def test_amounts_that_cannot_be_are_unknown(amount):
    response = as_response(Response("x", Usage(amount, amount, amount), cost_usd=amount, latency_ms=amount))
    assert response == Response("x", Usage())


def test_tokens_are_whole_numbers():
    assert as_response(Response("x", Usage(3.0, numpy.int64(2), None))).usage == Usage(3, 2, None)
    usage = as_response(Response("x", Usage(3.0, numpy.int64(2)))).usage
    assert {type(usage.input_tokens), type(usage.output_tokens)} == {int}


@pytest.mark.parametrize(
    ("response", "message"),
    [
        (Response("x", cost_usd="0.1"), "the target's cost_usd is '0.1' (str); it must be a number, or None"),
        (Response("x", cost_usd=True), "the target's cost_usd is 'true' (bool); it must be a number, or None"),
        (Response("x", latency_ms=[1]), "the target's latency_ms is '[1]' (list); it must be a number, or None"),
        (
            Response("x", Usage(2.5)),
            "the target's usage.input_tokens is '2.5' (float); it must be a whole number, or None",
        ),
        (
            Response("x", usage={"input_tokens": 3}),
            """the target's usage is '{"input_tokens": 3}' (dict); it must be a Usage, or None""",
        ),
        (
            Response("x", tool_calls=[ToolCall("a"), {"name": "b"}]),
            """the target's tool_calls hold '{"name": "b"}' (dict); each must be a ToolCall""",
        ),
        (Response("x", metadata=["a"]), """the target's metadata is '["a"]' (list); it must be a mapping"""),
    ],
)
def test_what_is_no_amount_at_all_is_an_error_of_the_target(response, message):
    with pytest.raises(TargetError) as raised:
        as_response(response)
    assert str(raised.value) == message
