"""The JSON Lines report: the session in the first line, then a line for each case, to be read one at a time."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from ..model.result import CaseResult
from ..model.run import SessionResult
from .files import whole_file
from .json import FORMAT_VERSION, encode, encoded_cases, session_plain
from .registry import Format


def write_jsonl(path: Path, session: SessionResult, results: Iterable[CaseResult]) -> None:
    """Write the report; the keys are those of the JSON report, and ``type`` says what a line is. Raises ``OSError``."""
    with whole_file(path) as file:
        file.write(encode({"type": "session", "format": FORMAT_VERSION, **session_plain(session)}) + b"\n")
        for case in encoded_cases(session, results):
            file.write(b'{"type": "case", ' + case.removeprefix(b"{") + b"\n")


FORMAT = Format("jsonl", (".jsonl", ".ndjson"), write_jsonl)
