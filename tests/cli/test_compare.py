"""``compare``, ``bless`` and ``gate`` as a person uses them."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from click.testing import CliRunner
from factories import result
from histories import history, record

from pytest_evals.cli import main
from pytest_evals.model.gate_grammar import parse_gate
from pytest_evals.model.run import SuiteCount
from pytest_evals.report.rows import row_of
from pytest_evals.stats.decide import decide


@pytest.fixture
def location(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("PYTEST_EVALS_HISTORY", raising=False)
    (tmp_path / "pytest.ini").touch()
    return history(tmp_path)


def add(location, number, *outcomes, gates=(), **fields):
    results = [
        result(outcome, f"c{n}", score=float(outcome == "passed"), gated=True, experiment="default")
        for n, outcome in enumerate(outcomes)
    ]
    verdicts = decide([parse_gate(text, suite="bot") for text in gates], [row_of(each) for each in results])
    started = f"2026-03-{number:02}T16:00:00Z"
    (run,) = record(location, results, session_id=f"s{number}", started_at=started, verdicts=verdicts, **fields)
    return run.uid


def say(*arguments, status=0):
    done = CliRunner().invoke(main, arguments)
    assert done.exit_code == status, done.output + repr(done.exception)
    assert "Traceback" not in done.output
    return done.stdout if status in (0, 1, 75) else done.stderr


# -- compare --------------------------------------------------------------------------------------------------------


def test_two_runs_side_by_side(location):
    first = add(location, 1, "passed", "passed", "failed")
    add(location, 2, "passed", "failed", "passed")
    said = say("compare", first, "last")
    assert said.startswith("no change shown: 1 broken, 1 fixed, 1 same\n")
    assert "bot::c1  passed 1 → failed 0" in said


def test_the_exit_code_is_asked_for(location):
    first = add(location, 1, "passed")
    add(location, 2, "failed")
    say("compare", first, "last")
    say("compare", first, "last", "--exit-code", status=1)
    say("compare", "last", first, "--exit-code")


def test_json_and_markdown(location):
    first = add(location, 1, "passed")
    add(location, 2, "failed")
    found = json.loads(say("compare", first, "last", "--json"))
    assert (found["format"], found["regressions"], found["cases"][0]["id"]) == (1, 1, "c0")
    assert say("compare", first, "last", "--markdown").startswith("### ⚪ no change shown\n\n1 broken\n")


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["last", "zzzz"], "Error: there is no run 'zzzz'"),
        (["last@small", "last"], "has no variant 'small'; it has no variants"),
        (["b.json", "last"], "Error: there is no baseline file b.json"),
    ],
)
def test_what_cannot_be_compared_is_one_line(location, words, says):
    add(location, 1, "passed")
    said = say("compare", *words, status=2)
    assert says in said
    assert len(said.strip().splitlines()) == 1


def test_without_a_history_two_files_can_be_compared(location, tmp_path):
    text = '{"format": "pytest-evals baseline 1", "suites": {"s": {"a": {"outcome": "%s"}}}}'
    for name, outcome in (("a.json", "passed"), ("b.json", "failed")):
        (tmp_path / name).write_text(text % outcome)
    assert "1 broken" in say("compare", "a.json", "b.json")
    assert not (tmp_path / ".evals").exists()
    assert "there is no history" in say("compare", "a.json", "last", status=2)


# -- bless ----------------------------------------------------------------------------------------------------------


def test_a_run_is_blessed_and_blessed_again(location, tmp_path):
    add(location, 1, "passed", "failed")
    said = say("bless")
    assert said.startswith("evals/baseline.json written: 2 cases of last (")
    assert said.endswith("1 passed\n")
    assert say("bless").startswith("evals/baseline.json unchanged")
    cases = json.loads((tmp_path / "evals/baseline.json").read_text())["suites"]["bot"]
    assert {name: case["outcome"] for name, case in cases.items()} == {"c0": "passed", "c1": "failed"}


def test_a_part_of_a_run_is_only_blessed_when_asked_for(location):
    add(location, 1, "passed", suites=[SuiteCount("bot", "evals/bot.eval.yaml", 3, 1)])
    assert "1 of 3 cases were selected; run all cases, or add --partial" in say("bless", status=2)
    say("bless", "--partial", "-o", "b.json")


def test_a_baseline_ends_in_json_and_a_file_that_cannot_be_written_is_one_line(location, tmp_path):
    add(location, 1, "passed")
    assert "a baseline file ends in .json" in say("bless", "-o", "b.yaml", status=2)
    (tmp_path / "file").touch()
    assert "file/b.json" in say("bless", "-o", "file/b.json", status=2)


# -- gate -----------------------------------------------------------------------------------------------------------


def test_the_gates_of_a_run_are_decided_again(location):
    add(location, 1, "passed", "failed", gates=["pass_rate >= 50%"])
    assert "pass_rate >= 50%     50.0%      2  held, nothing to spare" in say("gate", "last")
    add(location, 2, "failed", "failed", gates=["pass_rate >= 50%"])
    assert "broken, 50.0 pp too little" in say("gate", "last", status=1)


def test_other_gates_with_a_baseline(location):
    first = add(location, 1, "passed", "passed")
    add(location, 2, "passed", "failed")
    assert "broken, 1 off" in say("gate", "last", "--baseline", first, "-g", "regressions == 0", status=1)
    say("gate", "last", "--baseline", first, "-g", "regressions <= 1")
    say("gate", "last", "-g", "cost.total <= $1", status=75)
    found = json.loads(say("gate", "last", "-g", "pass_rate >= 90%", "--json", status=1))
    assert (found["exit_status"], found["gates"][0]["verdict"]) == (1, "broken")


def test_a_gate_that_makes_no_sense_is_one_line(location):
    add(location, 1, "passed")
    assert "unknown metric 'pass_rat'" in say("gate", "last", "-g", "pass_rat >= 1", status=2)
    assert "no case of the run has the tag 'x'" in say("gate", "last", "-g", "pass_rate(tag=x) >= 1", status=2)
    assert "has no gates; give some with --gate" in say("gate", "last")


def test_variants_of_a_run_can_be_compared(location):
    results = [
        replace(result("passed", "a", score=1.0, experiment="default"), variant=name, variant_id=name)
        for name in ("small", "large")
    ]
    record(location, results)
    assert "1 same" in say("compare", "last@small", "last@large")
