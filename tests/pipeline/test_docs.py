"""The page can be followed: what it shows is what the commands print, asked of a model that writes as one would."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from blocks import shows
from pipelinemodel import Model

from pytest_evals.pipeline.generation.kinds import KINDS
from pytest_evals.pipeline.shapes.consolidated import read_ground_truth

PAGE = Path(__file__).parents[2] / "docs" / "pipeline.md"


def test_the_story_of_the_page_can_be_followed(command, run_pytest):
    steps = re.findall(r"^\$ (.+)\n((?:(?!\$ |```).*\n)*)", PAGE.read_text("utf-8"), re.MULTILINE)
    assert len(steps) == 5
    for line, expected in steps:
        program, *words = line.split()
        if program == "pytest":
            said = run_pytest(*words).stdout
        else:
            result = command(Model(), *words)
            assert result.exit_code == 0, result.output
            said = result.stdout
        missing = shows(expected, said)
        assert missing is None, f"$ {line}\n{said}\nwithout the line: {missing}"


def test_the_table_of_types_is_that_of_the_commands():
    rows = re.findall(
        r"^\| `(meetings|emails|documents)` \| (.+?) \| (\d+) tokens \|$", PAGE.read_text("utf-8"), re.MULTILINE
    )
    assert {name: (re.findall(r"`(\w+)`", types), int(tokens)) for name, types, tokens in rows} == {
        name: (list(kind.types), kind.target_tokens) for name, kind in KINDS.items()
    }


def test_the_file_by_hand_is_one():
    (text,) = re.findall(r"```json\n(.+?)```", PAGE.read_text("utf-8"), re.DOTALL)
    path = Path("mine.qa.groundtruth.json")
    path.write_text(text)
    (truth,) = read_ground_truth(path)
    assert truth.pairs[0].response == json.loads(text)["analysis"]["qa_pairs"][0]["response"]


@pytest.mark.parametrize("status", [0, 1, 2, 75])
def test_every_exit_status_is_on_the_page(status):
    assert f"\n| {status} | " in PAGE.read_text("utf-8")
