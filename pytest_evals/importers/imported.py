"""What an importer makes of a file: the data of a suite, its recorded answers, and notes."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ..errors import UsageError
from ..model.ids import slug
from ..model.place import did_you_mean
from ..model.text import one_line
from .code import Code
from .notes import Notes


@dataclass(frozen=True, slots=True)
class Wishes:
    """What the person who imports says besides."""

    columns: Mapping[str, str] = field(default_factory=dict)
    """Our key → the name of their column or field."""
    criteria: tuple[str, ...] = ()
    """Scorers for cases whose file names none."""
    target: str = ""
    """The application under test, as a suite writes it."""
    name: str = ""
    """Of the suite."""


@dataclass(slots=True)
class Imported:
    """A suite that is ready to be written."""

    suite: dict[str, Any]
    notes: Notes
    answers: list[dict[str, Any]] = field(default_factory=list)
    """Recorded answers, as rows of ``{responses: …}``."""
    code: Code | None = None
    """Python code that the suite names, for a file beside it; ``None``, or false when it needs none."""

    def __post_init__(self) -> None:
        if not self.suite.get("cases"):
            raise UsageError("nothing could be imported: the file holds no case")


@dataclass(frozen=True, slots=True)
class Folders:
    """Where paths in the other tool's file start, and where the suite will stand."""

    base: Path
    suite: Path
    code: Code
    """The Python file that will stand beside the suite, if it holds anything."""

    def there(self, name: str) -> Path:
        """A path as the other file names it."""
        return self.base / name

    def here(self, name: str) -> str:
        """The same path as the suite must name it."""
        path = Path(name)
        if path.is_absolute():
            return path.as_posix()
        moved = os.path.relpath(self.base.absolute() / name, self.suite.absolute())
        return Path(moved).as_posix()


class CaseIds:
    """Ids for cases: those given, else slugs of names, else numbered; each once."""

    def __init__(self, numbered: str = "case") -> None:
        self._numbered = numbered
        self._taken: set[str] = set()
        self._times: dict[str, int] = {}
        self._count = 0

    def next(self, given: Any = None, name: str = "") -> str:
        """The id of the next case."""
        self._count += 1
        wanted = str(given) if given not in (None, "") else slug(name)[:80].strip("-")
        wanted = wanted if wanted.strip() else f"{self._numbered}-{self._count}"
        before = self._times.get(wanted, 0)
        self._times[wanted] = before + 1
        return unique(wanted, self._taken, start=max(before, 1))


def unique(wanted: str, taken: set[str], joint: str = "-", start: int = 1) -> str:
    """The text, with a number behind it where it is taken already."""
    found, number = wanted, start
    while found in taken:
        number += 1
        found = f"{wanted}{joint}{number}"
    taken.add(found)
    return found


def check_map(wishes: Wishes, keys: Collection[str], rows: Iterable[Any]) -> None:
    """Raise ``UsageError`` for a ``--map`` of a key that means nothing, or of a field that no row has."""
    fields = {field for row in rows if isinstance(row, Mapping) for field in row}
    for key, column in wishes.columns.items():
        if key not in keys:
            near = did_you_mean(key, keys) or f"; there are {', '.join(keys)}"
            raise UsageError(f"--map {key}={column}: there is no key {key!r}{near}")
        if column not in fields:
            there = did_you_mean(column, fields) or f"; there are {', '.join(one_line(f, 40) for f in sorted(fields))}"
            raise UsageError(f"--map {key}={column}: nothing is called {column!r}{there}")


def compact(pairs: Iterable[tuple[str, Any]]) -> dict[str, Any]:
    """A mapping without what is not given: ``None``, empty mappings and lists."""
    return {key: value for key, value in pairs if value is not None and value not in ({}, [])}


SUFFIXES = (".eval.yaml", ".eval.yml")
"""Of the suites that are written."""


def stem_of(suite: Path) -> str:
    """The name of a suite's file without its suffixes."""
    stem = suite.name
    for suffix in SUFFIXES:
        stem = stem.removesuffix(suffix)
    return stem
