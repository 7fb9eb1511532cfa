"""Samples and logs of inspect.

The files are written for these tests in the shapes of its pages on datasets and eval logs; the verdicts of the scorers
are those that its page on scorers states.
"""

from __future__ import annotations

import json

import pytest

from pytest_evals.errors import UsageError

SAMPLES = [
    {"input": "Say hello", "target": "hello"},
    {"id": 7, "input": [{"role": "user", "content": "Capital?"}], "target": ["Paris", "paree"], "metadata": {"a": 1}},
    {
        "input": [{"role": "system", "content": "Be kind"}, {"role": "user", "content": "Which?"}],
        "choices": ["red", "blue"],
        "target": "B",
        "sandbox": "docker",
        "label": "x",
    },
]


def test_samples_are_cases(importing):
    made = importing("inspect", {"samples.json": SAMPLES})
    first, second, third = made.suite["cases"]
    assert first == {"id": "sample-1", "input": "Say hello", "expected_output": "hello", "criteria": ["contains"]}
    assert second == {
        "id": "7",
        "input": "Capital?",
        "expected_output": "Paris",
        "reference_outputs": ["paree"],
        "metadata": {"a": 1},
        "criteria": ["contains_any"],
    }
    assert third["input"] == [
        {"role": "system", "content": "Be kind"},
        {"role": "user", "content": "Which?\n\nA) red\nB) blue\n\nAnswer with the letter of the right choice."},
    ]
    assert third["criteria"] == ["choice"]
    assert third["metadata"] == {"label": "x"}
    assert made.notes("dropped") == ["samples.json:38: sandbox (case sample-3): cases run where pytest runs"]
    assert made.written.problems == ()


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("s.jsonl", '{"input": "Hello there", "target": "hello", "id": "a"}\n{"input": "Bye", "target": "hello"}\n'),
        ("s.csv", "id,input,target\na,Hello there,hello\n,Bye,hello\n"),
    ],
)
def test_lines_and_tables(importing, name, text):
    assert importing("inspect", {name: text}).outcomes() == {"a": "passed", "sample-2": "failed"}


def test_columns_of_other_names_and_the_rest_is_metadata(importing):
    text = 'question,answer,choices,confidence,metadata\nWhich?,A,"red,blue",0.9,"{""x"": 1}"\n'
    made = importing("inspect", {"s.csv": text}, columns={"input": "question", "target": "answer"})
    case = made.case("sample-1")
    assert case["metadata"] == {"confidence": "0.9", "x": 1}
    assert "A) red\nB) blue" in case["input"]


def log(scorers, samples):
    return {
        "version": 2,
        "status": "success",
        "eval": {"task": "arithmetic", "model": "openai/gpt-4o", "scorers": scorers},
        "samples": samples,
    }


def sample(case_id, target, answer, **more):
    output = {
        "model": "gpt-4o",
        "choices": [{"message": {"role": "assistant", "content": answer}, "stop_reason": "stop"}],
        "usage": {"input_tokens": 10, "output_tokens": 3},
        "time": 0.25,
    }
    return {"id": case_id, "epoch": 1, "input": "?", "target": target, "messages": [], "output": output, **more}


# scorer, its options, the target, the answer, whether it is correct
SCORED = [
    ("includes", {}, "Paris", "It is paris, I think", True),
    ("includes", {"ignore_case": False}, "Paris", "It is paris", False),
    ("includes", {}, ["Rome", "Paris"], "It is Paris", True),
    ("match", {}, "Paris", "The answer is Paris.", True),
    ("match", {}, "Paris", "Paris is the answer", False),
    ("match", {"location": "begin"}, "Paris", "**Paris** is the answer", True),
    ("match", {"location": "any"}, "Paris", "It is Paris, yes", True),
    ("match", {"location": "exact"}, "Paris", "'Paris'", True),
    ("match", {"location": "exact"}, "Paris", "Paris it is", False),
    ("match", {"ignore_case": False}, "Paris", "It is paris", False),
    ("match", {}, ["yes", "y.e.s"], "Oh, y.e.s!", True),
    ("match", {"numeric": True}, "5", "The sum is 25", False),
    ("match", {"numeric": True}, "5", "The sum is 5.", True),
    ("match", {"numeric": True}, "1,000", "It is 1000", True),
    ("exact", {}, "Paris", "paris", True),
    ("exact", {}, ["a", "b"], "c", False),
    ("f1", {}, "the cat sat", "a cat sat", True),
    ("choice", {}, "B", "ANSWER: B", True),
    ("choice", {}, "B", "ANSWER: A", False),
    ("answer", {"pattern": "letter"}, "C", "ANSWER: C", True),
    ("answer", {"pattern": "word"}, "Yes", "So...\nANSWER: yes", True),
    ("answer", {"pattern": "line"}, "Yes", "So...\nANSWER: Yesterday", False),
]


