from __future__ import annotations

import json
from pathlib import Path

import pytest
from fakellm import Fails
from pipelinemodel import Model

from pytest_evals.pipeline.generation.checks import HEADINGS, cleaned, summary_section, twin_of, wrong_with
from pytest_evals.pipeline.generation.kinds import KINDS, SETTINGS
from pytest_evals.pipeline.generation.prompts import prompt_for
from pytest_evals.pipeline.shapes.testdata import SHAPES, read_test_data
from pytest_evals.pipeline.sources.pdf import read_pdf

from .conftest import load

MEETINGS = Path("output/test_data/meetings")
META = MEETINGS / "transcript_metadata.json"


def test_there_are_eight_types_of_each_kind_and_a_setting_for_each():
    assert {name: len(kind.types) for name, kind in KINDS.items()} == {"meetings": 8, "emails": 8, "documents": 8}
    assert [kind.target_tokens for kind in KINDS.values()] == [1000, 800, 2000]
    minutes = [each.about["estimated_duration_minutes"] for each in KINDS["meetings"].types.values()]
    assert minutes == [15, 60, 45, 90, 30, 75, 45, 60]
    for kind in KINDS.values():
        asked = [prompt_for(kind, each, n, 100) for each in kind.types.values() for n in (1, 2, 3)]
        assert len({next(s for s in SETTINGS if f"Setting: {s}" in text) for text in asked}) == 24


@pytest.mark.parametrize(
    ("kind", "file", "entries", "noun"),
    [
        ("meetings", "transcript_metadata.json", "transcripts", "meeting"),
        ("emails", "email_metadata.json", "emails", "email"),
        ("documents", "document_metadata.json", "documents", "document"),
    ],
)
def test_every_type_is_made_once_with_metadata_that_adds_up(command, kind, file, entries, noun):
    model = Model()
    result = command(model, "generate", kind, "--target-tokens", 60)
    assert result.exit_code == 0, result.output
    folder = Path("output/test_data") / kind
    data = load(folder / file)
    assert sorted(path.name for path in folder.glob("*.txt")) == sorted(f"{n}_{noun}.txt" for n in KINDS[kind].types)
    assert [entry["filename"] for entry in data[entries]] == [f"{name}_{noun}.txt" for name in KINDS[kind].types]
    info = data["generation_info"]
    assert info["total_files"] == 8
    for total, part in (("total_claude_usage", "claude_usage"), ("total_claude_cost", "claude_cost")):
        for key, value in info[total].items():
            assert value == pytest.approx(sum(entry[part][key] for entry in data[entries]), abs=0)
    assert info["total_claude_cost"]["total_cost"] > 0
    for entry in data[entries]:
        size = (folder / entry["filename"]).stat().st_size
        assert (entry["file_size_bytes"], entry["file_path"]) == (size, f"{folder}/{entry['filename']}")
        assert 48 <= entry["estimated_tokens"] <= 120
    assert "8 files made, 0 kept; 8 calls, 960 tokens, $0.00016, $0.000020 a file." in result.stdout
    assert "[8/8]" in result.stderr


def test_the_keys_are_those_that_other_tools_write(command, shapes):
    command(Model(), "generate", "meetings", "-t", "standup,planning", "--target-tokens", 60)
    command(Model(), "generate", "emails", "-t", "customer_support", "--target-tokens", 60)
    for kind, file in (("meetings", "transcript_metadata.json"), ("emails", "email_metadata.json")):
        ours, theirs = load(Path("output/test_data", kind, file)), load(shapes / "test_data" / kind / file)
        assert _shape(ours) == _shape(theirs)


def _shape(value):
    """Keys and types; of lists those of the first item. What only we have is left out."""
    if isinstance(value, dict):
        return {key: _shape(part) for key, part in value.items() if key != "pytest_evals"}
    if isinstance(value, list):
        return [_shape(value[0])] if value else []
    return float if isinstance(value, float) else type(value)


def test_several_of_a_type_are_numbered_and_differ(command):
    result = command(Model(), "generate", "meetings", "-t", "standup", "-n", 3, "--target-tokens", 60)
    assert result.exit_code == 0
    texts = {path.name: path.read_text() for path in MEETINGS.glob("*.txt")}
    assert sorted(texts) == [f"standup_meeting_{n}.txt" for n in (1, 2, 3)]
    assert len(set(texts.values())) == 3


def test_the_folder_of_the_kind_is_never_doubled(command):
    command(Model(), "generate", "emails", "-t", "sales_outreach", "--target-tokens", 60, "-o", "data/emails")
    assert Path("data/emails/sales_outreach_email.txt").is_file()
    assert not Path("data/emails/emails").exists()


