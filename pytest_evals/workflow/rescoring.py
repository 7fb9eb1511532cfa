"""Starting pytest on the suites of a stored run, with its answers in the place of their targets."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from ..errors import UsageError
from .where import VARIABLE, project

if TYPE_CHECKING:
    from ..store.location import Location
    from ..store.values import StoredRun


def rescore(location: Location, run: StoredRun, suites: Sequence[str], arguments: Sequence[str]) -> int:
    """Run pytest; returns its exit status. Raises ``UsageError`` when a suite file is not there."""
    files = suites or suite_files(location, run, Path.cwd())
    for file in files:
        if not Path(file).is_file():
            raise UsageError(f"there is no suite file {file}")
    # a URL holds a password, and every user of the machine can read a command line
    environ = {**os.environ, VARIABLE: location.url or str(location.path)}
    command = [sys.executable, "-m", "pytest", *files, f"--evals-rescore={run.uid}", *arguments]
    status = subprocess.run(command, env=environ, check=False).returncode
    return status if status >= 0 else 128 - status


def suite_files(location: Location, run: StoredRun, start: Path) -> list[str]:
    """The suite files of the run, as they are to be named where it is started.

    Raises ``UsageError`` for those that are not where they were.
    """
    from ..store.connect import reading
    from ..store.results import case_rows

    with reading(location) as connection:
        rows = case_rows(connection, run)
    nodes = dict.fromkeys(row.node_id.partition("::")[0] for row in rows if "::" in row.node_id)
    if not nodes:
        raise UsageError(f"run {run.uid} does not tell its suite file; name one with --suite")
    root = project(start)[0]
    then = str(run.params.get("rootdir") or "")
    found: list[str] = []
    for node in nodes:
        places = [root / node, *([Path(then) / node] if then else [])]
        path = next((place for place in places if place.is_file()), None)
        if path is None:
            raise UsageError(f"the suite file {node} of run {run.uid} is not here; name one with --suite")
        found.append(os.path.relpath(path, start))
    return found
