"""``pytest-evals import``."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest
from click.testing import CliRunner

from pytest_evals.cli import main

CSV = "question,expected_output\nHello,hello\nBye,bye\n"
CONFIG = "providers: [echo]\ntests: [{description: t, vars: {prompt: x}, assert: [{type: contains, value: x}, {type: human}]}]\n"


@pytest.fixture
def invoke(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "t.csv").write_text(CSV)
    (tmp_path / "promptfooconfig.yaml").write_text(CONFIG)

    def go(*arguments):
        return CliRunner().invoke(main, ["import", *arguments])

    return go


def test_a_suite_that_is_whole_is_status_0(invoke, tmp_path):
    done = invoke("csv", "t.csv", "-o", "evals/t.eval.yaml", "--map", "input=question", "--target", "echo")
    assert (done.exit_code, done.stdout) == (0, "Wrote evals/t.eval.yaml: 2 cases.\n")
    text = (tmp_path / "evals" / "t.eval.yaml").read_text("utf-8")
    assert text.startswith("# Imported from t.csv by `pytest-evals import csv`.\n")
    assert "\ntarget: echo\n" in text


def test_what_has_no_equivalent_is_status_1_and_on_stderr(invoke, tmp_path):
    done = invoke("promptfoo", "promptfooconfig.yaml", "-o", "t.eval.yaml")
    assert (done.exit_code, done.stdout) == (1, "Wrote t.eval.yaml: 1 case.\n")
    assert done.stderr.splitlines() == [
        "not imported: promptfooconfig.yaml:2: assert human (case t): nobody is asked",
        "1 thing has no equivalent; see x-not-imported in the suite.",
    ]


def test_without_a_name_the_suite_is_printed(invoke, tmp_path):
    done = invoke("promptfoo", "promptfooconfig.yaml")
    assert done.exit_code == 1
    assert "x-not-imported:" in done.stdout
    assert sorted(path.name for path in tmp_path.iterdir()) == ["promptfooconfig.yaml", "t.csv"]


def test_a_suite_that_is_printed_tells_of_files_that_it_needs(invoke, tmp_path):
    (tmp_path / "g.json").write_text('[{"input": "a", "actual_output": "b"}]')
    done = invoke("deepeval", "g.json")
    assert done.stderr.splitlines()[0] == "The suite needs a file beside it, which is written when -o names the suite."


def test_json_is_for_programs(invoke):
    done = invoke("promptfoo", "promptfooconfig.yaml", "-o", "t.eval.yaml", "--json")
    data = json.loads(done.stdout)
    notes = data.pop("notes")
    assert data == {
        "format": 1,
        "suite": "t.eval.yaml",
        "answers": None,
        "code": None,
        "cases": 1,
        "dropped": 1,
        "changed": 0,
        "chosen": 0,
        "problems": [],
    }
    assert notes == [
        {
            "kind": "dropped",
            "what": "assert human",
            "why": "nobody is asked",
            "place": "promptfooconfig.yaml:2",
            "case": "t",
        }
    ]
    assert (done.exit_code, done.stderr) == (1, "")


def test_what_the_reader_of_suites_finds_wrong_is_told(invoke):
    done = invoke("csv", "t.csv", "-o", "t.eval.yaml", "--map", "input=question", "--target", "no target")
    assert done.exit_code == 1
    assert done.stderr.splitlines()[0].startswith("to mend: t.eval.yaml:3:1: target 'no target' is none that is known")


def test_files_that_are_there_are_replaced_only_when_asked(invoke, tmp_path):
    (tmp_path / "t.eval.yaml").write_text("mine")
    arguments = ("csv", "t.csv", "-o", "t.eval.yaml", "--map", "input=question")
    done = invoke(*arguments)
    assert (done.exit_code, done.stderr) == (
        2,
        "Error: t.eval.yaml is there already; name another file, or replace it with --force\n",
    )
    assert (tmp_path / "t.eval.yaml").read_text() == "mine"
    assert invoke(*arguments, "--force").exit_code == 0


def test_recorded_answers_stand_beside_the_suite(invoke, tmp_path):
    (tmp_path / "g.json").write_text('[{"input": "a", "actual_output": "b", "expected_output": "b"}]')
    done = invoke("deepeval", "g.json", "-o", "g.eval.yaml", "--criterion", "exact_match")
    assert (done.exit_code, done.output) == (0, "Wrote g.eval.yaml and g.answers.jsonl: 1 case.\n")


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (("csv", "gone.csv"), "gone.csv:1:1: there is no file"),
        (("csv", "t.csv", "-o", "t.yaml"), "t.yaml would not be collected; name the suite ….eval.yaml"),
        (("csv", "t.csv", "--map", "input"), "--map input: write KEY=COLUMN, such as input=question"),
        (("csv", "t.csv", "--map", "input=a", "--map", "input=b"), "--map input is given twice"),
        (("csv", "t.csv", "--criterion", "a: b"), "--criterion a: b: name a scorer"),
        (("csv", "t.csv", "--target", "{"), "the target '{' is neither a text nor JSON"),
        (("promptfoo", "t.csv", "--map", "a=b"), "--map says nothing about a file of promptfoo"),
        (("promptfoo", "t.csv", "--criterion", "contains"), "--criterion says nothing about a file of promptfoo"),
        (
            ("deepeval", "promptfooconfig.yaml"),
            "is none of the files that are read here: .json, .jsonl, .ndjson, .csv, .tsv",
        ),
        (
            ("csv", "t.csv", "--json", "--map", "input=question"),
            "--json tells what was written: name the suite with -o",
        ),
        (("ragas", "t.csv"), "Invalid value for 'FORMAT': 'ragas' is not one of 'promptfoo', 'deepeval'"),
    ],
)
def test_mistakes_are_one_line_and_status_2(invoke, arguments, line):
    done = invoke(*arguments)
    assert done.exit_code == 2
    assert line in done.stderr
    assert len([text for text in done.stderr.splitlines() if text.startswith("Error")]) == 1
    assert "Traceback" not in done.stderr


def test_the_help_loads_no_reader():
    code = "import sys\nfrom pytest_evals.cli import main\nmain(['import', '--help'], standalone_mode=False)\n"
    code += "print([name for name in ('yaml', 'jinja2', 'pydantic', 'sqlalchemy') if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout.splitlines()[-1] == "[]"
