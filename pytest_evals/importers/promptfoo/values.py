"""Values that promptfoo writes inline or as ``file://…``."""

from __future__ import annotations

import math
from pathlib import PurePath
from typing import Any

from ...errors import SuiteError
from ..foreign import read_file, read_text
from ..imported import Folders

FILE = "file://"
DATA = (".json", ".yaml", ".yml")
TEXT = (".txt", ".md", ".j2", ".jinja", ".html", ".csv", "")
CODE = (".py", ".js", ".ts", ".cjs", ".mjs", ".mts", ".cts", ".rb", ".sh")


class UnreadableError(ValueError):
    """A file that cannot stand for a value; the message says why."""


def is_file(value: Any) -> bool:
    """Whether a value is the name of a file."""
    return isinstance(value, str) and value.startswith(FILE)


def path_of(value: str) -> str:
    """The path of ``file://…``, without ``:function``."""
    path = value.removeprefix(FILE)
    stem, colon, function = path.rpartition(":")
    return stem if colon and PurePath(stem).suffix in CODE and function.isidentifier() else path


def code_of(value: str, usual: str = "get_assert") -> tuple[str, str]:
    """Path and function of ``file://check.py:function``; no path for code that stands here."""
    given = value.removeprefix("python:").removeprefix(FILE).strip()
    path = path_of(given)
    if (
        "\n" in given
        or PurePath(path).suffix != ".py"
        or not (is_file(value) or path == given or given.startswith(path))
    ):
        return "", usual
    return path, given[len(path) + 1 :] or usual


def content(value: str, folders: Folders) -> Any:
    """What a ``file://…`` holds: data, or text. Raises ``UnreadableError``."""
    path = path_of(value)
    suffix = PurePath(path).suffix.lower()
    if suffix in CODE:
        raise UnreadableError(f"{path} is code, which is not run by an import")
    if suffix not in (*DATA, *TEXT):
        raise UnreadableError(f"{path} is neither text nor data")
    try:
        return read_file(folders.there(path)) if suffix in DATA else read_text(folders.there(path))
    except SuiteError as error:
        raise UnreadableError(error.problems[0].message) from None


def as_text(value: Any) -> str:
    """A scalar as JavaScript prints it: ``true``, ``30``, ``1``, not ``1.0``."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float) and math.isfinite(value) and value == int(value) and abs(value) < 1e15:
        return str(int(value))
    return "" if value is None else str(value)


def number(value: Any) -> float | None:
    """A number, also one written as text; ``None`` for anything else."""
    if isinstance(value, bool):
        return None
    if isinstance(value, (int, float)):
        return value
    try:
        found = float(value) if isinstance(value, str) else None
    except ValueError:
        return None
    if found is None or not math.isfinite(found):
        return None
    return int(found) if found == int(found) else found
