"""Files of answers that a person has judged."""

from __future__ import annotations

import pytest

from pytest_evals.errors import SuiteError
from pytest_evals.model.labelled import Labelled
from pytest_evals.suite import read_labels


def labels(tmp_path, text, name="labels.csv"):
    path = tmp_path / name
    path.write_text(text, "utf-8")
    return read_labels(path, shown=name)


def mistakes(tmp_path, text, name="labels.csv"):
    with pytest.raises(SuiteError) as error:
        labels(tmp_path, text, name)
    return [str(problem) for problem in error.value.problems]


def test_a_table_of_answers_and_labels(tmp_path):
    one, two = labels(
        tmp_path,
        "id,input,output,label,category,expected_output,reference_outputs,rubric,notes\n"
        'a,How long?,30 days,Pass,refunds,30 days,"[""a month""]",,fine\n'
        "b,How long?,No idea,fail,,,,It is polite.,\n",
    )
    assert one == Labelled("30 days", True, "a", given={"input": "How long?", "expected_output": "30 days",
                           "reference_outputs": ["a month"], "category": "refunds"})  # fmt: skip
    assert two == Labelled("No idea", False, "b", given={"input": "How long?"}, rubric="It is polite.")
    assert str(two.place) == "labels.csv:3:1"


@pytest.mark.parametrize(
    ("cell", "label"),
    [("pass", True), (" FAILED ", False), ("yes", True), ("false", False), ("4", 4.0), ("0.5", 0.5), ("Good", "good")],
)
def test_a_label_is_a_verdict_or_a_score(tmp_path, cell, label):
    [one] = labels(tmp_path, f"output,label\nx,{cell}\n")
    assert one.label == label
    assert isinstance(one.label, type(label))


def test_json_lines_and_json_hold_values(tmp_path):
    rows = '{"output": {"a": 1}, "label": true, "input": [1]}'
    for name, text in (("l.jsonl", rows + "\n\n"), ("l.json", f"[{rows}]")):
        assert labels(tmp_path, text, name) == [Labelled({"a": 1}, True, given={"input": [1]})]


@pytest.mark.parametrize(
    ("text", "name", "message"),
    [
        ("answer,label\nx,pass\n", "l.csv", "l.csv:1:1: there is no column 'output' (delimiter ','); the columns are "
         "'answer', 'label'"),
        ("output,label\nx,\n", "l.csv", "l.csv:2:1: a label is pass, fail, or a score on the scale of the judge; this "
         "one is blank"),
        ("output,label,expcted_output\nx,pass,y\n", "l.csv", "l.csv:2:1: nothing is read from 'expcted_output'; did "
         "you mean 'expected_output'?"),
        ('{"output": "x"}\n', "l.jsonl", "l.jsonl:1:1: the row has no 'label'"),
        ('{"output": "x", "label": "pass", "reference_outputs": "y"}\n', "l.jsonl", "l.jsonl:1:34: reference_outputs "
         "must be a list of texts"),
        ("[3]", "l.json", "l.json:1:2: a labelled answer is an object with 'output' and 'label', not 3"),
        ("output,label\n", "l.csv", "l.csv:1:1: the file holds no labels"),
        ("x", "l.xlsx", "l.xlsx:1:1: labels are read from .csv, .tsv, .jsonl (or .ndjson) or .json, not from 'l.xlsx'"),
    ],
)  # fmt: skip
def test_a_mistake_is_said_where_it_is(tmp_path, text, name, message):
    assert mistakes(tmp_path, text, name) == [message]


def test_verdicts_that_were_given_in_the_viewer_are_read_as_they_are_exported(tmp_path):
    one, two = labels(
        tmp_path,
        "run,suite,case,variant,criterion,verdict,note,author,time,automatic,score\n"
        "k3f9x0,shop,refund-window,small,tone,pass,,ann,2026-03-01T16:00:00Z,passed,0.9\n"
        "k3f9x0,shop,b,,,fail,too curt,bob,2026-03-01T16:01:00Z,passed,1\n",
    )
    assert one == Labelled(None, True, "refund-window", "k3f9x0", "shop", "small", criterion="tone")
    assert two == Labelled(None, False, "b", "k3f9x0", "shop")
    assert labels(tmp_path, "run,case,criterion,verdict,note,author,time\nk,a[small],tone,pass,,ann,t\n") == [
        Labelled(None, True, "a[small]", "k", criterion="tone")
    ]


def test_an_answer_may_be_empty_and_a_trial_be_named(tmp_path):
    [empty] = labels(tmp_path, "output,label\n,fail\n".replace("\n,", '\n"",'))
    assert empty.output == ""
    assert labels(tmp_path, "case,verdict,trial\na,pass,3\n") == [Labelled(None, True, "a", trial=3)]


@pytest.mark.parametrize(
    ("text", "name", "message"),
    [
        ("case,verdict,id\na,pass,b\n", "l.csv", "l.csv:2:1: 'case' and 'id' say the same; give one of them"),
        ("case,verdict,trial\na,pass,x\n", "l.csv", "l.csv:2:1: trial is a number from 1 on, not the text 'x'"),
        ("case,verdict\n,pass\n", "l.csv", "l.csv:2:1: case is blank, and the row has no 'output'"),
        ("case,verdct\na,pass\n", "l.csv", "l.csv:1:1: there is no column 'label' (delimiter ','); the columns are "
         "'case', 'verdct'"),
        ('{"label": "pass"}\n', "l.jsonl", "l.jsonl:1:1: the row has neither 'output' nor the 'case' that has one in "
         "a run"),
    ],
)  # fmt: skip
def test_a_mistake_in_what_names_a_stored_answer_is_said(tmp_path, text, name, message):
    assert mistakes(tmp_path, text, name) == [message]


def test_every_column_that_the_viewer_writes_is_known(tmp_path):
    export = pytest.importorskip("pytest_evals.viewer.export")
    cells = {"run": "k3f9x0", "suite": "shop", "case": "a", "verdict": "pass"}
    row = ",".join(cells.get(name, "") for name in export.LABELS)
    assert labels(tmp_path, f"{','.join(export.LABELS)}\n{row}\n") == [Labelled(None, True, "a", "k3f9x0", "shop")]
