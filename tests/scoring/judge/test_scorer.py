"""The score, from question to result."""

from __future__ import annotations

import asyncio

import pytest

from pytest_evals import Endpoint, JudgeError, ProviderError, RejectedError, Reply, ScorerError, ScriptedClient, Usage
from pytest_evals.model.judge import Judged
from pytest_evals.model.llm import ModelSpec
from pytest_evals.scoring import score
from pytest_evals.scoring.judge.prompt import Material
from pytest_evals.scoring.judge.scorer import judged

FINE = {"reason": "fine", "score": 0.8}


def judge(*script, material=Material("q", "a", expected="e"), cost=0.01, **options):  # noqa: B008 - a frozen value
    """The score by what the judge replies, and how often it was asked."""
    client = ScriptedClient(script)

    async def ask(spec, request):
        return Judged(await client.complete(request), cost, 5.0)

    model = ModelSpec(Endpoint("x"), "m", temperature=0.0)
    given = {"scale": "0-1", "retries": 1, **options}
    try:
        return asyncio.run(judged(ask, model, material, given)), client.requests
    except (JudgeError, ProviderError, ScorerError) as error:
        return error, client.requests


def test_the_overall_score_is_worked_out_here_from_scores_and_weights():
    reply = {"a": {"reason": "x", "score": 1}, "b": {"reason": "weak", "score": 0.5}, "overallScore": 1}
    found, [request] = judge(reply, criteria=[{"name": "a", "weight": 1}, {"name": "b", "weight": 3}])
    assert found.value == pytest.approx(0.625)
    assert found.reason == "a 1.00, b 0.50; b: weak"
    assert found.detail["criteria"]["b"] == {"score": 0.5, "given": 0.5, "weight": 3.0, "reason": "weak"}
    assert request.temperature == 0.0
    assert request.schema["required"] == ["a", "b"]


def test_a_weight_of_0_counts_nothing():
    reply = {"a": {"reason": "x", "score": 1}, "b": {"reason": "y", "score": 0}}
    found, _ = judge(reply, criteria=["a", {"name": "b", "weight": 0}])
    assert found.value == 1


@pytest.mark.parametrize("name", ["expected", "references"])
def test_with_an_expectation_it_is_guided_by_it(name):
    given = {"expected": ""} if name == "expected" else {"references": ["r"]}
    found, _ = judge(FINE, material=Material("q", "a", **given), rubric="x")
    assert found.detail["reference_guided"] is True
    assert found.reason == "fine"


def test_without_an_expectation_it_says_so():
    found, _ = judge(FINE, material=Material("q", "a"), rubric="x")
    assert found.detail["reference_guided"] is False
    assert found.reason == "standalone, no expected output; fine"


def test_G01_a_wrapped_verdict_takes_one_call():
    for text in ('```json\n{"score": 0.8, "reason": "fine"}\n```', 'Sure:\n{"score": 0.8, "reason": "fine"}\nBye'):
        found, requests = judge(text, rubric="x")
        assert (found.value, len(requests)) == (0.8, 1)


@pytest.mark.parametrize(
    ("scale", "given", "value"),
    [("1-5", 5, 1.0), ("1-5", 1, 0.0), ("1-5", 7, None), ("0-10", 8, 0.8), ("0-1", 3.85, None), ("0-1", -0.2, None),
     ("0-1", "8/10", None), ("0-1", "85%", None)],
)  # fmt: skip
def test_G05_a_score_is_read_in_the_declared_scale(scale, given, value):
    found, _ = judge({"reason": "r", "score": given}, rubric="x", scale=scale, retries=0)
    if value is None:
        assert isinstance(found, JudgeError)
    else:
        assert (found.value, found.detail["criteria"]["criterion"]["given"]) == (value, given)


def test_G06_a_reply_that_was_cut_says_so_and_is_kept():
    cut = Reply('{"reason": "covers 3 of 4 points, so score 0.75 would be fair but', stop_reason="max_tokens")
    found, requests = judge(cut, cut, rubric="x")
    assert isinstance(found, JudgeError)
    assert str(found) == (
        "judge x/m: the reply is no verdict: it ends within its JSON (cut off by max_tokens) (2 calls)"
    )
    assert found.detail == cut.text
    assert found.facts["calls"] == len(requests) == 2
    assert found.facts["cost_usd"] == pytest.approx(0.02)


def test_a_reply_that_is_no_verdict_is_asked_for_again_in_other_words():
    found, (first, second) = judge("I can't rate this.", FINE, rubric="x")
    assert found.value == 0.8
    assert first.messages != second.messages  # a kept reply would be the same one again
    assert found.detail["judge"]["calls"] == 2
    assert found.detail["judge"]["cost_usd"] == pytest.approx(0.02)


def test_a_refusal_is_no_verdict():
    found, _ = judge(Reply("", refusal="not this", stop_reason="refusal"), rubric="x", retries=0)
    assert isinstance(found, JudgeError)
    assert "the judge refused: not this" in str(found)


def test_a_service_that_is_not_there_is_asked_again_and_is_then_an_error_of_its_own():
    found, requests = judge(ProviderError("overloaded"), FINE, rubric="x")
    assert (found.value, len(requests)) == (0.8, 2)
    assert found.detail["judge"]["cost_usd"] is None  # nobody knows what the first call cost
    found, _ = judge(ProviderError("overloaded"), ProviderError("still"), rubric="x")
    assert isinstance(found, ProviderError)
    assert str(found) == "judge x/m: still"


def test_a_service_that_never_answers_is_asked_once():
    found, requests = judge(RejectedError("wrong key"), rubric="x", retries=5)
    assert type(found) is ScorerError
    assert (str(found), len(requests)) == ("judge x/m: wrong key", 1)


@pytest.mark.parametrize("said", ["nothing", ProviderError("down")])
def test_error_score_must_be_asked_for(said):
    assert isinstance(judge(said, rubric="x", retries=0)[0], (JudgeError, ProviderError))
    found, _ = judge(said, rubric="x", retries=0, error_score=0.3)
    assert found.value == 0.3
    assert found.reason.startswith("error_score, for the judge gave none: judge x/m: ")
    assert found.detail["error"]
    assert "criteria" not in found.detail


def test_what_judging_took_is_told():
    reply = Reply('{"reason": "r", "score": 1}', usage=Usage(100, 20), model="m-2026")
    found, _ = judge(reply, rubric="x")
    [key] = found.detail["judge"]["asked"]
    assert (key["model"], len(key["prompt"]), len(key["form"])) == ("x/m", 12, 12)
    assert found.detail["judge"] == {
        "model": "x/m", "asked": [key], "answered_by": "m-2026", "calls": 1, "cached": 0, "input_tokens": 100, "output_tokens": 20,
        "cost_usd": 0.01, "latency_ms": 5.0,
    }  # fmt: skip


def test_score_says_where_to_turn():
    with pytest.raises(ScorerError, match="LLMJudge"):
        score("llm_judge", "a", rubric="x")
