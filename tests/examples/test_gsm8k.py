"""800 recorded answers: our verdicts are those of the people who published them."""

from __future__ import annotations

import json
import runpy
from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[2] / "example_suites" / "gsm8k"

RIGHT = {"6b-finetuning": 45, "6b-verification": 75, "175b-finetuning": 65, "175b-verification": 110}


def published_verdicts() -> dict[tuple[str, str], bool]:
    """Whether each answer is right, by suite and case id, as the source says."""
    lines = (FOLDER / "model_solutions_200.jsonl").read_text("utf-8").splitlines()
    return {
        (f"gsm8k-{model}", f"q{number:03}"): row[model.replace("-", "_")]["is_correct"]
        for number, row in enumerate(map(json.loads, lines), start=1)
        for model in RIGHT
    }


def test_the_suites_are_what_build_py_writes(tmp_path):
    runpy.run_path(str(FOLDER / "build.py"))["main"](tmp_path)
    built = {path.relative_to(tmp_path): path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    assert len(built) == 8
    for name, data in built.items():
        assert (FOLDER / name).read_bytes() == data, f"{name}: run python example_suites/gsm8k/build.py"


def test_the_source_is_the_published_file_with_its_licence():
    verdicts = published_verdicts()
    assert len(verdicts) == 800
    for model, right in RIGHT.items():
        assert sum(verdict for (suite, _), verdict in verdicts.items() if suite == f"gsm8k-{model}") == right
    assert "Copyright (c) 2021 OpenAI" in (FOLDER / "LICENSE").read_text("utf-8")


@pytest.mark.parametrize("way", ["alone", "n2"])
def test_our_verdict_is_the_published_one_on_all_800_answers(example, way):
    ran = example("gsm8k", way).run("-q")
    assert ran.status == 0, ran.output
    published = published_verdicts()
    assert {key: outcome == "passed" for key, outcome in ran.outcomes.items()} == published
    assert set(ran.outcomes.values()) == {"passed", "failed"}
    assert ran.counts == {"passed": 295, "missed": 505}


def test_each_suite_reaches_exactly_what_its_model_reached(example):
    report = example("gsm8k").run("-q").report
    suites = report["summary"]["by_suite"]
    assert {part["name"]: part["pass_rate"] for part in suites} == {
        f"gsm8k-{model}": right / 200 for model, right in RIGHT.items()
    }
    margins = {(g["suite"], g["metric"]): (g["verdict"], g["margin"]) for g in report["gates"]}
    for model in RIGHT:
        assert margins[f"gsm8k-{model}", "pass_rate"] == ("held", pytest.approx(0))
        assert margins[f"gsm8k-{model}", "errors"] == ("held", pytest.approx(0))


def test_one_right_answer_less_breaks_the_gate_of_its_suite_alone(example):
    broken = example("gsm8k")
    answers = broken.folder / "answers" / "6b_finetuning.jsonl"
    right = next(key[1] for key, verdict in published_verdicts().items() if verdict and key[0] == "gsm8k-6b-finetuning")
    rows = [json.loads(line) for line in answers.read_text("utf-8").splitlines()]
    rows = [row | {"output": "I give up."} if row["id"] == right else row for row in rows]
    answers.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    ran = broken.run("-q")
    assert ran.status == 1
    assert ran.outcomes["gsm8k-6b-finetuning", right] == "failed"
    assert [gate for gate, verdict in ran.gates.items() if verdict != "held"] == [
        ("gsm8k-6b-finetuning", "pass_rate >= 22.5%")
    ]
    assert "22.0%" in ran.output
