"""Answers that were there when a session was stopped, and whose cases had not had their turn: they are paid for.

They lie in ``answers`` beside the history, a file for each such session, until the session that goes on with it has
used them. A line is a whole result where everything was known, else a skipped one whose trials hold the answers.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from ..model.codec import result_from_json

if TYPE_CHECKING:
    from ..store.location import Location

FOLDER = "answers"


def answers_file(location: Location, session_id: str) -> Path:
    """Where the answers of a session are kept: beside the history, or beside the journals of one on a server."""
    return location.journals.parent / FOLDER / f"{session_id}.jsonl"


def newest_answers(location: Location) -> str:
    """The session that kept answers last; empty when there is none."""
    files = location.journals.parent.joinpath(FOLDER).glob("*.jsonl")
    return max(files, key=lambda path: path.stat().st_mtime, default=Path()).stem


def keep_answers(path: Path, lines: Iterable[str]) -> int:
    """Write lines of ``result_to_json``, if there are any; returns how many. Raises ``OSError``."""
    found = list(lines)
    if found:
        from ..report.files import whole_file
        from ..store.folder import make_folder

        make_folder(path.parent)
        with whole_file(path) as file:
            file.write("".join(f"{line}\n" for line in found).encode("ascii"))
    return len(found)


def kept_answers(path: Path) -> Iterator[str]:
    """The lines of a file; none when it is not there. What was cut off is left out."""
    with suppress(OSError), path.open("rb") as file:
        for line in file:
            with suppress(ValueError, KeyError, TypeError):
                text = line.decode("ascii").rstrip("\n")
                result_from_json(text)
                yield text


def forget_answers(path: Path) -> None:
    """Remove a file that was used."""
    with suppress(OSError):
        path.unlink(missing_ok=True)
        path.parent.rmdir()  # only when no other session has answers there
