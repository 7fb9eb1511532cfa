"""Ratings in words: what is asked, and the grade and the verdict that come of it."""

from __future__ import annotations

import json

import pytest

from pytest_evals import JudgeError
from pytest_evals.model.rating import DOCUMENT_CRITERIA, QA_WEIGHTS, SUMMARY_CRITERIA
from pytest_evals.scoring.judge.overview import FIELDS
from pytest_evals.scoring.judge.presets import PRESETS, READY
from pytest_evals.scoring.judge.prompt import Material
from pytest_evals.scoring.judge.scales import SCALES

SUMMARY = Material("the transcript", "the summary", expected="the summary of a person")
ANSWER = Material("Capital of France?", "Paris is the capital", expected="The capital is Paris")
TEXTS = {
    "analysis": "It is short.",
    "strengths": ["clear"],
    "weaknesses": [],
    "recommendations": ["say who was there"],
    "use_case_fit": "notes",
}


def rated(*words, names=SUMMARY_CRITERIA, **more):
    given = {name: {"reason": f"it is {word}", "score": word} for name, word in zip(names, words, strict=True)}
    return [{**given, **more}]


@pytest.mark.parametrize("preset", ["summary_rating", "document_rating", "qa_rating"])
def test_every_criterion_has_a_question_with_something_to_compare_with_and_one_without(bench, preset):
    names = [criterion.name for criterion in PRESETS[preset]]
    compared, alone = (bench(rated(*["good"] * len(names), names=names)) for _ in range(2))
    with_it = compared.judge(SUMMARY, preset=preset)
    without = alone.judge(Material("the transcript", "the summary"), preset=preset)
    for criterion in PRESETS[preset]:
        assert f"- {criterion.name}: {criterion.description}\n  Rubric: excellent: " in compared.sent
        assert f"- {criterion.name}: {criterion.alone or criterion.description}\n" in alone.sent
    assert sum(criterion.alone != "" for criterion in PRESETS[preset]) >= 2
    assert (with_it.detail["reference_guided"], without.detail["reference_guided"]) == (True, False)
    assert without.reason.startswith("standalone, no expected output; ")
    assert with_it.detail["scale"] == without.detail["scale"] == "words"


def test_the_criteria_are_six_two_and_four():
    assert (len(SUMMARY_CRITERIA), len(DOCUMENT_CRITERIA), len(QA_WEIGHTS)) == (6, 2, 4)
    assert sum(QA_WEIGHTS.values()) == pytest.approx(1)


def test_a_summary_gets_a_grade_a_band_and_a_word_for_the_whole(bench):
    found = bench(rated("excellent", "good", "good", "good", "good", "fair")).judge(SUMMARY, preset="summary_rating")
    assert found.value == pytest.approx(2 / 3)
    rating = found.detail["rating"]
    assert rating == {"grade": pytest.approx(200 / 3), "band": "good", "overall": "good"}
    assert found.reason == (
        "grade 66.7 (good); executive_summary_quality excellent, detail_completeness good, action_items_structure good, "
        "key_decisions_clarity good, participant_information good, topic_organization fair; "
        "topic_organization: it is fair"
    )


def test_a_word_that_is_none_of_the_scale_is_no_verdict(bench):
    with pytest.raises(JudgeError, match="'outstanding' is not one of excellent, good, fair, poor"):
        bench(rated("outstanding", "good", names=DOCUMENT_CRITERIA)).judge(SUMMARY, preset="document_rating")


def test_own_criteria_in_words_have_a_grade_too(bench):
    found = bench(rated("good", "poor", names=("a", "b"))).judge(SUMMARY, criteria=["a", "b"], scale="words")
    assert found.detail["rating"]["grade"] == pytest.approx(100 / 3)
    assert "rating" not in bench([{"reason": "", "score": "yes"}]).judge(SUMMARY, rubric="x", scale="yes/no").detail


@pytest.mark.parametrize(
    ("words", "answer", "value"),
    [
        (("good", "good", "good", "good"), "something else", 1.0),
        (("fair", "fair", "fair", "fair"), "something else", 0.0),
        (("fair", "fair", "fair", "fair"), "Paris is the capital", 1.0),  # similar enough
        (("poor", "excellent", "excellent", "excellent"), "Paris is the capital", 0.0),  # never
    ],
)
def test_an_answer_to_a_question_passes_by_rating_or_likeness_but_not_when_it_is_wrong(bench, words, answer, value):
    material = Material(ANSWER.input, answer, expected=ANSWER.expected)
    found = bench(rated(*words, names=QA_WEIGHTS)).judge(material, preset="qa_rating")
    assert found.value == value
    [rule] = found.detail["qa"]
    assert rule["passed"] is bool(value)
    assert rule["similarity"] == pytest.approx(1.0 if answer == ANSWER.answer else 0.0)


