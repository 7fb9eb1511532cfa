"""A model as the target, through the engine: attempts, time, and what is kept of a reply."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from pytest_evals import ProviderError, RejectedError, Reply, ScriptedClient, Tool, ToolCall, UsageError, run_suite
from pytest_evals.engine.model import Models
from pytest_evals.engine.runner import Engine
from pytest_evals.llm.clients import Clients
from pytest_evals.llm.limiter import SessionLimiter
from pytest_evals.llm.limits import parse_limits
from pytest_evals.model.case import Case
from pytest_evals.model.criterion import Criterion
from pytest_evals.model.llm import Endpoint, ModelSpec
from pytest_evals.model.outcome import ErrorKind, Outcome

SPEC = ModelSpec(Endpoint("fake"), "m-1")


@pytest.fixture
def engine():
    engine = Engine(concurrency=4)
    yield engine
    engine.close()


def run(engine, client, question="How long?", spec=SPEC, **case):
    target = Models(Clients.given({"fake": client})).target(spec)
    asked = Case("c-1", question, (Criterion("any", "any"),), **{"timeout_s": 5.0, **case})
    return engine.run(asked, target, {"any": lambda: True})


def test_what_may_go_well_later_is_asked_again(engine):
    client = ScriptedClient([ProviderError("busy", status=529), "30 days"])
    result = run(engine, client, retries=1)
    assert result.output == "30 days"
    first, second = result.last.attempts
    assert (first.error.kind, first.error.message) == (ErrorKind.PROVIDER, "busy")
    assert second.error is None


def test_what_will_not_go_well_is_not_asked_again(engine):
    client = ScriptedClient([RejectedError("the key is wrong")], cycle=True)
    result = run(engine, client, retries=5)
    assert result.outcome is Outcome.ERRORED
    assert (result.error.kind, result.error.message) == (ErrorKind.TARGET, "the key is wrong")
    assert len(client.requests) == len(result.last.attempts) == 1


def test_any_other_error_of_a_client_is_the_target_s(engine):
    result = run(engine, ScriptedClient([KeyError("choices")], cycle=True), retries=1)
    assert (result.error.kind, result.error.message) == (ErrorKind.TARGET, "KeyError: 'choices'")
    assert len(result.last.attempts) == 2


class Slow(ScriptedClient):
    """Takes its time to get ready, or has the reply already, or fails to get ready."""

    def __init__(self, ready):
        super().__init__(["30 days"], cycle=True)
        self.ready = ready
        self.prepared = 0

    async def prepare(self, request):
        self.prepared += 1
        await asyncio.sleep(0.6)
        if isinstance(self.ready, BaseException):
            raise self.ready
        return self.ready


def test_getting_ready_is_no_part_of_the_latency_nor_of_the_time_limit(engine):
    result = run(engine, Slow(None), timeout_s=0.5)
    assert result.outcome is Outcome.PASSED
    assert result.latency_ms < 500
    (attempt,) = result.last.attempts
    assert attempt.queue_ms >= 600


def test_a_client_that_cannot_get_ready_is_an_attempt_without_a_latency(engine):
    client = Slow(ProviderError("the server is down"))
    result = run(engine, client, retries=2)
    assert (result.error.kind, result.error.message) == (ErrorKind.PROVIDER, "the server is down")
    assert [attempt.latency_ms for attempt in result.last.attempts] == [None] * 3
    assert client.requests == []
    client = Slow(RejectedError("there is no such model"))
    assert len(run(engine, client, retries=2).last.attempts) == client.prepared == 1


def test_a_reply_that_is_there_already_is_taken_without_asking_and_has_no_latency(engine):
    client = Slow(Reply("30 days").kept(812.0))
    result = run(engine, client)
    assert result.output == "30 days"
    assert client.requests == []
    assert result.latency_ms is None
    assert result.cost_usd == 0


def test_a_reply_that_was_kept_has_no_latency_either(engine):
    assert run(engine, ScriptedClient([Reply("30 days").kept(812.0)])).latency_ms is None


def test_calls_keep_to_the_limit_of_the_provider():
    limiter = SessionLimiter(parse_limits(["fake: 2 rps"]))
    engine = Engine(concurrency=4, limiter=limiter)
    try:
        client = ScriptedClient(["30 days"], cycle=True)
        results = [run(engine, client) for _ in range(3)]
    finally:
        engine.close()
    assert results[2].last.attempts[0].queue_ms > 300
    assert results[2].latency_ms < 300


def test_what_is_known_of_a_reply_is_kept(engine):
    reply = Reply(
        "Four.",
        reasoning="Two and two.",
        tool_calls=(ToolCall("add", {"a": 2, "b": 2}),),
        stop_reason="stop",
        model="m-1-2026",
        request_id="req_7",
        reasoning_tokens=3,
    )
    trial = run(engine, ScriptedClient([reply])).last
    assert trial.tool_calls == reply.tool_calls
    told = {"model": "m-1-2026", "stop_reason": "stop", "reasoning": "Two and two.", "reasoning_tokens": 3}
    assert told.items() <= trial.metadata.items()
    assert trial.metadata["request_id"] == "req_7"


@pytest.mark.parametrize(
    ("text", "output"), [('{"a": 1}', {"a": 1}), ("[1]", [1]), ("nothing", "nothing"), ("null", "null"), ("", "")]
)
def test_with_a_schema_the_output_is_the_value_where_it_is_one(engine, text, output):
    assert run(engine, ScriptedClient([text]), spec=replace(SPEC, schema={"type": "object"})).output == output
    assert run(engine, ScriptedClient([text])).output == text


def test_the_settings_of_the_suite_and_the_number_of_the_trial_are_in_the_request(engine):
    client = ScriptedClient(["ok"])
    settings = {
        "system": "Be short.",
        "max_tokens": 5,
        "temperature": 0.5,
        "top_p": 0.9,
        "seed": 7,
        "stop": ("END",),
        "tools": (Tool("time"),),
        "tool_choice": "any",
        "schema": {"type": "object"},
        "extra": {"n": 1},
    }
    run(engine, client, spec=replace(SPEC, **settings))
    (request,) = client.requests
    assert {name: getattr(request, name) for name in settings} == settings
    assert (request.provider, request.model, request.trial) == ("fake", "m-1", 1)
    assert request.messages == ({"role": "user", "content": "How long?"},)


def test_run_suite_asks_the_clients_it_is_given():
    client = ScriptedClient(lambda request: f"{request.system} {request.messages[0]['content']}")
    cases = [{"id": "a", "input": "Hello", "criteria": [{"contains": "short Hello"}]}]
    target = {"model": "mine/m-1", "system": "Be short"}
    finished = run_suite(cases, target, clients={"mine": client}, history=False)
    assert finished.passed
    assert finished.results[0].target == "mine/m-1"
    with pytest.raises(UsageError, match="unknown key of a model target 'sytem'; did you mean 'system'"):
        run_suite(cases, {"model": "mine/m-1", "sytem": "x"}, clients={"mine": client}, history=False)
