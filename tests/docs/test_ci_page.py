"""The workflow of docs/ci.md, followed as GitHub Actions would: its commands, its matrix, its artefacts."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from fnmatch import fnmatch
from pathlib import Path

import pytest
import yaml
from blocks import ROOT

SUITE = "suite: shop\ntarget: echo\ngates: [pass_rate >= 90%]\ncases:\n" + "".join(
    f"  - {{id: c{n}, input: a{n}, criteria: [regex: {'b' if n in (3, 4) else 'a'}]}}\n" for n in range(9)
)


@pytest.fixture(scope="module")
def workflow():
    [block] = re.findall(
        r"^```yaml\n(# \.github/workflows/.*?)^```$", (ROOT / "docs/ci.md").read_text("utf-8"), re.M | re.S
    )
    return yaml.safe_load(block)


class Machine:
    """A runner with a checkout of the project."""

    def __init__(self, folder: Path, **values: str) -> None:
        self.folder, self.values = folder, values
        (folder / "evals").mkdir(parents=True)
        (folder / "pytest.ini").write_text("[pytest]\n")
        (folder / "evals" / "shop.eval.yaml").write_text(SUITE)

    def filled(self, text: str) -> str:
        """The text with its expressions replaced, all of which are known."""
        return re.sub(r"\$\{\{ *([\w.-]+) *\}\}", lambda found: self.values[found[1]], text)

    def run(self, step: dict[str, object]) -> int:
        environment = {k: v for k, v in os.environ.items() if not k.startswith("PYTEST_")}
        environment |= {"PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}
        environment |= {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTEST_PLUGINS": "pytest_evals.plugin"}
        environment |= {"GITHUB_STEP_SUMMARY": str(self.folder / "summary.md")}
        # as the runner does it
        command = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", self.filled(str(step["run"]))]
        return subprocess.run(command, cwd=self.folder, env=environment, check=False, capture_output=True).returncode


def named(job, name):
    return next(step for step in job["steps"] if step.get("name") == name)


def using(job, action):
    return next(step["with"] for step in job["steps"] if str(step.get("uses", "")).startswith(f"actions/{action}@"))


@pytest.mark.skipif(shutil.which("bash") is None, reason="bash is not installed")
def test_the_workflow_merges_its_shards_and_fails_with_them(workflow, tmp_path):
    shard, merge = workflow["jobs"]["shard"], workflow["jobs"]["merge"]
    numbers = shard["strategy"]["matrix"]["shard"]
    artefacts: dict[str, Path] = {}
    for number in map(str, numbers):
        machine = Machine(tmp_path / number, **{"matrix.shard": number, "strategy.job-total": str(len(numbers))})
        # two of nine cases miss, which only the gate over all of them can tell
        assert machine.run(named(shard, "evaluate")) == 0
        upload = using(shard, "upload-artifact")
        artefacts[machine.filled(upload["name"])] = machine.folder / upload["path"]
    assert len(artefacts) == 3
    machine = Machine(tmp_path / "merge")
    download = using(merge, "download-artifact")
    assert download["merge-multiple"] is True
    for name, folder in artefacts.items():
        assert fnmatch(name, download["pattern"])
        shutil.copytree(folder, machine.folder / download["path"], dirs_exist_ok=True)
    assert machine.run(named(merge, "merge")) == 1
    report = json.loads((machine.folder / using(merge, "upload-artifact")["path"] / "evals.json").read_text("utf-8"))
    assert {case["id"]: case["outcome"] for case in report["cases"]} == {
        f"c{n}": "failed" if n in (3, 4) else "passed" for n in range(9)
    }
    assert [gate["verdict"] for gate in report["gates"]] == ["broken"]
    assert "failed" in (machine.folder / "summary.md").read_text("utf-8")


def test_only_the_merge_decides_and_it_runs_whatever_the_shards_came_to(workflow):
    shard, merge = workflow["jobs"]["shard"], workflow["jobs"]["merge"]
    assert named(shard, "evaluate")["continue-on-error"] is True
    assert shard["strategy"]["fail-fast"] is False
    assert (merge["needs"], merge["if"]) == ("shard", "${{ !cancelled() }}")
    assert not any(step.get("continue-on-error") for step in merge["steps"])
    others = [step for job in (shard, merge) for step in job["steps"] if "run" in step and "name" not in step]
    assert all(step["run"].startswith("pip install ") for step in others)