def test_the_likeness_that_is_enough_can_be_said(bench):
    material = Material("q", "Paris is it", expected="The capital is Paris")
    words = ("fair", "fair", "fair", "fair")
    for similarity, value in ((0.5, 1.0), (0.6, 0.0)):
        found = bench(rated(*words, names=QA_WEIGHTS)).judge(material, preset="qa_rating", similarity=similarity)
        assert found.value == value
        assert found.detail["qa"][0]["similarity"] == pytest.approx(0.58, abs=0.005)
        assert found.reason.startswith("similarity 0.58, quality 0.50; grade 33.3 (poor); correctness fair")


def test_without_an_expected_output_the_rating_alone_decides(bench):
    found = bench(rated("good", "good", "good", "good", names=QA_WEIGHTS)).judge(Material("q", "a"), preset="qa_rating")
    assert found.value == 1
    assert found.detail["qa"] == [{"model": "x/m1", "passed": True, "similarity": None, "quality": 0.75}]
    assert found.reason.startswith("standalone, no expected output; quality 0.75; ")


def test_judges_vote_on_whether_an_answer_to_a_question_passes(bench):
    good, bad = (rated(*[word] * 4, names=QA_WEIGHTS) for word in ("good", "poor"))
    found = bench(good, bad, good).judge(ANSWER, preset="qa_rating", combine="majority")
    assert found.value == 1
    assert [each["passed"] for each in found.detail["qa"]] == [True, False, True]


def test_texts_about_the_whole_are_asked_for_after_the_scores_and_kept_with_their_author(bench):
    judges = bench(rated("good", "good", names=DOCUMENT_CRITERIA, about_the_whole=TEXTS))
    found = judges.judge(SUMMARY, preset="document_rating", overview=True)
    assert found.detail["overviews"] == [{"by": "x/m1", **TEXTS}]
    assert found.value == pytest.approx(2 / 3)  # no figure is taken from them
    schema = judges.clients[0].requests[0].schema
    assert [*schema["properties"]] == [*DOCUMENT_CRITERIA, "about_the_whole"]
    assert [*schema["properties"]["about_the_whole"]["properties"]] == [*FIELDS]
    assert '"about_the_whole": {"analysis": "…"' in judges.sent


def test_they_are_not_asked_for_unless_it_is_said(bench):
    judges = bench(rated("good", "good", names=DOCUMENT_CRITERIA))
    assert "overviews" not in judges.judge(SUMMARY, preset="document_rating").detail
    assert "about_the_whole" not in judges.sent + json.dumps(judges.clients[0].requests[0].schema)


def test_one_criterion_can_have_them_too(bench):
    reply = {"tone": {"reason": "calm", "score": 1}, "about_the_whole": TEXTS}
    found = bench([reply]).judge(SUMMARY, criteria=["tone"], overview=True)
    assert (found.value, found.detail["overviews"][0]["strengths"]) == (1, ["clear"])


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (None, "there is nothing about the whole in it"),
        ({**TEXTS, "strengths": "clear"}, "strengths is no list of texts"),
        ({**TEXTS, "strengths": [1]}, "strengths is no list of texts"),
        ({**TEXTS, "analysis": ["x"]}, "analysis is no text"),
    ],
)
def test_texts_that_are_missing_or_no_texts_are_no_verdict(bench, given, message):
    more = {} if given is None else {"about_the_whole": given}
    with pytest.raises(JudgeError, match=message):
        bench(rated("good", "good", names=DOCUMENT_CRITERIA, **more)).judge(
            SUMMARY, preset="document_rating", overview=True
        )


def test_words_of_ratings_are_worth_thirds():
    assert SCALES["words"].words == {"excellent": 1.0, "good": 2 / 3, "fair": 1 / 3, "poor": 0.0}
    assert {name for name, preset in READY.items() if preset.scale == "words"} == {
        "summary_rating", "document_rating", "qa_rating"
    }  # fmt: skip