@pytest.mark.parametrize(("scorer", "options", "target", "answer", "correct"), SCORED)
def test_scorers_of_a_log_give_the_verdicts_it_states(importing, scorer, options, target, answer, correct):
    data = log([{"name": f"inspect_ai/{scorer}", "options": options}], [sample(1, target, answer)])
    made = importing("inspect", {"log.json": data})
    assert made.notes("dropped") == []
    assert made.outcomes() == {"1": "passed" if correct else "failed"}


def test_answers_of_a_log_are_recorded(importing):
    call = {"id": "c", "function": "add", "arguments": {"a": 1}}
    first = sample("one", "x", [{"type": "text", "text": "x"}], scores={"match": {"value": "C"}})
    first["output"]["choices"][0]["message"]["tool_calls"] = [call]
    second = sample("one", "x", "y")
    second["epoch"] = 2
    failed = sample("two", "x", "")
    failed["output"] = {"choices": []}
    made = importing("inspect", {"log.json": log([{"name": "match"}], [first, second, failed])})
    rows = [json.loads(line) for line in made.written.answers.read_text("utf-8").splitlines()]
    assert rows == [
        {
            "id": "one",
            "output": "x",
            "latency_ms": 250.0,
            "input_tokens": 10,
            "output_tokens": 3,
            "tool_calls": [{"name": "add", "args": {"a": 1}}],
            "metadata": {"model": "gpt-4o", "inspect_scores": {"match": "C"}},
        }
    ]
    assert made.suite["suite"] == "arithmetic"
    assert made.suite["experiment"] == {"name": "arithmetic", "config": {"model": "openai/gpt-4o"}}
    assert "epoch 2 of sample one: a case has one recorded answer" in made.notes("dropped")[0]
    assert made.outcomes() == {"one": "passed", "two": "errored"}


def test_judges_and_code_are_listed_and_a_case_of_them_alone_is_skipped(importing):
    scorers = [{"name": "model_graded_qa", "options": {"instructions": "Grade it"}}, {"name": "my/scorer"}]
    made = importing("inspect", {"log.json": log(scorers, [sample(1, "x", "x")])})
    assert [note.partition(" (case 1): ")[2][:14] for note in made.notes("dropped")] == [
        "a model judges",
        "a scorer in Py",
    ]
    assert "Grade it" in made.text
    assert made.outcomes() == {"1": "skipped"}


@pytest.mark.parametrize(
    ("data", "told"),
    [
        ({"a": 1}, "this is no data set of inspect"),
        ([], "this is no data set of inspect"),
        (["x"], "item 1 is no sample"),
        ([{"target": "x"}], "s.json:2: a sample without input"),
        ([{"input": [{"content": "x"}]}], "s.json:2: a message has no role"),
        ({"eval": {"task": "t"}}, "the log holds no samples"),
    ],
)
def test_what_is_no_data_set_is_told_in_a_line(importing, data, told):
    with pytest.raises(UsageError, match=told):
        importing("inspect", {"s.json": data})


def test_a_log_in_the_own_format_is_to_be_converted(importing):
    with pytest.raises(UsageError, match="write it as JSON: inspect log convert --to json"):
        importing("inspect", {"run.eval": ""})


@pytest.mark.parametrize(
    ("columns", "told"),
    [
        ({"inptu": "input"}, "there is no key 'inptu'; did you mean 'input'"),
        ({"input": "question"}, "nothing is called 'question'; there are input, target"),
    ],
)
def test_a_map_of_what_is_not_there_is_told(importing, columns, told):
    for format in ("inspect", "deepeval"):
        with pytest.raises(UsageError, match=told):
            importing(format, {"s.json": [{"input": "x", "target": "y"}]}, columns=columns)
