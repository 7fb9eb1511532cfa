from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from pipelinemodel import Model

from pytest_evals.errors import UsageError
from pytest_evals.pipeline.shapes.consolidated import read_ground_truth
from pytest_evals.pipeline.shapes.items import items_of
from pytest_evals.pipeline.shapes.usecases import USE_CASES
from pytest_evals.pipeline.sources.pdf import write_pdf
from pytest_evals.scoring import specs
from pytest_evals.suite import read_suite

from .conftest import load

OUT = Path("output/groundtruth")


def truth_of(name, use_case="qa"):
    return load(OUT / f"{name}_meeting.{use_case}.groundtruth.json")


@pytest.mark.parametrize("use_case", list(USE_CASES))
def test_every_use_case_has_its_keys_and_as_many_pairs_as_asked_for(command, meetings, use_case):
    result = command(Model(), "groundtruth", meetings, "-u", use_case, "-n", 3)
    assert result.exit_code == 0, result.output
    data = truth_of("standup", use_case)
    case, analysis = USE_CASES[use_case], data["analysis"]
    assert analysis["source"] == data["metadata"]["source_file"] == "data/meetings/standup_meeting.txt"
    assert len(analysis.get("qa_pairs", [])) == {"qa": 3, "rag": 3, "email": 5}.get(use_case, 0)
    assert set(analysis.get("summaries", ())) == set(case.summary_fields)
    assert set(analysis.get("evaluation_criteria", ())) == set(case.criteria)
    assert set(analysis.get(case.metadata_key, ())) == set(case.metadata_fields)
    assert data["metadata"]["num_samples_requested"] == (3 if use_case == "rag" else None)
    for truth in (*read_ground_truth(OUT), *read_ground_truth(OUT / f"consolidated_{use_case}_groundtruth.json")):
        assert truth.use_case == use_case
        assert truth.is_draft
        assert truth.spent.total_tokens == 120


def test_the_keys_are_those_that_other_tools_write(command, meetings, shapes):
    for use_case in ("qa", "summarization"):
        command(Model(), "groundtruth", meetings, "-u", use_case, "-n", 2)
    for path in sorted((shapes / "groundtruth").glob("*_meeting.*.json")):
        ours = load(OUT / path.name)
        assert _keys(ours) == _keys(load(path))
    for use_case in ("qa", "summarization"):
        name = f"consolidated_{use_case}_groundtruth.json"
        ours, theirs = load(OUT / name), load(shapes / "groundtruth" / name)
        assert _keys(ours) == _keys(theirs)
        assert [each["transcript_id"] for each in ours["metadata"]["source_files"]] == [
            "planning_meeting",
            "standup_meeting",
        ]


def _keys(value):
    if isinstance(value, dict):
        return {key: _keys(part) for key, part in value.items() if key != "pytest_evals"}
    if isinstance(value, list):
        return [_keys(value[0])] if value else []
    return float if isinstance(value, float) else type(value)


def test_files_of_another_tool_are_read(shapes):
    folder = shapes / "groundtruth"
    single = read_ground_truth(folder / "planning_meeting.qa.groundtruth.json")[0]
    assert (single.id, single.use_case, single.model) == ("planning_meeting", "qa", "judge-x")
    assert single.pairs[0].query == "When does the team ship?"
    assert single.spent.total_usd == 0.00096
    assert not single.is_draft
    many = read_ground_truth(folder / "consolidated_summarization_groundtruth.json")
    assert [(each.id, each.use_case) for each in many] == [
        ("planning_meeting", "summarization"),
        ("standup_meeting", "summarization"),
    ]
    assert many[1].summaries["executive_summary"] == "A: paging by Wednesday, ship Friday."
    assert many[1].source_file == "output/test_data/meetings/standup_meeting.txt"
    (email,) = read_ground_truth(folder / "consolidated_email_groundtruth.json")
    assert email.use_case == "email"
    assert [item.id for item in items_of([email])] == ["customer_support_email", "customer_support_email-1"]
    assert len(read_ground_truth(folder)) == 5


