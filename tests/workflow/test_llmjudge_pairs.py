"""``LLMJudge``: two answers against each other, and many answers at once."""

from __future__ import annotations

import asyncio

import pytest

from pytest_evals import JudgeError, LLMJudge, ProviderError, Score, ScorerError, ScriptedClient, UsageError
from pytest_evals.errors import EvalsError

A_WINS = [{"reason": "a names it", "first": 5, "second": 2}, {"reason": "so", "first": 1, "second": 4}]


def test_two_answers_are_compared():
    client = ScriptedClient(A_WINS)
    with LLMJudge(client, rubric="It names the period", scale="1-5") as judge:
        found = judge.compare("How long?", "30 days", "A while", expected="30 days", context="A shop")
    assert (found.winner, found.score_a, found.score_b) == ("a", 0.875, 0.125)
    text = client.requests[0].messages[0]["content"]
    assert "It names the period" in text
    assert "BEGIN EXPECTED OUTPUT>>>\n30 days\n" in text
    assert "BEGIN CONTEXT>>>\nA shop\n" in text


def test_criteria_of_a_comparison_take_the_place_of_the_judges_own():
    client = ScriptedClient(A_WINS)
    with LLMJudge(client, preset="safety", scale="1-5", retries=0) as judge:
        found = asyncio.run(judge.compare_async("q", "x", "y", [{"name": "brevity", "description": "It is short."}]))
    assert found.winner == "a"
    assert "- brevity: It is short." in client.requests[0].messages[0]["content"]
    assert "harmlessness" not in client.requests[0].messages[0]["content"]


def test_wrong_criteria_are_said():
    with LLMJudge(ScriptedClient([])) as judge, pytest.raises(ScorerError, match="its name is blank"):
        judge.compare("q", "x", "y", [" "])


def test_a_comparison_without_a_verdict_has_no_winner_and_raises_nothing():
    with LLMJudge(ScriptedClient(["no", "no"]), rubric="x", retries=0) as judge:
        found = judge.compare("q", "x", "y")
    assert (found.winner, type(found.error)) == (None, JudgeError)


class Slow:
    """Answers late what comes first, and counts how many are asked at a time."""

    def __init__(self, delays):
        self.delays, self.running, self.most = list(delays), 0, 0

    async def complete(self, request):
        from pytest_evals import Reply

        self.running += 1
        self.most = max(self.most, self.running)
        text = request.messages[0]["content"]
        number = next(n for n in range(10) if f"answer {n}" in text)
        for _ in range(self.delays[number]):
            await asyncio.sleep(0)
        self.running -= 1
        if number == 2:
            raise ProviderError("overloaded")
        score = 0 if number == 4 else number / 10
        return Reply("nothing" if number == 3 else f'{{"reason": "r", "score": {score}}}')


def test_a_batch_keeps_the_order_is_bounded_and_tells_an_error_from_a_zero():
    client = Slow([50, 0, 30, 0, 10, 0])
    items = [{"input": "q", "answer": f"answer {n}"} for n in range(6)]
    with LLMJudge(client, rubric="x", retries=0) as judge:
        found = judge.batch(items, concurrency=2)
    assert [type(each) for each in found] == [Score, Score, ProviderError, JudgeError, Score, Score]
    assert [each.value for each in found if isinstance(each, Score)] == [0, 0.1, 0, 0.5]
    assert client.most == 2
    assert all(isinstance(each, (Score, EvalsError)) for each in found)


def test_an_empty_batch_is_an_empty_list():
    with LLMJudge(ScriptedClient([])) as judge:
        assert judge.batch([]) == []
        assert asyncio.run(judge.batch_async([])) == []


@pytest.mark.parametrize(
    ("item", "message"),
    [
        ({"input": "q"}, "item 2 has no 'answer'"),
        ({"answer": "a", "expcted": "e"}, "item 2: unknown key 'expcted'; did you mean 'expected'?"),
        ("text", "item 2 is a str: give a mapping with 'input' and 'answer'"),
    ],
)
def test_an_item_that_cannot_be_judged_is_named_before_anything_is_asked(item, message):
    client = ScriptedClient([{"reason": "r", "score": 1}])
    with LLMJudge(client) as judge, pytest.raises(UsageError) as error:
        judge.batch([{"answer": "a"}, item])
    assert str(error.value) == message
    assert client.requests == []


def test_a_concurrency_of_0_is_refused():
    with LLMJudge(ScriptedClient([])) as judge, pytest.raises(UsageError, match="at least 1"):
        judge.batch([{"answer": "a"}], concurrency=0)


def test_what_is_no_error_of_ours_ends_the_batch():
    class Broken:
        async def complete(self, request):
            raise ZeroDivisionError

    with LLMJudge(Broken(), retries=0) as judge, pytest.raises(ZeroDivisionError):
        judge.batch([{"answer": "a"}, {"answer": "b"}])