# -- faults of the model ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("fault", ["section", "no head", "twin"])
def test_a_fault_is_mended_by_asking_again_once(command, fault):
    kind = "emails" if fault == "no head" else "meetings"
    model = Model(lambda _: fault, once=True)
    result = command(model, "generate", kind, "--target-tokens", 60, "--concurrency", 1)
    assert result.exit_code == 0, result.output
    assert "written twice: at first it" in result.stderr
    # the first of the twins has no twin yet
    assert len(model.asked) == (15 if fault == "twin" else 16)
    for path in Path("output/test_data", kind).glob("*.txt"):
        assert wrong_with(kind, path.read_text()) == ""


@pytest.mark.parametrize(
    ("kind", "fault", "why"),
    [
        ("meetings", "section", "it has a section 'Action Items', which sums the meeting up"),
        ("emails", "no head", "its head lacks From and To and Subject and Date"),
        ("meetings", "refusal", "anthropic/claude-haiku-5-5 refused: I will not write that."),
    ],
)
def test_what_stays_at_fault_is_an_error_and_no_file(command, kind, fault, why):
    bad = next(iter(KINDS[kind].types))
    model = Model(lambda asked: fault if f"Type: {bad} " in asked else "")
    result = command(model, "generate", kind, "--target-tokens", 60)
    assert result.exit_code == 1
    assert f"Error: output/test_data/{kind}/{bad}_" in result.stderr
    assert why in result.stderr
    assert "7 files made, 0 kept, 1 failed" in result.stdout
    folder = Path("output/test_data", kind)
    assert not list(folder.glob(f"{bad}_*"))
    assert len(read_test_data(folder, SHAPES[kind]).entries) == 7
    # it was paid: the command says so, the metadata is about files
    calls = 8 if fault == "refusal" else 9
    assert f"{calls} calls" in result.stdout
    # the next command asks for the missing one, and for nothing else
    model = Model()
    assert command(model, "generate", kind, "--target-tokens", 60).exit_code == 0
    assert len(model.asked) == 1


def test_what_is_too_short_is_made_longer_once_or_said_to_be_short(command):
    model = Model(lambda _: "short")
    result = command(model, "generate", "meetings", "-t", "standup", "--target-tokens", 300)
    assert result.exit_code == 0
    assert len(model.asked) == 2
    (entry,) = load(META)["transcripts"]
    note = f"short: about {entry['estimated_tokens']} of 300 tokens"
    assert 100 < entry["estimated_tokens"] < 240
    assert entry["pytest_evals"]["notes"] == [note]
    assert note in result.stderr


def test_marks_around_a_text_are_no_part_of_it(command):
    command(Model(lambda _: "in fences"), "generate", "meetings", "-t", "standup", "--target-tokens", 60)
    text = (MEETINGS / "standup_meeting.txt").read_text()
    assert text.startswith("Weekly\nDate:")
    assert "```" not in text


@pytest.mark.parametrize(
    "form", ["{}:", "## {}", "**{}**", "**{}:**", "{}", "3. {}:", "{}: ship on Friday", "--- {} ---"]
)
def test_sections_that_sum_up_are_found(form):
    for heading in HEADINGS:
        text = f"Ana: Hello.\nBen: Hi.\n\n{form.format(heading.title())}\n- Ana: write the report\n"
        assert summary_section(text).casefold() == heading


@pytest.mark.parametrize(
    "text",
    [
        "Ana: Action items: Ben writes the report.",
        "Ben: Let me give a summary: all is well.",
        "Ana: What are the next steps?",
        "Summary of the quarter is what Ana wants, said Ben.",
    ],
)
def test_what_people_say_is_no_section(text):
    assert summary_section(f"Ana: Hello.\n{text}\n") == ""


def test_twins_are_texts_that_share_most_of_their_words():
    text = "Ana: the export endpoint is done, and paging comes on Wednesday. Ben: then we ship it on Friday."
    assert twin_of(text.replace("Friday", "Monday"), {"a.txt": text}) == "a.txt"
    assert twin_of("Ana: something else entirely is said here by other people", {"a.txt": text}) == ""
    assert cleaned("Here is the transcript:\n\nAna: hi") == "Ana: hi"


# -- what is there already --------------------------------------------------------------------------------------------


def test_nothing_is_asked_twice_and_nothing_is_written_anew(command):
    arguments = ("generate", "meetings", "-t", "standup,planning", "--target-tokens", 60)
    command(Model(), *arguments)
    before = {path: path.read_bytes() for path in MEETINGS.iterdir()}
    model = Model()
    result = command(model, *arguments)
    assert (result.exit_code, model.asked) == (0, [])
    assert "0 files made, 2 kept; 0 calls, 0 tokens, $0.00." in result.stdout
    assert {path: path.read_bytes() for path in MEETINGS.iterdir()} == before
    # more types: the others stay in the metadata
    command(model, "generate", "meetings", "-t", "all_hands", "--target-tokens", 60)
    assert [each["meeting_type"] for each in load(META)["transcripts"]] == ["standup", "planning", "all_hands"]
    # a file that is gone leaves it
    (MEETINGS / "planning_meeting.txt").unlink()
    command(model, "generate", "meetings", "-t", "client_call", "--target-tokens", 60)
    assert [each["meeting_type"] for each in load(META)["transcripts"]] == ["standup", "client_call", "all_hands"]


