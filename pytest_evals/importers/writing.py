"""Writing what was imported: the suite, beside it the recorded answers, and a look at whether the suite can be read."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from ..errors import SuiteError, UsageError
from ..model.place import Problem
from ..model.text import one_line
from .foreign import shown
from .imported import SUFFIXES, Imported, stem_of
from .text import KEPT, suite_text


@dataclass(frozen=True, slots=True)
class Written:
    """The files of an import."""

    suite: Path
    answers: Path | None
    code: Path | None
    cases: int
    problems: tuple[Problem, ...]
    """What the suite's own reader finds wrong with it."""


def check_name(path: Path) -> None:
    """Raise ``UsageError`` for a file that pytest would not collect."""
    if not path.name.endswith(SUFFIXES) or path.name in SUFFIXES:
        raise UsageError(f"{path} would not be collected; name the suite …{SUFFIXES[0]}")


def answers_of(suite: Path) -> Path:
    """Where the recorded answers of a suite go."""
    return suite.with_name(f"{stem_of(suite)}.answers.jsonl")


def write(imported: Imported, suite: Path, source: Path, format: str, *, replace: bool = False) -> Written:
    """Write the files. Raises ``UsageError`` when one is there already, unless it may be replaced."""
    recorded = imported.answers and imported.suite.get("target") == {"responses": "answers"}
    answers = answers_of(suite) if recorded else None
    if imported.answers and answers is None:
        imported.notes.chosen("answers", "the file holds answers; they are left out, as --target asks the application")
    code = suite.with_name(imported.code.name) if imported.code else None
    for path in (suite, answers, code):
        if path is not None and path.exists() and not replace:
            raise UsageError(f"{shown(path)} is there already; name another file, or replace it with --force")
    if answers is not None:
        imported.suite["target"] = {"responses": answers.name}
    text = suite_text(imported, header(imported, source, format))
    try:
        suite.parent.mkdir(parents=True, exist_ok=True)
        if answers is not None:
            lines = (json.dumps(row, ensure_ascii=False) for row in imported.answers)
            answers.write_text("\n".join(lines) + "\n", encoding="utf-8", newline="\n")
        if code is not None and imported.code:
            code.write_text(imported.code.text(source.name, suite.name), encoding="utf-8", newline="\n")
        suite.write_text(text, encoding="utf-8", newline="\n")
    except OSError as error:
        raise UsageError(f"{shown(suite)} cannot be written: {error.strerror or error}") from None
    return Written(suite, answers, code, len(imported.suite["cases"]), tuple(problems(suite)))


def header(imported: Imported, source: Path, format: str) -> list[str]:
    """The comment at the top of the suite."""
    dropped = imported.notes.count("dropped")
    kept = f"; {dropped} without an equivalent, kept under {KEPT}" if dropped else ""
    return [f"Imported from {one_line(source.name, 80)} by `pytest-evals import {format}`{kept}."]


def problems(suite: Path) -> Iterable[Problem]:
    """What the reader of suites says of a suite."""
    from ..scoring import specs
    from ..suite import read_suite

    try:
        read_suite(suite, specs=specs(), shown=shown(suite))
    except SuiteError as error:
        return error.problems
    return ()
