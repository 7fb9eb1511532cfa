"""Report formats by name and suffix. A format is a file of this package with a ``FORMAT``."""

from __future__ import annotations

import importlib
import os
import pkgutil
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from ..errors import EvalsError, UsageError
from ..model.place import did_you_mean
from ..model.result import CaseResult
from ..model.run import SessionResult
from ..model.text import one_line
from .text import escape


@dataclass(frozen=True, slots=True)
class Format:
    """A report format."""

    name: str
    suffixes: tuple[str, ...]
    write: Callable[[Path, SessionResult, Iterable[CaseResult]], None]
    """Writes the file or raises ``OSError``, and leaves no half of it behind."""
    variable: str = ""
    """The environment variable that names the file when no path is given; empty where one must be given."""
    says: Callable[[SessionResult], Sequence[str]] | None = None
    """Lines to print besides, for the program that runs the session."""


@cache
def formats() -> dict[str, Format]:
    """All formats by name."""
    from .. import report

    found: dict[str, Format] = {}
    for module in pkgutil.iter_modules(report.__path__, f"{report.__name__}."):
        made = getattr(importlib.import_module(module.name), "FORMAT", None)
        if isinstance(made, Format):
            found[made.name] = made
    return found


def parse_report_option(text: str) -> tuple[str, str]:
    """``json:out/evals.json`` or ``out/evals.json`` as format and path; else a ``UsageError`` lists the formats."""
    known = formats()
    listed = ", ".join(f"{f.name} ({' '.join(f.suffixes)})" if f.suffixes else f.name for f in known.values())
    if text in known and known[text].variable:
        return text, os.environ.get(known[text].variable, "")
    # one letter before the colon is a drive of Windows
    prefix = re.match(r"([A-Za-z][\w-]+):(.*)$", text, re.DOTALL)
    if prefix is not None:
        name, path = prefix.groups()
        if name not in known:
            raise UsageError(f"unknown report format '{name}'; the formats are {listed}{did_you_mean(name, known)}")
    else:
        path = text
        fitting = [(suffix, f.name) for f in known.values() for suffix in f.suffixes if text.lower().endswith(suffix)]
        name = max(fitting, key=lambda found: len(found[0]), default=("", ""))[1]  # .brief.md is no .md
        if not name:
            raise UsageError(
                f"report '{text}': its suffix is not one of a format; write FORMAT:PATH with one of {listed}"
            )
    if not path.strip():
        raise UsageError(f"report '{text}' has no path; write {name}:PATH")
    return name, path


def write_report(name: str, path: str | Path, session: SessionResult, results: Iterable[CaseResult]) -> str:
    """Write a report; returns the line that says so, or why it could not be written. The run is never lost by it."""
    return written_report(name, path, session, results)[0]


def written_report(
    name: str, path: str | Path, session: SessionResult, results: Iterable[CaseResult]
) -> tuple[str, bool]:
    """As ``write_report``, and whether it was written."""
    asked = formats()[name]
    if not path:
        return f"{name} report: {asked.variable} is not set: nothing is written", False
    try:
        asked.write(Path(path), session, results)
    except (OSError, ValueError, EvalsError) as error:  # ValueError: a path with a null character
        why = (error.strerror if isinstance(error, OSError) else None) or str(error)
        return f"{name} report: cannot write {_shown(path)}: {one_line(why)}", False
    return f"{name} report: {_shown(path)}", True


def said_by(name: str, session: SessionResult) -> Sequence[str]:
    """What a report has to say besides what it writes, a line each."""
    says = formats()[name].says
    return () if says is None else says(session)


def _shown(path: str | Path) -> str:
    """Relative to the working directory when below it."""
    text = escape(str(path))
    below = str(Path.cwd()) + os.sep
    return text.removeprefix(below)