@pytest.mark.parametrize("change", [("--target-tokens", 90), ("--model", "anthropic/claude-sonnet-5-5"), ("--force",)])
def test_another_length_or_model_is_asked_anew(command, change):
    arguments = ("generate", "meetings", "-t", "standup", "--target-tokens", 60)
    command(Model(), *arguments)
    model = Model()
    assert command(model, *arguments, *change).exit_code == 0
    assert len(model.asked) == 1
    assert len(load(META)["transcripts"]) == 1


def test_what_a_person_changed_or_put_there_is_kept(command):
    arguments = ("generate", "meetings", "-t", "standup,planning", "--target-tokens", 60)
    MEETINGS.mkdir(parents=True)
    (MEETINGS / "planning_meeting.txt").write_text("mine\n")
    command(Model(), *arguments)
    with (MEETINGS / "standup_meeting.txt").open("a") as file:
        file.write("Ana: one more thing.\n")
    model = Model()
    result = command(model, *arguments, "--target-tokens", 90)
    assert model.asked == []
    assert "standup_meeting.txt: was changed by a person; --force replaces it" in result.stderr
    assert "planning_meeting.txt: is there, but was not generated; --force replaces it" in result.stderr
    assert (MEETINGS / "planning_meeting.txt").read_text() == "mine\n"


def test_documents_can_be_pdf(command):
    result = command(Model(), "generate", "documents", "-t", "white_paper", "--pdf", "--target-tokens", 200)
    assert result.exit_code == 0, result.output
    path = Path("output/test_data/documents/white_paper_document.pdf")
    assert path.read_bytes().startswith(b"%PDF")
    assert read_pdf(path).startswith("A document")
    model = Model()
    command(model, "generate", "documents", "-t", "white_paper", "--pdf", "--target-tokens", 200)
    assert model.asked == []


# -- mistakes and trouble ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("meetings", "-t", "standup,plannin"), "there is no type 'plannin' of meetings; did you mean 'planning'?"),
        (("meetings", "--pdf"), "--pdf is for documents; meetings are text"),
        (("meetings", "--model", "haiku"), "--model: 'haiku' names no model; write provider/name"),
        (("meetings", "--model", "antropic/x"), "unknown provider 'antropic'; did you mean 'anthropic'?"),
        (("lectures",), "'lectures' is not one of"),
    ],
)
def test_mistakes_are_one_line_and_cost_nothing(command, arguments, said):
    model = Model()
    result = command(model, "generate", *arguments)
    assert result.exit_code == 2
    assert said in result.stderr
    assert model.asked == []
    assert not Path("output").exists()


def test_a_provider_in_trouble_is_75_and_the_next_command_goes_on(command, monkeypatch):
    monkeypatch.setattr("pytest_evals.pipeline.asking.asker.BACKOFF_S", 0)
    model = Model()

    def sometimes(asked):
        return Fails(500, "down") if "Type: planning " in asked.body.decode() else model(asked)

    result = command(sometimes, "generate", "meetings", "-t", "standup,planning", "--target-tokens", 60)
    assert result.exit_code == 75
    assert "Error: output/test_data/meetings/planning_meeting.txt: " in result.stderr
    assert command(model, "generate", "meetings", "-t", "standup,planning", "--target-tokens", 60).exit_code == 0
    assert len(model.asked) == 2


def test_a_missing_key_is_said_in_a_line(tmp_path):
    from click.testing import CliRunner

    from pytest_evals.cli import main

    result = CliRunner().invoke(main, ["generate", "emails", "-t", "sales_outreach"])
    assert result.exit_code == 2
    assert "anthropic needs a key: set the environment variable ANTHROPIC_API_KEY" in result.stderr
    assert "Traceback" not in result.stderr


def test_the_draft_suite_runs_and_gates_nothing(command, run_pytest):
    command(Model(), "generate", "meetings", "-t", "standup", "--target-tokens", 60)
    suite = MEETINGS / "meetings.eval.yaml"
    assert "status: draft" in suite.read_text()
    ran = run_pytest("--evals-report", "out.json", "--evals-gate", "errors == 0", str(suite))
    report = json.loads(Path("out.json").read_text())
    assert [case["outcome"] for case in report["cases"]] == ["passed"], ran.stdout
    assert "1 xpassed" in ran.stdout


def test_as_json(command):
    result = command(Model(), "generate", "meetings", "-t", "standup", "--target-tokens", 60, "--json")
    said = json.loads(result.stdout)
    assert (said["made"], said["kept"], said["calls"], said["usage"]["total_tokens"]) == (1, 0, 1, 120)
    assert result.stderr == ""
