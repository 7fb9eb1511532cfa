"""Bounds on the call itself, in suites: what is measured reaches the scorers, what is unknown is an error."""

from __future__ import annotations

import json

BOT = """
import time
from pytest_evals import Response, Usage

def answer(question):
    time.sleep(0.03)
    return Response("yes", usage=Usage(100, 20), cost_usd=0.002) if question == "known" else "yes"
"""

SUITE = """
target: bot.py:answer
defaults:
  criteria: [{latency: 10s}, {tokens: 120}, {cost: $0.002}]
cases:
  - {id: within, input: known}
  - {id: slow, input: known, inherit_criteria: false, criteria: [{latency: 20ms}]}
  - {id: unknown, input: other}
  - {id: not-fast, input: other, inherit_criteria: false, criteria: [{not: {latency: 20ms}}]}
"""


def criteria(ran, case_id):
    return {one["name"]: one for one in ran.case(case_id)["trials"][0]["criteria"]}


def test_what_a_call_took_is_measured_and_what_is_unknown_is_an_error(project):
    ran = project({"bot.py": BOT, "s.eval.yaml": SUITE})
    assert ran.outcomes == {"within": "passed", "slow": "failed", "unknown": "errored", "not-fast": "passed"}
    took = ran.case("within")["trials"][0]["latency_ms"]
    assert criteria(ran, "within")["latency"]["detail"]["latency_ms"] == took >= 30
    unknown = criteria(ran, "unknown")
    assert unknown["latency"]["score"] == 1
    assert "the cost of the answer is unknown" in unknown["cost"]["error"]["message"]
    assert "tokens is unknown" in unknown["tokens"]["error"]["message"]


def test_a_recorded_answer_has_the_time_it_took_then(alone):
    suite = "target: {responses: r.json}\ncases: [{id: a, input: q, criteria: [{latency: 1s}]}, {id: b, input: q, criteria: [{latency: 1s}]}]\n"
    ran = alone({"s.eval.yaml": suite, "r.json": json.dumps({"a": {"output": "x", "latency_ms": 900}, "b": "x"})})
    assert ran.outcomes == {"a": "passed", "b": "errored"}


def test_a_scorer_of_one_s_own_sees_the_measured_time(alone):
    conftest = """
import pytest

@pytest.fixture
def quick_scorer():
    return lambda response: response.latency_ms >= 30
"""
    suite = "target: bot.py:answer\ncases: [{id: a, input: q, criteria: [quick]}]\n"
    assert alone({"conftest.py": conftest, "bot.py": BOT, "s.eval.yaml": suite}).outcomes == {"a": "passed"}
