"""Data sets of deepeval.

The files are written for these tests in the shapes of its page on evaluation datasets: what ``add_test_cases_from_json_file``,
``add_goldens_from_csv_file`` and ``save_as`` read and write.
"""

from __future__ import annotations

import json

import pytest

from pytest_evals.errors import UsageError
from pytest_evals.importers.deepeval import EQUIVALENTS

GOLDENS = [
    {
        "input": "What if these shoes don't fit?",
        "actual_output": None,
        "expected_output": "You're eligible for a 30 day refund.",
        "retrieval_context": None,
        "context": ["All customers are eligible for a 30 day full refund."],
        "source_file": "policy.md",
        "additional_metadata": {"reviewed": True},
        "expected_tools": [{"name": "policy", "input_parameters": {"topic": "refund"}}, {"name": "log"}],
        "tags": ["smoke", "two words"],
        "name": "Shoes",
        "comments": "from support",
        "my_own": 3,
    }
]


def test_a_golden_is_a_case(importing):
    made = importing("deepeval", {"goldens.json": GOLDENS})
    assert made.case("shoes") == {
        "id": "shoes",
        "name": "Shoes",
        "input": "What if these shoes don't fit?",
        "context": ["All customers are eligible for a 30 day full refund."],
        "expected_output": "You're eligible for a 30 day refund.",
        "expected_tool_calls": [{"name": "policy", "args": {"topic": "refund"}}, {"name": "log"}],
        "tags": ["smoke"],
        "metadata": {
            "source_file": "policy.md",
            "comments": "from support",
            "my_own": 3,
            "reviewed": True,
            "tags": ["two words"],
        },
        "criteria": ["exact_match", "tool_calls"],
    }
    assert made.notes("dropped") == []
    assert made.written.problems == ()
    assert "two words cannot be markers of pytest" in made.notes("changed")[0]
    assert [note.partition(":")[0] for note in made.notes("chosen")] == ["criteria", "target"]


CASES = [
    {
        "input": "capital?",
        "actual_output": "Paris",
        "expected_output": "paris",
        "retrieval_context": ["Paris is the capital"],
        "tools_called": [{"name": "search", "input_parameters": {"q": "x"}}],
        "expected_tools": [{"name": "search", "input_parameters": {"q": "x"}}],
        "token_cost": 0.01,
        "completion_time": 1.5,
    },
    {"input": "4?", "actual_output": "5", "expected_output": "4"},
    {"input": "tool?", "actual_output": "", "expected_tools": [{"name": "search"}], "tools_called": []},
]


def test_actual_outputs_are_recorded_answers_with_what_is_known_of_them(importing):
    made = importing("deepeval", {"cases.json": CASES})
    assert made.suite["target"] == {"responses": "made.answers.jsonl"}
    assert made.outcomes() == {"case-1": "passed", "case-2": "failed", "case-3": "failed"}
    row = json.loads(made.written.answers.read_text("utf-8").splitlines()[0])
    assert row == {
        "id": "case-1",
        "output": "Paris",
        "latency_ms": 1500.0,
        "cost_usd": 0.01,
        "tool_calls": [{"name": "search", "args": {"q": "x"}}],
        "metadata": {"retrieval_context": ["Paris is the capital"]},
    }


def test_the_criterion_and_the_application_can_be_chosen(importing):
    made = importing("deepeval", {"cases.json": CASES[:2]}, criteria=("contains",), target="echo")
    assert [case["criteria"] for case in made.suite["cases"]] == [["contains"], ["contains"]]
    assert made.suite["target"] == "echo"
    assert made.written.answers is None
    assert made.notes("chosen") == [
        "answers: the file holds answers; they are left out, as --target asks the application"
    ]


def test_csv_in_the_form_that_save_as_writes(importing):
    text = (
        "input,actual_output,expected_output,retrieval_context,context,tools_called,expected_tools,additional_metadata\n"
        '"Hi, you",Hello,Hello,,a; b|c,,"[{""name"": ""t""}]",{\'a\': 1}\n'
        "Bye,So long,Good bye,,,,,\n"
    )
    made = importing("deepeval", {"goldens.csv": text}, criteria=("exact_match",))
    case = made.case("case-1")
    assert case["context"] == ["a; b", "c"]
    assert case["expected_tool_calls"] == [{"name": "t"}]
    assert case["metadata"] == {"a": 1}
    assert made.outcomes() == {"case-1": "passed", "case-2": "failed"}


def test_camel_case_and_other_names(importing):
    data = {"goldens": [{"question": "x", "expectedOutput": "x", "inputParameters": 1}]}
    made = importing("deepeval", {"g.json": data}, columns={"input": "question"})
    assert made.outcomes() == {"case-1": "passed"}


def test_conversations_and_results_of_tools_are_listed(importing):
    data = [
        {"scenario": "a customer complains", "turns": [{"role": "user", "content": "x"}]},
        {"input": "x", "expected_tools": [{"name": "t", "output": "42"}]},
    ]
    made = importing("deepeval", {"g.json": data})
    told = made.notes("dropped")
    assert told[0].startswith("g.json:2: conversational golden 1: conversations are not simulated")
    assert "output of tool t (case case-1): only calls are compared" in told[1]
    assert "a customer complains" in made.text


@pytest.mark.parametrize(
    ("data", "told"),
    [
        ({"a": 1}, "this is no data set of deepeval"),
        ([3], "item 1 is no golden"),
        ([{"expected_output": "x"}], "item 1 has no 'input'; say which with --map input=FIELD"),
        ([], "nothing could be imported"),
        ([{"scenario": "x"}], "nothing could be imported"),
    ],
)
def test_what_is_no_data_set_is_told_in_a_line(importing, data, told):
    with pytest.raises(UsageError, match=told) as caught:
        importing("deepeval", {"g.json": data})
    assert "\n" not in str(caught.value)


def test_every_field_of_the_table_is_taken_out_of_the_metadata_or_kept_in_it(importing):
    values = {
        "context": ["x"],
        "retrieval_context": ["x"],
        "expected_tools": ["t"],
        "tools_called": ["t"],
        "tags": ["t"],
    }
    values |= {"additional_metadata": {"a": 1}, "token_cost": 1, "completion_time": 1}
    golden = {field: values.get(field, "x") for field in EQUIVALENTS}
    made = importing("deepeval", {"g.json": [golden]})
    case = made.case("x")
    assert set(case["metadata"]) == {"source_file", "comments", "a"}
    assert set(made.imported.answers[0]) == {"id", "output", "latency_ms", "cost_usd", "tool_calls", "metadata"}
