"""Prompts, providers, tests, scenarios and CSV files of promptfoo.

The files are written for these tests in the shapes of promptfoo's pages on prompts, test cases, scenarios and providers.
"""

from __future__ import annotations

import pytest

from pytest_evals import run_suite
from pytest_evals.errors import SuiteError, UsageError
from pytest_evals.importers.promptfoo.nunjucks import UnknownTemplateError, translated
from pytest_evals.importers.promptfoo.rows import assertion_of
from pytest_evals.llm.scripted import ScriptedClient


def test_one_prompt_and_one_provider_are_prompt_and_target(importing):
    made = importing(
        "promptfoo",
        """
        description: Translation
        prompts: ['Translate to {{language}}: {{text}}']
        providers: [echo]
        tests:
          - vars: {language: French, text: Hello}
            assert: [{type: equals, value: 'Translate to French: Hello'}]
        """,
    )
    assert made.suite["target"] == "echo"
    assert made.suite["description"] == "Translation"
    assert made.suite["defaults"] == {"prompt": "Translate to {{language}}: {{text}}"}
    assert made.case("test-1")["vars"] == {"language": "French", "text": "Hello"}
    assert made.outcomes() == {"test-1": "passed"}


def test_several_prompts_and_providers_are_variants(importing):
    made = importing(
        "promptfoo",
        """
        prompts:
          - {label: short, raw: '{{q}}?'}
          - {label: long, raw: 'Please: {{q}}'}
        providers:
          - openai:chat:gpt-4o-mini
          - id: anthropic:messages:claude-haiku-5-5
            label: haiku
            prompts: [long]
            config: {temperature: 0.2, max_tokens: 100}
        tests: [{vars: {q: x}}]
        """,
    )
    assert made.suite["variants"] == [
        {"id": "openai:chat:gpt-4o-mini short", "model": "openai/gpt-4o-mini", "prompt": "{{q}}?"},
        {"id": "openai:chat:gpt-4o-mini long", "model": "openai/gpt-4o-mini", "prompt": "Please: {{q}}"},
        {
            "id": "haiku long",
            "model": "anthropic/claude-haiku-5-5",
            "temperature": 0.2,
            "max_tokens": 100,
            "prompt": "Please: {{q}}",
        },
    ]
    assert "target" not in made.suite
    assert made.written.problems == ()


def test_providers_become_targets(importing):
    made = importing(
        "promptfoo",
        {
            "promptfooconfig.yaml": """
                prompts: ['{{q}}']
                providers:
                  - openai:responses:gpt-5
                  - 'openai:gpt-4.1': {config: {apiBaseUrl: 'http://localhost:1/v1', apiKeyEnvar: MY_KEY, top_k: 1}}
                  - ollama:chat:llama3:8b
                  - 'exec: python chain.py'
                  - webhook:http://localhost:2/hook
                  - id: https
                    label: server
                    config:
                      url: https://example.com/ask
                      headers: {Authorization: 'Bearer {{env.KEY}}'}
                      body: {question: '{{prompt}}'}
                      transformResponse: json.choices[0].message.content
                  - file://local.yaml
                tests: [{vars: {q: x}}]
                """,
            "chain.py": "",
            "local.yaml": "id: vllm:my/model\nconfig: {seed: 3}\n",
        },
    )
    targets = [{key: value for key, value in v.items() if key != "id"} for v in made.suite["variants"]]
    assert targets == [
        {"model": "openai/gpt-5"},
        {
            "model": "openai/gpt-4.1",
            "base_url": "http://localhost:1/v1",
            "api_key": "${MY_KEY}",
            "extra": {"top_k": 1},
        },
        {"model": "ollama/llama3:8b"},
        {"target": {"command": ["python", "../chain.py", "{{ input }}"]}},
        {"target": {"http": {"url": "http://localhost:2/hook", "body": {"prompt": "{{ input }}"}, "output": "output"}}},
        {
            "target": {
                "http": {
                    "url": "https://example.com/ask",
                    "headers": {"Authorization": "Bearer ${KEY}"},
                    "body": {"question": "{{ input }}"},
                    "output": "choices[0].message.content",
                }
            }
        },
        {"model": "vllm/my/model", "seed": 3},
    ]


def test_an_application_that_is_given_takes_the_place_of_the_providers(importing):
    made = importing("promptfoo", "providers: [azure:x, echo]\ntests: [{vars: {prompt: x}}]\n", target="app:answer")
    assert made.suite["target"] == "app:answer"
    assert made.notes("chosen") == ["providers: left out, as --target names the application"]
    assert made.notes("dropped") == []


