"""Recorded answers by case id."""

from __future__ import annotations

import csv
import io
import json

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pytest_evals.errors import SuiteError
from pytest_evals.model.response import Response, ToolCall, Usage
from pytest_evals.suite import read_responses

from .conftest import explained, only


class Answers:
    def __init__(self, folder):
        self.folder = folder

    def __call__(self, text: str | bytes, name: str = "a.csv"):
        path = self.folder / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode("utf-8", "surrogatepass"))
        return read_responses(path, shown=name)

    def wrong(self, text: str | bytes, name: str = "a.csv") -> list[str]:
        try:
            self(text, name)
        except SuiteError as error:
            return [line.removeprefix(f"{name}:") for line in explained(error)]
        return []


@pytest.fixture
def read(tmp_path):
    return Answers(tmp_path)


FULL = Response(
    output="30 days",
    usage=Usage(input_tokens=412, output_tokens=9, cached_tokens=0),
    cost_usd=0.0,
    tool_calls=(ToolCall("lookup", {"topic": "returns", "n": 1}), ToolCall("log")),
    metadata={"model": "small", "team": "a"},
    latency_ms=812.5,
)
ROW = {
    "id": "a",
    "output": "30 days",
    "latency_ms": 812.5,
    "cost_usd": 0.0,
    "input_tokens": 412,
    "output_tokens": 9,
    "cached_tokens": 0,
    "tool_calls": [{"name": "lookup", "args": {"topic": "returns", "n": 1}}, {"name": "log"}],
    "metadata": {"team": "a"},
    "model": "small",
}


def as_csv(rows, **options) -> str:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n", **options)
    writer.writerow(rows[0])
    for row in rows:
        writer.writerow(json.dumps(value) if isinstance(value, dict | list) else value for value in row.values())
    return out.getvalue()


# --- all formats ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.json", json.dumps({"a": {k: v for k, v in ROW.items() if k != "id"}})),
        ("a.json", json.dumps([ROW], indent=2)),
        ("a.jsonl", json.dumps(ROW)),
        ("a.ndjson", json.dumps(ROW) + "\n\n"),
        ("a.csv", as_csv([ROW])),
        ("a.CSV", as_csv([ROW], delimiter=";")),
        ("a.tsv", as_csv([ROW], delimiter="\t")),
    ],
)
def test_every_format_tells_all_that_is_known(read, name, text):
    assert read(text, name) == {"a": FULL}


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.json", '{"a": "x"}'),
        ("a.json", '[{"id": "a", "output": "x"}]'),
        ("a.jsonl", '{"id":"a","output":"x"}'),
        ("a.csv", "id,output\na,x\n"),
    ],
)
def test_what_is_not_told_is_unknown(read, name, text):
    assert read(text, name) == {"a": Response("x")}
    assert read(text, name)["a"].usage is None


@pytest.mark.parametrize("mark", ["", "\ufeff"])
@pytest.mark.parametrize("ends", ["\n", "\r\n"])
@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.json", '{\n"ü": "東京 😀",\n"b": "x"\n}\n'),
        ("a.jsonl", '{"id": "ü", "output": "東京 😀"}\n{"id": "b", "output": "x"}\n'),
        ("a.csv", "id,output\nü,東京 😀\nb,x\n"),
    ],
)
def test_Y05_marks_and_line_ends_make_no_difference(read, name, text, ends, mark):
    assert read(mark + text.replace("\n", ends), name) == {"ü": Response("東京 😀"), "b": Response("x")}


@pytest.mark.parametrize(
    ("name", "text", "place"),
    [
        ("a.json", '[\n{"id": "a", "output": "x"},\n{"id": "b", "output": "y"},\n{"id": "a", "output": "z"}\n]', "4:2"),
        ("a.jsonl", '{"id": "a", "output": "x"}\n{"id": "b", "output": "y"}\n\n{"output": "z", "id": "a"}', "4:17"),
        ("a.csv", 'id,output\na,x\nb,"y\ny"\na,z\n', "5:1"),
    ],
)
def test_duplicate_ids_are_refused_with_both_lines(read, name, text, place):
    first = "1" if name == "a.jsonl" else "2"
    assert only(read.wrong(text, name)) == (
        f"{place}: duplicate id 'a', whose answer is also in line {first}; remove one"
    )


def test_duplicate_ids_as_keys_are_refused_with_both_lines(read):
    assert "duplicate key 'a', which is also in line 2" in only(read.wrong('{\n"a": 1,\n"a": 2}', "a.json"))


@pytest.mark.parametrize("name", ["a.json", "a.jsonl", "a.csv", "a.tsv"])
@pytest.mark.parametrize("text", ["", "\n\n", "\ufeff"])
def test_a_file_without_answers_is_refused(read, name, text):
    assert only(read.wrong(text, name)) == "1:1: the file holds no answers"


