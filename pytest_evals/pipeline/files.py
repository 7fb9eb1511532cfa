"""Files of the pipeline: written whole or not at all, told apart by their content."""

from __future__ import annotations

import hashlib
import json
import math
import os
from collections.abc import Iterable
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from ..errors import UsageError
from ..model.text import one_line

OURS = "pytest_evals"
"""The key of what other tools do not know, in files whose other keys are theirs."""


def shown(path: Path) -> str:
    """A path as files and messages name it: relative to the working directory when it is below it."""
    try:
        return path.absolute().relative_to(Path.cwd()).as_posix()
    except ValueError:
        return path.as_posix()


def write_bytes(path: Path, content: bytes) -> None:
    """Put the content in the place of the file in one step; missing folders are made. Raises ``UsageError``."""
    draft = path.with_name(f".{path.name[:100]}.{os.getpid()}.tmp")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            draft.write_bytes(content)
            draft.replace(path)
        except BaseException:
            with suppress(OSError):
                draft.unlink()
            raise
    except OSError as error:
        raise UsageError(f"{shown(path)} cannot be written: {error.strerror or error}") from None


def write_text(path: Path, content: str) -> None:
    """The same for text, in UTF-8. Halves of surrogate pairs, which no file can hold, become «?»."""
    write_bytes(path, content.encode("utf-8", "replace"))


def write_json(path: Path, content: Any) -> None:
    """The same for a JSON value, in the order of its keys."""
    write_text(path, json.dumps(content, ensure_ascii=False, indent=2, allow_nan=False) + "\n")


def read_bytes(path: Path) -> bytes:
    """What a file holds. Raises ``UsageError``."""
    try:
        return path.read_bytes()
    except OSError as error:
        raise UsageError(f"{shown(path)} cannot be read: {error.strerror or error}") from None


def read_text(path: Path) -> str:
    """The text of a UTF-8 file, with or without a byte order mark. Raises ``UsageError``."""
    content = read_bytes(path)
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise UsageError(
            f"{shown(path)}: byte {error.start} is not UTF-8; this is no text, or has another encoding"
        ) from None


def read_json(path: Path) -> dict[str, Any]:
    """The JSON object in a file. Raises ``UsageError`` with the line of what is wrong.

    ``NaN`` and infinities, which some tools write although JSON has none, are ``None``: unknown.
    """
    text = read_text(path)
    try:
        value = json.loads(text, parse_constant=lambda _: None, parse_float=_finite)
    except json.JSONDecodeError as error:
        raise UsageError(f"{shown(path)}:{error.lineno}:{error.colno}: this is not JSON: {error.msg}") from None
    except RecursionError:
        raise UsageError(f"{shown(path)}: this is nested too deeply") from None
    if not isinstance(value, dict):
        raise UsageError(f"{shown(path)}: a JSON object is expected, not {one_line(value, 40)}")
    return value


def _finite(text: str) -> float | None:
    value = float(text)
    return value if math.isfinite(value) else None


def sha256_text(*texts: str) -> str:
    """Of texts in their order; where one ends and the next begins counts."""
    found = hashlib.sha256()
    for text in texts:
        content = text.encode("utf-8", "surrogatepass")
        found.update(len(content).to_bytes(8, "big") + content)
    return found.hexdigest()


def sha256_file(path: Path) -> str:
    """Of what a file holds. Raises ``UsageError``."""
    return hashlib.sha256(read_bytes(path)).hexdigest()


def fingerprint(path: Path) -> str:
    """Modification time in seconds and size, as other tools note them: ``1764522128.63_342``; "" without the file.

    It says less than a hash: a copy has another time, and an edit within one tick of the clock may have the same.
    """
    try:
        found = path.stat()
    except OSError:
        return ""
    return f"{found.st_mtime}_{found.st_size}"


def now() -> datetime:
    """The time, in UTC."""
    return datetime.now(UTC)


def stamp(when: datetime) -> str:
    """A time as ground-truth files write it: ``2026-11-30 17:42:08``."""
    return when.strftime("%Y-%m-%d %H:%M:%S")


def unique_stems(paths: Iterable[Path], root: Path) -> dict[Path, str]:
    """A name for each file, relative to ``root`` and without its suffix, no two of them the same.

    Of files that differ in the suffix alone, the text keeps the short name and the others have their suffix in it.
    """
    names: dict[Path, str] = {}
    taken: set[str] = set()
    for path in sorted(paths, key=lambda path: (path.suffix.lower() != ".txt", path.as_posix())):
        relative = path.relative_to(root)
        short = relative.with_suffix("").as_posix()
        name = short if short not in taken else relative.as_posix()
        taken.add(name)
        names[path] = name
    return names


def short_ids(names: Iterable[str]) -> dict[str, str]:
    """The last part of each name where only one has it, else the whole: ``a/standup`` and ``b/standup``."""
    names = list(names)
    last = [name.rpartition("/")[2] for name in names]
    return {name: end if last.count(end) == 1 and (end == name or end not in names) else name
            for name, end in zip(names, last, strict=True)}  # fmt: skip
