from __future__ import annotations

import json

import pytest
from click.testing import CliRunner
from documents_atif import DATA, changed, document

from pytest_evals.cli import main

OWN = [str(path) for path in sorted((DATA / "own").glob("*.json"))]


def run(*arguments):
    return CliRunner().invoke(main, ["atif", *map(str, arguments)])


@pytest.fixture
def file(tmp_path):
    def write(value, name="x.json"):
        path = tmp_path / name
        path.write_text(value if isinstance(value, str) else json.dumps(value), "utf-8")
        return path

    return write


def test_valid_files_are_valid():
    result = run("validate", *OWN)
    assert (result.exit_code, result.stdout) == (0, "3 of 3 trajectories valid\n")


def test_a_mistake_is_a_line_and_exit_status_1(file):
    path = file(changed("steps.0.step_id", 7))
    result = run("validate", OWN[0], path)
    assert result.exit_code == 1
    assert result.stdout == f"{path}: $.steps[0].step_id: must be 1, not 7: 1, 2, 3 and so on\n"
    assert result.stderr == "1 of 2 trajectories valid\n"


def test_a_warning_leaves_a_file_valid(file):
    result = run("validate", file(changed("steps.1.metrics.cached_tokens", 11)))
    assert result.exit_code == 0
    assert "warning: 11 cached of 10 prompt tokens" in result.stdout


def test_a_file_that_is_no_json_is_not_valid_and_the_others_are_looked_at(file, tmp_path):
    result = run("validate", "--json", file("{"), tmp_path / "none.json", OWN[0])
    assert result.exit_code == 1
    told = json.loads(result.stdout)
    assert [each["valid"] for each in told["files"]] == [False, False, True]
    assert told["files"][0]["findings"][0]["path"] == "$"


def test_show_tells_the_steps(file):
    result = run("show", DATA / "own" / "subagent_multimodal_v1_8.json")
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    assert lines[0] == "ATIF-v1.8 root-8: planner 2, m-large"
    assert '      delegate {"task": "describe"}' in lines
    assert "        -> failed: no audio" in lines
    assert "    ATIF-v1.8 sub-1: describer 1" in lines


def test_show_escapes_what_would_steer_a_terminal(file):
    result = run("show", file(changed("steps.0.message", "\x1b[31mred\x07")))
    assert "\x1b" not in result.stdout
    assert "\\x1b[31mred" in result.stdout


def test_show_says_what_it_could_not_read(file):
    result = run("show", file(changed("steps.1.metrics.cost_usd", "a lot")))
    assert result.exit_code == 0
    assert "$.steps[1].metrics.cost_usd: a lot is no number: unknown" in result.stderr


@pytest.mark.parametrize("command", ["show", "stats"])
def test_a_file_without_a_trajectory_is_one_line(command, file):
    result = run(command, file('{"steps": 3}'))
    assert result.exit_code == 2
    assert result.stderr.count("\n") == 1
    assert "x.json: $.steps: must be the list of steps, here a number" in result.stderr


def test_stats_add_up():
    result = run("stats", "--json", *OWN)
    minimal, subagents, tool = json.loads(result.stdout)["files"]
    assert (minimal["steps"], minimal["tool_calls"], minimal["cost_usd"]) == (2, 0, None)
    assert (subagents["tools"], subagents["tool_errors"], subagents["subagents"]) == ({"delegate": 2, "route": 1}, 1, 1)
    assert (tool["prompt_tokens"], tool["cached_tokens"], tool["cost_usd"], tool["seconds"]) == (470, 128, 0.0007, 4.0)
    assert "stock_lookup 1" in run("stats", *OWN).stdout


def test_show_and_stats_take_what_a_later_version_brings(file):
    path = file(document(schema_version="ATIF-v1.9", mood="fine"))
    assert run("stats", path).exit_code == 0
    assert "newer than" in run("show", path).stderr
