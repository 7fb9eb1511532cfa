"""docs/importing.md tells what becomes of everything, as the code does, and shows the suite that is written."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from blocks import File, blocks, write
from click.testing import CliRunner

from pytest_evals.cli import main
from pytest_evals.importers import deepeval, inspect_samples, inspect_scorers, pydantic_evals, table
from pytest_evals.importers.promptfoo import cases, config, kinds, models, providers, rows

PAGE = Path(__file__).parents[2] / "docs" / "importing.md"

TABLES = [
    *(config.EQUIVALENTS, config.ELSEWHERE, config.WITHOUT, cases.TEST, cases.WITHOUT, rows.COLUMNS),
    *(providers.EQUIVALENTS, providers.WITHOUT, kinds.EQUIVALENTS, kinds.WITHOUT, kinds.NO_KEYS),
    *(deepeval.EQUIVALENTS, inspect_samples.EQUIVALENTS, inspect_samples.WITHOUT, inspect_scorers.EQUIVALENTS),
    *(pydantic_evals.EQUIVALENTS, pydantic_evals.WITHOUT),
]


@pytest.mark.parametrize("number", range(len(TABLES)))
def test_the_page_has_every_row_of_the_code_and_in_its_order(number):
    wanted = "\n".join(f"| `{key}` | {value} |" for key, value in TABLES[number].items())
    assert f"|---|---|\n{wanted}\n\n" in PAGE.read_text("utf-8")


def test_the_page_has_every_setting_of_a_model():
    text = PAGE.read_text("utf-8")
    settings: dict[str, list[str]] = {}
    for key, ours in models.SETTINGS.items():
        settings.setdefault(ours, []).append(f"`{key}`")
    for ours, keys in settings.items():
        assert f"| {', '.join(keys)} | `{ours}` |" in text
    for key in (*models.SENT, *kinds.JUDGED, *table.KEYS):
        assert f"`{key}`" in text, key
    for key, names in table.SYNONYMS.items():
        assert f"| `{key}` | {', '.join(f'`{name}`' for name in names)} |" in text


def test_the_suite_of_the_page_is_the_one_that_is_written(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    files = {step.path: step for step in blocks(PAGE) if isinstance(step, File)}
    write(tmp_path, files["promptfooconfig.yaml"])
    done = CliRunner().invoke(main, ["import", "promptfoo", "promptfooconfig.yaml", "-o", "evals/capitals.eval.yaml"])
    assert done.exit_code == 1, done.output
    written = (tmp_path / "evals" / "capitals.eval.yaml").read_text("utf-8")
    assert files["written.eval.yaml"].text == f"# written.eval.yaml\n{written}"
    said = re.search(r"```text\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)
    assert said is not None
    assert done.stderr == said[1]
