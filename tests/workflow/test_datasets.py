"""Data sets without pytest: in suite files and among mappings."""

from __future__ import annotations

import pytest

from pytest_evals import run_suite
from pytest_evals.errors import SuiteError, UsageError

ROWS = "id,question,answer\nparis,paris,PARIS\nrome,rome,ROME\n"
ENTRY = {"file": "data/rows.csv", "map": {"input": "question", "expected_output": "answer"}, "criteria": ["contains"]}


@pytest.fixture(autouse=True)
def _here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "rows.csv").write_text(ROWS)


def outcomes(cases):
    done = run_suite(cases, str.upper, history=False)
    return {(result.case_id, str(result.outcome), result.source) for result in done.results}


def test_a_data_set_among_mappings_starts_at_the_current_directory():
    cases = [{"id": "own", "input": "x", "criteria": [{"contains": "X"}]}, ENTRY]
    assert outcomes(cases) == {
        ("own", "passed", ""),
        ("paris", "passed", "data/rows.csv:2"),
        ("rome", "passed", "data/rows.csv:3"),
    }


def test_a_data_set_in_a_suite_file_starts_at_the_file(tmp_path):
    entry = "{file: rows.csv, map: {input: question, expected_output: answer}, criteria: [contains], limit: 1}"
    (tmp_path / "data" / "a.eval.yaml").write_text(f"target: echo\ncases:\n- {entry}\n")
    assert outcomes("data/a.eval.yaml") == {("paris", "passed", "data/rows.csv:2")}


def test_mistakes_name_the_case_or_the_line_of_the_row(tmp_path):
    (tmp_path / "data" / "rows.csv").write_text(ROWS + "paris,x\nrome,x,X\n")
    with pytest.raises(UsageError) as caught:
        run_suite([{"input": "x", "criteria": [{"contains": "X"}], "retires": 1}, ENTRY], str.upper, history=False)
    assert str(caught.value).split("; ") == [
        "case 1: unknown key 'retires'",
        "did you mean 'retries'?",
        "data/rows.csv:4:1: the row has 2 cells, the first line has 3",
        "data/rows.csv:5:1: duplicate id 'rome', which the case in line 3 has",
        "change one",
    ]


def test_mistakes_of_a_suite_file_name_the_line_of_the_row(tmp_path):
    (tmp_path / "data" / "rows.csv").write_text(ROWS + "paris,x,X\n")
    suite = "target: echo\ndefaults: {criteria: [contains: x]}\ncases: [{file: rows.csv, map: {input: question}}]\n"
    (tmp_path / "data" / "a.eval.yaml").write_text(suite)
    with pytest.raises(SuiteError, match=r"^data/rows.csv:4:1: duplicate id 'paris', which the case in line 2 has"):
        run_suite("data/a.eval.yaml", history=False)
