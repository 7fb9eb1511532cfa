"""A model as the target, as a suite writes it."""

from __future__ import annotations

import json
import textwrap

import pytest

from pytest_evals.model.llm import Endpoint, Tool

from .conftest import only

CASES = "cases: [{id: a, input: q, criteria: [own]}]\n"
CITY = {"type": "object", "properties": {"city": {"type": "string"}}}


def written(target):
    return f"target:\n{textwrap.indent(textwrap.dedent(target).strip(), '  ')}\n{CASES}"


def test_a_model_with_all_its_keys(read, monkeypatch):
    monkeypatch.setenv("MODEL", "claude-haiku-5-5")
    monkeypatch.setenv("MY_KEY", "hush-1234567890")
    target = read(
        written("""
        model: anthropic/${MODEL}
        system: Answer in ${one} {{ word }}.
        max_tokens: 50
        temperature: 0.5
        top_p: 1
        seed: 7
        stop: [END, "\\n\\n"]
        tools:
          - {name: weather, description: The weather., parameters: {type: object, properties: {city: {type: string}}}}
          - {name: time}
        tool_choice: weather
        schema: {type: object, properties: {city: {type: string}}}
        base_url: http://127.0.0.1:8080/v1/
        api_key: ${MY_KEY}
        extra: {service_tier: flex, n: 2}
        """)
    ).target
    assert (target.kind, target.value, str(target)) == ("model", *["anthropic/claude-haiku-5-5"] * 2)
    spec = target.options
    assert spec.endpoint == Endpoint("anthropic", "http://127.0.0.1:8080/v1", "hush-1234567890")
    assert spec.model == "claude-haiku-5-5"
    assert spec.system == "Answer in ${one} {{ word }}."  # prose: nothing is read into it
    assert (spec.max_tokens, spec.temperature, spec.top_p, spec.seed) == (50, 0.5, 1, 7)
    assert spec.stop == ("END", "\n\n")
    assert spec.tools == (Tool("weather", "The weather.", CITY), Tool("time"))
    assert (spec.tool_choice, spec.schema) == ("weather", CITY)
    assert spec.extra == {"service_tier": "flex", "n": 2}
    assert (spec.places["model"].line, spec.places["extra"].line) == (2, 16)
    assert "hush" not in repr(target)


def test_what_is_not_said_is_not_there(read):
    spec = read(written("model: openai/org/name:free")).target.options
    assert (spec.endpoint, spec.model, spec.name) == (Endpoint("openai"), "org/name:free", "openai/org/name:free")
    assert (spec.max_tokens, spec.temperature, spec.stop, spec.tools, spec.schema) == (None, None, (), (), None)


def test_a_schema_can_lie_in_a_file_beside_the_suite(read):
    (read.folder / "city.json").write_text(json.dumps(CITY))
    assert read(written("{model: openai/m, schema: city.json}")).target.options.schema == CITY


@pytest.mark.parametrize(
    ("target", "problem"),
    [
        ("{model: claude}", "'claude' names no model; write provider/name"),
        ("{model: anthropic/}", "'anthropic/' names no model"),
        ("{model: /m}", "'/m' names no model"),
        ("{model: Open AI/m}", "'Open AI/m' names no model"),
        ("{model: ' '}", "model is blank"),
        ("{model: 'openai/${NOT_SET_HERE}'}", "the environment variable NOT_SET_HERE is not set"),
        ("{system: Be short., max_tokens: 5}", "a model target needs a 'model'; write provider/name"),
        ("{model: o/m, temprature: 0}", "unknown key of a model target 'temprature'; did you mean 'temperature'?"),
        ("{model: o/m, prompt: 'Q: {{ input }}'}", "unknown key of a model target 'prompt'; it belongs in a case or"),
        ("{model: o/m, temperature: 3}", "temperature must be a number from 0 to 2, not 3"),
        ("{model: o/m, max_tokens: 0}", "max_tokens must be a whole number of at least 1, not 0"),
        ("{model: o/m, max_tokens: '5'}", "max_tokens must be a whole number of at least 1, not the text '5'; remove"),
        ("{model: o/m, seed: 1.5}", "seed must be a whole number, not"),
        ("{model: o/m, stop: ''}", "an empty text ends every reply at once"),
        ("{model: o/m, tools: weather}", "tools must be a list, not the text 'weather'"),
        (
            "{model: o/m, tools: [weather]}",
            "a tool is a mapping with a 'name' and 'parameters', not the text 'weather'",
        ),
        ("{model: o/m, tools: [{description: x}]}", "a tool needs a 'name'"),
        ("{model: o/m, tools: [{name: a}, {name: a}]}", "a second tool of the name 'a'"),
        (
            "{model: o/m, tools: [{name: a, input_schema: {}}]}",
            "unknown key 'input_schema'; did you mean 'parameters'?",
        ),
        ("{model: o/m, tools: [{name: a, parameters: [1]}]}", "parameters must be a mapping, or the name of a file"),
        ("{model: o/m, tool_choice: any}", "there are no tools to choose from; add 'tools'"),
        ("{model: o/m, tools: [{name: a}], tool_choice: b}", "tool_choice is 'b'; it can be auto, any, none, a"),
        ("{model: o/m, schema: [1]}", "schema must be a mapping, or the name of a file with one, not a list"),
        ("{model: o/m, schema: nowhere.json}", "schema: there is no file"),
        ("{model: o/m, extra: 5}", "extra must be a mapping, not 5"),
        ("{model: o/m, base_url: localhost:8080}", "'localhost:8080' is no url of a server; write http://host:port/v1"),
        (
            "{model: o/m, base_url: 'http://u:p@host/v1'}",
            "a key does not belong into an address; write api_key: ${NAME}",
        ),
        ("{model: o/m, api_key: sk-1234}", "a key does not belong into a file; write api_key: ${NAME_OF_A_VARIABLE}"),
    ],
)
def test_a_mistake_is_found_where_it_stands(read, target, problem):
    found = only(read.wrong(written(target)))
    assert problem in found
    assert found.startswith("2:")
    assert "sk-1234" not in found


@pytest.mark.parametrize(
    ("value", "problem"),
    [
        ("[{role: user, content: a}, {content: b}]", "message 2 of the input has no 'role'"),
        ("[{role: user, content: a}, b]", "message 2 of the input has no 'role'"),
        ("[{role: human, content: a}]", "message 1 of the input has the role 'human'; there are system, developer"),
        ("[{role: user}]", "message 1 of the input has no 'content'"),
        ("[{role: user, content: {text: a}}]", "message 1 of the input has a content that is neither text nor a list"),
        ("[{role: user, content: [a]}]", "message 1 of the input has a part without 'type' in its content"),
        (
            "[{role: assistant, tool_calls: [x]}]",
            "message 1 of the input has 'tool_calls' that are no list of mappings",
        ),
        ("[{role: system, content: a}]", "the input has no message but the system's"),
    ],
)
def test_messages_that_are_none_are_mistakes_of_the_case(read, value, problem):
    text = f"target: {{model: o/m}}\ncases:\n  - {{id: a, criteria: [own], input: {value}}}\n"
    assert problem in only(read.wrong(text))
    assert read.wrong(text.replace("{model: o/m}", "echo")) == []


def test_other_inputs_than_messages_are_fine(read):
    for value in ("plain", "{a: 1}", "[1, 2]", "[{question: a}]", "[]"):
        assert read.wrong(f"target: {{model: o/m}}\ncases: [{{id: a, criteria: [own], input: {value}}}]\n") == []
