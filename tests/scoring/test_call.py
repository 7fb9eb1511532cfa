"""``latency``, ``cost`` and ``tokens``: bounds on the call."""

from __future__ import annotations

import pytest

from pytest_evals import Response, Usage
from pytest_evals.errors import ScorerError
from pytest_evals.scoring import score, specs

RESPONSE = Response("x", latency_ms=1234.5, cost_usd=0.0123, usage=Usage(100, 20))


@pytest.mark.parametrize(
    ("name", "options", "value", "reason"),
    [
        ("latency", {"max": "2s"}, True, "1.234 s, within 2 s"),
        ("latency", {"max": 2}, True, "1.234 s, within 2 s"),
        ("latency", {"max": "500ms"}, False, "1.234 s, above 500 ms"),
        ("latency", {"max": "1234.5 ms"}, True, "1.234 s, within 1.234 s"),
        ("latency", {"max": "1m"}, True, "1.234 s, within 60 s"),
        ("cost", {"max": "$0.02"}, True, "$0.0123, within $0.02"),
        ("cost", {"max": 0.0123}, True, "$0.0123, within $0.0123"),
        ("cost", {"max": "0.01 USD"}, False, "$0.0123, above $0.01"),
        ("cost", {"max": "1e-5"}, False, "$0.0123, above $1e-05"),
        ("tokens", {"max": 120}, True, "120 tokens, within 120 tokens"),
        ("tokens", {"max": 119}, False, "120 tokens, above 119 tokens"),
        ("tokens", {"max": 1, "of": "output"}, False, "20 output tokens, above 1 output token"),
        ("tokens", {"max": 100, "of": "input"}, True, "100 input tokens, within 100 input tokens"),
    ],
)
def test_a_call_is_within_its_bounds_or_not(name, options, value, reason):
    found = score(name, RESPONSE, **options)
    assert (found.value, found.reason) == (value, reason)


@pytest.mark.parametrize(
    ("name", "response", "says"),
    [
        ("latency", Response("x"), "the latency of the call is unknown"),
        ("cost", Response("x", usage=Usage(1, 1)), "the cost of the answer is unknown"),
        ("tokens", Response("x"), "the number of input and output tokens is unknown"),
        ("tokens", Response("x", usage=Usage(1)), "the number of output tokens is unknown"),
        ("tokens", "x", "tokens needs a Response"),
    ],
)
def test_what_is_unknown_is_an_error_and_never_within(name, response, says):
    with pytest.raises(ScorerError, match=says):
        score(name, response, max=1)


def test_free_is_a_known_cost():
    assert score("cost", Response("x", cost_usd=0.0), max=0).value is True


@pytest.mark.parametrize(
    ("name", "bound", "says"),
    [
        ("latency", "2x", "'2x' is no time: write 2s, 500ms or 1m"),
        ("latency", "-1s", "is no time"),
        ("latency", "fast", "is no time"),
        ("cost", "1€", "max must be an amount of US dollars such as 0.01 or $0.01, not '1€'"),
        ("cost", "-1", "max must be an amount"),
        ("cost", "nan", "max must be an amount"),
    ],
)
def test_a_bound_that_is_none_is_a_mistake_of_the_suite(name, bound, says):
    [message] = specs()[name].check({"max": bound})
    assert says in message
