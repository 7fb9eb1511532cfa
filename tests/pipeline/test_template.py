from __future__ import annotations

import csv
import io
import json
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pipelinemodel import Model

from pytest_evals.errors import SuiteError
from pytest_evals.model.answertemplate import AnswerTemplate, TemplateItem, cell_of, value_of
from pytest_evals.pipeline.templates.writing import FORMATS
from pytest_evals.suite import read_responses, read_template

from .conftest import load

OUT = Path("output/templates")

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=40)
HOSTILE = st.sampled_from(
    ["=1+1", "'=1", "''@x", "+49 30", "-5", "@a", "\t=1", "\r", "\r\n", "a\r\nb", "\x00", "\x0b", "]]>", "<!ENTITY x>", "&lt;",
     "{}", '{"a": 1}', '"x"', "[1", "[FILL IN]", " x ", "\ufeff", "null", "1e5", "\ufffe", "\n\n", 'a"b', "a,b;c|d"]
)  # fmt: skip
ANY = TEXT | HOSTILE
VALUES = st.recursive(
    ANY | st.integers(-9, 9) | st.none() | st.booleans(), lambda v: st.lists(v, max_size=2), max_leaves=4
)
ITEMS = st.builds(
    TemplateItem,
    test_id=ANY.filter(str.strip),
    input_text=ANY,
    ground_truth=ANY | st.dictionaries(ANY, VALUES, max_size=3),
    response=ANY,
    evaluation_criteria=st.dictionaries(ANY, VALUES, max_size=3),
    source_file=ANY,
)
TEMPLATES = st.builds(
    AnswerTemplate,
    use_case=st.sampled_from(["qa", "email", "summarization"]),
    source=ANY,
    items=st.lists(ITEMS, min_size=1, max_size=3, unique_by=lambda item: item.test_id).map(tuple),
    threshold=st.floats(0, 1),
)


@settings(max_examples=60, deadline=None, database=None)
@given(template=TEMPLATES)
@pytest.mark.parametrize("kind", list(FORMATS))
def test_what_is_written_is_read_back_in_every_format(kind, template, tmp_path_factory):
    path = tmp_path_factory.getbasetemp() / f"x.template.{kind}"
    path.write_bytes(FORMATS[kind](template).encode())
    assert read_template(path) == template


@settings(max_examples=100, deadline=None, database=None)
@given(value=ANY | VALUES)
def test_a_cell_gives_back_its_value(value):
    assert value_of(cell_of(value)) == value if not isinstance(value, (int, type(None))) else True


# -- from ground truth ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", list(FORMATS))
def test_a_template_has_the_questions_of_ground_truth(command, meetings, kind):
    command(Model(), "groundtruth", meetings, "-u", "qa", "-n", 2)
    result = command(Model(), "template", "output/groundtruth", "--use-case", "qa", "-f", kind, "--threshold", 0.5)
    path = OUT / f"groundtruth.qa.template.{kind}"
    assert result.stdout.startswith(f"Wrote {path}: 4 items to answer.\n")
    template = read_template(path)
    assert (template.use_case, template.source, template.threshold) == ("qa", "output/groundtruth", 0.5)
    assert [item.test_id for item in template.items] == [
        f"{n}_meeting-{i}" for n in ("planning", "standup") for i in (1, 2)
    ]
    first = template.items[0]
    assert (first.input_text, first.source_file) == ("What is number 0?", "data/meetings/planning_meeting.txt")
    assert first.ground_truth.startswith("Dora:") or "Dora" in first.ground_truth
    assert set(first.evaluation_criteria) == {"qa_accuracy", "relevance", "completeness"}
    assert len(template.unanswered) == 4


def test_every_kind_of_input(command, meetings):
    command(Model(), "groundtruth", meetings, "-u", "summarization")
    command(Model(), "groundtruth", meetings, "-u", "email")
    many = "output/groundtruth/consolidated_summarization_groundtruth.json"
    one = "output/groundtruth/standup_meeting.email.groundtruth.json"
    assert command(Model(), "template", many).exit_code == 0
    first = read_template(OUT / "consolidated_summarization.template.json").items[0]
    assert first.input_text == (meetings / "planning_meeting.txt").read_text()
    assert set(first.ground_truth) >= {"executive_summary", "action_items"}
    assert command(Model(), "template", one).exit_code == 0
    assert len(read_template(OUT / "standup_meeting.email.template.json").items) == 6
    assert command(Model(), "template", meetings).exit_code == 0
    items = read_template(OUT / "meetings.summarization.template.json").items
    assert [(item.test_id, item.ground_truth) for item in items] == [("planning_meeting", ""), ("standup_meeting", "")]
    result = command(Model(), "template", "output/groundtruth")
    assert result.exit_code == 2
    assert "output/groundtruth has ground truth for email, summarization; choose one with --use-case" in result.stderr
    result = command(Model(), "template", "output/groundtruth", "-u", "rag")
    assert "output/groundtruth has no ground truth for rag, but for email, summarization" in result.stderr


def filled(path, answers):
    """Fill a template in as a person would."""
    template = read_template(path)
    items = tuple(replace(item, response=answers.get(item.test_id, item.response)) for item in template.items)
    path.write_text(FORMATS[path.suffix[1:]](replace(template, items=items)), newline="")


