from __future__ import annotations

import json

from click.testing import CliRunner

from pytest_evals.cli import main


def test_the_schema_is_printed_as_json():
    result = CliRunner().invoke(main, ["schema"])
    assert result.exit_code == 0
    made = json.loads(result.stdout)
    assert {"suite", "target", "cases"} <= set(made["properties"])
    assert "description" in made["definitions"]["case"]["properties"]["input"]


def test_the_schema_of_shared_files_is_another_one():
    made = json.loads(CliRunner().invoke(main, ["schema", "--defaults"]).stdout)
    assert set(made["properties"]) == {"include", "defaults", "criteria_sets"}


def test_it_is_written_to_a_file_and_said_how_a_suite_names_it(tmp_path):
    path = tmp_path / "new" / "suite.schema.json"
    result = CliRunner().invoke(main, ["schema", "-o", str(path)])
    assert "# yaml-language-server: $schema=suite.schema.json" in result.stdout
    assert json.loads(path.read_text("utf-8"))["title"] == "An evaluation suite"


def test_a_file_that_cannot_be_written_is_one_line(tmp_path):
    result = CliRunner().invoke(main, ["schema", "-o", str(tmp_path)])
    assert result.exit_code == 2
    assert f"{tmp_path} cannot be written: " in result.stderr
