"""Who killed the worker, when several calls were under way in it.

xdist blames the item at the head of the dead worker's queue, but with look-ahead the culprit may be a call that began
before its turn. So a worker notes on disk which calls run. After a crash all that ran are suspects: they run once more,
each with nothing beside it, and the one that kills its worker again is the culprit.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections import Counter
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ..engine.answer import Watch
    from ..engine.call import Call

SUSPECTS = "suspects"


def session_folder(run_id: str) -> Path:
    """Where the processes of one xdist session on this machine leave word for each other."""
    user = os.getuid() if hasattr(os, "getuid") else "user"
    return Path(tempfile.gettempdir()) / f"pytest-evals-{user}-{run_id}"


class InFlight:
    """The worker's side: which calls run here, and which items are suspects."""

    def __init__(self, run_id: str, worker_id: str) -> None:
        self._folder = session_folder(run_id)
        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._path = _calls(self._folder, worker_id)
        self._file = os.open(self._path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        self._read_at = 0
        self._suspects: frozenset[str] = frozenset()

    def begin(self, call: Call) -> None:
        os.write(self._file, f"+{call.identity.node_id}\n".encode("utf-8", "surrogateescape"))

    def end(self, call: Call) -> None:
        os.write(self._file, f"-{call.identity.node_id}\n".encode("utf-8", "surrogateescape"))

    def suspects(self) -> frozenset[str]:
        """The node ids that must run alone."""
        path = self._folder / SUSPECTS
        try:
            changed = path.stat().st_mtime_ns
        except OSError:
            return self._suspects
        if changed != self._read_at:
            self._read_at = changed
            self._suspects = frozenset(path.read_text("utf-8", "surrogateescape").splitlines())
        return self._suspects

    def close(self) -> None:
        with suppress(OSError):
            os.close(self._file)

    def remove(self) -> None:
        """Remove the note, where no controller does."""
        with suppress(OSError):
            self._path.unlink()


class Both:
    """Two that watch; what the first does not let begin, the second does not hear of."""

    def __init__(self, first: Watch, second: Watch) -> None:
        self._first = first
        self._second = second

    def begin(self, call: Call) -> None:
        self._first.begin(call)
        self._second.begin(call)

    def end(self, call: Call) -> None:
        self._second.end(call)
        self._first.end(call)


class Suspicion:
    """The controller's side."""

    def __init__(self) -> None:
        self._suspects: set[str] = set()
        self._folders: set[Path] = set()

    def watch(self, run_id: str) -> None:
        """Remember the folder of a session, to remove it at the end."""
        self._folders.add(session_folder(run_id))

    def others_in_flight(self, run_id: str, worker_id: str, blamed: str) -> set[str]:
        """The calls that ran in a dead worker besides the item that xdist blames."""
        running = Counter[str]()
        try:
            lines = _calls(session_folder(run_id), worker_id).read_text("utf-8", "surrogateescape").splitlines()
        except OSError:  # a worker on another machine, or one that never called
            return set()
        for line in lines:
            running[line[1:]] += 1 if line.startswith("+") else -1
        return {node_id for node_id, calls in running.items() if calls > 0} - {blamed}

    def suspect(self, run_id: str, node_ids: Iterable[str]) -> None:
        """Let these items run alone from now on."""
        self._suspects.update(node_ids)
        folder = session_folder(run_id)
        fresh = folder / f"{SUSPECTS}.new"
        fresh.write_text("\n".join(sorted(self._suspects)), "utf-8", "surrogateescape")
        fresh.replace(folder / SUSPECTS)

    def close(self) -> None:
        for folder in self._folders:
            shutil.rmtree(folder, ignore_errors=True)


def _calls(folder: Path, worker_id: str) -> Path:
    return folder / f"{worker_id}.calls"
