"""One client an endpoint, made when it is first needed."""

from __future__ import annotations

import asyncio

import pytest
from fakellm import Fails, Says, fake_llm, openai_reply
from servers import Reply as Sent
from servers import serve

from pytest_evals.engine.model import Models
from pytest_evals.engine.runner import Engine
from pytest_evals.errors import ProviderError, TargetError
from pytest_evals.llm.clients import Clients
from pytest_evals.llm.connection import Connection
from pytest_evals.llm.once import Once
from pytest_evals.llm.scripted import ScriptedClient
from pytest_evals.model.case import Case
from pytest_evals.model.criterion import Criterion
from pytest_evals.model.llm import Endpoint, ModelSpec, Reply, Request

ASKED = Request("fake", "m-1", ({"role": "user", "content": "How long?"},))


class Prepared:
    """A client that counts what is asked of it."""

    def __init__(self):
        self.prepared, self.closed = [], 0

    async def prepare(self, request):
        self.prepared.append(request.model)
        await asyncio.sleep(0)

    async def complete(self, request):
        return Reply("ok")

    async def aclose(self):
        self.closed += 1


def test_a_client_is_made_once_and_prepared_once_a_model():
    made = []

    def connect(endpoint):
        made.append(Prepared())
        return made[-1]

    connection = Connection(Endpoint("fake"), connect, local=True)

    async def work():
        await asyncio.gather(*(connection.prepare(ASKED) for _ in range(5)))
        await connection.prepare(Request("fake", "m-2", ASKED.messages))
        return await connection.complete(ASKED)

    assert asyncio.run(work()).text == "ok"
    (client,) = made
    assert client.prepared == ["m-1", "m-2"]
    assert client.closed == 1  # with its loop
    assert asyncio.run(work()).text == "ok"
    assert len(made) == 2  # another loop, another client


def test_work_that_failed_fails_for_those_that_waited_and_is_done_again():
    times = []

    async def work():
        times.append(1)
        await asyncio.sleep(0)
        if len(times) == 1:
            raise ProviderError("not yet")
        return "ready"

    async def main():
        once = Once()
        first = await asyncio.gather(*(once.do("a", work) for _ in range(3)), return_exceptions=True)
        assert [str(error) for error in first] == ["not yet"] * 3
        assert await once.do("a", work) == "ready"
        assert await once.do("a", work) == "ready"
        assert len(times) == 2

    asyncio.run(main())


def test_one_that_gives_up_does_not_stop_the_work_for_the_others():
    async def work():
        await asyncio.sleep(0.01)
        return "ready"

    async def main():
        once = Once()
        impatient = asyncio.create_task(once.do("a", work))
        patient = asyncio.create_task(once.do("a", work))
        await asyncio.sleep(0)
        impatient.cancel()
        assert await patient == "ready"
        assert impatient.cancelled()

    asyncio.run(main())


def test_all_who_name_an_endpoint_get_one_client():
    clients = Clients()
    one, same = clients.client(Endpoint("openai", "http://a/v1")), clients.client(Endpoint("openai", "http://a/v1"))
    other = clients.client(Endpoint("openai", "http://b/v1"))
    assert one is same
    assert one is not other


def test_clients_that_are_given_go_before_the_built_in_ones_and_are_not_judged():
    scripted = ScriptedClient(["ok"])
    clients = Clients.given({"anthropic": scripted})
    assert clients.client(Endpoint("anthropic")) is scripted
    assert list(clients.mistakes(ModelSpec(Endpoint("anthropic"), "m-1", seed=1))) == []
    with pytest.raises(TargetError, match="unknown provider 'fake'"):
        clients.client(Endpoint("fake"))


def test_what_stands_between_is_put_around_every_client():
    clients = Clients.given({"fake": ScriptedClient(["ok"])}, lambda client, endpoint: (endpoint, client))
    endpoint, inner = clients.client(Endpoint("fake"))
    assert endpoint == Endpoint("fake")
    assert isinstance(inner, ScriptedClient)


# --- servers of one's own ---------------------------------------------------------------------------------------------


@pytest.fixture
def engine():
    engine = Engine(concurrency=4)
    yield engine
    engine.close()


def run(engine, provider, url, cases=1, retries=0):
    target = Models(Clients()).target(ModelSpec(Endpoint(provider, url), "m-1"))
    case = Case("c-1", "How long?", (Criterion("any", "any"),), retries=retries)
    return [engine.run(case, target, {"any": lambda: True}) for _ in range(cases)]


def paths(server):
    return [f"{asked.method} {asked.path}" for asked in server.asked]


@pytest.mark.parametrize(
    ("provider", "before"),
    [
        ("lemonade", ["GET /api/v1/health", "POST /api/v1/chat/completions"]),
        ("ollama", ["GET /api/v1/models", "POST /api/v1/chat/completions"]),
        ("vllm", ["GET /api/v1/models"]),
    ],
)
def test_a_server_is_asked_whether_it_is_up_and_loads_the_model_before_anything_is_timed(engine, provider, before):
    with fake_llm(*([Says("", delay_s=0.8)] if len(before) == 2 else [])) as server:
        results = run(engine, provider, server.url + "/api/v1", cases=2)
    assert paths(server) == [*before, *["POST /api/v1/chat/completions"] * 2]
    if len(before) == 2:
        assert server.asked[1].json["max_tokens"] == 1
    for result in results:
        assert result.latency_ms < 800
        assert result.cost_usd == 0
        assert len(result.last.attempts) == 1


def test_a_server_that_knows_no_such_question_is_up(engine):
    with serve(lambda asked: Sent("no", 404) if asked.method == "GET" else openai_reply(Says(), asked.json)) as server:
        (result,) = run(engine, "vllm", server.url)
    assert result.error is None


def test_a_server_that_is_not_up_is_said_in_one_line(engine):
    (result,) = run(engine, "lemonade", "http://127.0.0.1:9/api/v1", retries=1)
    assert result.error.kind == "provider"
    assert result.error.message == (
        "lemonade at http://127.0.0.1:9/api/v1: cannot connect: All connection attempts failed; is the server running?"
    )
    assert [attempt.latency_ms for attempt in result.last.attempts] == [None, None]


def test_a_model_that_the_server_cannot_load_is_not_asked_again(engine):
    with fake_llm(Fails(404, "there is no model m-1")) as server:
        (result,) = run(engine, "lemonade", server.url + "/api/v1", retries=3)
    assert result.error.kind == "target"
    assert result.error.message.endswith("HTTP 404 Not Found: there is no model m-1")
    assert len(server.asked) == 2
