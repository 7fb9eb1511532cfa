"""``report`` as a person uses it."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner
from factories import result
from histories import history, record

from pytest_evals.cli import main


@pytest.fixture
def location(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("PYTEST_EVALS_HISTORY", raising=False)
    (tmp_path / "pytest.ini").write_text("[pytest]\nevals_redact = ACME-\\d+\n")
    return history(tmp_path)


def add(location, number, *outcomes, **fields):
    results = [
        result(outcome, f"c{n}", score=float(outcome == "passed"), experiment="default", output="for ACME-77")
        for n, outcome in enumerate(outcomes)
    ]
    started = f"2026-03-{number:02}T16:00:00Z"
    (run,) = record(location, results, session_id=f"s{number}", started_at=started, **fields)
    return run.uid


def say(*arguments, status=0):
    done = CliRunner().invoke(main, arguments)
    assert done.exit_code == status, done.output + repr(done.exception)
    assert "Traceback" not in done.output
    return done


def test_formats_are_written_by_their_suffixes(location, tmp_path):
    add(location, 1, "passed", "failed", exit_status=1)
    names = ["a/r.json", "r.jsonl", "r.md", "r.brief.md", "r.csv", "r.summary.csv", "r.html"]
    done = say("report", "last", *(part for name in names for part in ("-o", name)))
    assert done.stdout.splitlines()[0] == "json report: a/r.json"
    for name in names:
        text = (tmp_path / name).read_text("utf-8")
        assert text
        assert "ACME-77" not in text
    assert json.loads((tmp_path / "a/r.json").read_text("utf-8"))["summary"]["counts"]["failed"] == 1
    assert "pytest evals/bot.eval.yaml::c1" not in (tmp_path / "r.brief.md").read_text("utf-8").split("## ")[0]


def test_without_output_the_section_is_printed(location):
    add(location, 1, "passed", "failed", exit_status=1)
    assert say("report", "last").stdout.startswith("failed: 1 of 2 cases failed")


def test_a_report_on_stdout_is_alone_there(location, tmp_path):
    add(location, 1, "passed")
    done = say("report", "last", "-o", "markdown:-", "-o", "r.json")
    assert done.stdout.startswith("## 🟢 passed: 1 of 1 case\n")
    assert "json report" not in done.stdout
    assert "json report: r.json" in done.stderr


def test_a_baseline_brings_what_broke(location):
    first = add(location, 1, "passed", "passed")
    add(location, 2, "passed", "failed", exit_status=1)
    done = say("report", "last", "--baseline", first, "-o", "brief:-")
    assert "- since the baseline: broken; before: passed 1" in done.stdout
    assert "Output in the baseline:" in done.stdout


def test_runs_of_the_same_cases_are_variants(location):
    add(location, 1, "passed", "passed", run_name="small")
    add(location, 2, "passed", "failed", run_name="large")
    text = say("report", "small", "large", "-o", "markdown:-").stdout
    assert "| small | 2 | 100% |" in text
    assert "| large | 2 | 50.0% |" in text


def test_a_report_that_cannot_be_written_is_an_error_and_the_others_are_written(location, tmp_path):
    add(location, 1, "passed")
    (tmp_path / "file").touch()
    done = say("report", "last", "-o", "file/r.json", "-o", "r.csv", status=1)
    assert done.stderr.startswith("json report: cannot write file/r.json: ")
    assert (tmp_path / "r.csv").exists()


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["nothing"], "Error: there is no run 'nothing'"),
        (["last", "-o", "r.docx"], "its suffix is not one of a format"),
        (["last", "last", "--baseline", "last"], ""),
    ],
)
def test_mistakes_are_one_line(location, arguments, says):
    add(location, 1, "passed")
    done = CliRunner().invoke(main, ["report", *arguments])
    assert "Traceback" not in done.output
    if says:
        assert done.exit_code == 2
        assert says in done.stderr


def test_a_baseline_is_for_one_run(location):
    first = add(location, 1, "passed")
    second = add(location, 2, "passed")
    assert "name a single RUN" in say("report", first, second, "--baseline", first, status=2).stderr
