"""Speech to text: the rate of the corpus and the mean of the cases, both shown and named."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[2] / "example_suites" / "transcripts"
SUITE = "phone-orders"


def corpus(report):
    (criterion,) = report["summary"]["criteria"]
    return criterion["word_errors"]


@pytest.mark.parametrize("way", ["alone", "n2"])
def test_three_lines_miss_and_the_gates_hold(example, way):
    ran = example("transcripts", way).run()
    assert ran.status == 0, ran.output
    assert ran.counts == {"passed": 17, "missed": 3}
    missed = {case for (_, case), outcome in ran.outcomes.items() if outcome != "passed"}
    assert missed == {"no-thanks", "order-number", "surname"}
    assert len(ran.gates) == 4
    assert set(ran.gates.values()) == {"held"}
    assert corpus(ran.report)["cases"] == 20


def test_both_rates_are_shown_named_and_those_of_jiwer(example):
    import jiwer

    from pytest_evals import normalise_transcript

    ran = example("transcripts").run()
    said = {case["id"]: case["expected_output"] for case in ran.report["cases"]}
    lines = (FOLDER / "heard.jsonl").read_text("utf-8").splitlines()
    heard = {row["id"]: row["output"] for row in map(json.loads, lines)}
    assert set(said) == set(heard)
    pairs = [(" ".join(normalise_transcript(said[i])), " ".join(normalise_transcript(heard[i]))) for i in said]
    found = corpus(ran.report)
    assert found["corpus_rate"] == pytest.approx(jiwer.wer([a for a, _ in pairs], [b for _, b in pairs]))
    assert found["mean_rate"] == pytest.approx(sum(jiwer.wer(a, b) for a, b in pairs) / len(pairs))
    lines = [line.split() for line in ran.output.splitlines()]
    assert ["word", "error", "rate", "corpus", "mean", "of", "cases", "words", "sub", "del", "ins"] in lines
    assert ["word_error_rate", "8.8%", "15.8%", "294", "19", "2", "5"] in lines
    assert max(len(line) for line in ran.output.partition(" evaluation ")[2].splitlines()) <= 80


def test_the_readme_has_the_figures_of_the_run(example):
    text = " ".join((FOLDER / "README.md").read_text("utf-8").split())
    found = corpus(example("transcripts").run("-q").report)
    assert f"| corpus | {found['corpus_rate']:.1%} |" in text
    assert f"| mean of cases | {found['mean_rate']:.1%} |" in text
    counts = re.search(r"\((\d+) substitutions, (\d+) deletions and (\d+) insertions in (\d+) words\)", text)
    assert counts is not None
    keys = ("substitutions", "deletions", "insertions", "reference_words")
    assert [int(number) for number in counts.groups()] == [found[key] for key in keys]


def test_commands_can_be_run_alone(example):
    ran = example("transcripts").run("-m", "command", "-q")
    assert ran.status == 0, ran.output
    assert corpus(ran.report)["cases"] == 4


def test_a_recogniser_that_got_worse_breaks_a_gate(example):
    worse = example("transcripts")
    answers = worse.folder / "heard.jsonl"
    answers.write_text(answers.read_text("utf-8").replace(" the ", " "), "utf-8")
    ran = worse.run("-q")
    assert ran.status == 1
    assert ran.gates[SUITE, "score.word_error_rate.mean >= 0.8"] == "broken"
    assert corpus(ran.report)["deletions"] > 20
