from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner
from fakellm import fake_llm

from pytest_evals.cli import main


@pytest.fixture(autouse=True)
def _folder(tmp_path, monkeypatch):
    """Every test works in a folder of its own, and asks no real provider."""
    monkeypatch.chdir(tmp_path)
    for name in ("ANTHROPIC_API_KEY", "ANTHROPIC_BASE_URL", "PYTEST_EVALS_PIPELINE_MODEL", "PYTEST_EVALS_LIMITS"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def command(monkeypatch):
    """``command(model, "generate", "meetings", …)``: run a command against a server that answers as a model."""

    def run(model, *arguments):
        with fake_llm(default=model) as server:
            monkeypatch.setenv("ANTHROPIC_BASE_URL", server.url)
            monkeypatch.setenv("ANTHROPIC_API_KEY", "k")
            result = CliRunner().invoke(main, [*map(str, arguments)])
        if result.exception is not None and not isinstance(result.exception, SystemExit):
            raise result.exception
        return result

    return run


def load(path):
    return json.loads(Path(path).read_text("utf-8"))


@pytest.fixture
def meetings():
    """A folder with two short transcripts."""
    folder = Path("data/meetings")
    folder.mkdir(parents=True)
    for name, who in (("standup", "Ana"), ("planning", "Dora")):
        lines = [f"{who}: the {word} part is done by {day} at the latest" for word, day in (("export", "Monday"),
                 ("login", "Tuesday"), ("paging", "Friday"))]  # fmt: skip
        (folder / f"{name}_meeting.txt").write_text("\n".join(["Weekly", f"Participants: {who}, Ben", *lines]) + "\n")
    return folder


SHAPES = Path(__file__).parents[1] / "data" / "gaia" / "pipeline_shapes"


@pytest.fixture
def shapes():
    """Files as another tool writes them."""
    return SHAPES


@pytest.fixture
def run_pytest():
    """``run_pytest("suite.eval.yaml")``: pytest in a process of its own, with this plugin alone."""

    def run(*arguments):
        environment = {key: value for key, value in os.environ.items() if not key.startswith("PYTEST_")}
        environment |= {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
        words = ["-m", "pytest", "-p", "pytest_evals.plugin", "-p", "no:cacheprovider", "-q", "--evals-no-history"]
        command = [sys.executable, *words, *arguments]
        return subprocess.run(command, env=environment, capture_output=True, text=True, check=False, timeout=120)

    return run
