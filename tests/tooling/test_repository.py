"""What must not get into the repository, and what make must offer."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
# put together here, so that this file does not hold what it forbids
INDEX_HOSTS = ["pypi" + ".org", "python" + "hosted", "files.python" + "hosted", "pypi" + ".python", "npm" + "js"]
ONE_MACHINE = ["/work" + "/main", "/work" + "/shared", r"\." + "library/", r"\.\./" + "shared", r"/\." + "pyenv/"]


def texts():
    """Every text file of the repository that git would keep, by its path."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        check=False,
        capture_output=True,
    )
    if listed.returncode:
        pytest.skip("not a git checkout")
    for name in listed.stdout.decode().split("\0"):
        path = ROOT / name
        if name and path.is_file():
            try:
                yield name, path.read_text("utf-8")
            except UnicodeDecodeError:
                continue


@pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")
@pytest.mark.parametrize("pattern", [*map(re.escape, INDEX_HOSTS), *ONE_MACHINE])
def test_no_file_names_a_package_index_or_a_place_on_one_machine(pattern):
    found = [
        f"{name}:{text[: match.start()].count(chr(10)) + 1}: {match[0]}"
        for name, text in texts()
        for match in re.finditer(pattern, text)
    ]
    assert found == []


@pytest.mark.skipif(shutil.which("make") is None, reason="make is not installed")
@pytest.mark.parametrize("target", ["demo", "test", "test-oldest", "lint", "types", "docs", "bench", "clean"])
def test_make_offers(target):
    shown = subprocess.run(["make", "--dry-run", target], cwd=ROOT, check=False, capture_output=True, text=True)
    assert shown.returncode == 0, shown.stderr
    assert shown.stdout.strip()


@pytest.mark.skipif(shutil.which("make") is None, reason="make is not installed")
def test_make_says_in_one_line_that_python_is_too_old(tmp_path):
    old = tmp_path / "python3.10"
    # a Python that believes it is an older one
    old.write_text(f"#!/bin/sh\nexec '{sys.executable}' -c \"import sys; sys.version_info = (3, 10, 4)\n$2\"\n")
    old.chmod(0o755)
    command = ["make", "test", f"PYTHON={old}", f"VENV={tmp_path / 'venv'}"]
    environment = {k: v for k, v in os.environ.items() if not k.startswith(("MAKE", "MFLAGS"))}
    said = subprocess.run(command, cwd=ROOT, check=False, capture_output=True, text=True, env=environment)
    assert said.returncode == 2
    first, *rest = said.stderr.splitlines()
    assert first == f"{old} is Python 3.10, but 3.11 or newer is needed: make PYTHON=..."
    assert all(line.startswith("make") for line in rest)
    assert not (tmp_path / "venv").exists()


def test_ci_checks_everything_make_offers():
    script = (ROOT / ".ci" / "run").read_text("utf-8")
    checked = re.findall(r"^check ([\w-]+)$", script, re.MULTILINE)
    assert checked == ["lint", "types", "docs", "demo", "test-oldest", "test"]
    assert os.access(ROOT / ".ci" / "run", os.X_OK)