def test_tools_and_schemas_of_a_model(importing):
    made = importing(
        "promptfoo",
        """
        providers:
          - id: openai:gpt-4o
            config:
              tools:
                - type: function
                  function: {name: get_weather, description: d, parameters: {type: object}}
              tool_choice: required
              response_format: {type: json_schema, json_schema: {name: n, schema: {type: object}}}
        tests: [{vars: {prompt: x}}]
        """,
    )
    assert made.suite["target"] == {
        "model": "openai/gpt-4o",
        "tools": [{"name": "get_weather", "description": "d", "parameters": {"type": "object"}}],
        "tool_choice": "any",
        "schema": {"type": "object"},
    }
    assert made.written.problems == ()


@pytest.mark.parametrize(
    ("provider", "told"),
    [
        ("azure:chat:gpt-4o", "no such provider here"),
        ("python:gone.py", "there is no file gone.py"),
        ("file://provider.js", "only Python, programs and servers are targets"),
        ("openai:embedding:text-embedding-3-small", "only chat, messages and responses are asked"),
        ("file://gone.yaml", "there is no file"),
    ],
)
def test_a_provider_that_is_no_target_is_listed_and_echo_stands_in(importing, provider, told):
    made = importing("promptfoo", f"providers: ['{provider}']\nprompts: ['{{{{q}}}}']\ntests: [{{vars: {{q: x}}}}]\n")
    (note,) = made.notes("dropped")
    assert note.startswith("promptfooconfig.yaml:1: provider ")
    assert told in note
    assert made.suite["target"] == "echo"
    assert made.notes("chosen") == [
        "target: no provider could be imported; echo stands in for it: give --target, or edit it"
    ]


def test_keys_of_services_do_not_get_into_the_suite(importing):
    made = importing(
        "promptfoo",
        """
        providers:
          - {id: openai:gpt-4o, config: {apiKey: sk-1234567890abcdef}}
          - {id: 'azure:x', config: {apiKey: sk-abcdef1234567890, headers: {x-api-key: abcdefghij}}}
        tests: [{vars: {prompt: x}}]
        """,
    )
    assert "sk-" not in made.text
    assert "abcdefghij" not in made.text
    assert len(made.notes("dropped")) == 2


def test_prompts_from_files(importing):
    made = importing(
        "promptfoo",
        {
            "promptfooconfig.yaml": """
                prompts: ['file://p/*.txt', file://chat.json, file://table.csv, file://code.py, gone.txt is a text]
                providers: [echo]
                tests: [{vars: {q: x}}]
                """,
            "p/a.txt": "One {{q}}\n---\nTwo {{q}}\n",
            "p/b.txt": "Three {{q}}\n",
            "chat.json": [{"role": "system", "content": "Be kind"}, {"role": "user", "content": "{{q}}"}],
            "table.csv": "prompt,label\nFour {{q}},four\n",
            "code.py": "def f(): ...",
        },
    )
    assert {v["id"]: v["prompt"] for v in made.suite["variants"]} == {
        "a-1": "One {{q}}",
        "a-2": "Two {{q}}",
        "b": "Three {{q}}",
        "chat": [{"role": "system", "content": "Be kind"}, {"role": "user", "content": "{{q}}"}],
        "four": "Four {{q}}",
        "prompt-6": "gone.txt is a text",
    }
    (note,) = made.notes("dropped")
    assert "prompt file://code.py: a prompt that is made by code" in note
    assert made.written.problems == ()


def test_a_prompt_that_branches_is_listed_and_its_tests_are_skipped(importing):
    made = importing(
        "promptfoo",
        "providers: [echo]\nprompts: ['{% if a %}x{% endif %} {{q}}']\ntests: [{description: t, vars: {q: x}}]\n",
    )
    assert "'{% if %}' is not read" in made.notes("dropped")[0]
    assert made.outcomes() == {"t": "skipped"}


def test_lists_of_variables_are_a_case_for_each_combination(importing):
    made = importing(
        "promptfoo",
        """
        providers: [echo]
        prompts: ['{{a}}-{{b}}']
        tests:
          - description: each
            vars: {a: [1, 2], b: [x, y]}
            assert: [{type: equals, value: '{{a}}-{{b}}'}]
          - description: whole
            vars: {a: [1, 2], b: z}
            options: {disableVarExpansion: true}
        """,
    )
    assert [case["vars"] for case in made.suite["cases"]] == [
        {"a": 1, "b": "x"},
        {"a": 1, "b": "y"},
        {"a": 2, "b": "x"},
        {"a": 2, "b": "y"},
        {"a": [1, 2], "b": "z"},
    ]
    assert made.outcomes() == dict.fromkeys(["each", "each-2", "each-3", "each-4"], "passed") | {"whole": "scored"}


