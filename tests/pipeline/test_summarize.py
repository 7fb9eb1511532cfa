from __future__ import annotations

from pathlib import Path

from .answering import Answering
from .conftest import load

OUT = Path("output/summaries")


def test_a_document_is_summarised_in_the_styles_that_are_asked_for(command, meetings):
    model = Answering()
    result = command(model, "summarize", "-i", meetings / "standup_meeting.txt", "--styles", "brief,action-items")
    assert result.exit_code == 0, result.output
    assert "standup_meeting.txt: brief summary" in result.output
    assert "paging part is done by Friday" in result.output
    assert "ground truth" not in result.output
    assert len(model.asked) == 2
    (row,) = load(OUT / "summaries_claude-haiku-5-5.experiment.json")["analysis"]["summarization_results"]
    assert set(row["generated_summaries"]) == {"brief_summary", "action_items"}
    again = Answering()
    command(again, "summarize", "-i", meetings / "standup_meeting.txt", "--styles", "brief,action-items")
    assert again.asked == []


def test_all_styles_can_be_asked_for_at_once(command, meetings):
    model = Answering()
    result = command(
        model, "summarize", "-i", meetings / "standup_meeting.txt", "--styles", "all", "--combined-prompt", "--json"
    )
    assert result.exit_code == 0, result.output
    assert len(model.asked) == 1
    (row,) = load(OUT / "summaries_claude-haiku-5-5.experiment.json")["analysis"]["summarization_results"]
    assert len(row["generated_summaries"]) == 8


def test_what_is_wrong_is_one_line(command, meetings):
    result = command(Answering(), "summarize", "-i", meetings, "--styles", "breef")
    assert (result.exit_code, result.output) == (
        2,
        "Error: --styles: there is no style 'breef'; did you mean 'brief'?\n",
    )
    result = command(Answering(), "summarize", "-i", "nowhere")
    assert (result.exit_code, result.output) == (2, "Error: there is no file or folder nowhere\n")
