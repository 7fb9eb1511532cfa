"""The page on judges: its suites run with judges that answer from a script, and its tables are those of the code."""

from __future__ import annotations

import json
import re

import pytest
from blocks import ROOT, File, blocks, write

from pytest_evals import ScriptedClient, run_suite
from pytest_evals.model.rating import BANDS, POINTS, QA_WEIGHTS
from pytest_evals.scoring.judge.panel import COMBINE
from pytest_evals.scoring.judge.presets import READY
from pytest_evals.scoring.judge.scales import SCALES

PAGE = ROOT / "docs" / "judges.md"
TEXT = PAGE.read_text("utf-8")
SUITES = {step.path: step for step in blocks(PAGE) if isinstance(step, File) and step.path.endswith(".eval.yaml")}
ANSWERS = {"refund-window": "30 days, as the page says.", "standup": "The release is on Friday."}
TEXTS = {"analysis": "", "strengths": [], "weaknesses": [], "recommendations": [], "use_case_fit": ""}


def verdict(request):
    """The best one, in the form that is asked for."""
    words = "one of the words" in request.messages[0]["content"]
    one = {"reason": "so", "score": "excellent" if words else 5 if "from 1 " in request.messages[0]["content"] else 1}
    names = request.schema["required"]
    if names == ["reason", "score"]:
        return one
    return {name: TEXTS if name == "about_the_whole" else one for name in names}


@pytest.mark.parametrize("name", ["returns", "retrieval", "minutes", "panel", "gated"])
def test_a_suite_of_the_page_runs(name, tmp_path):
    write(tmp_path, SUITES[f"evals/{name}.eval.yaml"])
    (tmp_path / "evals" / "answers.json").write_text(json.dumps(ANSWERS))
    clients = {provider: ScriptedClient(verdict) for provider in ("anthropic", "openai")}
    ran = run_suite(tmp_path / "evals" / f"{name}.eval.yaml", clients=clients, history=False)
    assert {result.outcome.value for result in ran.results} == {"passed"}
    for result in ran.results:
        assert all(criterion.score == 1 for criterion in result.criteria)


def test_the_presets_of_the_page_are_those_there_are():
    rows = dict(
        re.findall(r"^\| `(\w+)` \| (.+) \|$", TEXT.partition("## Presets")[2].partition("## Two answers")[0], re.M)
    )
    for name, preset in READY.items():
        assert name in rows
        weights = {criterion.name: criterion.weight for criterion in preset.criteria}
        if len(weights) > 1 and len({*weights.values()}) > 1:
            told = dict(re.findall(r"`?(\w+)`? (0\.\d+)", rows[name]))
            assert {key: float(value) for key, value in told.items()} == weights
        elif len(weights) > 1:
            assert re.findall(r"`(\w+)`", rows[name]) == [*weights]
    assert {name for name in rows if name in READY} == {*READY}


def test_scales_bands_and_the_ways_to_combine_are_told():
    scales = TEXT.partition("## Scales")[2].partition("## ")[0]
    assert set(re.findall(r"`([\w/-]+)`(?= ?[,|(])", scales)) >= {*SCALES}
    assert ", ".join(f"{word} {number}" for word, number in zip(POINTS, (f"counts {4}", 3, 2, 1), strict=True)) in TEXT
    assert f"excellent from {BANDS['excellent']}, good from {BANDS['good']}, fair from {BANDS['fair']}" in TEXT
    for how in COMBINE:
        assert f"| `{how}`" in TEXT
    assert ", ".join(f"`{name}` {weight:g}" for name, weight in QA_WEIGHTS.items()) in TEXT