def test_scenarios_are_every_test_with_every_entry(importing):
    # the example of the page on scenarios: three phrases in three languages
    made = importing(
        "promptfoo",
        """
        providers: [echo]
        prompts: ['{{language}}: {{answer}}']
        scenarios:
          - config:
              - vars: {language: Spanish, hello: Hola mundo}
              - vars: {language: French, hello: Bonjour le monde}
            tests:
              - description: Translated Hello World
                vars: {answer: Hola mundo}
                assert: [{type: contains, value: '{{hello}}'}]
        """,
    )
    assert made.outcomes() == {"translated-hello-world": "passed", "translated-hello-world-2": "failed"}


def test_default_test_holds_for_all(importing):
    made = importing(
        "promptfoo",
        """
        providers: [echo]
        prompts: ['{{answer}} {{tone}}']
        defaultTest:
          vars: {tone: kindly}
          metadata: {team: a}
          assert: [{type: contains, value: '{{tone}}'}, {type: contains, value: x}]
        tests:
          - {description: both, vars: {answer: x}}
          - {description: one-fails, vars: {answer: y}}
          - {description: own, vars: {answer: x, tone: gruff}, assert: [{type: contains, value: gruff}]}
          - description: alone
            vars: {answer: y}
            assert: [{type: contains, value: y}]
            options: {disableDefaultAsserts: true}
        """,
    )
    assert made.suite["defaults"]["vars"] == {"tone": "kindly"}
    assert made.suite["defaults"]["metadata"] == {"team": "a"}
    assert made.outcomes() == {"both": "passed", "one-fails": "failed", "own": "passed", "alone": "passed"}


def test_a_threshold_of_a_test_sets_aside_the_marks_of_the_default(importing):
    made = importing(
        "promptfoo",
        """
        providers: [echo]
        prompts: ['{{answer}}']
        defaultTest:
          assert: [{type: rouge-n, value: something else, threshold: 0.9}]
        tests:
          - {description: t, threshold: 0.5, vars: {answer: x}, assert: [{type: contains, value: x}]}
        """,
    )
    assert made.outcomes() == {"t": "passed"}


def test_values_that_insert_others_are_resolved(importing):
    made = importing(
        "promptfoo",
        """
        providers: [echo]
        prompts: ['{{greeting}}']
        tests:
          - {description: t, vars: {name: Ann, greeting: 'Hi {{name}}'}, assert: [{type: equals, value: Hi Ann}]}
          - {description: u, vars: {greeting: '{{ name | upper }}'}}
        """,
    )
    assert made.outcomes()["t"] == "passed"
    assert "variable greeting (case u)" in made.notes("dropped")[0]


def test_a_variable_that_a_test_lacks_is_the_empty_text(importing):
    made = importing(
        "promptfoo",
        """
        providers: [echo]
        prompts: ['{{a}}{{b}}']
        tests: [{description: t, vars: {a: x}, assert: [{type: equals, value: x}]}]
        """,
    )
    assert made.outcomes() == {"t": "passed"}
    assert made.notes("changed") == ["{{ b }}: has no value in some tests; it is the empty text there, as before"]


def test_variables_called_input_and_context_are_those_of_the_case(importing):
    made = importing(
        "promptfoo",
        """
        providers: [echo]
        prompts: ['{{context}} {{input}}']
        tests: [{description: t, vars: {input: Hi, context: Now}, assert: [{type: equals, value: Now Hi}]}]
        """,
    )
    assert (made.case("t")["input"], made.case("t")["context"]) == ("Hi", "Now")
    assert made.outcomes() == {"t": "passed"}


def test_prefix_and_suffix(importing):
    made = importing(
        "promptfoo",
        """
        providers: [echo]
        prompts: ['{{q}}']
        tests:
          - {description: t, vars: {q: x}, options: {prefix: 'A: ', suffix: '!'}, assert: [{type: equals, value: 'A: x!'}]}
        """,
    )
    assert made.outcomes() == {"t": "passed"}


