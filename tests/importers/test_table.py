"""Tables of questions and answers."""

from __future__ import annotations

import pytest

from pytest_evals.errors import SuiteError, UsageError


def test_columns_named_like_keys_fill_them(importing):
    text = (
        "id,name,input,expected_output,reference_outputs,tags,category,metadata,team\n"
        'a,First,Hello,hello,,smoke;fast,greet,"{""x"": 1}",blue\n'
        'b,,Bye,so long,"[""bye"", ""ciao""]",,,,\n'
        ",Third one,x,,,,,,\n"
    )
    made = importing("csv", {"t.csv": text})
    assert made.suite["cases"] == [
        {
            "id": "a",
            "name": "First",
            "input": "Hello",
            "expected_output": "hello",
            "category": "greet",
            "tags": ["smoke", "fast"],
            "metadata": {"team": "blue", "x": 1},
            "criteria": ["exact_match"],
        },
        {
            "id": "b",
            "input": "Bye",
            "expected_output": "so long",
            "reference_outputs": ["bye", "ciao"],
            "criteria": ["equals_any"],
        },
        {
            "id": "third-one",
            "name": "Third one",
            "input": "x",
            "criteria": [{"length": {"min": 0}}],
            "threshold": "unset",
        },
    ]
    assert made.outcomes() == {"a": "passed", "b": "passed", "third-one": "scored"}


def test_a_map_and_usual_other_names(importing):
    text = "Question;Answer;extra\nHello;hello;1\n"
    made = importing("csv", {"t.csv": text}, columns={"expected_output": "Answer"})
    case = made.case("case-1")
    assert (case["input"], case["expected_output"], case["metadata"]) == ("Hello", "hello", {"extra": "1"})
    assert made.notes("chosen")[0] == "column 'Question': taken for input; say otherwise with --map input=COLUMN"


def test_a_column_of_answers_is_recorded(importing):
    text = "id,input,expected_output,output,latency_ms\na,Capital?,Paris,paris,12.5\nb,Capital?,Rome,Milan,\n"
    made = importing("csv", {"t.csv": text})
    assert made.imported.answers == [
        {"id": "a", "output": "paris", "latency_ms": 12.5},
        {"id": "b", "output": "Milan"},
    ]
    assert made.outcomes() == {"a": "passed", "b": "failed"}


def test_texts_that_yaml_would_read_otherwise_stay_what_they_are(importing):
    text = 'id,input,expected_output\n1e3,0123,0123\nno,"a: b # c",a: b # c\n"x\ny","two\nlines","two\nlines"\n'
    made = importing("csv", {"t.csv": text})
    assert set(made.outcomes().values()) == {"passed"}
    assert set(made.outcomes()) == {"1e3", "no", "x\ny"}


def test_ids_that_stand_twice_get_a_number(importing):
    assert set(importing("csv", {"t.csv": "id,input\na,x\na,y\n"}).outcomes()) == {"a", "a-2"}


@pytest.mark.parametrize(
    ("text", "wishes", "error", "told"),
    [
        ("a,b\n1,2\n", {}, UsageError, "no column is the input; say which with --map input=COLUMN; there are a, b"),
        ("", {}, UsageError, "the table has no rows"),
        ("input\n", {}, UsageError, "the table has no rows"),
        ("a\n1\n", {"columns": {"inptu": "a"}}, UsageError, "there is no key 'inptu'; did you mean 'input'"),
        ("ask\n1\n", {"columns": {"input": "asks"}}, UsageError, "nothing is called 'asks'; did you mean 'ask'"),
        ("input,metadata\nx,{\n", {}, UsageError, "t.csv:2: the column of metadata must hold JSON"),
        ("input,b\nx\n", {}, SuiteError, "t.csv:2:1: the row has 1 cells, the first line has 2"),
    ],
)
def test_what_is_no_such_table_is_told_in_a_line(importing, text, wishes, error, told):
    with pytest.raises(error) as caught:
        importing("csv", {"t.csv": text}, **wishes)
    assert told in str(caught.value)
    assert "\n" not in str(caught.value)