@pytest.mark.parametrize(
    ("name", "text"), [("a.json", "{}"), ("a.json", "[]"), ("a.json", "null"), ("a.csv", "id,output\n")]
)
def test_a_file_with_nothing_but_its_frame_is_refused(read, name, text):
    assert len(read.wrong(text, name)) == 1


@pytest.mark.parametrize("name", ["a.txt", "a", "a.yaml", "a.xlsx", "csv"])
def test_other_kinds_of_files_are_named(read, name):
    assert "recorded answers are read from .json, .jsonl (or .ndjson), .csv or .tsv" in only(read.wrong("x", name))


def test_a_missing_file_is_named_with_its_path(tmp_path):
    with pytest.raises(SuiteError, match=f"there is no file {tmp_path / 'gone.csv'}"):
        read_responses(tmp_path / "gone.csv")


# --- JSON -------------------------------------------------------------------------------------------------------------


def test_answers_may_be_any_json_value(read):
    text = '{"a": 4.0, "b": true, "c": null, "d": [1, "x"], "e": {"k": 1}, "f": "", "g": {"output": {"output": 1}}}'
    outputs = {case_id: answer.output for case_id, answer in read(text, "a.json").items()}
    assert outputs == {"a": 4.0, "b": True, "c": None, "d": [1, "x"], "e": {"k": 1}, "f": "", "g": {"output": 1}}


@pytest.mark.parametrize("written", ["1", "1.0", "007e1", "true"])
def test_ids_are_as_written(read, written):
    if written == "007e1":
        written = "7e1"
    assert list(read(f'[{{"id": {written}, "output": "x"}}]', "a.json")) == [written]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('[{"output": "x"}]', "1:2: the answer has no 'id', or a blank one"),
        ('[{"id": " ", "output": "x"}]', "the answer has no 'id', or a blank one"),
        ('[{"id": null, "output": "x"}]', "the answer has no 'id', or a blank one"),
        ('[{"id": [1], "output": "x"}]', "1:3: id must be text, not a list"),
        ('[{"id": "a"}]', "1:2: the answer of 'a' has no 'output'"),
        ('["x"]', "1:2: an answer is an object with 'id' and 'output', not the text 'x'"),
        ('"x"', "answers are an object by case id or a list of objects with 'id' and 'output', not the text 'x'"),
        ("[1,]", "this is not JSON"),
        ('{"a": NaN}', "NaN is not a JSON value"),
        ('{"a": {"output": 1, "latency_ms": -1}}', "1:21: latency_ms must be a number of at least 0, not -1"),
        ('{"a": {"output": 1, "latency_ms": "812"}}', "not the text '812'; remove the quotes"),
        ('{"a": {"output": 1, "input_tokens": 1.5}}', "input_tokens must be a whole number of at least 0, not 1.5"),
        ('{"a": {"output": 1, "cost_usd": "$1"}}', "cost_usd must be a number of at least 0"),
        ('{"a": {"output": 1, "metadata": [1]}}', "metadata must be an object, not a list"),
        (
            '{"a": {"output": 1, "tool_calls": {"name": "x"}}}',
            "tool_calls must be a list of objects with 'name' and 'args'",
        ),
        (
            '{"a": {"output": 1, "tool_calls": [{"name": "x", "arguments": {}}]}}',
            "tool_calls must be a list of objects",
        ),
        ('{"a": {"output": 1, "tool_calls": ["x"]}}', "tool_calls must be a list of objects"),
    ],
)
def test_what_is_no_answer(read, text, said):
    assert said in only(read.wrong(text, "a.json"))


def test_null_is_unknown(read):
    nulls = dict.fromkeys(ROW, None) | {"output": "x"}
    assert read(json.dumps({"a": nulls}), "a.json") == {"a": Response("x", metadata={"id": None, "model": None})}


# --- JSON Lines -------------------------------------------------------------------------------------------------------


def test_every_line_that_is_wrong_is_reported(read):
    text = '{"id": "a", "output": "x"}\n{"id": "b"}\n{broken\n\n[1]\n{"id": "c", "output": "\u2028\x85"}\n'
    text += '{"id": "a", "output": 1, "cost_usd": "x"}\n'
    assert [problem.split(": ")[0] for problem in read.wrong(text, "a.jsonl")] == ["2:1", "3:2", "5:1", "7:2", "7:26"]


def test_other_line_breaks_are_text(read):
    assert read('{"id": "a", "output": "x\u2028y\x85z\\u001c"}', "a.jsonl")["a"].output == "x\u2028y\x85z\x1c"


def test_an_object_over_several_lines_is_no_json_line(read):
    assert len(read.wrong('{"id": "a",\n"output": "x"}', "a.jsonl")) == 2


# --- CSV --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
def test_the_delimiter_is_found(read, delimiter):
    rows = [
        ("id", "note", "output"),
        ("1", "a,b;c\td", "Write two lines;\none per line"),
        ("2", "", "3,50"),
        ("3", "x", 'He said "go"'),
    ]
    out = io.StringIO()
    csv.writer(out, delimiter=delimiter).writerows(rows)
    answers = read(out.getvalue())
    assert {case_id: answer.output for case_id, answer in answers.items()} == {
        "1": "Write two lines;\none per line",
        "2": "3,50",
        "3": 'He said "go"',
    }
    assert answers["1"].metadata == {"note": "a,b;c\td"}


