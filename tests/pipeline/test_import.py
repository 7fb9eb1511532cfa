from __future__ import annotations

import json
import shutil
from pathlib import Path

from pytest_evals import experiments

from .answering import Answering


def test_folders_of_another_tool_are_brought_into_the_history_whole(command, shapes):
    result = command(Answering(), "import", "gaia", shapes)
    assert result.exit_code == 0, result.output
    assert "3 runs brought into the history" in result.output
    found = {run.name: run for run in experiments.runs("pipeline")}
    assert set(found) == {"Claude_Baseline", "Local-0_6B", "Local-QA"}
    assert (found["Local-QA"].type, found["Local-QA"].total_cases) == ("checked", 4)
    record = experiments.get_run(found["Claude_Baseline"].uid)
    assert record.run.type == "judged"
    first = record.results[0]
    assert "[executive] short text" in first.output
    assert {criterion.name for criterion in first.criteria} >= {"executive_summary_quality", "topic_organization"}
    again = command(Answering(), "import", "gaia", shapes)
    assert again.exit_code == 0
    assert "3 are there already" in again.output
    assert len(experiments.runs("pipeline")) == 3


def test_older_spellings_of_the_criteria_are_read(command, shapes, tmp_path):
    folder = tmp_path / "old"
    folder.mkdir()
    data = json.loads((shapes / "evaluations" / "Local-0_6B.experiment.eval.json").read_text())
    for item in data["per_question"]:
        analysis = item["analysis"]
        analysis["executive_summary_accuracy"] = analysis.pop("executive_summary_quality")
        analysis["completeness"] = analysis.pop("detail_completeness")
        analysis["action_items_accuracy"] = analysis.pop("action_items_structure")
    (folder / "Old.experiment.eval.json").write_text(json.dumps(data))
    result = command(Answering(), "import", "gaia", folder, "--json")
    (uid,) = json.loads(result.stdout)["runs"]
    names = {criterion.name for criterion in experiments.get_run(uid).results[0].criteria}
    assert names >= {"executive_summary_quality", "detail_completeness", "action_items_structure"}


def test_experiments_without_verdicts_are_left_out_and_said(command, shapes):
    shutil.copytree(shapes / "experiments", "mine")
    result = command(Answering(), "import", "gaia", "mine")
    assert (result.exit_code, result.output) == (
        2,
        "Error: mine has no evaluations (*.eval.json); pytest-evals eval -d mine judges its experiments\n",
    )
    result = command(Answering(), "import", "gaia", "nowhere")
    assert result.output == "Error: there is no folder nowhere\n"
    result = command(Answering(), "import", "gaia", shapes, "-o", "x.eval.yaml")
    assert "only --experiment and --history apply" in result.output
    assert not Path(".evals").exists()
