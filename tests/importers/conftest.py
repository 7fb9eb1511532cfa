"""Files of other tools, imported and run."""

from __future__ import annotations

import json
import textwrap
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml
from jsonschema import Draft202012Validator

from pytest_evals import run_suite
from pytest_evals.importers import import_file
from pytest_evals.importers.imported import Imported, Wishes
from pytest_evals.importers.writing import Written, write
from pytest_evals.scoring import specs
from pytest_evals.suite.jsonschema import suite_schema


@cache
def validator() -> Draft202012Validator:
    """What editors check suites by."""
    return Draft202012Validator(suite_schema(specs()))


@dataclass
class Made:
    """What an import made."""

    imported: Imported
    written: Written

    @property
    def suite(self) -> dict[str, Any]:
        return self.imported.suite

    @property
    def text(self) -> str:
        return self.written.suite.read_text("utf-8")

    def case(self, case_id: str) -> dict[str, Any]:
        return next(case for case in self.suite["cases"] if case["id"] == case_id)

    def notes(self, kind: str) -> list[str]:
        return [str(note) for note in self.imported.notes if note.kind == kind]

    def outcomes(self, target: Any = None) -> dict[str, str]:
        """Outcome by case id, of a run. What is run is right for the reader, and for editors."""
        assert self.written.problems == (), self.written.problems
        # as other readers of YAML take it, too
        assert [error.message for error in validator().iter_errors(yaml.safe_load(self.text))] == []
        run = run_suite(self.written.suite, target, history=False)
        return {result.case_id: result.outcome.value for result in run.results}


@pytest.fixture
def importing(tmp_path, monkeypatch):
    """Import a file among others, in an empty folder; the suite goes into ``evals``."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("PYTEST_EVALS_HISTORY", raising=False)

    def go(format: str, files: dict[str, Any] | str, main: str = "", **wishes: Any) -> Made:
        given = files if isinstance(files, dict) else {main or "promptfooconfig.yaml": files}
        for name, content in given.items():
            path = tmp_path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            text = textwrap.dedent(content) if isinstance(content, str) else json.dumps(content, indent=2)
            path.write_text(text, encoding="utf-8")
        source = Path(main or next(iter(given)))
        suite = Path("evals/made.eval.yaml")
        imported = import_file(format, source, Wishes(**wishes), suite)
        return Made(imported, write(imported, suite, source, format, replace=True))

    return go
