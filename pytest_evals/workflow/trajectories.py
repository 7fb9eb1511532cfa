"""References to recorded trajectories, and the files they point to."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import re
import secrets
import tempfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..atif.read import load_document, read
from ..atif.totals import Totals, totals
from ..engine.steps import within
from ..errors import StoreError, TrajectoryError, UsageError
from ..model.trajectory import Trajectory
from ..model.wire import plain
from ..store.folder import FOLDER, make_folder

if TYPE_CHECKING:
    from ..store.location import Location
    from ..store.values import StoredTrajectory

__all__ = ["Trajectory", "TrajectoryFolder", "atif_folder", "keep_trajectory", "remove_files"]

_ID = re.compile(r"[A-Za-z0-9_-][A-Za-z0-9._-]{0,199}")


def atif_folder(location: Location, rootdir: Path) -> Path:
    """The folder of trajectory files: ``atif`` beside the history."""
    return (location.path.parent if location.path is not None else rootdir / FOLDER) / "atif"


def session_folder(settings: Any, rootdir: Path, redact: Callable[[Any], Any]) -> TrajectoryFolder | None:
    """Where a session's settings say that trajectories are kept; ``None`` when they keep nothing."""
    from ..store.location import locate

    if settings.atif_dir:
        folder = rootdir / Path(settings.atif_dir).expanduser()
    elif settings.no_history:
        return None
    else:
        folder = atif_folder(locate(settings.history, rootdir), rootdir)
    return TrajectoryFolder(folder, (rootdir, Path.cwd()), redact)


class TrajectoryFolder:
    """Keeps the trajectories of cases, each in a file ``<trajectory_id>.json`` of one folder.

    Files that targets name are read only when they are in that folder, below ``roots``, or in the folder for temporary
    files. An id that is not fit for a file, or is used already, is replaced by a new one: an agent that always says the
    same must not stop a run.
    """

    def __init__(
        self, folder: Path, roots: Iterable[Path] = (), redact: Callable[[Any], Any] = lambda value: value
    ) -> None:
        """``redact`` takes the secrets out of a document's JSON values before it is written."""
        self._folder = folder
        self._redact = redact
        self._roots = (folder, *roots, Path(tempfile.gettempdir()))

    def may_read(self, path: Path) -> bool:
        return within(path, self._roots)

    def keep(self, trajectory: Trajectory, document: Mapping[str, Any]) -> tuple[str, str, str]:
        """Write the document; returns its id, its path and its SHA-256. Raises ``StoreError``."""
        content = json.dumps(self._redact(plain(document))).encode("ascii")
        wanted = trajectory.trajectory_id or document.get("trajectory_id")
        number = wanted if isinstance(wanted, str) and _ID.fullmatch(wanted) else secrets.token_hex(16)
        try:
            path = _write(self._folder / f"{number}.json", content)
        except _TakenError:
            number = secrets.token_hex(16)
            path = _write(self._folder / f"{number}.json", content)
        return number, str(path.absolute()), hashlib.sha256(content).hexdigest()


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
            document = load_document(path)
            content = Path(path).read_bytes()
        else:
            content = json.dumps(plain(document)).encode("ascii")
        found = read(document)
    except OSError as error:
        raise StoreError(f"{path}: {error.strerror}") from error
    except TrajectoryError as error:
        unreadable = path is not None and not Path(path).is_file()
        raise (StoreError if unreadable else UsageError)(str(error)) from error
    number = trajectory.trajectory_id or found.trajectory_id or secrets.token_hex(16)
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
    return {
        "trajectory_id": number,
        "kind": trajectory.kind or "run",
        "agent_name": found.agent_name,
        "steps": len(found.steps),
        "cost_usd": trajectory.cost_usd if trajectory.cost_usd is not None else totals(found).cost_usd,
        "path": str(Path(path).absolute()),
        "sha256": hashlib.sha256(content).hexdigest(),
        "artifact_ids": list(trajectory.artifact_ids),
    }


def totals_of(trajectories: Sequence[Trajectory]) -> Totals | None:
    """What the trajectories took together; ``None`` when there are none, or one cannot be read."""
    try:
        documents = [t.document if t.document is not None else load_document(str(t.path)) for t in trajectories]
        each = [totals(read(document)) for document in documents]
    except TrajectoryError:
        return None
    if not each:
        return None
    return Totals(
        *(
            None if None in (values := [getattr(one, name) for one in each]) else sum(values)
            for name in Totals.__dataclass_fields__
        )
    )


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


class _TakenError(UsageError):
    """A file of that name is there already."""


def _write(path: Path, content: bytes) -> Path:
    """Write a new file, whole or not at all, and never over another one: processes may want the same name."""
    unfinished = path.with_name(f".{secrets.token_hex(8)}.new")
    try:
        make_folder(path.parent)
        unfinished.write_bytes(content)
        try:
            os.link(unfinished, path)
        except FileExistsError:
            raise _TakenError(f"{path} is there already: a trajectory's id is used once") from None
        except OSError:  # a file system without links
            if path.exists():
                raise _TakenError(f"{path} is there already: a trajectory's id is used once") from None
            unfinished.replace(path)
    except OSError as error:
        raise StoreError(f"{path}: cannot be written ({error.strerror})") from error
    finally:
        with contextlib.suppress(OSError):
            unfinished.unlink(missing_ok=True)
    return path
