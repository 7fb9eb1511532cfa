"""The real SDKs against a server that speaks their protocols: what is sent, and what each reply becomes."""

from __future__ import annotations

import asyncio
import json
import re
import time
from email.utils import formatdate
from importlib.metadata import version
from pathlib import Path

import pytest
from fakellm import HANGS_UP, Fails, Says, fake_llm
from servers import Reply

from pytest_evals.engine.model import Models
from pytest_evals.engine.runner import Engine
from pytest_evals.errors import ProviderError
from pytest_evals.llm.clients import Clients
from pytest_evals.llm.providers import connect
from pytest_evals.model.case import Case
from pytest_evals.model.criterion import Criterion
from pytest_evals.model.llm import Endpoint, ModelSpec, Request, Tool
from pytest_evals.model.outcome import Outcome
from pytest_evals.model.response import ToolCall, Usage

PAGE = (Path(__file__).parents[2] / "docs" / "models.md").read_text("utf-8")
PROTOCOLS = ("anthropic", "openai")
KEYS = {"anthropic": "ANTHROPIC_API_KEY", "openai": "OPENAI_API_KEY"}
SAMPLES = int(version("anthropic").partition(".")[0]) < 1
"""Whether the installed anthropic package still takes a temperature."""

CITY = {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}


@pytest.fixture(autouse=True)
def keys(monkeypatch):
    for name in ("ANTHROPIC_AUTH_TOKEN", "ANTHROPIC_BASE_URL", "OPENAI_BASE_URL", "OPENAI_ORG_ID"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-secret-1")
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret-1")


@pytest.fixture(scope="module")
def engine():
    engine = Engine(concurrency=4)
    yield engine
    engine.close()


@pytest.fixture(params=PROTOCOLS)
def provider(request):
    return request.param


def url_for(provider, url):
    return url if provider == "anthropic" else f"{url}/v1"


def ask(engine, provider, url, question="How long?", *, retries=0, timeout_s=10.0, **settings):
    """The result of a case whose target is a model of the server."""
    spec = ModelSpec(Endpoint(provider, url_for(provider, url)), "m-1", **settings)
    target = Models(Clients()).target(spec)
    case = Case("c-1", question, (Criterion("any", "any"),), timeout_s=timeout_s, retries=retries)
    return engine.run(case, target, {"any": lambda: True})


def asked_of(engine, provider, question="How long?", reply="ok", **settings):
    """The body of the request."""
    with fake_llm(reply) as server:
        result = ask(engine, provider, server.url, question, **settings)
        assert result.outcome is Outcome.PASSED, result.error
    (asked,) = server.asked
    return asked.json


# --- what is sent -----------------------------------------------------------------------------------------------------


def test_a_text_is_one_message_and_nothing_is_sent_that_was_not_said(engine):
    said = [{"role": "user", "content": "How long?"}]
    assert asked_of(engine, "anthropic") == {"model": "m-1", "max_tokens": 4096, "messages": said}
    assert asked_of(engine, "openai") == {"model": "m-1", "messages": said}


def test_the_address_and_the_key_are_those_of_the_protocol(engine):
    with fake_llm() as server:
        ask(engine, "anthropic", server.url)
        ask(engine, "openai", server.url)
    claude, gpt = server.asked
    assert (claude.path, gpt.path) == ("/v1/messages", "/v1/chat/completions")
    sent, sent_to_gpt = ({name.lower(): value for name, value in asked.headers.items()} for asked in server.asked)
    assert "sk-secret-1" in (sent.get("x-api-key", ""), sent.get("authorization", "").removeprefix("Bearer "))
    assert sent_to_gpt["authorization"] == "Bearer sk-secret-1"


def test_the_system_prompt_is_sent_where_the_protocol_has_it(engine):
    settings = {"system": "Be short.", "max_tokens": 50, "stop": ("\n\n", "END")}
    assert asked_of(engine, "anthropic", **settings) == {
        "model": "m-1",
        "max_tokens": 50,
        "messages": [{"role": "user", "content": "How long?"}],
        "system": "Be short.",
        "stop_sequences": ["\n\n", "END"],
    }
    assert asked_of(engine, "openai", **settings) == {
        "model": "m-1",
        "max_tokens": 50,
        "messages": [{"role": "system", "content": "Be short."}, {"role": "user", "content": "How long?"}],
        "stop": ["\n\n", "END"],
    }


def test_a_conversation_is_sent_as_it_is_written(engine):
    turns = [
        {"role": "user", "content": "My name is Ada."},
        {"role": "assistant", "content": "Hello Ada."},
        {"role": "user", "content": [{"type": "text", "text": "What is my name?"}]},
    ]
    for provider in PROTOCOLS:
        assert asked_of(engine, provider, turns)["messages"] == turns


def test_a_system_message_of_the_input_joins_the_system_prompt(engine):
    turns = [{"role": "system", "content": "Speak French."}, {"role": "user", "content": "Hello"}]
    claude = asked_of(engine, "anthropic", turns, system="Be short.")
    assert claude["system"] == "Be short.\n\nSpeak French."
    assert claude["messages"] == turns[1:]
    gpt = asked_of(engine, "openai", turns, system="Be short.")
    assert [message["role"] for message in gpt["messages"]] == ["system", "system", "user"]


DATA = "iVBORw0KGgo="
OPENAI_IMAGE = {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{DATA}"}}
ANTHROPIC_IMAGE = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": DATA}}
OPENAI_LINK = {"type": "image_url", "image_url": {"url": "https://example.org/a.png"}}
ANTHROPIC_LINK = {"type": "image", "source": {"type": "url", "url": "https://example.org/a.png"}}


@pytest.mark.parametrize("written", [[OPENAI_IMAGE, OPENAI_LINK], [ANTHROPIC_IMAGE, ANTHROPIC_LINK]])
def test_images_are_sent_in_the_form_of_the_protocol_whichever_they_are_written_in(engine, written):
    question = [{"role": "user", "content": [{"type": "text", "text": "What is this?"}, *written]}]
    assert asked_of(engine, "anthropic", question)["messages"][0]["content"][1:] == [ANTHROPIC_IMAGE, ANTHROPIC_LINK]
    assert asked_of(engine, "openai", question)["messages"][0]["content"][1:] == [OPENAI_IMAGE, OPENAI_LINK]


OPENAI_TOOLS = [
    {"role": "user", "content": "Umbrella?"},
    {
        "role": "assistant",
        "content": "I look.",
        "tool_calls": [
            {"id": "1", "type": "function", "function": {"name": "weather", "arguments": '{"city": "Bergen"}'}},
            {"id": "2", "type": "function", "function": {"name": "time", "arguments": "{}"}},
        ],
    },
    {"role": "tool", "tool_call_id": "1", "content": "rain"},
    {"role": "tool", "tool_call_id": "2", "content": "noon"},
    {"role": "user", "content": "So?"},
]
ANTHROPIC_TOOLS = [
    {"role": "user", "content": "Umbrella?"},
    {
        "role": "assistant",
        "content": [
            {"type": "text", "text": "I look."},
            {"type": "tool_use", "id": "1", "name": "weather", "input": {"city": "Bergen"}},
            {"type": "tool_use", "id": "2", "name": "time", "input": {}},
        ],
    },
    {
        "role": "user",
        "content": [
            {"type": "tool_result", "tool_use_id": "1", "content": "rain"},
            {"type": "tool_result", "tool_use_id": "2", "content": "noon"},
        ],
    },
    {"role": "user", "content": "So?"},
]


@pytest.mark.parametrize("written", [OPENAI_TOOLS, ANTHROPIC_TOOLS])
def test_tools_of_earlier_turns_are_sent_in_the_form_of_the_protocol_whichever_they_are_written_in(engine, written):
    assert asked_of(engine, "anthropic", written)["messages"] == ANTHROPIC_TOOLS
    sent = asked_of(engine, "openai", written)["messages"]
    if written is ANTHROPIC_TOOLS:
        sent[1]["content"] = sent[1]["content"][0]["text"]  # a list with one text, which is the same
    assert sent == OPENAI_TOOLS


def test_a_question_beside_a_result_follows_it(engine):
    both = [*ANTHROPIC_TOOLS[2]["content"][:1], {"type": "text", "text": "So?"}]
    sent = asked_of(engine, "openai", [*ANTHROPIC_TOOLS[:2], {"role": "user", "content": both}])["messages"]
    assert [message["role"] for message in sent] == ["user", "assistant", "tool", "user"]
    assert sent[3]["content"] == [{"type": "text", "text": "So?"}]


def test_a_json_value_is_sent_as_json(engine):
    for provider in PROTOCOLS:
        sent = asked_of(engine, provider, {"n": 1, "zip": "02134"})
        assert json.loads(sent["messages"][0]["content"]) == {"n": 1, "zip": "02134"}


def test_tools_and_the_choice_of_one_are_sent(engine):
    settings = {"tools": (Tool("weather", "The weather of a city.", CITY), Tool("time")), "tool_choice": "weather"}
    claude = asked_of(engine, "anthropic", **settings)
    assert claude["tools"] == [
        {"name": "weather", "description": "The weather of a city.", "input_schema": CITY},
        {"name": "time", "input_schema": {"type": "object", "properties": {}}},
    ]
    assert claude["tool_choice"] == {"type": "tool", "name": "weather"}
    gpt = asked_of(engine, "openai", **settings)
    assert [tool["function"]["name"] for tool in gpt["tools"]] == ["weather", "time"]
    assert gpt["tools"][0]["function"]["parameters"] == CITY
    assert gpt["tool_choice"] == {"type": "function", "function": {"name": "weather"}}


@pytest.mark.parametrize(("choice", "claude", "gpt"), [("auto", "auto", "auto"), ("any", "any", "required")])
def test_a_choice_of_tools_has_the_word_of_the_protocol(engine, choice, claude, gpt):
    settings = {"tools": (Tool("time"),), "tool_choice": choice}
    assert asked_of(engine, "anthropic", **settings)["tool_choice"] == {"type": claude}
    assert asked_of(engine, "openai", **settings)["tool_choice"] == gpt


def test_a_schema_is_sent_and_the_answer_is_the_value(engine):
    for provider in PROTOCOLS:
        with fake_llm('{"city": "Oslo"}') as server:
            result = ask(engine, provider, server.url, schema=CITY)
        assert result.output == {"city": "Oslo"}
        sent = server.asked[0].json
        if provider == "anthropic":
            closed = {**CITY, "additionalProperties": False}  # the API wants that said
            assert sent["output_config"] == {"format": {"type": "json_schema", "schema": closed}}
        else:
            form = {"name": "answer", "schema": CITY, "strict": False}
            assert sent["response_format"] == {"type": "json_schema", "json_schema": form}


def test_a_schema_whose_objects_are_closed_is_asked_for_strictly(engine):
    closed = {**CITY, "additionalProperties": False}
    sent = asked_of(engine, "openai", reply='{"city": "Oslo"}', schema=closed)
    assert sent["response_format"]["json_schema"]["strict"] is True


def test_an_answer_that_is_not_the_json_asked_for_is_the_text_that_came(engine, provider):
    with fake_llm("I would say Oslo") as server:
        assert ask(engine, provider, server.url, schema=CITY).output == "I would say Oslo"


def test_more_fields_are_sent_as_they_are(engine, provider):
    sent = asked_of(engine, provider, extra={"service_tier": "auto", "metadata": {"user_id": "7"}})
    assert sent["service_tier"] == "auto"
    assert sent["metadata"] == {"user_id": "7"}


def test_sampling_settings_reach_openai(engine):
    sent = asked_of(engine, "openai", temperature=0, top_p=0.5, seed=7)
    assert (sent["temperature"], sent["top_p"], sent["seed"]) == (0, 0.5, 7)


@pytest.mark.skipif(not SAMPLES, reason="this version of the anthropic package takes no temperature")
def test_sampling_settings_reach_anthropic_where_its_package_takes_them(engine):
    sent = asked_of(engine, "anthropic", temperature=0, top_p=0.5)
    assert (sent["temperature"], sent["top_p"]) == (0, 0.5)


def test_one_client_serves_all_cases_over_connections_that_stay_open(engine, provider):
    with fake_llm() as server:
        spec = ModelSpec(Endpoint(provider, url_for(provider, server.url)), "m-1")
        target = Models(Clients()).target(spec)
        case = Case("c-1", "How long?", (Criterion("any", "any"),))
        for _ in range(3):
            assert engine.run(case, target, {"any": lambda: True}).outcome is Outcome.PASSED
    assert len(server.connections) == 1


# --- what comes back --------------------------------------------------------------------------------------------------


def test_an_answer_is_kept_with_what_is_known_of_it(engine, provider):
    says = Says("Within 30 days.", input=70, output=20, read=25, written=5, model="m-1-20260101")
    with fake_llm(says) as server:
        trial = ask(engine, provider, server.url).last
    assert trial.output == "Within 30 days."
    assert trial.usage == Usage(input_tokens=100, output_tokens=20, cached_tokens=25)  # in both: all input tokens
    assert trial.metadata["cache_write_tokens"] == 5
    assert trial.metadata["model"] == "m-1-20260101"
    assert trial.metadata["request_id"] == "req_1"
    assert trial.metadata["stop_reason"] == "end"


def test_tokens_that_nobody_tells_are_unknown(engine, provider):
    with fake_llm(Says(usage=False)) as server:
        assert ask(engine, provider, server.url).last.usage is None


def test_the_calls_of_tools_are_part_of_the_answer(engine, provider):
    says = Says("", tools=[("weather", {"city": "Oslo"}), ("time", {})])
    with fake_llm(says) as server:
        trial = ask(engine, provider, server.url, tools=(Tool("weather"), Tool("time"))).last
    assert trial.output == ""
    assert trial.tool_calls == (ToolCall("weather", {"city": "Oslo"}), ToolCall("time", {}))
    assert trial.metadata["stop_reason"] == "tool_calls"


def test_reasoning_is_cut_out_of_the_answer_and_kept(engine, provider):
    with fake_llm(Says("Four.", thinking="Two and two.")) as server:
        trial = ask(engine, provider, server.url).last
    assert trial.output == "Four."
    assert trial.metadata["reasoning"] == "Two and two."


def test_what_the_fields_of_openai_servers_say_of_reasoning_is_kept(engine):
    message = {"role": "assistant", "content": "Four.", "reasoning_content": "Two and two."}
    usage = {"prompt_tokens": 9, "completion_tokens": 8, "completion_tokens_details": {"reasoning_tokens": 6}}
    reply = Reply({"choices": [{"message": message, "finish_reason": "stop"}], "usage": usage})
    with fake_llm(reply) as server:
        trial = ask(engine, "openai", server.url).last
    assert (trial.output, trial.metadata["reasoning"]) == ("Four.", "Two and two.")
    assert trial.metadata["reasoning_tokens"] == 6


def test_arguments_of_a_tool_that_are_no_json_are_what_the_model_wrote(engine):
    call = {"type": "function", "function": {"name": "weather", "arguments": "{city: Oslo"}}
    reply = Reply({"choices": [{"message": {"content": None, "tool_calls": [call]}, "finish_reason": "tool_calls"}]})
    with fake_llm(reply) as server:
        assert ask(engine, "openai", server.url).last.tool_calls == (ToolCall("weather", "{city: Oslo"),)


# --- the table of the documentation -----------------------------------------------------------------------------------

ROWS = re.findall(r"^\| ([^|]+?) +\| `?([a-z]+)`? +\| (yes|no|–) +\| `?([^|]+?)`? *\|$", PAGE, re.MULTILINE)

HAPPENS = {
    "400": Fails(400, "max_tokens is too large"),
    "401": Fails(401, "invalid key"),
    "403": Fails(403, "not for you"),
    "404": Fails(404, "there is no model m-1"),
    "413": Fails(413, "the request is too large"),
    "429": Fails(429, "slow down"),
    "429, nothing left on the account": Reply(
        {"error": {"message": "You exceeded your current quota", "code": "insufficient_quota"}}, 429
    ),
    "429 with `Retry-After`": Fails(429, "slow down", {"Retry-After": "0"}),
    "500": Fails(500, "internal error"),
    "503": Fails(503, "unavailable"),
    "529": Fails(529, "overloaded"),
    "an error page of a proxy": Reply("<html>Bad gateway</html>", 502),
    "the connection breaks": HANGS_UP,
    "nobody listens": None,  # no server
    "no reply in time": Says(delay_s=2.0),
    "a reply that is not JSON": b'{"content": [',
    "an empty reply": b"",
    "a reply of another shape": b'{"answer": "30 days"}',
    "a refusal": Says("", refusal="Ask something else."),
    "an answer cut off at `max_tokens`": Says("Within 30", stop="max_tokens"),
}


def test_the_page_tells_of_everything_that_happens_here():
    assert [row[0] for row in ROWS] == list(HAPPENS)


@pytest.mark.parametrize(("what", "becomes", "again", "message"), ROWS, ids=[row[0] for row in ROWS])
def test_what_happens_becomes_what_the_page_says(engine, provider, what, becomes, again, message):
    happens = HAPPENS[what]
    with fake_llm(*([] if happens is None else [happens])) as server:
        url = server.url if happens is not None else "http://127.0.0.1:9"
        result = ask(engine, provider, url, retries=1, timeout_s=0.4 if what == "no reply in time" else 10.0)
    attempts = result.last.attempts
    if becomes == "answer":
        assert result.outcome is Outcome.PASSED
        assert len(attempts) == 1
        assert result.last.metadata[message.partition(":")[0]] == message.partition(": ")[2]
        return
    assert attempts[0].error.kind == becomes
    assert len(attempts) == (2 if again == "yes" else 1)
    service = f"{provider} at {url_for(provider, url)}"
    wanted = message.replace("SERVICE", service).replace("KEY", KEYS[provider])
    said = attempts[0].error.message
    assert re.fullmatch(re.escape(wanted).replace("…", ".+"), said), said
    assert "sk-secret" not in repr(result)
    if again == "yes" and happens is not None and becomes != "timeout":  # the second attempt was answered
        assert result.outcome is Outcome.PASSED


@pytest.mark.parametrize(
    ("status", "headers", "asked_s"),
    [
        (429, {"Retry-After": "2"}, 2.0),
        (429, {"Retry-After": "in a minute"}, pytest.approx(60, abs=30)),
        (503, {"Retry-After": "Mon, 30 Nov 2020 23:00:00 GMT"}, 0.0),
        (529, {"Retry-After": "soon"}, None),
        (429, {"Retry-After": "99999"}, 99999.0),  # the limiter grants 120 s of it, and says so
        (429, {"retry-after-ms": "1500", "Retry-After": "2"}, 1.5),
        (500, {}, None),
    ],
)
def test_how_long_the_service_asks_to_be_left_alone_reaches_the_limiter(provider, status, headers, asked_s):
    request = Request(provider, "m-1", ({"role": "user", "content": "How long?"},))

    async def refused(url):
        client = connect(Endpoint(provider, url_for(provider, url)))
        try:
            await client.complete(request)
        finally:
            await client.aclose()

    if headers.get("Retry-After") == "in a minute":
        headers = {"Retry-After": formatdate(time.time() + 60, usegmt=True)}
    with fake_llm(Fails(status, "later", headers)) as server, pytest.raises(ProviderError) as caught:
        asyncio.run(refused(server.url))
    assert (caught.value.status, caught.value.retry_after_s) == (status, asked_s)
    assert caught.value.__cause__ is None  # it would hold the request with its key
    assert len(server.asked) == 1  # the SDK repeats nothing by itself
