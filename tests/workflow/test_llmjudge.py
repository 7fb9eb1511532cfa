"""``LLMJudge``, and judges in ``run_suite``."""

from __future__ import annotations

import asyncio
from time import perf_counter

import pytest
from fakellm import Fails, Says, fake_llm

from pytest_evals import (
    JudgeError,
    LLMJudge,
    Response,
    ScorerError,
    ScriptedClient,
    SuiteError,
    ToolCall,
    UsageError,
    run_suite,
)

FINE = {"reason": "fine", "score": 4}
CASES = [{"id": "a", "input": "q", "expected_output": "yes", "criteria": ["llm_judge"]}]


def test_an_answer_is_judged():
    client = ScriptedClient([FINE])
    with LLMJudge(client, rubric="Polite", scale="1-5") as judge:
        found = judge.judge("Hello", "Hi there", expected="A greeting", context="A shop")
    assert (found.value, found.reason) == (0.75, "fine")
    [request] = client.requests
    assert "BEGIN CONTEXT>>>\nA shop\n" in request.messages[0]["content"]
    assert repr(judge) == "<LLMJudge judge/ScriptedClient>"


@pytest.mark.parametrize("provider", ["anthropic", "openai"])
def test_a_provider_is_asked_for_structured_output(provider, monkeypatch):
    monkeypatch.setenv(f"{provider.upper()}_API_KEY", "sk-1")
    with fake_llm(default=Says('{"reason": "fine", "score": 0.5}', input=11, output=7)) as server:
        url = server.url if provider == "anthropic" else f"{server.url}/v1"
        with LLMJudge(f"{provider}/m-1", rubric="Polite", base_url=url, max_tokens=300) as judge:
            values = [judge.judge("q", "a").value, asyncio.run(judge.judge_async("q", "b")).value]
    assert values == [0.5, 0.5]
    body = server.asked[0].json
    assert body.get("max_tokens", body.get("max_completion_tokens")) == 300
    schema = body["output_config"]["format"] if provider == "anthropic" else body["response_format"]["json_schema"]
    assert schema["schema"]["required"] == ["reason", "score"]


def test_a_service_that_asks_for_patience_is_given_it(monkeypatch):
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-1")
    busy = Fails(429, "slow down", {"Retry-After": "0.4"})
    with fake_llm(busy, '{"reason": "fine", "score": 0.5}') as server:
        with LLMJudge("anthropic/m-1", rubric="Polite", base_url=server.url) as judge:
            started = perf_counter()
            assert judge.judge("q", "a").value == 0.5
        assert perf_counter() - started >= 0.4
        assert len(server.asked) == 2


def test_a_reply_that_is_no_verdict_is_raised_with_the_reply():
    judge = LLMJudge(ScriptedClient(["no", "no idea"]), rubric="x")
    with pytest.raises(JudgeError, match="no verdict") as caught:
        judge.judge("q", "a")
    assert caught.value.detail == "no idea"


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"scale": "1-7"}, "scale must be one of"),
        ({"rubric": "x", "preset": "safety"}, "each say what is judged"),
        ({"error_score": 2}, "error_score must be a number from 0 to 1"),
        ({"preset": "qa_rating", "scale": "1-5"}, "is judged in words"),
        ({"rubric": "x", "combine": "mode"}, "combine must be one of"),
    ],
)
def test_what_cannot_be_judged_by_is_told_at_once(given, message):
    with pytest.raises(UsageError, match=message):
        LLMJudge(ScriptedClient(), **given)


@pytest.mark.parametrize("model", ["", "gpt-5", "nobody/x", 5, [], ["openai/x", "gpt-5"]])
def test_a_model_that_cannot_be_asked_is_told_at_once(model):
    with pytest.raises(UsageError, match=r"needs a model|names no model|unknown provider|is a int"):
        LLMJudge(model)


def test_several_judges_are_asked_and_their_scores_made_one():
    clients = [ScriptedClient([{"reason": "", "score": score}]) for score in (1, 0.6, 0.2)]
    with LLMJudge(clients, rubric="Polite", combine="median") as judge:
        found = judge.judge("Hello", "Hi there")
    assert (found.value, found.detail["disagreement"]) == (0.6, 0.8)
    assert [len(client.requests) for client in clients] == [1, 1, 1]


def test_a_summary_is_rated_without_pytest():
    given = {"brief_summary_quality": "excellent", "detail_completeness": "good"}
    reply = {name: {"reason": "", "score": word} for name, word in given.items()}
    with LLMJudge(ScriptedClient([reply]), preset="document_rating") as judge:
        found = judge.judge("the document", "the summary", expected="a person's summary")
    assert found.detail["rating"] == {"grade": pytest.approx(250 / 3), "band": "good", "overall": "good"}


def test_the_calls_of_a_response_are_shown_where_they_are_evidence():
    client = ScriptedClient([{"reason": "refunded", "score": 1}])
    with LLMJudge(client, preset="task_completion") as judge:
        judge.judge("Refund A-7", Response("Done.", tool_calls=[ToolCall("refund", {"order": "A-7"})]))
    sent = client.requests[0].messages[0]["content"]
    assert "BEGIN ANSWER>>>\nDone.\n" in sent
    assert '1. {"name": "refund", "args": {"order": "A-7"}}' in sent


def test_what_a_preset_goes_by_must_be_there():
    client = ScriptedClient([FINE])
    with LLMJudge(client, preset="faithfulness") as judge, pytest.raises(ScorerError, match="goes by the context"):
        judge.judge("q", "a")
    assert client.requests == []


def test_it_is_a_scorer_too():
    judge = LLMJudge(ScriptedClient([{"reason": "calm", "score": 1}]), rubric="Calm")
    cases = [{"id": "a", "input": "q", "criteria": ["tone"]}]
    ran = run_suite(cases, lambda question: "yes", scorers={"tone": judge}, history=False)
    assert ran.results[0].criteria[0].score == 1


def test_run_suite_takes_a_judge():
    client = ScriptedClient([{key: {"reason": "", "score": 1} for key in _default_names()}])
    ran = run_suite(CASES, lambda question: "yes", judge=client, history=False)
    [criterion] = ran.results[0].criteria
    assert criterion.score == 1
    assert ran.summary.judge_calls == 1
    named = run_suite(CASES, lambda question: "yes", judge="x/m", clients={"x": _again(client)}, history=False)
    assert named.results[0].criteria[0].detail["judge"]["model"] == "x/m"


def test_run_suite_without_a_judge_says_so(tmp_path):
    with pytest.raises(UsageError, match="llm_judge needs a judge"):
        run_suite(CASES, lambda question: "yes", history=False)
    path = tmp_path / "a.eval.yaml"
    path.write_text("target: echo\ncases: [{input: q, criteria: [llm_judge]}]\n")
    with pytest.raises(SuiteError, match="llm_judge needs a judge"):
        run_suite(path, history=False)


def _default_names():
    from pytest_evals.scoring.judge.criteria import PRESETS

    return [criterion.name for criterion in PRESETS["default"]]


def _again(client):
    return ScriptedClient(lambda _: {key: {"reason": "", "score": 1} for key in _default_names()})