@pytest.mark.parametrize("kind", list(FORMATS))
def test_a_filled_template_is_a_target_of_suites(command, meetings, kind):
    command(Model(), "groundtruth", meetings, "-u", "qa", "-n", 2)
    command(Model(), "template", "output/groundtruth", "-f", kind)
    path = OUT / f"groundtruth.qa.template.{kind}"
    with pytest.raises(SuiteError, match="none of the 4 items of the template is answered; fill in 'response'"):
        read_responses(path)
    filled(path, {"planning_meeting-1": "=1+1", "standup_meeting-2": "On Friday.\nOr so.", "standup_meeting-1": " \n"})
    answers = read_responses(path)
    assert {name: answer.output for name, answer in answers.items()} == {
        "planning_meeting-1": "=1+1",
        "standup_meeting-2": "On Friday.\nOr so.",
    }
    result = command(Model(), "template", "output/groundtruth", "-f", kind)
    assert result.exit_code == 2
    assert f"{path} holds 2 answers; --force replaces it, -o writes elsewhere" in result.stderr
    assert command(Model(), "template", "output/groundtruth", "-f", kind, "--force").exit_code == 0


def test_what_is_blank_is_reported_and_never_judged(command, meetings, run_pytest):
    command(Model(), "groundtruth", meetings, "-u", "qa", "-n", 1)
    command(Model(), "accept", "output/groundtruth")
    command(Model(), "template", "output/groundtruth", "-f", "csv")
    path = OUT / "groundtruth.qa.template.csv"
    expected = read_template(path).items[1].ground_truth
    filled(path, {"standup_meeting-1": expected})
    Path("answers.eval.yaml").write_text(
        f"target: {{responses: {path}}}\n"
        "cases:\n  - {file: output/groundtruth/consolidated_qa_groundtruth.json, criteria: [exact_match]}\n"
    )
    run_pytest("answers.eval.yaml", "--evals-report", "out.json")
    cases = {case["id"]: case for case in load("out.json")["cases"]}
    assert cases["standup_meeting-1"]["outcome"] == "passed"
    assert cases["planning_meeting-1"]["outcome"] == "errored"
    assert "has no answer for case 'planning_meeting-1'" in cases["planning_meeting-1"]["error"]["message"]
    assert cases["planning_meeting-1"]["score"] is None


def test_the_older_template_is_read(shapes, tmp_path):
    template = read_template(shapes / "templates" / "standup_meeting.qa.template.json")
    assert [item.test_id for item in template.items] == ["standup_meeting-1", "standup_meeting-2"]
    assert template.items[0].ground_truth == "On Friday."
    # its placeholder is no answer
    assert len(template.unanswered) == 2
    data = load(shapes / "templates" / "standup_meeting.qa.template.json")
    data["analysis"]["qa_results"][1]["response"] = "Cleo does."
    path = tmp_path / "answers.json"
    path.write_text(json.dumps(data))
    assert {name: answer.output for name, answer in read_responses(path).items()} == {"standup_meeting-2": "Cleo does."}


# -- attacks and mistakes ---------------------------------------------------------------------------------------------


def test_no_cell_is_a_formula():
    item = TemplateItem("=cmd()", "@SUM(A1)", "+1", "-2+3", {"=a": 1}, "\t=x")
    rows = list(csv.reader(io.StringIO(FORMATS["csv"](AnswerTemplate("qa", "=x", (item,))))))
    assert all(cell[:1] not in ("=", "+", "-", "@", "\t", "\r") for row in rows for cell in row)


@pytest.mark.parametrize(
    "head",
    [
        '<!DOCTYPE t [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]>',
        '<!DOCTYPE t [<!ENTITY x SYSTEM "file:///etc/passwd">]>',
        '<!DOCTYPE t SYSTEM "http://127.0.0.1/x.dtd">',
    ],
)
def test_entities_of_xml_are_refused(head, tmp_path):
    path = tmp_path / "x.template.xml"
    path.write_text(f"{head}<template version='1' use_case='qa'><item><test_id>a</test_id></item></template>")
    for read in (read_template, read_responses):
        with pytest.raises(SuiteError, match=r"a document type declaration \(DTD\)"):
            read(path)


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("x.json", '{"template_version": 2, "items": []}', "1:2: this is a template of version '2'"),
        ("x.json", '{"template_version": 1, "items": [{"response": "x"}]}', "1:35: an item has no 'test_id'"),
        ("x.json", '{"template_version": 1, "items": [1]}', "an item must be an object"),
        ("x.json", '{"template_version": 1, "items": []}', "the template has no items"),
        ("x.json", '{"a": 1}', "this is no template; they are made by `pytest-evals template`"),
        ("x.jsonl", '{"test_id": "a", "response": 5}', "1:1: response must be a text"),
        ("x.csv", "test_id,response\na,x\na,y\n", "3:1: duplicate test_id 'a'; remove one"),
        ("x.csv", "test_id,response\na\n", "the row has 1 cells, the first line has 2"),
        ("x.csv", "test_id,response,threshold\na,x,much\n", "the threshold must be a number from 0 to 1, not 'much'"),
        ("x.xml", "<template version='1'><item>", "1:29: this is not XML: no element found"),
        ("x.xml", "<other/>", "this is no template"),
        ("x.txt", "test_id", "this is no template"),
    ],
)
def test_mistakes_are_said_with_their_place(name, text, said, tmp_path):
    path = tmp_path / name
    path.write_text(text)
    with pytest.raises(SuiteError) as caught:
        read_template(path, shown=name)
    assert said in str(caught.value)


def test_answers_with_an_output_of_their_own_are_no_template(tmp_path):
    path = tmp_path / "answers.csv"
    path.write_text("id,output,test_id,response\na,one,t,r\n")
    assert read_responses(path)["a"].output == "one"
    path = tmp_path / "answers.jsonl"
    path.write_text('{"id": "a", "output": "one", "test_id": "t", "response": "r"}\n')
    assert read_responses(path)["a"].output == "one"
