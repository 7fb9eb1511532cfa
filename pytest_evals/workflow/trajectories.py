"""References to recorded trajectories, and the files they point to."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import re
import secrets
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..errors import StoreError, UsageError
from ..model.wire import plain
from ..store.folder import FOLDER, make_folder

if TYPE_CHECKING:
    from ..store.location import Location
    from ..store.values import StoredTrajectory

_ID = re.compile(r"[A-Za-z0-9_-][A-Za-z0-9._-]{0,199}")


@dataclass(frozen=True, slots=True)
class Trajectory:
    """An agent's recorded steps, to be kept with a case: an ATIF document, or the file that holds one."""

    document: Mapping[str, Any] | None = None
    path: Path | str | None = None
    """The file, when the document is not given."""
    trajectory_id: str = ""
    """The document's own, or a new one, when empty."""
    kind: str = "run"
    """What the agent was doing, in a word of your own."""
    artifact_ids: Sequence[str] = ()
    """Ids of what its steps stored or used."""
    cost_usd: float | None = None


def atif_folder(location: Location, rootdir: Path) -> Path:
    """The folder of trajectory files: ``atif`` beside the history."""
    return (location.path.parent if location.path is not None else rootdir / FOLDER) / "atif"


def keep_trajectory(trajectory: Trajectory, folder: Path, taken: Callable[[str], bool]) -> dict[str, Any]:
    """Write a document to ``<trajectory_id>.json`` in the folder, or find the file; returns the reference to store.

    ``taken`` says whether an id is in use. Raises ``UsageError`` for a trajectory that is none, ``StoreError`` when the
    file cannot be written or read.
    """
    document, path = trajectory.document, trajectory.path
    if (document is None) == (path is None):
        raise UsageError("a trajectory needs either a document or the path of one")
    try:
        if path is not None:
            content = Path(path).read_bytes()
            document = json.loads(content)
        else:
            content = json.dumps(plain(document), ensure_ascii=True, indent=1).encode("ascii")
    except OSError as error:
        raise StoreError(f"{path}: {error.strerror}") from error
    except ValueError as error:
        raise UsageError(f"{path}: not a JSON document ({error})") from error
    steps = document.get("steps") if isinstance(document, Mapping) else None
    if not isinstance(document, Mapping) or not isinstance(steps, Sequence):
        raise UsageError("a trajectory is a JSON object with a list of steps")
    number = trajectory.trajectory_id or str(document.get("trajectory_id") or "") or secrets.token_hex(16)
    if not _ID.fullmatch(number):
        raise UsageError(
            f"{number[:80]!r} cannot be a trajectory's id: letters, digits, '.', '_' and '-', "
            "not starting with a dot, at most 200"
        )
    if taken(number):
        raise UsageError(f"trajectory {number!r} is recorded already: a trajectory's id is used once")
    if path is None:
        path = folder / f"{number}.json"
        _write(path, content)
    agent = document.get("agent")
    return {
        "trajectory_id": number,
        "kind": trajectory.kind or "run",
        "agent_name": str(agent.get("name", "")) if isinstance(agent, Mapping) else "",
        "steps": len(steps),
        "cost_usd": trajectory.cost_usd,
        "path": str(Path(path).absolute()),
        "sha256": hashlib.sha256(content).hexdigest(),
        "artifact_ids": list(trajectory.artifact_ids),
    }


def remove_files(trajectories: Sequence[StoredTrajectory]) -> list[Path]:
    """Remove the trajectories' files and return those that were there.

    A history may come from anywhere, so only regular files with the trajectory's own name are touched.
    """
    removed = []
    for trajectory in trajectories:
        path = Path(trajectory.path)
        if path.name == f"{trajectory.trajectory_id}.json" and path.is_file() and not path.is_symlink():
            try:
                path.unlink()
            except OSError as error:
                raise StoreError(f"{path}: cannot be removed ({error.strerror})") from error
            removed.append(path)
    return removed


def _write(path: Path, content: bytes) -> None:
    unfinished = path.with_name(f"{path.name}.{os.getpid()}.new")
    try:
        make_folder(path.parent)
        if path.exists():
            raise UsageError(f"{path} is there already: a trajectory's id is used once")
        unfinished.write_bytes(content)
        unfinished.replace(path)
    except OSError as error:
        with contextlib.suppress(OSError):
            unfinished.unlink(missing_ok=True)
        raise StoreError(f"{path}: cannot be written ({error.strerror})") from error
