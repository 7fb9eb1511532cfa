"""Files of what is known of judges."""

from __future__ import annotations

import json

import pytest

from pytest_evals.errors import UsageError
from pytest_evals.model.gate_grammar import parse_gate
from pytest_evals.model.judge import Calibrated
from pytest_evals.store.location import locate
from pytest_evals.workflow.judgetrustfile import calibrations, calibrations_for, keep, trust_folder

FACTS = {"mark": 0.7, "kappa": {"value": 0.72, "interval": [0.55, 0.89]}}


def test_a_file_for_each_judge_and_prompt_beside_the_history(tmp_path):
    location = locate(None, tmp_path)
    path = keep(trust_folder(location), "anthropic/m:1", "3f9a", "calibration", FACTS)
    assert path == tmp_path / ".evals" / "judges" / "anthropic-m-1-3f9a.json"
    assert (tmp_path / ".evals" / ".gitignore").exists()
    assert calibrations(trust_folder(location)) == {("anthropic/m:1", "3f9a"): Calibrated(0.72, 0.55, 0.7)}


def test_each_command_leaves_what_the_other_found(tmp_path):
    keep(tmp_path, "x/m", "a", "stability", {"times": 5})
    path = keep(tmp_path, "x/m", "a", "calibration", FACTS)
    keep(tmp_path, "x/m", "a", "calibration", {**FACTS, "kappa": None})
    assert json.loads(path.read_text())["stability"] == {"times": 5}
    assert calibrations(tmp_path) == {("x/m", "a"): Calibrated(None, None, 0.7)}


@pytest.mark.parametrize(
    "content", ["", "[]", "{}", '{"format": 2, "judge": "x/m", "prompt": "a", "calibration": {"kappa": {"value": 1}}}',
                '{"format": 1, "calibration": {"kappa": {"value": 1, "interval": [0, 1]}}}',
                '{"format": 1, "judge": "x/m", "prompt": "a", "calibration": {"kappa": {"value": "high", "interval": [0]}}}',
                '{"format": 1, "judge": "x/m", "prompt": "a", "stability": {}}'],
)  # fmt: skip
def test_a_file_that_is_broken_or_of_a_later_version_is_no_calibration(tmp_path, content):
    (tmp_path / "x-m-a.json").write_text(content)
    assert calibrations(tmp_path) == {}


def test_it_is_read_only_where_a_gate_asks(tmp_path):
    location = locate(None, tmp_path)
    keep(trust_folder(location), "x/m", "a", "calibration", FACTS)
    assert calibrations_for([parse_gate("pass_rate >= 50%")], location) is None
    assert calibrations_for([parse_gate("judge.kappa >= 0.5")], None) is None
    assert list(calibrations_for([parse_gate("judge.kappa >= 0.5")], location) or ()) == [("x/m", "a")]


def test_a_folder_that_cannot_be_made_is_said(tmp_path):
    (tmp_path / "judges").write_text("a file")
    with pytest.raises(UsageError, match=r"judges.*cannot be written"):
        keep(tmp_path / "judges", "x/m", "a", "calibration", FACTS)
