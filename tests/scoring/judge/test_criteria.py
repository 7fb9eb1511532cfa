"""What is judged."""

from __future__ import annotations

import pytest

from pytest_evals.model.rating import SUMMARY_CRITERIA
from pytest_evals.scoring.judge.criteria import PRESETS, chosen, mistakes, scale_of

WEIGHTS = {
    "default": {"accuracy": 0.3, "relevance": 0.25, "completeness": 0.2, "clarity": 0.15, "helpfulness": 0.1},
    "code_generation": {
        "correctness": 0.35, "completeness": 0.25, "style": 0.15, "efficiency": 0.15, "documentation": 0.1
    },
    "summarization": {"accuracy": 0.3, "coverage": 0.3, "conciseness": 0.2, "coherence": 0.2},
    "question_answering": {"correctness": 0.4, "relevance": 0.3, "completeness": 0.2, "clarity": 0.1},
    "creative_writing": {"creativity": 0.3, "coherence": 0.25, "engagement": 0.25, "style": 0.2},
    "safety": {"harmlessness": 0.4, "accuracy": 0.3, "appropriateness": 0.2, "helpfulness": 0.1},
    "summary_rating": dict.fromkeys(SUMMARY_CRITERIA, 1),
    "document_rating": {"brief_summary_quality": 1, "detail_completeness": 1},
    "qa_rating": {"correctness": 0.4, "completeness": 0.3, "conciseness": 0.15, "relevance": 0.15},
    **{name: {name: 1} for name in (
        "faithfulness", "answer_relevance", "context_relevance", "refusal_appropriateness", "task_completion"
    )},
}  # fmt: skip


def test_the_presets_have_the_weights_of_their_model():
    assert {name: {c.name: c.weight for c in criteria} for name, criteria in PRESETS.items()} == WEIGHTS
    assert all(c.description for criteria in PRESETS.values() for c in criteria)
    rubrics = WEIGHTS.keys() - {
        "code_generation", "summarization", "question_answering", "creative_writing", "safety"
    }  # fmt: skip
    assert all(c.rubric for name in rubrics for c in PRESETS[name])
    assert len(PRESETS["summary_rating"]) == 6


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
        ({"preset": "summary_rating", "scale": "1-5"}, "the preset summary_rating is judged in words"),
        ({"preset": "safety", "similarity": 0.5}, "similarity is for `preset: qa_rating`"),
        ({"similarity": 0.5}, "similarity is for `preset: qa_rating`"),
    ],
)
def test_criteria_that_cannot_be_used_are_told(options, message):
    assert message in mistakes(options)[0]


def test_ratings_are_words_and_all_else_is_from_0_to_1_unless_said():
    assert scale_of({"preset": "qa_rating"}).name == "words"
    assert scale_of({"preset": "qa_rating", "scale": "words"}).name == "words"
    assert scale_of({"preset": "safety"}).name == "0-1"
    assert scale_of({"preset": "safety", "scale": "1-5"}).name == "1-5"
