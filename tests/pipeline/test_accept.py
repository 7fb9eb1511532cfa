from __future__ import annotations

import json
from pathlib import Path

import pytest
from pipelinemodel import Model

from pytest_evals.pipeline.shapes.consolidated import read_ground_truth

from .conftest import load

OUT = Path("output/groundtruth")


@pytest.fixture
def drafts(command, meetings):
    command(Model(), "groundtruth", meetings, "-u", "qa", "-n", 1)


def statuses():
    return {truth.id: truth.ours["status"] for truth in read_ground_truth(OUT)}


def in_consolidated():
    return {truth.id: truth.ours["status"] for truth in read_ground_truth(OUT / "consolidated_qa_groundtruth.json")}


def test_accepting_one_document_accepts_its_place_in_the_consolidated_file(command, drafts):
    result = command(Model(), "accept", OUT / "standup_meeting.qa.groundtruth.json")
    assert result.exit_code == 0
    wanted = {"planning_meeting": "draft", "standup_meeting": "accepted"}
    assert (statuses(), in_consolidated()) == (wanted, wanted)


@pytest.mark.parametrize("name", ["consolidated_qa_groundtruth.json", "qa.eval.yaml", ""])
def test_accepting_the_whole(command, drafts, name):
    command(Model(), "accept", OUT / name)
    wanted = {"planning_meeting": "accepted", "standup_meeting": "accepted"}
    assert (statuses(), in_consolidated()) == (wanted, wanted)
    assert "There are no drafts" in command(Model(), "accept", OUT / name).stdout


def test_what_was_accepted_stays_so_and_is_kept(command, drafts, meetings):
    command(Model(), "accept", OUT)
    model = Model()
    result = command(model, "groundtruth", meetings, "-u", "qa", "-n", 1)
    assert model.asked == []
    assert "changed by a person" not in result.stdout
    assert set(in_consolidated().values()) == {"accepted"}
    # another number would be asked for: a person's word goes before
    result = command(model, "groundtruth", meetings, "-u", "qa", "-n", 2)
    assert model.asked == []
    assert "is out of date; --force replaces it" in result.stderr


def test_in_a_suite_only_the_word_changes(command):
    suite = Path("mine.eval.yaml")
    text = (
        "# mine\ntarget: echo\ndefaults: {status: draft, criteria: [contains]}  # all\ncases:\n"
        "  - {id: a, input: status draft, expected_output: draft}\n  - id: b\n    input: x\n    status: 'draft'\n"
        "    expected_output: x\n  - {id: c, input: y, expected_output: y, status: accepted}\n"
    )
    suite.write_text(text)
    result = command(Model(), "accept", suite)
    assert result.stdout == "Accepted mine.eval.yaml\n"
    said = text.replace("{status: draft,", "{status: accepted,").replace("'draft'", "'accepted'")
    assert suite.read_text() == said


def test_a_suite_in_json(command):
    suite = Path("mine.eval.json")
    suite.write_text(json.dumps({"target": "echo", "cases": [{"id": "a", "input": "x", "status": "draft"}]}))
    command(Model(), "accept", suite)
    assert load(suite)["cases"][0]["status"] == "accepted"


def test_nothing_is_written_when_something_cannot_be_read(command, drafts):
    (OUT / "planning_meeting.qa.groundtruth.json").write_text('{"analysis": {}}')
    result = command(Model(), "accept", OUT)
    assert result.exit_code == 2
    assert "planning_meeting.qa.groundtruth.json: analysis has neither qa_pairs nor summaries" in result.stderr
    assert load(OUT / "standup_meeting.qa.groundtruth.json")["metadata"]["pytest_evals"]["status"] == "draft"


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("nowhere", "there is no file or folder nowhere"),
        ("data/meetings", "data/meetings has no suites and no ground truth"),
        ("data/meetings/standup_meeting.txt", "is no suite and no ground truth; name *.eval.yaml"),
    ],
)
def test_mistakes_are_one_line(command, meetings, path, said):
    result = command(Model(), "accept", path)
    assert result.exit_code == 2
    assert said in result.stderr
