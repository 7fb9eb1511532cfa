"""Example suites, copied to a folder of their own and run by pytest in a child process."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

SUITES = Path(__file__).parents[2] / "example_suites"
WAYS = {"alone": (), "n2": ("-n", "2")}


@dataclass(frozen=True)
class Ran:
    """What a run of an example came to."""

    status: int
    output: str
    report: dict[str, Any]

    @property
    def counts(self) -> dict[str, int]:
        """pytest's own last line: ``{"passed": 25, "missed": 1, …}``."""
        last = next(line for line in reversed(self.output.splitlines()) if re.search(r" in [\d.]+s", line))
        return {
            word.rstrip("s"): int(number) for number, word in re.findall(r"(\d+) ([a-z]+)", last.partition(" in ")[0])
        }

    @property
    def outcomes(self) -> dict[tuple[str, str], str]:
        """The outcome by suite and case id."""
        return {(case["suite"], case["id"]): case["outcome"] for case in self.report["cases"]}

    @property
    def gates(self) -> dict[tuple[str, str], str]:
        """The verdict by suite and gate as written."""
        return {(gate["suite"], gate["gate"]): gate["verdict"] for gate in self.report["gates"]}


class Example:
    """An example that can be run; ``folder`` may be changed beforehand."""

    def __init__(self, folder: Path, way: str) -> None:
        self.folder = folder
        self.way = way

    def run(self, *arguments: str) -> Ran:
        report = self.folder / "report.json"
        environment = {key: value for key, value in os.environ.items() if not key.startswith("PYTEST_")}
        # the plugins a user has: ours and xdist, whatever else is installed for the tests
        environment |= {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "COLUMNS": "80", "NO_COLOR": "1"}
        command = [sys.executable, "-X", "utf8", "-m", "pytest", "-p", "pytest_evals.plugin", "-p", "xdist"]
        command += [*WAYS[self.way], f"--evals-report=json:{report}", *arguments]
        ran = subprocess.run(
            command, cwd=self.folder, env=environment, capture_output=True, encoding="utf-8", check=False, timeout=300
        )
        data = json.loads(report.read_text("utf-8")) if report.exists() else {}
        return Ran(ran.returncode, ran.stdout + ran.stderr, data)


@pytest.fixture
def example(tmp_path):
    """``example("gsm8k", "n2")``: a copy of the example, to be run that way."""

    def copy(name: str, way: str = "alone") -> Example:
        folder = tmp_path / name
        shutil.copytree(SUITES / name, folder, ignore=shutil.ignore_patterns("__pycache__", ".*"))
        (folder / "pytest.ini").write_text("[pytest]\n")
        return Example(folder, way)

    return copy