def test_every_item_says_where_in_the_source_it_stands(command, meetings):
    command(Model(), "groundtruth", meetings, "-u", "qa", "-n", 2)
    command(Model(), "groundtruth", meetings, "-u", "summarization")
    text = (meetings / "standup_meeting.txt").read_text()
    for span in truth_of("standup")["metadata"]["pytest_evals"]["provenance"]["qa_pairs"]:
        assert span["found"] == "quoted"
        assert text[span["start"] : span["end"]] == span["text"]
    said = truth_of("standup", "summarization")
    spans = said["metadata"]["pytest_evals"]["provenance"]["summaries"]
    for name, value in said["analysis"]["summaries"].items():
        values, found = (value, spans[name]) if isinstance(value, list) else ([value], [spans[name]])
        assert len(found) == len(values)
        for item, span in zip(values, found, strict=True):
            assert text[span["start"] : span["end"]] == item
            assert span["found"] == "nearest"


# -- faults of the model ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fault", "why"),
    [
        ("one pair less", "there are 2 pairs of question and answer, not 3"),
        ("broken json", "it holds no JSON object"),
    ],
)
def test_a_reply_at_fault_is_asked_again_once_and_then_an_error(command, meetings, fault, why):
    model = Model(lambda _: fault, once=True)
    result = command(model, "groundtruth", meetings, "-u", "qa", "-n", 3)
    assert result.exit_code == 0
    assert len(model.asked) == 4
    assert f"asked twice: at first {why}" in result.stderr
    assert truth_of("standup")["metadata"]["usage"]["total_tokens"] == 240
    model = Model(lambda asked: fault if "Dora" in asked else "")
    result = command(model, "groundtruth", meetings, "-u", "qa", "-n", 3, "--force")
    assert result.exit_code == 1
    assert (
        "Error: data/meetings/planning_meeting.txt: anthropic/claude-haiku-5-5 was asked twice, but its reply cannot be "
        f"used: {why}"
    ) in result.stderr
    assert len(model.asked) == 3


def test_a_refusal_is_an_error_and_no_file(command, meetings):
    result = command(Model(lambda asked: "refusal" if "Dora" in asked else ""), "groundtruth", meetings)
    assert result.exit_code == 1
    assert "planning_meeting.txt: anthropic/claude-haiku-5-5 refused: I will not write that." in result.stderr
    assert not (OUT / "planning_meeting.summarization.groundtruth.json").exists()
    assert load(OUT / "consolidated_summarization_groundtruth.json")["metadata"]["consolidated_from"] == 1


# -- what is there already --------------------------------------------------------------------------------------------


def test_nothing_is_asked_twice_and_nothing_is_written_anew(command, meetings):
    command(Model(), "groundtruth", meetings, "-u", "qa", "-n", 2)
    before = {path: path.read_bytes() for path in OUT.iterdir()}
    model = Model()
    # a copy or checkout changes the time of a file, not what it says
    os.utime(meetings / "standup_meeting.txt", (1, 1))
    result = command(model, "groundtruth", meetings, "-u", "qa", "-n", 2)
    assert (result.exit_code, model.asked) == (0, [])
    assert "0 files made, 2 kept; 0 calls" in result.stdout
    assert {path: path.read_bytes() for path in OUT.iterdir()} == before


def test_another_source_prompt_model_or_number_is_asked_anew(command, meetings):
    command(Model(), "groundtruth", meetings, "-u", "qa", "-n", 2)
    source = meetings / "standup_meeting.txt"
    stat = source.stat()
    source.write_text(source.read_text().replace("Monday", "Sunday"))  # as long as it was …
    os.utime(source, ns=(stat.st_atime_ns, stat.st_mtime_ns))  # … and as old
    prompt = Path("prompt.txt")
    prompt.write_text("Ask about days only.")
    counts = []
    for change in (
        (),
        ("-n", 3),
        ("--model", "anthropic/claude-sonnet-5-5"),
        ("--custom-prompt", prompt),
        ("--force",),
    ):
        model = Model()
        assert command(model, "groundtruth", meetings, "-u", "qa", "-n", 2, *change).exit_code == 0
        counts.append(len(model.asked))
    assert counts == [1, 2, 2, 2, 2]
    assert "Ask about days only." not in model.asked[0]


