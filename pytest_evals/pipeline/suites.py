"""Draft suites beside what the pipeline makes: their cases run and are shown, and gate nothing until accepted."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from ..suite.writer import write_suite
from .files import read_text, sha256_text, shown, write_text

SUFFIX = ".eval.yaml"

_MARK = "# written by pytest-evals; sha256 "
"""The last line: whether a person has changed the file since."""


def write_draft(path: Path, suite: Mapping[str, Any], made_by: str) -> str:
    """Write a suite whose cases are drafts. What a person has changed or accepted is left alone.

    Returns what a person should be told; empty when the file was there and says the same.
    """
    text = write_suite(suite, _header(path, made_by))
    signed = f"{text}{_MARK}{sha256_text(text)}\n"
    if path.exists():
        there = read_text(path)
        if there == signed:
            return ""
        if _MARK not in there:  # accepted: it is a person's now
            return ""
        if not is_untouched(there):
            return f"{shown(path)} was changed by a person and is left as it is; remove it to have it written anew"
    write_text(path, signed)
    return f"Wrote {shown(path)}: draft cases, which gate nothing until `pytest-evals accept {shown(path)}`."


def is_untouched(text: str) -> bool:
    """Whether a suite reads as it was written."""
    body, mark, said = text.rpartition(_MARK)
    return bool(mark) and said.strip() == sha256_text(body)


def unsigned(text: str) -> str:
    """The suite as a person goes on with it: without the line about who wrote it."""
    body, mark, _ = text.rpartition(_MARK)
    return body if mark else text


def _header(path: Path, made_by: str) -> Iterable[str]:
    return (
        f"Drafts, made by `pytest-evals {made_by}`. They run, but no gate counts them and none fails the session.",
        f"Look at them, name your application as the target, then: pytest-evals accept {path.name}",
    )
