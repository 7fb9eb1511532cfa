"""The agent: its answers look well, and its steps tell what is wrong with two of them."""

from __future__ import annotations

import json

import pytest

from pytest_evals import trajectory

SUITE = "shop-agent"


def criterion(ran, case_id, name):
    [case] = [case for case in ran.report["cases"] if case["id"] == case_id]
    return next(one for one in case["criteria"] if one["name"] == name)


@pytest.mark.parametrize("way", ["alone", "n2"])
def test_a_loop_and_a_wrong_argument_are_noticed(example, way):
    copy = example("agent", way)
    ran = copy.run()
    assert ran.status == 0, ran.output
    assert {case for (_, case), outcome in ran.outcomes.items() if outcome != "passed"} == {
        "unknown-order",
        "half-a-refund",
    }
    assert ran.counts == {"passed": 7, "missed": 2}
    assert set(ran.gates.values()) == {"held"}
    loop = criterion(ran, "unknown-order", "no_repeated_calls")
    assert loop["reason"] == 'find_order {"number": 9999} was called 3× (steps 3, 4, 5)'
    wrong = criterion(ran, "half-a-refund", "tool_arguments")
    assert wrong["reason"] == "refund in step 4: amount: 70.0 where 35 is expected"
    assert criterion(ran, "half-a-refund", "contains")["passed"]
    files = list((copy.folder / ".evals" / "atif").iterdir())
    assert len(files) == 9
    assert all(trajectory.validate(json.loads(file.read_text("utf-8"))) == [] for file in files)


def test_an_agent_that_is_mended_has_no_miss(example):
    copy = example("agent")
    source = copy.folder / "agent.py"
    text = source.read_text("utf-8")
    mended = text.replace("TRIES = 3", "TRIES = 1").replace(
        'amount=order["total"])', 'amount=35.0 if "35" in question else order["total"])'
    )
    source.write_text(mended, "utf-8")
    ran = copy.run()
    assert set(ran.outcomes.values()) == {"passed"}, ran.output
