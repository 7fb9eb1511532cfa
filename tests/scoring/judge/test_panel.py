"""Several judges: what they say together, and what is shown of each."""

from __future__ import annotations

import pytest

from pytest_evals import JudgeError, ProviderError, RejectedError, ScorerError
from pytest_evals.scoring.judge.prompt import Material

MATERIAL = Material("q", "a", expected="e")


def says(score, reason=""):
    return [{"reason": reason, "score": score}]


@pytest.mark.parametrize(
    ("scores", "how", "value"),
    [
        ((0.9, 0.8, 0.1), "mean", 0.6),
        ((0.9, 0.8, 0.1), "median", 0.8),
        ((0.9, 0.8, 0.1), "majority", 1.0),
        ((0.9, 0.6, 0.1), "majority", 0.0),
        ((0.9, 0.4), "median", 0.65),
        ((0.9, 0.4), "majority", 0.0),  # half of the votes is no majority
        ((0.7, 0.7), "majority", 1.0),  # the mark itself is reached
        ((0.1, 0.1, 0.1), "mean", 0.1),  # and not 0.10000000000000002
    ],
)
def test_the_scores_become_one(bench, scores, how, value):
    found = bench(*map(says, scores)).judge(MATERIAL, rubric="x", combine=how)
    assert found.value == pytest.approx(value, abs=1e-12)
    assert min(scores) <= found.value <= max(scores) or how == "majority"


def test_a_majority_votes_on_the_mark_of_the_criterion(bench):
    scores = (0.6, 0.55, 0.1)
    assert bench(*map(says, scores)).judge(MATERIAL, rubric="x", combine="majority", mark=0.5).value == 1
    assert bench(*map(says, scores)).judge(MATERIAL, rubric="x", combine="majority", mark=0.58).value == 0


def test_where_they_disagree_it_is_said_and_each_is_kept(bench):
    found = bench(says(0.9, "clear"), says(0.4, "curt")).judge(MATERIAL, rubric="x")
    assert found.reason == "mean of 2 judges, which are 0.50 apart: x/m1 0.90, x/m2 0.40; x/m2: curt"
    assert (found.detail["combine"], found.detail["disagreement"], found.detail["split"]) == ("mean", 0.5, True)
    first, second = found.detail["judges"]
    assert (first["model"], first["score"], first["criteria"]["criterion"]["reason"]) == ("x/m1", 0.9, "clear")
    assert (second["model"], second["score"]) == ("x/m2", 0.4)


def test_where_they_agree_that_is_said_too(bench):
    found = bench(says(0.8), says(0.8)).judge(MATERIAL, rubric="x", combine="median")
    assert found.reason == "median of 2 judges, which agree: x/m1 0.80, x/m2 0.80"
    assert (found.detail["disagreement"], found.detail["split"]) == (0, False)


def test_they_are_asked_the_same_and_what_they_took_is_added_up(bench):
    judges = bench(says(1), says(1), says(1))
    took = judges.judge(MATERIAL, rubric="x").detail["judge"]
    assert len({client.requests[0].messages[0]["content"] for client in judges.clients}) == 1
    assert (took["model"], took["calls"]) == ("x/m1, x/m2, x/m3", 3)
    assert took["cost_usd"] == pytest.approx(0.03)
    assert [key["model"] for key in took["asked"]] == ["x/m1", "x/m2", "x/m3"]


def test_of_several_words_the_middle_one_stands_for_all_the_worse_of_two(bench):
    def rated(word):
        return [{name: {"reason": "", "score": word} for name in ("brief_summary_quality", "detail_completeness")}]

    options = {"preset": "document_rating"}
    three = bench(rated("excellent"), rated("good"), rated("poor")).judge(MATERIAL, **options)
    assert {part["given"] for part in three.detail["criteria"].values()} == {"good"}
    two = bench(rated("excellent"), rated("fair")).judge(MATERIAL, **options)
    assert {part["given"] for part in two.detail["criteria"].values()} == {"fair"}
    assert two.detail["rating"]["overall"] == "fair"


def test_a_judge_without_a_verdict_is_an_error_that_tells_what_the_others_said(bench):
    with pytest.raises(JudgeError) as caught:
        bench(says(0.9), ["nice"], says(0.7)).judge(MATERIAL, rubric="x")
    assert str(caught.value) == (
        "judge x/m2: the reply is no verdict: there is no JSON object in it; "
        "1 of 3 judges gave no verdict (x/m1 0.90, x/m3 0.70)"
    )
    assert caught.value.detail == "nice"
    assert caught.value.facts["calls"] == 3  # paid all the same


def test_a_judge_that_is_not_there_is_an_error_of_the_service(bench):
    with pytest.raises(ProviderError, match="x/m2: down; 1 of 2 judges gave no verdict"):
        bench(says(0.9), [ProviderError("down")]).judge(MATERIAL, rubric="x")


def test_a_judge_that_never_answers_this_is_no_matter_of_the_others(bench):
    with pytest.raises(ScorerError, match="wrong key"):
        bench(["no verdict"], [RejectedError("wrong key")]).judge(MATERIAL, rubric="x", error_score=0.5)


def test_error_score_stands_for_all_of_them(bench):
    found = bench(says(1), ["nice"]).judge(MATERIAL, rubric="x", error_score=0.25)
    assert found.value == 0.25
    assert found.reason.startswith("error_score, for the judge gave none: judge x/m2: the reply is no verdict")
    assert found.detail["reply"] == "nice"


def test_no_call_is_left_behind_by_an_error_of_another_judge(bench):
    ended = []

    def slow(request):
        ended.append(request)
        return {"reason": "", "score": 1}

    with pytest.raises(JudgeError):
        bench(["nice"], slow).judge(MATERIAL, rubric="x")
    assert len(ended) == 1
