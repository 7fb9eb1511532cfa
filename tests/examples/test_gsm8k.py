"""800 recorded answers: our verdicts are those of the people who published them."""

from __future__ import annotations

import itertools
import json
import re
import runpy
from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[2] / "example_suites" / "gsm8k"

RIGHT = {"6b-finetuning": 45, "6b-verification": 75, "175b-finetuning": 65, "175b-verification": 110}


def published_verdicts() -> dict[tuple[str, str], bool]:
    """Whether each answer is right, by variant and case id, as the source says."""
    lines = (FOLDER / "model_solutions_200.jsonl").read_text("utf-8").splitlines()
    return {
        (model, f"q{number:03}"): row[model.replace("-", "_")]["is_correct"]
        for number, row in enumerate(map(json.loads, lines), start=1)
        for model in RIGHT
    }


def test_the_suite_is_what_build_py_writes(tmp_path):
    runpy.run_path(str(FOLDER / "build.py"))["main"](tmp_path)
    built = {path.relative_to(tmp_path): path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    assert len(built) == 5
    for name, data in built.items():
        assert (FOLDER / name).read_bytes() == data, f"{name}: run python example_suites/gsm8k/build.py"


def test_the_source_is_the_published_file_with_its_licence():
    verdicts = published_verdicts()
    assert len(verdicts) == 800
    for model, right in RIGHT.items():
        assert sum(verdict for (variant, _), verdict in verdicts.items() if variant == model) == right
    assert "Copyright (c) 2021 OpenAI" in (FOLDER / "LICENSE").read_text("utf-8")


@pytest.mark.parametrize("way", ["alone", "n2"])
def test_our_verdict_is_the_published_one_on_all_800_answers(example, way):
    ran = example("gsm8k", way).run("-q")
    assert ran.status == 0, ran.output
    published = published_verdicts()
    cases = ran.report["cases"]
    assert {(case["variant"], case["id"]): case["outcome"] == "passed" for case in cases} == published
    assert {case["outcome"] for case in cases} == {"passed", "failed"}
    assert ran.counts == {"passed": 295, "missed": 505}


def test_each_variant_reaches_exactly_what_its_model_reached(example):
    report = example("gsm8k").run("-q").report
    variants = report["summary"]["by_variant"]
    assert [(part["suite"], part["name"], part["pass_rate"]) for part in variants] == [
        ("gsm8k", model, right / 200) for model, right in RIGHT.items()
    ]
    gates = {g["gate"].partition(" ")[0]: (g["verdict"], g["margin"]) for g in report["gates"]}
    assert gates == {
        **{f"pass_rate(variant={model})": ("held", pytest.approx(0)) for model in RIGHT},
        "errors": ("held", pytest.approx(0)),
    }


def test_the_paired_differences_are_those_of_the_published_verdicts(example):
    ran = example("gsm8k").run("-q")
    published = published_verdicts()
    expected = {}
    for first, second in itertools.combinations(RIGHT, 2):
        answers = [(published[first, f"q{n:03}"], published[second, f"q{n:03}"]) for n in range(1, 201)]
        expected[first, second] = (answers.count((False, True)), answers.count((True, False)))
    pairs = {(pair["first"], pair["second"]): pair for pair in ran.report["pairs"]}
    assert {names: (pair["better"], pair["worse"]) for names, pair in pairs.items()} == expected
    assert {pair["cases"] for pair in pairs.values()} == {200}
    verifier = pairs["6b-finetuning", "6b-verification"]
    assert (verifier["better"], verifier["worse"]) == (38, 8)
    assert verifier["pass_rate_difference"] == pytest.approx(0.15)
    # scipy.stats.binomtest(8, 46).pvalue
    assert verifier["p"] == pytest.approx(9.24769992138863e-06, rel=1e-9)
    assert re.search(r"6b-finetuning → 6b-verification +200 +38 +8 +\+15.0 pp +<0.001", ran.output)


def test_one_right_answer_less_breaks_the_gate_of_its_variant_alone(example):
    broken = example("gsm8k")
    answers = broken.folder / "answers" / "6b_finetuning.jsonl"
    right = next(key[1] for key, verdict in published_verdicts().items() if verdict and key[0] == "6b-finetuning")
    rows = [json.loads(line) for line in answers.read_text("utf-8").splitlines()]
    rows = [row | {"output": "I give up."} if row["id"] == right else row for row in rows]
    answers.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    ran = broken.run("-q")
    assert ran.status == 1
    outcome = next(c["outcome"] for c in ran.report["cases"] if (c["variant"], c["id"]) == ("6b-finetuning", right))
    assert outcome == "failed"
    assert [gate for gate, verdict in ran.gates.items() if verdict != "held"] == [
        ("gsm8k", "pass_rate(variant=6b-finetuning) >= 22.5%")
    ]
    assert "22.0%" in ran.output