def test_only_the_fingerprint_of_another_tool_is_enough_to_keep_a_file(command, meetings):
    command(Model(), "groundtruth", meetings, "-u", "qa", "-n", 2)
    path = OUT / "standup_meeting.qa.groundtruth.json"
    data = load(path)
    source = meetings / "standup_meeting.txt"
    stat = source.stat()
    assert data["metadata"]["pytest_evals"]["fingerprint"] == f"{stat.st_mtime}_{stat.st_size}"
    data["metadata"]["pytest_evals"] = {"fingerprint": f"{stat.st_mtime}_{stat.st_size}", "status": "draft"}
    path.write_text(json.dumps(data))
    model = Model()
    command(model, "groundtruth", meetings, "-u", "qa", "-n", 2)
    assert model.asked == []
    source.write_text(source.read_text() + "Ben: bye.\n")
    model = Model()
    result = command(model, "groundtruth", meetings, "-u", "qa", "-n", 2)
    assert "was accepted or changed by a person and is kept, but is out of date" in result.stderr
    assert model.asked == []


def test_what_a_person_wrote_is_kept_and_consolidated(command, meetings):
    OUT.mkdir(parents=True)
    mine = {"analysis": {"qa_pairs": [{"question": "Who leads?", "answer": "Ana."}]}}
    (OUT / "standup_meeting.qa.groundtruth.json").write_text(json.dumps(mine))
    model = Model()
    result = command(model, "groundtruth", meetings, "-u", "qa", "-n", 2)
    assert "standup_meeting.qa.groundtruth.json: was not made here and is kept; --force replaces it" in result.stderr
    assert len(model.asked) == 1
    pairs = load(OUT / "consolidated_qa_groundtruth.json")["analysis"]["qa_pairs"]
    assert pairs["standup_meeting"] == [{"query": "Who leads?", "response": "Ana."}]
    assert len(pairs["planning_meeting"]) == 2


def test_a_file_that_cannot_be_read_is_made_anew(command, meetings):
    OUT.mkdir(parents=True)
    (OUT / "standup_meeting.qa.groundtruth.json").write_text('{"metadata": {')
    result = command(Model(), "groundtruth", meetings, "-u", "qa", "-n", 2)
    assert result.exit_code == 0
    assert "standup_meeting.qa.groundtruth.json:1:15: this is not JSON" in result.stdout
    assert len(truth_of("standup")["analysis"]["qa_pairs"]) == 2


def test_a_consolidated_file_that_a_person_changed_is_left_alone(command, meetings):
    command(Model(), "groundtruth", meetings, "-u", "qa", "-n", 2)
    path = OUT / "consolidated_qa_groundtruth.json"
    data = load(path)
    data["analysis"]["qa_pairs"]["standup_meeting"][0]["response"] = "Mine."
    path.write_text(json.dumps(data))
    result = command(Model(), "groundtruth", meetings, "-u", "qa", "-n", 2)
    assert "consolidated_qa_groundtruth.json was changed by a person and is left as it is" in result.stdout
    assert load(path) == data


# -- documents --------------------------------------------------------------------------------------------------------


def test_equal_stems_do_not_collide(command):
    for folder, text in (("a", "Ana: the first one is here."), ("b", "Ben: the second one is here.")):
        Path("data", folder).mkdir(parents=True)
        Path("data", folder, "notes.txt").write_text(f"{text}\n")
    Path("data/a/notes.md").write_text("Cleo: the third one is here.\n")
    Path("data/a/only.txt").write_text("Dora: the fourth one is here.\n")
    result = command(Model(), "groundtruth", "data", "-u", "qa", "-n", 1)
    assert result.exit_code == 0
    assert "4 files made" in result.stdout
    assert sorted(path.relative_to(OUT).as_posix() for path in OUT.rglob("*.groundtruth.json")) == [
        "a/notes.md.qa.groundtruth.json",
        "a/notes.qa.groundtruth.json",
        "a/only.qa.groundtruth.json",
        "b/notes.qa.groundtruth.json",
    ]
    pairs = load(OUT / "consolidated_qa_groundtruth.json")["analysis"]["qa_pairs"]
    assert {name: said[0]["response"].split(":")[0] for name, said in pairs.items()} == {
        "a/notes": "Ana",
        "b/notes": "Ben",
        "notes.md": "Cleo",
        "only": "Dora",
    }


