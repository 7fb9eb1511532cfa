"""Asking outside pytest: attempts, refusals, prices, limits, and errors in their places."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from pytest_evals.errors import EvalsError, ProviderError, RejectedError, TargetError, UsageError
from pytest_evals.llm.clients import Clients
from pytest_evals.llm.pricing import Prices
from pytest_evals.llm.scripted import ScriptedClient
from pytest_evals.model.llm import Endpoint, ModelSpec, Reply
from pytest_evals.model.price import Price, PriceFile
from pytest_evals.model.response import Usage
from pytest_evals.pipeline.asking.asker import Asker
from pytest_evals.pipeline.asking.journal import FILE, Journal
from pytest_evals.pipeline.asking.progress import Progress, dollars
from pytest_evals.pipeline.spent import Spent
from pytest_evals.workflow.pipelineasking import AskOptions, asker_for, exit_status, make_all

SPEC = ModelSpec(Endpoint("fake"), "m")


def asker_of(client, folder=Path("out"), own=None, **options):
    waits = []

    async def sleep(seconds):
        waits.append(seconds)

    made = Asker(Clients.given({"fake": client}), Prices(own), Journal(folder), sleep=sleep, **options)
    return made, waits


async def one(asker, text="hi", trial=1):
    with asker.talk(SPEC) as talk:
        return await talk.ask(text, trial=trial)


def test_trouble_is_asked_again_after_a_while():
    client = ScriptedClient([ProviderError("down", status=502), ProviderError("down", status=502), "yes"])
    asker, waits = asker_of(client)
    assert asyncio.run(one(asker)).text == "yes"
    assert waits == [1.0, 2.0]
    assert asker.calls == 1


def test_after_all_attempts_it_is_the_providers_error():
    client = ScriptedClient([ProviderError("down", status=502)], cycle=True)
    asker, _ = asker_of(client, retries=2)
    with pytest.raises(ProviderError, match="down"):
        asyncio.run(one(asker))
    assert len(client.requests) == 3
    assert not Path("out", FILE).exists()


def test_what_no_attempt_mends_is_asked_once():
    client = ScriptedClient([RejectedError("wrong key")], cycle=True)
    asker, _ = asker_of(client)
    with pytest.raises(RejectedError):
        asyncio.run(one(asker))
    assert len(client.requests) == 1


def test_a_call_that_takes_too_long_is_trouble():
    asker, _ = asker_of(ScriptedClient(["late"], cycle=True, delay_s=5.0), retries=0, timeout_s=0.02)
    with pytest.raises(ProviderError, match=r"fake/m: no answer within 0\.02 s"):
        asyncio.run(one(asker))


def test_a_refusal_is_an_error_that_is_paid_and_asked_anew_the_next_time():
    client = ScriptedClient([Reply("", refusal="no", stop_reason="refusal"), "yes"])
    asker, _ = asker_of(client, own=PriceFile(prices={"fake/m": Price(1e6, 1e6)}))
    with pytest.raises(TargetError, match="fake/m refused: no"):
        asyncio.run(one(asker))
    assert asker.spent.total_usd > 0
    assert asyncio.run(one(asker)).text == "yes"


def test_a_price_that_is_not_known_stays_unknown_and_is_named():
    asker, _ = asker_of(ScriptedClient([Reply("x", usage=Usage(10, 5))]))
    answer = asyncio.run(one(asker))
    assert (answer.spent.total_tokens, answer.spent.total_usd) == (15, None)
    assert asker.unpriced == {"fake/m"}


def test_a_model_of_ones_own_is_free_and_a_price_file_counts():
    asker, _ = asker_of(ScriptedClient([Reply("x", usage=Usage(10, 5))], local=True))
    assert asyncio.run(one(asker)).spent == Spent(10, 5, 0.0, 0.0)
    prices = PriceFile(prices={"fake/*": Price(2.0, 4.0)})
    asker, _ = asker_of(ScriptedClient([Reply("x", usage=Usage(10, 5))]), Path("other"), prices)
    assert asyncio.run(one(asker)).spent == Spent(10, 5, 0.00002, 0.00002)


def test_the_same_question_of_an_interrupted_command_is_not_asked_again_but_a_trial_is():
    client = ScriptedClient(["one", "two"])
    asker, _ = asker_of(client)

    async def interrupted():
        with asker.talk(SPEC) as talk:
            await talk.ask("hi")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        asyncio.run(interrupted())
    asker.close()
    asker, _ = asker_of(client)
    answer = asyncio.run(one(asker))
    assert (answer.text, answer.kept, asker.calls, asker.spent) == ("one", True, 0, Spent())
    assert answer.spent.total_tokens > 0
    assert asyncio.run(one(asker, trial=2)).text == "two"


def test_errors_stand_in_the_place_of_what_could_not_be_made():
    async def make(number):
        if number == 2:
            raise TargetError("two")
        return number

    asker, _ = asker_of(ScriptedClient())
    found = make_all(asker, [], [1, 2, 3], make, 2)
    assert [str(each) for each in found] == ["1", "two", "3"]


@pytest.mark.parametrize(
    ("found", "status"),
    [
        ([1, 2], 0),
        ([1, ProviderError("x")], 75),
        ([ProviderError("x"), TargetError("y")], 1),
        ([RejectedError("x")], 1),
        ([UsageError("x")], 1),
    ],
)
def test_the_exit_status(found, status):
    assert exit_status(found) == status


def test_no_more_than_so_many_are_made_at_a_time():
    at_a_time, most = 0, 0

    async def make(_):
        nonlocal at_a_time, most
        at_a_time += 1
        most = max(most, at_a_time)
        await asyncio.sleep(0)
        at_a_time -= 1

    asker, _ = asker_of(ScriptedClient())
    make_all(asker, [], list(range(20)), make, 3)
    assert most == 3


def test_the_project_says_limits_and_prices(monkeypatch):
    Path("pytest.ini").write_text("[pytest]\nevals_prices = prices.toml\nevals_limits =\n    fake: 2 in flight\n")
    Path("prices.toml").write_text('[models."fake/m"]\ninput = 1\noutput = 1\n')
    client = ScriptedClient([Reply("x", usage=Usage(1_000_000, 0))])
    asker = asker_for(Path("out"), Clients.given({"fake": client}))
    assert asyncio.run(one(asker)).spent.total_usd == 1.0
    monkeypatch.setenv("PYTEST_EVALS_LIMITS", "fake: lots")
    with pytest.raises(UsageError, match="lots"):
        asker_for(Path("out"))


def test_the_model_is_that_of_the_option_then_of_the_environment():
    assert AskOptions("ollama/x", "http://127.0.0.1:1/").spec({}).name == "ollama/x"
    assert AskOptions("ollama/x", "http://127.0.0.1:1/").spec({}).endpoint.base_url == "http://127.0.0.1:1"
    assert AskOptions().spec({"PYTEST_EVALS_PIPELINE_MODEL": "vllm/y"}).name == "vllm/y"
    assert AskOptions().spec({}).name == "anthropic/claude-haiku-5-5"
    with pytest.raises(EvalsError, match="--model: 'y' names no model"):
        AskOptions().spec({"PYTEST_EVALS_PIPELINE_MODEL": "y"})


def test_spent_adds_up_and_unknown_stays_unknown():
    known, unknown = Spent(1, 2, 0.1, 0.2), Spent(None, 2, None, 0.2)
    assert known + known == Spent(2, 4, 0.2, 0.4)
    assert (known + known).total_usd == 0.6
    assert (known + unknown) == Spent(None, 4, None, 0.4)
    assert (known + unknown).total_usd is None
    assert Spent.from_json(known.usage_json(), known.cost_json()) == known
    assert Spent.from_json({"input_tokens": "x"}, None) == Spent(None, None, None, None)


def test_progress_counts_and_tells():
    said = []
    progress = Progress(10, said.append)
    progress.skip("a.txt", "is there already")
    progress.finish("b.txt", Spent(1000, 43, 0.001, 0.0021), "short")
    progress.fail("c.txt", "no")
    assert said == [
        "[ 1/10] a.txt: is there already",
        "[ 2/10] b.txt  1,043 tokens, $0.0031  (short)",
        "[ 3/10] c.txt: no",
    ]
    assert [dollars(x) for x in (None, 0, 0.00004, 0.5, 1234.5)] == [
        "cost unknown",
        "$0.00",
        "$0.000040",
        "$0.50",
        "$1,234.50",
    ]
