"""``better_than``: whose answer wins, and what several judges make of it."""

from __future__ import annotations

import asyncio
import json

import pytest

from pytest_evals import Case, Criterion, Endpoint, JudgeError, Reply, ScorerError
from pytest_evals.model.judge import Judged
from pytest_evals.model.llm import ModelSpec
from pytest_evals.scoring import scorer
from pytest_evals.scoring.judge.better import Other

MODELS = tuple(ModelSpec(Endpoint("x"), name) for name in ("one", "two", "three"))
SCORES = {"a": (0.9, 0.2), "b": (0.2, 0.9), "tie": (0.5, 0.5)}


def compare(*winners, options=None, **case):
    """What comes of it when the judges prefer these; an answer is better in both orders, or ``flip``s."""
    asked = []

    async def ask(spec, request):
        asked.append(request)
        said = winners[[model.name for model in MODELS].index(spec.name)]
        first = "BEGIN ANSWER 1>>>\nmine" in request.messages[0]["content"]
        mine, other = SCORES["a" if said == "flip" and first else "b" if said == "flip" else said] if said else (0, 0)
        scores = (mine, other) if first else (other, mine)
        text = json.dumps({"reason": "so", "first": scores[0], "second": scores[1]}) if said else "hm"
        return Judged(Reply(text), 0.5, 1.0)

    async def find(case, identity, trial, *, run, variant):
        assert (run, trial) == ("last", 2)
        return Other("run k3", "theirs")

    made = scorer("better_than").with_judge(ask, MODELS[: len(winners)]).with_others(find)
    criterion = Criterion("better_than", "better_than", {"run": "last", "rubric": "x", "retries": 0, **(options or {})})
    given = made(
        "mine", case=Case("a", "q", (criterion,), **case), options=criterion.options, criterion=criterion, trial=2
    )
    return asyncio.run(given), asked


@pytest.mark.parametrize(
    ("winners", "value", "reason"),
    [
        (["a"], 1.0, "this is better in both orders: this 0.90, run k3 0.20; so"),
        (["b"], 0.0, "run k3 is better in both orders: this 0.20, run k3 0.90; so"),
        (["tie"], 0.5, "a tie: this 0.50, run k3 0.50; so"),
        (["flip"], 0.5, "a tie, for the preference changes with the order"),
        (["a", "b", "a"], 1.0, "this is better by 2 of 3 judges: x/one this is better, x/two run k3 is better, x/three this"),
        (["b", "b", "tie"], 0.0, "run k3 is better by 2 of 3 judges"),
        (["a", "b"], 0.5, "a tie by 0 of 2 judges"),
        (["a", "tie"], 0.5, "a tie"),
    ],
)  # fmt: skip
def test_who_wins(winners, value, reason):
    score, asked = compare(*winners)
    assert (score.value, len(asked)) == (value, 2 * len(winners))
    assert reason in score.reason
    assert (score.detail["against"], score.detail["other_output"]) == ("run k3", "theirs")
    assert score.detail["judge"]["cost_usd"] == pytest.approx(len(winners))
    assert all(request.trial == 2 for request in asked)


def test_an_error_of_one_judge_is_no_winner():
    with pytest.raises(JudgeError, match="the reply is no verdict"):
        compare("a", "", "a")


def test_what_a_preset_hides_is_not_shown():
    _, [one, _] = compare("a", options={"rubric": None, "preset": "answer_relevance"}, expected_output="30 days")
    text = one.messages[0]["content"]
    assert "30 days" not in text
    assert "Judge what the answer is about, and not whether it is true." in text
    with pytest.raises(ScorerError, match="goes by the context"):
        compare("a", options={"rubric": None, "preset": "faithfulness"})


def test_outside_suites_it_says_what_to_do():
    with pytest.raises(ScorerError, match=r"LLMJudge\.compare does"):
        asyncio.run(scorer("better_than")("mine", options={"run": "last"}))