def test_one_document_joins_those_that_are_there(command, meetings):
    command(Model(), "groundtruth", meetings / "standup_meeting.txt", "-u", "qa", "-n", 1)
    command(Model(), "groundtruth", meetings / "planning_meeting.txt", "-u", "qa", "-n", 1)
    data = load(OUT / "consolidated_qa_groundtruth.json")
    assert sorted(data["analysis"]["qa_pairs"]) == ["planning_meeting", "standup_meeting"]
    assert data["metadata"]["total_usage"]["total_tokens"] == 240


def test_every_documents_own_criteria_and_metadata_are_kept(command, meetings):
    command(Model(), "groundtruth", meetings, "-u", "email")
    data = load(OUT / "consolidated_email_groundtruth.json")
    assert set(data["analysis"]["email_metadata"]) == {"planning_meeting", "standup_meeting"}
    first, second = read_ground_truth(OUT / "consolidated_email_groundtruth.json")
    assert "Dora" in first.criteria["relevance"] or first.criteria != second.criteria
    assert first.document["urgency_level"] != ""
    # what the six criteria of summaries go by
    assert {"key_decisions", "participants", "topics_discussed"} <= set(first.summaries)


def test_pdf_is_read_and_what_cannot_be_is_said(command):
    Path("docs").mkdir()
    Path("docs/manual.pdf").write_bytes(write_pdf("Manual", "# Manual\nThe pump holds 30 litres of water.\n"))
    Path("docs/broken.pdf").write_bytes(b"%PDF-1.4 nothing")
    Path("docs/photo.txt").write_bytes(b"\x89PNG\0\0")
    Path("docs/empty.txt").write_text("")
    Path("docs/some_metadata.json").write_text("{}")
    result = command(Model(), "groundtruth", "docs", "-u", "qa", "-n", 1)
    assert result.exit_code == 1
    assert "1 file made, 0 kept, 3 failed" in result.stdout
    assert "docs/photo.txt is binary; sources are text (UTF-8) or PDF" in result.stderr
    assert "docs/empty.txt is empty" in result.stderr
    assert "docs/broken.pdf is no PDF that can be read" in result.stderr
    (pair,) = load(OUT / "manual.qa.groundtruth.json")["analysis"]["qa_pairs"]
    assert pair["response"] == "The pump holds 30 litres of water."


def test_a_pattern_chooses_files(command, meetings):
    result = command(Model(), "groundtruth", meetings, "-p", "stand*")
    assert "1 file made" in result.stdout
    result = command(Model(), "groundtruth", meetings, "-p", "*.html")
    assert (result.exit_code, result.stderr) == (
        2,
        "Error: data/meetings has no documents for the pattern '*.html'; text and PDF are read\n",
    )


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("nowhere",), "there is no file or folder nowhere"),
        (("data/meetings", "--custom-prompt", "no.txt"), "no.txt cannot be read: No such file or directory"),
        (("data/meetings", "-u", "poem"), "'poem' is not one of"),
    ],
)
def test_mistakes_are_one_line_and_cost_nothing(command, meetings, arguments, said):
    model = Model()
    result = command(model, "groundtruth", *arguments)
    assert (result.exit_code, model.asked) == (2, [])
    assert said in result.stderr


# -- files that a person wrote ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("analysis", "said"),
    [
        ([], "analysis must be an object, not []"),
        ({}, "analysis has neither qa_pairs nor summaries"),
        ({"qa_pairs": {}, "summary": "x"}, "analysis.qa_pairs must be a list"),
        ({"qa_pairs": [{"query": "Who?"}]}, "analysis.qa_pairs[0] has no 'response'"),
        ({"qa_pairs": [{"query": " ", "answer": "x"}]}, "analysis.qa_pairs[0].query must be a text that is not blank"),
        ({"summaries": {"action_items": "all"}}, "analysis.summaries.action_items must be a list of texts"),
        (
            {"summaries": {"excutive_summary": "x"}},
            "unknown field 'excutive_summary'; did you mean 'executive_summary'?",
        ),
        (
            {"summary": "x", "evaluation_criteria": {"a": 1}},
            "evaluation_criteria must be an object whose values are texts",
        ),
    ],
)
def test_what_is_wrong_in_a_file_is_said_with_its_place(analysis, said):
    path = Path("mine.qa.groundtruth.json")
    path.write_text(json.dumps({"analysis": analysis}))
    with pytest.raises(UsageError) as caught:
        read_ground_truth(path)
    assert str(caught.value).startswith("mine.qa.groundtruth.json: ")
    assert said in str(caught.value)


