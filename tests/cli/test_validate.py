from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

from pytest_evals.cli import main

SUITE = "target: echo\ncases:\n- {id: a, input: x, criteria: [contains: x]}\n"


@pytest.fixture
def run(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    def command(*arguments: str):
        return CliRunner().invoke(main, ["validate", *arguments])

    return command


def test_no_mistake_is_exit_status_0(run, tmp_path):
    (tmp_path / "a.eval.yaml").write_text(SUITE)
    result = run()
    assert (result.exit_code, result.stdout) == (0, "1 suite with 1 case: no mistake\n")


def test_every_mistake_is_a_line_and_the_exit_status_is_1(run, tmp_path):
    (tmp_path / "shared.yaml").write_text("defaults: {timeot: 1}")
    for name in ("a", "b"):
        (tmp_path / f"{name}.eval.yaml").write_text("include: shared.yaml\n" + SUITE.replace("input", "inptu"))
    (tmp_path / "c.eval.yaml").write_text(SUITE)
    result = run(".")
    assert result.exit_code == 1
    assert [line.split(": ")[0] for line in result.stdout.splitlines()] == [
        "a.eval.yaml:4:3",
        "a.eval.yaml:4:11",
        "shared.yaml:1:12",
        "b.eval.yaml:4:3",
        "b.eval.yaml:4:11",
    ]
    assert result.stderr == "5 mistakes in 2 of 3 suites\n"


def test_json_says_all_of_it(run, tmp_path):
    (tmp_path / "a.eval.yaml").write_text(SUITE.replace("contains: x", "own"))
    (tmp_path / "b.eval.yaml").write_text(SUITE + "casez: []\n")
    result = run("--json", "a.eval.yaml", "b.eval.yaml")
    found = json.loads(result.stdout)
    assert (result.exit_code, found["format"], found["ok"]) == (1, 1, False)
    assert found["suites"] == [
        {"path": "a.eval.yaml", "suite": "a", "cases": 1, "problems": [], "unchecked": ["scorer own: a fixture own_scorer"]},
        {
            "path": "b.eval.yaml",
            "suite": "",
            "cases": 0,
            "problems": [
                {"path": "b.eval.yaml", "line": 4, "column": 1, "message": "unknown key 'casez'; did you mean 'cases'?"}
            ],
            "unchecked": [],
        },
    ]  # fmt: skip


def test_nothing_to_check_is_a_mistake_of_the_command(run):
    result = run()
    assert result.exit_code == 2
    assert "there is no suite in ." in result.stderr
