"""Which processes share the limits of a session, and which of them are dead.

A process shows that it lives by holding a lock on a file of its own. The kernel takes the lock away when the process
ends, however it ends: no heartbeat to send, none to miss when a process is slow or stopped; a zombie counts as dead.
"""

from __future__ import annotations

import os
import secrets
import shutil
import sys
import tempfile
from hashlib import sha256
from pathlib import Path

if sys.platform != "win32":
    import fcntl

CAN_SHARE = sys.platform != "win32"
"""Whether there is ``flock``. Elsewhere every process keeps the limits by itself."""


def new_folder() -> Path:
    """Make the folder through which the processes of a session share their limits; the session's first process does."""
    return Path(tempfile.mkdtemp(prefix="pytest-evals-limits-"))


def remove_folder(folder: Path) -> None:
    """Remove it when the session ends."""
    shutil.rmtree(folder, ignore_errors=True)


class Member:
    """The process that runs this, as one that shares the limits in a folder."""

    def __init__(self, folder: Path) -> None:
        self.pid = os.getpid()
        self.token = secrets.randbits(52) or 1  # fits a float
        self._folder = folder
        mode = os.O_RDWR | os.O_CREAT | os.O_CLOEXEC
        self._descriptor: int | None = os.open(self._path(self.token), mode, 0o600)
        fcntl.flock(self._descriptor, fcntl.LOCK_EX)

    def page(self, name: str) -> Path:
        """The file of the page about a name."""
        return self._folder / f"{sha256(name.encode('utf-8', 'surrogatepass')).hexdigest()[:24]}.page"

    def lives(self, token: int, pid: int) -> bool:
        """Whether the process with this token is alive."""
        if token == self.token:
            return True
        path = self._path(token)
        try:
            # first by its number: children that it forked and that outlive it hold its lock
            os.kill(pid, 0)
            descriptor = os.open(path, os.O_RDWR | os.O_CLOEXEC)
        except (ProcessLookupError, FileNotFoundError):
            return False
        except PermissionError:
            return True
        try:
            fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
        finally:
            os.close(descriptor)
        path.unlink(missing_ok=True)
        return False

    def leave(self) -> None:
        """Say that this process shares the limits no longer."""
        descriptor, self._descriptor = self._descriptor, None
        if descriptor is not None:
            self._path(self.token).unlink(missing_ok=True)
            os.close(descriptor)

    def _path(self, token: int) -> Path:
        return self._folder / f"{token:x}.alive"