def test_options_of_the_run_and_unknown_keys(importing):
    made = importing(
        "promptfoo",
        """
        providers: [echo]
        prompts: ['{{q}}']
        evaluateOptions: {timeoutMs: 2000, maxConcurrency: 3, showProgressBar: false}
        derivedMetrics: [{name: a, value: b}]
        tests:
          - {description: t, vars: {q: x}, provider: echo, options: {transform: output.trim(), storeOutputAs: a}, odd: 1}
        """,
    )
    assert made.suite["defaults"]["timeout"] == "2000ms"
    assert [note.partition(": ")[2].partition(":")[0] for note in made.notes("dropped")] == [
        "key derivedMetrics",
        "provider of test",
        "odd of test",
        "options.transform of test",
        "options.storeOutputAs of test",
    ]
    assert "pytest --evals-concurrency N" in made.notes("changed")[0]


def test_references_to_templates_of_assertions(importing):
    made = importing(
        "promptfoo",
        """
        providers: [echo]
        prompts: ['{{q}}']
        assertionTemplates:
          polite: {type: icontains, value: please}
        tests: [{description: t, vars: {q: Please}, assert: [{$ref: '#/assertionTemplates/polite'}]}]
        """,
    )
    assert made.notes("dropped") == []
    assert made.outcomes() == {"t": "passed"}


def test_references_in_a_circle_are_refused_and_those_of_a_schema_are_its_own(importing):
    with pytest.raises(UsageError, match=r"promptfooconfig\.yaml:3: \$ref #/tests leads in a circle"):
        importing("promptfoo", "providers: [echo]\ntests:\n  $ref: '#/tests'\n")
    schema = {"$defs": {"n": {"type": "integer"}}, "$ref": "#/$defs/n"}
    tests = [{"description": "t", "vars": {"prompt": "1"}, "assert": [{"type": "is-json", "value": schema}]}]
    made = importing("promptfoo", {"promptfooconfig.json": {"providers": ["echo"], "tests": tests}})
    assert made.outcomes() == {"t": "passed"}


def test_repeats_are_trials(importing):
    made = importing("promptfoo", "providers: [echo]\nevaluateOptions: {repeat: 3}\ntests: [{vars: {prompt: x}}]\n")
    assert made.suite["defaults"]["trials"] == 3
    assert made.outcomes() == {"test-1": "scored"}


CSV = '''\
question,__expected1,__expected2,__description,__threshold,__metadata:topic,__metadata:tags[],__metric
Paris is it,contains: Paris,"contains-any: a b,is",first,,geo,"a,b\\,c",place
no,equals: yes,,second,,,,
4,4,javascript: output.length < 10,third,,,,
The end,"icontains-all: THE,""en,d""",,fourth,0.5,,,
'''


def test_tests_in_csv(importing):
    files = {
        "promptfooconfig.yaml": "providers: [echo]\nprompts: ['{{question}}']\ntests: file://tests.csv\n",
        "tests.csv": CSV,
    }
    made = importing("promptfoo", files)
    assert made.outcomes() == {"first": "passed", "second": "failed", "third": "passed", "fourth": "failed"}
    assert made.case("first")["metadata"] == {"topic": "geo", "tags": ["a", "b,c"]}
    assert made.case("first")["criteria"][0]["contains"]["name"] == "place"
    assert made.case("fourth")["threshold"] == 0.5
    assert made.case("fourth")["criteria"] == [{"contains_all": ["THE", "en,d"]}]
    assert made.notes("dropped") == [
        "tests.csv:4: assert javascript (case third): its code is not run here; write a criterion "
        "`python: module:function`"
    ]


def test_a_csv_file_of_tests_alone(importing):
    made = importing("promptfoo", {"tests.csv": "input,__expected\nHello,contains: Hell\n"})
    assert made.outcomes() == {"test-1": "passed"}
    assert made.case("test-1")["input"] == "Hello"


def test_tests_in_other_files(importing):
    files = {
        "promptfooconfig.yaml": """
            providers: [echo]
            prompts: ['{{q}}']
            tests:
              - file://a.yaml
              - file://b.jsonl
              - 'file://more/*.json'
              - file://made.py:tests
              - https://example.com/sheet
              - {vars: file://vars.yaml, description: last}
            """,
        "a.yaml": "- {description: one, vars: {q: x}, assert: [{type: equals, value: y}]}\n",
        "b.jsonl": '{"description": "two", "vars": {"q": "x"}, "assert": [{"type": "equals", "value": "x"}]}\n',
        "more/c.json": [{"description": "three", "vars": {"q": "file://q.txt"}}],
        "q.txt": "from a file",
        "vars.yaml": "q: 5\n",
    }
    made = importing("promptfoo", files)
    assert made.outcomes() == {"one": "failed", "two": "passed", "three": "scored", "last": "scored"}
    assert made.case("three")["vars"] == {"q": "from a file"}
    assert made.case("last")["vars"] == {"q": 5}
    told = made.notes("dropped")
    assert "tests file://made.py:tests: it is generated by code" in told[0]
    assert "tests https://example.com/sheet: tests are read from" in told[1]