def test_every_cell_is_text(read):
    text = "id,output,n,flag,nothing,when\n007,0123,1.0,true,null,2024-01-05\n~,no,,,,\n"
    assert read(text) == {
        "007": Response("0123", metadata={"n": "1.0", "flag": "true", "nothing": "null", "when": "2024-01-05"}),
        "~": Response("no", metadata={"n": "", "flag": "", "nothing": "", "when": ""}),
    }


def test_blank_cells_of_known_columns_are_unknown(read):
    assert read('id,output,latency_ms,cost_usd,input_tokens,tool_calls,metadata\na,"",,0, 7 ,,\n') == {
        "a": Response("", usage=Usage(input_tokens=7), cost_usd=0)
    }


def test_line_breaks_inside_quotes_stay_as_written(read):
    assert read('id,output\r\na,"x\r\ny\nz"\r\n')["a"].output == "x\r\ny\nz"


def test_cells_may_be_large(read):
    limit = csv.field_size_limit()
    assert len(read("id,output\na," + "x" * 1_000_000 + "\n")["a"].output) == 1_000_000
    assert csv.field_size_limit() == limit


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("id,output\na,b,c\n", "2:1: the row has 3 cells, the first line has 2; quote a text that holds the delimiter"),
        ('id,output\na,"x\ny"\nb\n', "4:1: the row has 1 cells, the first line has 2"),
        ("id,answer\na,x\n", "1:1: there is no column 'output' (delimiter ','); the columns are 'id', 'answer'"),
        (
            "ID;output\na;x\n",
            "1:1: there is no column 'id' (delimiter ';'); the columns are 'ID', 'output'; rename 'ID'",
        ),
        ("id:output\na:x\n", "there is no column 'id'"),
        ("id,output,id\na,x,b\n", "1:1: there are two columns 'id'; rename one"),
        ("id,output,n,n\na,x,1,2\n", "1:1: there are two columns 'n'; rename one"),
        ('id,output\na,"x" y\n', "2:1: text follows a closing quote in this row"),
        ('id,output\na,x\nb,"y\nz\n', "3:1: a quote that opens in this row is never closed"),
        ("id,output\n,x\n", "2:1: the answer has no 'id', or a blank one"),
        ("id,output,\na,x,y\n", "2:1: 'y' stands in a column without a name; name the column"),
        ("id,output,latency_ms\na,x,fast\n", "2:1: latency_ms must be a number of at least 0, not the text 'fast'"),
        ("id,output,tool_calls\na,x,search\n", "2:1: tool_calls must be JSON, without repeated keys, not 'search'"),
        ('id,output,metadata\na,x,"{""k"": 1, ""k"": 2}"\n', "metadata must be JSON, without repeated keys"),
        ("id,output,metadata\na,x,[1]\n", "2:1: metadata must be an object, not a list"),
    ],
)
def test_what_is_wrong_with_a_table(read, text, said):
    problems = read.wrong(text)
    assert any(said in problem for problem in problems), problems


def test_every_row_that_is_wrong_is_reported(read):
    text = 'id,output\na,x,1\n"b\nb",y\nc\na\nd,z,2\n'
    assert [problem.split(": ")[0] for problem in read.wrong(text)] == ["2:1", "5:1", "6:1", "7:1"]


def test_rows_and_columns_without_text_are_left_out(read):
    assert read("\n\nid, output ,\na,x,\n\n , ,\nb,y,\n") == {"a": Response("x"), "b": Response("y")}


cells = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\ufeff"), max_size=30)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=200, deadline=None)
@given(rows=st.dictionaries(cells.filter(str.strip), cells, min_size=1, max_size=5), delimiter=st.sampled_from(",;\t"))
def test_any_table_that_is_written_is_read_back(read, rows, delimiter):
    out = io.StringIO(newline="")
    writer = csv.writer(out, delimiter=delimiter, quoting=csv.QUOTE_ALL)
    writer.writerow(["id", "output"])
    writer.writerows(rows.items())
    assert {case_id: answer.output for case_id, answer in read(out.getvalue()).items()} == rows


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=300, deadline=None)
@given(
    text=st.text(alphabet='id,output;\t"\r\n[]{}:1a\x00é', max_size=60) | st.binary(max_size=30),
    name=st.sampled_from(["a.csv", "a.json", "a.jsonl"]),
)
def test_whatever_the_file_holds_there_are_answers_or_problems(read, text, name):
    head = "id,output\n" if name == "a.csv" and isinstance(text, str) else ""
    problems = read.wrong(head + text if isinstance(text, str) else text, name)
    assert all("\n" not in problem for problem in problems)
