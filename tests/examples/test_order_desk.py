"""The order desk: JSON and tool calls scored, whichever way pytest runs it."""

from __future__ import annotations

import pytest

SUITE = "order-desk"


def reason(ran, case_id, name):
    """Why a criterion has its score."""
    [case] = [case for case in ran.report["cases"] if case["id"] == case_id]
    return next(criterion["reason"] for criterion in case["trials"][0]["criteria"] if criterion["name"] == name)


@pytest.mark.parametrize("way", ["alone", "n2"])
def test_all_but_one_tolerated_miss_pass(example, way):
    ran = example("order_desk", way).run()
    assert ran.status == 0, ran.output
    assert {case for (_, case), outcome in ran.outcomes.items() if outcome != "passed"} == {"dozen"}
    assert ran.counts == {"passed": 7, "missed": 1}
    assert set(ran.gates.values()) == {"held"}
    assert reason(ran, "dozen", "json_path") == "lines[0].amount: there is no '0' at 'lines', which is an empty list"


def test_an_order_that_is_placed_too_early_is_noticed(example):
    desk = example("order_desk")
    source = desk.folder / "desk.py"
    text = source.read_text("utf-8")
    changed = text.replace('if lines and city and name and all(line["in_stock"] for line in lines):', "if lines:")
    assert changed != text
    source.write_text(changed, "utf-8")
    ran = desk.run()
    missed = {case for (_, case), outcome in ran.outcomes.items() if outcome == "failed"}
    assert missed == {"out-of-stock", "no-city", "dozen"}
    assert ran.gates[SUITE, "pass_rate >= 85%"] == "broken"
    assert reason(ran, "no-city", "tool_calls").startswith('1 of 1 call: not expected: place_order(customer="Ben Ito"')
