"""The report for GitHub Actions: a job summary, and annotations on the lines of cases that did not pass."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path

from ..model.gate import Verdict
from ..model.result import CaseResult, CaseRow
from ..model.run import SessionResult
from .cases import name_of, ranked, shown_as
from .format import counted
from .gates import gate_line
from .pull_request import markdown
from .registry import Format
from .text import escape

VARIABLE = "GITHUB_STEP_SUMMARY"
"""Names the file of the summary, to which the steps of a job append."""

MOST = 10
"""Annotations of one level that GitHub shows of a step."""

_LEVELS = {"failed": "error", "errored": "error", "missed": "warning", "warned": "warning"}


def write_github(path: Path, session: SessionResult, results: Iterable[CaseResult]) -> None:
    """Append the Markdown report to the summary. Raises ``OSError``."""
    text = markdown(session, results)
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("ab") as file:
        file.write(text.encode("utf-8") + b"\n")


def commands(session: SessionResult) -> list[str]:
    """Commands for the runner of GitHub Actions, a line each: broken gates, then the cases, the worst first."""
    shown: dict[str, list[str]] = {"error": [], "warning": []}
    for level, command in [*_gates(session), *map(_case, ranked(session.rows))]:
        shown[level].append(command)
    lines = []
    for level, found in shown.items():
        lines += found[:MOST]
        if len(found) > MOST:
            lines.append(f"::notice::and {counted(len(found) - MOST, f'more {level}')}, see the summary")
    return lines


FORMAT = Format("github", (), write_github, variable=VARIABLE, says=commands)


def _gates(session: SessionResult) -> Iterator[tuple[str, str]]:
    levels = {Verdict.BROKEN: "error", Verdict.UNDECIDED: "warning"}
    for verdict in session.verdicts:
        level = levels.get(verdict.verdict)
        if level is not None:
            place = verdict.gate.place
            at = (str(place.path), place.line) if place else ("", 0)
            yield level, _command(level, *at, f"gate {verdict.verdict.value}", gate_line(verdict))


def _case(row: CaseRow) -> tuple[str, str]:
    word = shown_as(row)
    path, _, line = row.source.rpartition(":")
    at = (path, int(line)) if line.isdecimal() else ("", 0)
    level = _LEVELS[word]
    return level, _command(level, *at, f"{row.suite}::{name_of(row)} {word}", row.headline or word)


def _command(level: str, path: str, line: int, title: str, message: str) -> str:
    where = [f"file={_property(_from_repository(path))}", f"line={line}"] if path else []
    return f"::{level} {','.join([*where, f'title={_property(title)}'])}::{_data(message)}"


def _from_repository(path: str) -> str:
    """GitHub wants paths below the repository's folder, which need not be the one pytest was started in."""
    workspace = os.environ.get("GITHUB_WORKSPACE")
    full = Path.cwd() / path
    below = workspace and full.is_relative_to(workspace)
    return full.relative_to(workspace).as_posix() if workspace and below else path


def _data(text: str) -> str:
    return escape(text).replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
