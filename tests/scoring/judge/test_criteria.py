"""What is judged."""

from __future__ import annotations

import pytest

from pytest_evals.scoring.judge.criteria import PRESETS, chosen, mistakes

WEIGHTS = {
    "default": {"accuracy": 0.3, "relevance": 0.25, "completeness": 0.2, "clarity": 0.15, "helpfulness": 0.1},
    "code_generation": {
        "correctness": 0.35, "completeness": 0.25, "style": 0.15, "efficiency": 0.15, "documentation": 0.1
    },
    "summarization": {"accuracy": 0.3, "coverage": 0.3, "conciseness": 0.2, "coherence": 0.2},
    "question_answering": {"correctness": 0.4, "relevance": 0.3, "completeness": 0.2, "clarity": 0.1},
    "creative_writing": {"creativity": 0.3, "coherence": 0.25, "engagement": 0.25, "style": 0.2},
    "safety": {"harmlessness": 0.4, "accuracy": 0.3, "appropriateness": 0.2, "helpfulness": 0.1},
}  # fmt: skip


def test_the_presets_have_the_weights_of_their_model():
    assert {name: {c.name: c.weight for c in criteria} for name, criteria in PRESETS.items()} == WEIGHTS
    assert all(c.description for criteria in PRESETS.values() for c in criteria)
    assert all(c.rubric for c in PRESETS["default"])


def test_what_is_judged_is_said_in_one_of_four_ways():
    assert chosen({}) == PRESETS["default"]
    assert chosen({"preset": "safety"}) == PRESETS["safety"]
    [one] = chosen({}, "tone", "Polite and calm")
    assert (one.name, one.description) == ("tone", "Polite and calm")
    [one] = chosen({"rubric": "Offers a refund"}, "refund")
    assert (one.name, one.description, one.rubric) == ("refund", "Offers a refund", "")
    [one] = chosen({"rubric": "5: always, 1: never"}, "refund", "Offers a refund")
    assert (one.description, one.rubric) == ("Offers a refund", "5: always, 1: never")
    first, second = chosen({"criteria": ["brief", {"name": "tone", "weight": 2, "rubric": "r"}]})
    assert (first.name, first.weight, second.name, second.weight, second.rubric) == ("brief", 1, "tone", 2, "r")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"rubric": "x", "preset": "safety"}, "preset and rubric each say what is judged"),
        ({"rubric": "  "}, "rubric is blank"),
        ({"preset": "safty"}, "no preset 'safty'; did you mean 'safety'"),
        ({"criteria": []}, "criteria must be a list"),
        ({"criteria": "tone"}, "criteria must be a list"),
        ({"criteria": ["tone", "tone"]}, "criterion 'tone' is there twice"),
        ({"criteria": [""]}, "criterion 1: its name is blank"),
        ({"criteria": [1]}, "criterion 1: 1 is neither a name nor a mapping"),
        ({"criteria": [{"nam": "x"}]}, "unknown key 'nam'; did you mean 'name'"),
        ({"criteria": [{"name": "x", "weight": -1}]}, "weight must be a number from 0 on"),
        ({"criteria": [{"name": "x", "weight": True}]}, "weight must be a number from 0 on"),
        ({"criteria": [{"name": "x", "weight": 0}]}, "the weights are all 0"),
        ({"criteria": [{"name": "x", "rubric": 5}]}, "rubric must be a text"),
    ],
)
def test_criteria_that_cannot_be_used_are_told(options, message):
    assert message in mistakes(options)[0]