@pytest.mark.parametrize(
    ("cell", "made"),
    [
        ("Paris", {"type": "equals", "value": "Paris"}),
        ("contains:Paris", {"type": "contains", "value": "Paris"}),
        ("factuality:The capital is Paris", {"type": "factuality", "value": "The capital is Paris"}),
        ("similar(0.6):Hello there", {"type": "similar", "threshold": 0.6, "value": "Hello there"}),
        ("similar: Hello", {"type": "similar", "threshold": 0.8, "value": "Hello"}),
        ("not-icontains: sorry", {"type": "not-icontains", "value": "sorry"}),
        ("is-json", {"type": "is-json"}),
        ("contains-any: <b>,</span>", {"type": "contains-any", "value": ["<b>", "</span>"]}),
        ("eval: output == 1", {"type": "javascript", "value": "output == 1"}),
        ("grade: is kind", {"type": "llm-rubric", "value": "is kind"}),
        ("file://check.py:f", {"type": "python", "value": "file://check.py:f"}),
        ("latency(500)", {"type": "latency", "threshold": 500}),
        ("contains", {"type": "contains"}),
        ("contained", {"type": "equals", "value": "contained"}),
    ],
)
def test_assertions_in_a_cell(cell, made):
    assert assertion_of(cell) == made


def test_templates():
    assert translated("{{ a | dump }} {{b}}") == "{{ a | tojson }} {{b}}"
    assert translated("no { braces } %") == "no { braces } %"
    with pytest.raises(UnknownTemplateError, match="environment variable"):
        translated("{{ env.KEY }}")


@pytest.mark.parametrize(
    ("files", "error", "told"),
    [
        ({"promptfooconfig.yaml": "a: 1\n"}, UsageError, "this is no configuration of promptfoo"),
        (
            {"promptfooconfig.yaml": "prompts: [\n"},
            SuiteError,
            "promptfooconfig.yaml:2:1: the file ends inside brackets",
        ),
        ({"promptfooconfig.yaml": ""}, UsageError, "this is no configuration"),
        ({"x.txt": ""}, SuiteError, "none of the files that are read here"),
        ({"promptfooconfig.yaml": "tests: file://gone.csv\n"}, UsageError, "names no tests that can be read"),
        ({"promptfooconfig.yaml": "tests: [3]\n"}, UsageError, "names no tests that can be read"),
    ],
)
def test_what_cannot_be_imported_is_told_in_a_line(importing, files, error, told):
    with pytest.raises(error) as caught:
        importing("promptfoo", files)
    assert told in str(caught.value)
    assert "\n" not in str(caught.value)


def test_prompts_and_models_are_asked_as_variants(importing):
    made = importing(
        "promptfoo",
        """
        prompts:
          - {label: short, raw: '{{q}}?'}
          - label: chat
            raw: '[{"role": "system", "content": "Be kind"}, {"role": "user", "content": "{{q}}"}]'
        providers:
          - {id: openai:gpt-4o-mini, label: small, config: {temperature: 0}}
          - {id: anthropic:messages:claude-haiku-5-5, label: haiku, config: {max_tokens: 50}}
        tests:
          - {description: t, vars: {q: Capital}, assert: [{type: icontains, value: paris}]}
        """,
    )
    assert made.written.problems == ()
    openai, anthropic = ScriptedClient(["Paris", "Rome"]), ScriptedClient(["Paris", "Rome"])
    run = run_suite(
        made.written.suite, history=False, concurrency=1, clients={"openai": openai, "anthropic": anthropic}
    )
    assert {result.variant_id: result.outcome.value for result in run.results} == {
        "small short": "passed",
        "small chat": "failed",
        "haiku short": "passed",
        "haiku chat": "failed",
    }
    first, second = openai.requests
    assert [dict(message) for message in first.messages] == [{"role": "user", "content": "Capital?"}]
    assert (first.model, first.temperature) == ("gpt-4o-mini", 0)
    assert [(m["role"], m["content"]) for m in second.messages] == [("system", "Be kind"), ("user", "Capital")]
    assert anthropic.requests[0].max_tokens == 50
