"""Replies that were paid, kept until what they were asked for is written: an interrupted command goes on with them.

One line of JSON for each reply, written before anything else is done with it. What is asked is told apart by its
content, so that another prompt, model or source finds nothing here.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from pathlib import Path
from time import time
from typing import Any

from ...errors import UsageError
from ...llm.canonical import reply_json, reply_of
from ...model.llm import Reply
from ..files import shown

FILE = ".pytest-evals-asked.jsonl"
"""Its name, in the folder that a command writes to."""


KEPT_S = 30 * 24 * 3600
"""How old a reply may be that nobody came back for."""


class Journal:
    """The replies of one output folder. Nothing is made before the first reply."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / FILE
        self._file: int | None = None
        self._kept: dict[str, tuple[Reply, float]] = {}
        self._settled: set[str] = set()
        try:
            content = self.path.read_bytes()
        except FileNotFoundError:
            return
        except OSError as error:
            raise UsageError(f"{shown(self.path)} cannot be read: {error.strerror or error}") from None
        for line in content.split(b"\n"):
            self._read(line)

    def find(self, key: str) -> tuple[Reply, float] | None:
        """A reply, and how many milliseconds it took."""
        return self._kept.get(key)

    def keep(self, key: str, reply: Reply, took_ms: float) -> None:
        """Write a reply down. Raises ``UsageError``: what cannot be kept should not be paid."""
        self._kept[key] = (reply, took_ms)
        self._write({"key": key, "took_ms": took_ms, "at": int(time()), "reply": reply_json(reply)})

    def forget(self, keys: Iterable[str]) -> None:
        """These led to nothing: they are asked again the next time."""
        for key in keys:
            if self._kept.pop(key, None) is not None:
                self._write({"key": key})

    def settle(self, keys: Iterable[str]) -> None:
        """What these were asked for is written. They are kept until the command ends, which may redo everything."""
        for key in keys:
            self._settled.add(key)
            self._write({"key": key, "settled": True})

    def finish(self) -> None:
        """The command has come to its end: what is settled is not needed any more, nor is a file with nothing else."""
        self.forget(self._settled & self._kept.keys())
        self._settled.clear()
        self.close()
        if not self._kept:
            self.path.unlink(missing_ok=True)

    def close(self) -> None:
        """Let go of the file, which stays."""
        if self._file is not None:
            os.close(self._file)
            self._file = None

    def _read(self, line: bytes) -> None:
        try:
            entry: dict[str, Any] = json.loads(line)
            if "reply" in entry:
                if entry["at"] > time() - KEPT_S:
                    self._kept[entry["key"]] = (reply_of(entry["reply"]), float(entry["took_ms"]))
            elif entry.get("settled"):
                self._settled.add(entry["key"])
            else:
                self._kept.pop(entry["key"], None)
        except (ValueError, KeyError, TypeError, AttributeError):  # the last line of a process that was killed
            return

    def _write(self, entry: dict[str, Any]) -> None:
        line = json.dumps(entry, ensure_ascii=True).encode() + b"\n"
        try:
            if self._file is None:
                self.path.parent.mkdir(parents=True, exist_ok=True)
                self._file = os.open(self.path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
                line = b"\n" + line  # after what a killed process may have left half written
            os.write(self._file, line)
        except OSError as error:
            raise UsageError(f"{shown(self.path)} cannot be written: {error.strerror or error}") from None
