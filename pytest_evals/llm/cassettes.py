"""Recorded replies: a folder of JSON files, one a reply, that can be read, reviewed and committed.

    recorded/anthropic/claude-haiku-5-5/how-long-do-i-have-to-return-a-mug-3f9a1c204b7d.json

Secrets are taken out of requests and replies. What is asked in a replay is redacted likewise before it is looked for.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import threading
import uuid
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from ..errors import RejectedError
from ..model.llm import Reply, Request
from ..model.redaction import Redactor
from .canonical import digest, reply_json, reply_of, request_json
from .nearest import differences, nearest

FORMAT = 1
"""The version of the files."""

_MOST_COMPARED = 20
"""Misses of a process that are compared with what there is: the others would say the same."""


class CassetteError(RejectedError):
    """A recorded reply cannot be read, or there is none for what was asked."""


@dataclass(frozen=True, slots=True)
class Cassette:
    """One recorded reply."""

    path: Path
    request: Mapping[str, Any]
    """As ``request_json`` writes it, without secrets."""
    reply: Reply
    latency_ms: float | None
    """What the call took."""


class Cassettes:
    """The recorded replies in a folder. Safe to write from several processes: each file is written whole."""

    def __init__(self, folder: Path, redactor: Redactor | None = None) -> None:
        self.folder = folder
        self._redactor = redactor or Redactor()
        self._compared = 0
        self._lock = threading.Lock()

    def record(self, request: Request, reply: Reply, latency_ms: float | None) -> Path:
        """Write the reply; one that was recorded before for the same request is replaced. Raises ``CassetteError``."""
        asked = self._asked(request)
        path = self._path(asked)
        content = {
            "format": FORMAT,
            "request": asked,
            "reply": self._redactor.value(reply_json(reply, raw=False)),
            "latency_ms": None if latency_ms is None else round(latency_ms),
        }
        text = json.dumps(content, indent=2, sort_keys=True, ensure_ascii=False) + "\n"
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            unfinished = path.with_name(f".{uuid.uuid4().hex}.tmp")
            try:
                unfinished.write_bytes(text.encode("utf-8", "backslashreplace"))
                unfinished.replace(path)
            finally:
                unfinished.unlink(missing_ok=True)
        except OSError as error:
            raise CassetteError(f"{path}: the reply cannot be recorded: {error.strerror or error}") from error
        return path

    def find(self, request: Request) -> Cassette | None:
        """The reply recorded for the same request and trial. Raises ``CassetteError`` for a file that is none."""
        return self._recorded.get(digest(self._asked(request)))

    def miss(self, request: Request) -> CassetteError:
        """The error for a request without a recorded reply: with what differs from the nearest one."""
        asked = self._asked(request)
        name = f"{request.provider}/{request.model}"
        message = f"no reply of {name} was recorded for this request in {self.folder}"
        if not self._recorded:
            none = "has none" if self.folder.is_dir() else "does not exist"
            return CassetteError(f"{message}, which {none}; record replies with --evals-record")
        with self._lock:
            self._compared += 1
            compare = self._compared <= _MOST_COMPARED
        if not compare:
            return CassetteError(f"{message}; record it with --evals-record")
        near = nearest(asked, list(self._recorded.values()), lambda cassette: cassette.request)
        found = list(differences(near.request, asked))
        shown = near.path.relative_to(self.folder).as_posix()
        more = f" and {len(found) - 1} more" if len(found) > 1 else ""
        first = f"{found[0].one_line()}{more}"
        detail = "\n".join((f"nearest: {near.path}", *(line for each in found for line in each.lines())))
        return CassetteError(
            f"{message}; the nearest, {shown}, differs in {first}; record it with --evals-record", detail
        )

    def __len__(self) -> int:
        return len(self._recorded)

    @cached_property
    def _recorded(self) -> dict[str, Cassette]:
        """By what was asked: a file may be renamed, and its reply edited."""
        return {digest(cassette.request): cassette for cassette in self._read()}

    def _read(self) -> Iterator[Cassette]:
        for folder, folders, files in os.walk(self.folder):
            folders.sort()
            for name in sorted(files):
                if name.endswith(".json") and not name.startswith("."):
                    yield _read(Path(folder, name))

    def _asked(self, request: Request) -> dict[str, Any]:
        asked: dict[str, Any] = self._redactor.value(request_json(request))
        return asked

    def _path(self, asked: Mapping[str, Any]) -> Path:
        said = _slug(_last_words(asked), 40)
        name = f"{said}-{digest(asked)[:12]}.json" if said else f"{digest(asked)[:12]}.json"
        return self.folder / (_slug(asked["provider"]) or "_") / (_slug(asked["model"]) or "_") / name


def _read(path: Path) -> Cassette:
    try:
        data = json.loads(path.read_text("utf-8"))
        if not isinstance(data, dict) or not isinstance(data.get("request"), dict) or "reply" not in data:
            raise ValueError("it is no recorded reply")
        if data.get("format") != FORMAT:
            raise ValueError(f"its format is {data.get('format')!r}, and this version reads {FORMAT}")
        latency = data.get("latency_ms")
        return Cassette(path, data["request"], reply_of(data["reply"]), latency)
    except OSError as error:
        raise CassetteError(f"{path}: cannot be read: {error.strerror or error}") from error
    except ValueError as error:
        raise CassetteError(f"{path}: cannot be read: {error}") from error


def _last_words(asked: Mapping[str, Any]) -> str:
    """The text of the last message, for the name of the file."""
    with contextlib.suppress(LookupError, TypeError, AttributeError, StopIteration):
        content = asked["messages"][-1]["content"]
        parts = [{"text": content}] if isinstance(content, str) else content
        return next(str(part["text"]) for part in parts if isinstance(part.get("text"), str))
    return ""


def _slug(text: str, most: int = 80) -> str:
    words = re.sub(r"[^\w.]+", "-", text[: 4 * most]).strip("-.").lower()
    return words if len(words) <= most else words[:most].rpartition("-")[0] or words[:most]