# -- as a data set ----------------------------------------------------------------------------------------------------


def cases_of(file, more=""):
    suite = file.parent / "look.eval.yaml"
    suite.write_text(f"target: echo\ncases:\n  - {{file: {file.name}, criteria: [token_f1]{more}}}\n")
    return read_suite(suite, specs=specs()).cases


@pytest.mark.parametrize("use_case", ["qa", "email", "summarization", "rag"])
def test_the_cases_of_a_suite_are_the_items_in_their_order(command, meetings, use_case):
    command(Model(), "groundtruth", meetings, "-u", use_case, "-n", 2)
    for path in (
        OUT / f"consolidated_{use_case}_groundtruth.json",
        OUT / f"standup_meeting.{use_case}.groundtruth.json",
    ):
        cases, items = cases_of(path), items_of(read_ground_truth(path))
        assert [(case.id, case.input) for case in cases] == [(item.id, item.question) for item in items]
        for case, item in zip(cases, items, strict=True):
            assert case.expected_output == (item.expected if item.is_pair else item.expected["detailed_summary"])
            assert case.context == (meetings / f"{item.truth.id}.txt").read_text()
            assert case.category == item.truth.id


def test_columns_can_be_mapped(command, meetings):
    command(Model(), "groundtruth", meetings, "-u", "summarization")
    path = OUT / "consolidated_summarization_groundtruth.json"
    cases = cases_of(path, ", map: {expected_output: summaries.executive_summary, input: document}")
    assert [case.input for case in cases] == ["planning_meeting", "standup_meeting"]


def test_files_of_another_tool_are_data_sets(shapes, tmp_path):
    path = tmp_path / "consolidated_qa_groundtruth.json"
    path.write_bytes((shapes / "groundtruth" / path.name).read_bytes())
    cases = cases_of(path)
    assert [case.id for case in cases] == [f"{name}_meeting-{n}" for name in ("planning", "standup") for n in (1, 2)]
    assert cases[0].xfail is None


# -- drafts -----------------------------------------------------------------------------------------------------------


def test_drafts_gate_nothing_until_they_are_accepted(command, meetings, run_pytest):
    command(Model(), "groundtruth", meetings, "-u", "qa", "-n", 1)
    suite = OUT / "qa.eval.yaml"
    text = suite.read_text()
    broken = text.replace("target: echo", "target: {responses: nothing.json}")
    suite.write_text(broken)
    Path(OUT, "nothing.json").write_text('{"standup_meeting-1": "no idea"}')
    # one misses its mark, one has no answer at all
    gates = ("--evals-gate", "score.mean >= 0.9", "--evals-gate", "errors == 0", "--evals-report", "out.json")
    ran = run_pytest(str(suite), *gates)
    assert "2 xfailed" in ran.stdout, ran.stdout
    counts = load("out.json")["summary"]["counts"]
    assert (counts["xfailed"], counts["errored"]) == (2, 0)
    verdicts = {gate["gate"]: gate["verdict"] for gate in load("out.json")["gates"]}
    assert set(verdicts.values()) == {"undecided"}
    ran = run_pytest(str(suite))
    assert ran.returncode == 0
    result = command(Model(), "accept", suite)
    assert "consolidated_qa_groundtruth.json: 2 documents" in result.stdout
    assert not any(truth.is_draft for truth in read_ground_truth(OUT))
    ran = run_pytest(str(suite), *gates)
    assert ran.returncode == 1
    assert "1 failed" in ran.stdout or "2 failed" in ran.stdout
