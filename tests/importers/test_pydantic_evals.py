"""Data sets of pydantic-evals.

The files are written for these tests in the shapes of its page on dataset serialization; the verdicts are those that its
page on native evaluators states.
"""

from __future__ import annotations

import json

import pytest

from pytest_evals.errors import UsageError
from pytest_evals.importers.pydantic_evals import _MAKERS, EQUIVALENTS, WITHOUT

DATASET = """
    # yaml-language-server: $schema=my_tests_schema.json
    name: my_tests
    cases:
    - name: test_1
      inputs: HELLO
      expected_output: HELLO
      metadata: {team: a}
    - name: test_2
      inputs: hello
      expected_output: HELLO
      evaluators:
      - Contains:
          value: LL
          case_sensitive: false
    - inputs: {question: x}
    evaluators:
    - IsInstance: str
    - EqualsExpected
"""


def test_cases_and_evaluators_of_a_data_set(importing):
    made = importing("pydantic-evals", {"my_tests.yaml": DATASET})
    assert made.suite["suite"] == "my_tests"
    assert made.suite["cases"][1] == {
        "id": "test_2",
        "input": "hello",
        "expected_output": "HELLO",
        "criteria": [
            {"length": {"min": 0}},
            {"exact_match": {"case_sensitive": True}},
            {"contains": "LL"},
        ],
    }
    assert made.suite["cases"][2]["criteria"] == [{"length": {"min": 0}}]
    assert made.notes("dropped") == []
    assert made.outcomes() == {"test_1": "passed", "test_2": "failed", "case-3": "passed"}


# evaluator, the answer, whether it passes
STATED = [
    ({"Equals": "success"}, "success", True),
    ({"Equals": {"value": "success", "evaluation_name": "is_success"}}, "Success", False),
    ({"Equals": 4}, "4", True),
    ({"Equals": {"a": 1}}, {"a": 1}, True),
    ({"Equals": {"value": {"a": [1, 2]}}}, {"a": [1, 3]}, False),
    ({"Contains": {"value": "hello", "case_sensitive": False}}, "Hello World", True),
    ({"Contains": {"value": "hello", "case_sensitive": False}}, "hi there", False),
    ({"Contains": "hello"}, "HELLO", False),
    ({"Contains": {"value": {"name": "Alice"}}}, {"name": "Alice", "age": 30}, True),
    ({"Contains": {"value": {"name": "Alice"}}}, {"name": "Bob"}, False),
    ({"IsInstance": "dict"}, {"name": "Bob"}, True),
    ({"IsInstance": "dict"}, [1], False),
    ({"IsInstance": {"type_name": "list"}}, [1], True),
]


def test_stated_verdicts(importing):
    cases = [
        {"name": f"t{n}", "inputs": answer, "evaluators": [evaluator]}
        for n, (evaluator, answer, _) in enumerate(STATED)
    ]
    made = importing("pydantic-evals", {"d.json": {"$schema": "s.json", "cases": cases}})
    assert made.notes("dropped") == []
    outcomes = made.outcomes()
    assert [(e, a) for n, (e, a, ok) in enumerate(STATED) if outcomes[f"t{n}"] != ("passed" if ok else "failed")] == []
    assert made.case("t1")["criteria"][0]["exact_match"]["name"] == "is_success"


@pytest.mark.parametrize(
    ("expected", "answer", "passes"),
    [
        ("terms and conditions", "The Terms and Conditions", False),
        ("terms", "the terms", True),
        ({"a": 1}, {"a": 1}, True),
    ],
)
def test_contains_expected(importing, expected, answer, passes):
    case = {"name": "t", "inputs": answer, "expected_output": expected, "evaluators": ["ContainsExpected"]}
    made = importing("pydantic-evals", {"d.json": {"cases": [case]}})
    assert made.outcomes() == {"t": "passed" if passes else "failed"}


def test_expected_evaluators_ask_nothing_without_an_expectation(importing):
    data = {"cases": [{"inputs": "x"}], "evaluators": ["EqualsExpected", "ContainsExpected"]}
    assert importing("pydantic-evals", {"d.json": data}).outcomes() == {"case-1": "skipped"}


def test_a_duration_is_a_criterion_of_the_call(importing):
    data = {"cases": [{"inputs": "x", "evaluators": [{"MaxDuration": 2.0}, {"MaxDuration": {"seconds": 0.5}}]}]}
    made = importing("pydantic-evals", {"d.json": data})
    assert made.suite["cases"][0]["criteria"] == [
        {"latency": {"max": 2.0}},
        {"latency": {"max": 0.5, "name": "latency_2"}},
    ]
    assert made.written.problems == ()


def test_what_has_no_equivalent_is_listed_and_kept(importing):
    evaluators = [
        {"LLMJudge": {"rubric": "is kind", "model": "openai:gpt-5"}},
        {"HasMatchingSpan": {"query": {"name_contains": "tool_call"}}},
        {"CustomThreshold": {"min_length": 5}},
        {"IsInstance": "MyModel"},
        {"Contains": {"value": ["apple"]}},
        {"MaxDuration": "PT2S"},
    ]
    data = {"cases": [{"name": "t", "inputs": "x", "evaluators": [{"Equals": "x"}, *evaluators], "odd": 1}]}
    data |= {"report_evaluators": ["ConfusionMatrixEvaluator"], "more": 2}
    made = importing("pydantic-evals", {"d.json": data})
    told = [note.partition(": ")[2] for note in made.notes("dropped")]
    assert [line.partition(":")[0] for line in told] == [
        "key more",
        "report_evaluators",
        "key odd (case t)",
        "evaluator LLMJudge (case t)",
        "evaluator HasMatchingSpan (case t)",
        "evaluator CustomThreshold (case t)",
        "evaluator IsInstance",
        "evaluator Contains (case t)",
        "evaluator MaxDuration (case t)",
    ]
    assert "is kind" in made.text
    assert made.outcomes() == {"t": "passed"}


def test_numbers_as_inputs_are_texts_and_that_is_said(importing):
    made = importing(
        "pydantic-evals", {"d.json": {"cases": [{"name": "t", "inputs": 5, "evaluators": [{"Equals": 5}]}]}}
    )
    assert made.outcomes() == {"t": "passed"}
    assert "the target is given the text '5', not int" in made.notes("changed")[0]


def test_every_equivalent_has_a_maker():
    assert set(_MAKERS) == set(EQUIVALENTS)
    assert not set(EQUIVALENTS) & set(WITHOUT)


@pytest.mark.parametrize(
    ("data", "told"),
    [
        ([], "it has no list of 'cases'"),
        ({"cases": [3]}, "case 1 has no 'inputs'"),
        ({"cases": [{}]}, "d.json:3: case 1"),
    ],
)
def test_what_is_no_data_set_is_told_in_a_line(importing, data, told):
    with pytest.raises(UsageError, match=told):
        importing("pydantic-evals", {"d.json": json.dumps(data, indent=2)})
