"""Which files of a folder are sources, and what they say."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path, PurePosixPath

from ...errors import UsageError
from ..files import fingerprint, read_bytes, shown
from .pdf import read_pdf

TEXT = (".txt", ".md", ".markdown", ".rst", ".html", ".htm", ".eml", ".csv", ".json", ".xml", ".log")
"""The ends of names that are read as text, whatever it means."""

PDF = ".pdf"

_NO_SOURCES = (".groundtruth.json", "_groundtruth.json", ".template.json", ".experiment.json", ".eval.json")
_NO_SUITES = (".eval.yaml", ".eval.yml")


@dataclass(frozen=True, slots=True)
class SourceText:
    """What a document says."""

    path: Path
    text: str
    sha256: str
    """Of the file."""
    fingerprint: str
    """As other tools note it: time and size."""


def read_source(path: Path) -> SourceText:
    """The text of a document. Raises ``UsageError`` with what is wrong: not there, empty, binary, locked."""
    content = read_bytes(path)
    if path.suffix.lower() == PDF:
        text = read_pdf(path)
    else:
        if b"\0" in content[:100_000]:
            raise UsageError(f"{shown(path)} is binary; sources are text (UTF-8) or PDF")
        try:
            text = content.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            raise UsageError(
                f"{shown(path)}: byte {error.start} is not UTF-8; sources are text (UTF-8) or PDF"
            ) from None
    if not text.strip():
        raise UsageError(f"{shown(path)} is empty")
    return SourceText(path, text, hashlib.sha256(content).hexdigest(), fingerprint(path))


def find_sources(path: Path, pattern: str = "*") -> list[Path]:
    """The documents of a folder and those below it, in order; of a file the file itself.

    ``pattern`` is held against names, or against paths below the folder if it has a slash. Left out are hidden files
    and folders, metadata, suites, and what the pipeline writes itself; with the pattern ``*`` also what is no text by
    the end of its name. Raises ``UsageError`` when nothing is left.
    """
    if path.is_file():
        return [path]
    if not path.is_dir():
        raise UsageError(f"there is no file or folder {shown(path)}")
    found = [each for each in _files(path) if _fits(PurePosixPath(each.relative_to(path).as_posix()), pattern)]
    if not found:
        raise UsageError(f"{shown(path)} has no documents for the pattern {pattern!r}; text and PDF are read")
    return found


def _fits(name: PurePosixPath, pattern: str) -> bool:
    if pattern == "*":
        return name.suffix.lower() in (*TEXT, PDF, "")
    return fnmatchcase(name.as_posix() if "/" in pattern else name.name, pattern)


def _files(folder: Path) -> Iterator[Path]:
    try:
        entries = sorted(folder.iterdir())
    except OSError as error:
        raise UsageError(f"{shown(folder)} cannot be read: {error.strerror or error}") from None
    for entry in entries:
        if entry.name.startswith("."):
            continue
        if entry.is_dir():
            yield from _files(entry)
        elif entry.is_file() and not _is_ours(entry.name):
            yield entry


def _is_ours(name: str) -> bool:
    metadata = "metadata" in name and name.endswith(".json")
    return metadata or name.endswith((*_NO_SOURCES, *_NO_SUITES))
