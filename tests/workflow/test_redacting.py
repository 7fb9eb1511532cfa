"""Secrets of what is recorded without pytest."""

from __future__ import annotations

import json
from pathlib import Path

from pytest_evals import experiments
from pytest_evals.model.trajectory import Trajectory
from pytest_evals.workflow.redacting import project_redactor

KEY = "sk-PLANTED0123456789abcd"


def test_patterns_of_the_project_count(tmp_path, monkeypatch):
    (tmp_path / "pytest.ini").write_text("[pytest]\nevals_redact =\n    ACME-\\d+\n    x{3}\n")
    assert project_redactor(tmp_path).text("ACME-12 xxx sk") == "*** *** sk"
    monkeypatch.setenv("PYTEST_EVALS_REDACT", "yy")
    assert project_redactor(tmp_path).text("ACME-12 yy") == "ACME-12 ***"


def test_a_pattern_that_cannot_be_read_keeps_nothing_from_being_hidden(tmp_path):
    (tmp_path / "pytest.ini").write_text("[pytest]\nevals_redact = (\n")
    assert project_redactor(tmp_path).text(KEY) == "***"


def test_what_a_program_records_is_kept_without_secrets(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "pytest.ini").write_text("[pytest]\nevals_redact = ACME-\\d+\n")
    document = {
        "schema_version": "ATIF-v1.6",
        "session_id": "s",
        "agent": {"name": "a", "version": "1"},
        "steps": [{"step_id": 1, "source": "user", "message": f"key {KEY}"}],
    }
    with experiments.start("e", params={"api_key": KEY}) as run:
        run.record("bot", "a", answer=f"ACME-77 {KEY}", problems=[KEY], input=KEY, trajectories=[Trajectory(document)])
    found = experiments.get_run(run.uid)
    assert found.results[0].output == "*** ***"
    for path in tmp_path.rglob("*"):
        assert not path.is_file() or b"PLANTED" not in path.read_bytes(), path
    [kept] = found.trajectories
    assert json.loads(Path(kept.path).read_text("utf-8"))["steps"][0]["message"] == "key ***"
