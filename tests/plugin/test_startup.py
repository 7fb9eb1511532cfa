"""The plugin costs nothing and does nothing until a suite is collected."""

from __future__ import annotations

import json
import subprocess
import sys

HEAVY = (
    "yaml", "pydantic", "sqlalchemy", "asyncio", "jinja2", "anthropic", "openai", "click", "rapidfuzz", "jiwer", "sqlite3",
)  # fmt: skip

PROBE = """
import json, sys
def pytest_unconfigure(config):
    own = sorted(name for name in sys.modules if name.startswith("pytest_evals"))
    with open("modules.json", "w") as file: json.dump([sorted(sys.modules), own], file)
"""


def modules(path, *args):
    (path / "conftest.py").write_text(PROBE)
    (path / "test_a.py").write_text("def test_a(): pass\n")
    subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *args],
        cwd=path,
        check=True,
        capture_output=True,
    )
    return json.loads((path / "modules.json").read_text())


def test_nothing_heavy_is_imported_in_a_project_without_suites(tmp_path):
    with_plugin, own = modules(tmp_path)
    without, _ = modules(tmp_path, "-p", "no:evals")
    assert "pytest_evals.plugin" in own
    added = {name.partition(".")[0] for name in set(with_plugin) - set(without)}
    assert not added & set(HEAVY)
    assert not [
        name for name in own if name.startswith(("pytest_evals.model", "pytest_evals.engine", "pytest_evals.suite"))
    ]


def test_it_leaves_no_file_and_says_nothing(tmp_path):
    (tmp_path / "test_a.py").write_text("def test_a(): pass\n")
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"]
    ran = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    assert "eval" not in ran.stdout.lower()
    assert sorted(p.name for p in tmp_path.iterdir() if p.name != "__pycache__") == ["test_a.py"]
