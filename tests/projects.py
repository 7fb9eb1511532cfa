"""Projects made of files, run through pytest in the ways a user runs it."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest

OTHERS = ("randomly", "asyncio", "anyio", "pytest_cov", "hypothesispytest", "rerunfailures", "timeout")
"""Plugins that are only loaded where a test is about them: each costs a start."""

NEW_ASYNCIO = int(version("pytest-asyncio").partition(".")[0]) >= 1
"""Older versions wrap asynchronous fixtures where nobody can step in between, and do not know the setting below."""


def asyncio_ini(scope: str = "function") -> str:
    """An ini file that keeps pytest-asyncio from warning."""
    return f"[pytest]\nasyncio_default_fixture_loop_scope = {scope}\n" if NEW_ASYNCIO else "[pytest]\n"


WAYS = {"alone": [], "n2": ["-n2"]}


@dataclass
class Ran:
    """What a run came to."""

    result: pytest.RunResult
    path: Path
    report: dict[str, Any] = field(default_factory=dict)

    @property
    def status(self) -> int:
        return int(self.result.ret)

    @property
    def out(self) -> str:
        return "\n".join([*self.result.outlines, *self.result.errlines])

    @property
    def outcomes(self) -> dict[str, str]:
        """Outcome by case id, from the JSON report."""
        return {case["id"]: case["outcome"] for case in self.report.get("cases", ())}

    def case(self, case_id: str) -> dict[str, Any]:
        return next(case for case in self.report["cases"] if case["id"] == case_id)

    def counts(self) -> dict[str, int]:
        """pytest's own last line."""
        return self.result.parseoutcomes()


@dataclass
class Project:
    """A folder of files that pytest is run in."""

    pytester: pytest.Pytester
    args: list[str]

    def write(self, files: dict[str, str | bytes]) -> Project:
        for name, content in files.items():
            path = self.pytester.path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            if isinstance(content, bytes):
                path.write_bytes(content)
            else:
                path.write_text(content, encoding="utf-8")
        return self

    def run(self, *args: str, subprocess: bool = False, report: bool = True, plugins: bool = False) -> Ran:
        """Run pytest with our plugin and xdist; with all installed plugins if ``plugins``."""
        own = list(self.args)
        patch = pytest.MonkeyPatch()
        if not plugins:  # looking for plugins takes a third of the start of a worker
            patch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
            # this process has imported them already, which old versions of pytest warn of
            quiet = ["-W", "ignore::pytest.PytestAssertRewriteWarning"]
            own = ["-p", "xdist.plugin", "-p", "pytest_evals.plugin", *quiet, *own]
        path = self.pytester.path / "report.json"
        path.unlink(missing_ok=True)
        if report:
            own.append(f"--evals-report=json:{path}")
        run = self.pytester.runpytest_subprocess if subprocess else self.pytester.runpytest_inprocess
        try:
            result = run(*own, *args)
        finally:
            patch.undo()
        data = json.loads(path.read_text("utf-8")) if path.exists() else {}
        return Ran(result, self.pytester.path, data)

    def __call__(self, files: dict[str, str | bytes], *args: str, **options: Any) -> Ran:
        return self.write(files).run(*args, **options)
