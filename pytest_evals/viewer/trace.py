"""Trajectory files: only those a run recorded, and only inside the folders the viewer was given."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..errors import StoreError
from ..store.results import find_trajectory
from .data import NotFoundError

if TYPE_CHECKING:
    from ..store.values import StoredTrajectory
    from .source import Source

LARGEST = 64 * 1024 * 1024
"""Bytes of the largest file that is shown."""


def read_trajectory(source: Source, trajectory_id: str) -> bytes:
    """The document of a recorded trajectory, as it is on disk.

    Looked for in the folder beside the history first, then where it was recorded, if that is inside a known folder.
    Raises ``NotFoundError`` for an id no run recorded or a file that is gone, ``StoreError`` for one that is no JSON.
    """
    with source.read() as connection:
        kept = find_trajectory(connection, trajectory_id)
    if kept is None:
        raise NotFoundError(f"no run recorded a trajectory {trajectory_id[:80]!r}")
    for path in _places(source, kept):
        if path.is_file():
            if path.stat().st_size > LARGEST:
                raise StoreError(f"trajectory {kept.trajectory_id} is larger than {LARGEST // 1024**2} MB")
            content = path.read_bytes()
            _check(kept, content)
            return content
    raise NotFoundError(
        f"the file of trajectory {kept.trajectory_id} is in none of the known folders; name its folder with --atif-dir"
    )


def document(source: Source, trajectory_id: str) -> Any:
    """The same as values."""
    return json.loads(read_trajectory(source, trajectory_id))


def _places(source: Source, kept: StoredTrajectory) -> Iterator[Path]:
    roots = [root.resolve() for root in (source.atif, *source.folders)]
    name = f"{kept.trajectory_id}.json"
    for candidate in (*(root / name for root in roots), Path(kept.path)):
        # after links are followed: a link that leads out of the folders leads nowhere
        path = candidate.resolve()
        if any(path.is_relative_to(root) for root in roots):
            yield path


def _check(kept: StoredTrajectory, content: bytes) -> None:
    try:
        found = json.loads(content)
    except (ValueError, RecursionError) as error:
        raise StoreError(f"the file of trajectory {kept.trajectory_id} is no JSON") from error
    if not isinstance(found, dict):
        raise StoreError(f"the file of trajectory {kept.trajectory_id} is no JSON object")
