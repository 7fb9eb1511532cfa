"""Who writes a journal, and whether that process still lives."""

from __future__ import annotations

import os
import platform
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path

FOREIGN_SILENCE_S = 3600.0
"""A process of another machine or container cannot be asked; silent for this long, its journal counts as abandoned."""


@dataclass(frozen=True, slots=True)
class Owner:
    """A process, told apart from later ones that get its number."""

    host: str
    space: str
    """The boot and the process-number space (containers have their own): only within it does ``pid`` mean anything."""
    pid: int
    started: str
    """In clock ticks after the boot, as the kernel says; empty where it does not."""

    @classmethod
    def current(cls) -> Owner:
        """The process that asks."""
        return cls(platform.node(), _space(), os.getpid(), _start_of(os.getpid()) or "")

    @classmethod
    def read(cls, data: object) -> Owner | None:
        """The owner as written by ``asdict``; ``None`` for anything else."""
        if not isinstance(data, Mapping) or not isinstance(data.get("pid"), int):
            return None
        return cls(str(data.get("host")), str(data.get("space")), data["pid"], str(data.get("started")))

    def plain(self) -> dict[str, object]:
        return asdict(self)

    @property
    def near(self) -> bool:
        """Whether it ran on this machine, in this process-number space, since the last boot."""
        return (self.host, self.space) == (platform.node(), _space())

    def alive(self, silent_s: float) -> bool:
        """Whether it still runs; ``silent_s`` is the time since it last wrote, in seconds.

        In doubt it does: the journal of a living session must never be taken away.
        """
        if not self.near:
            return silent_s < FOREIGN_SILENCE_S
        if not _exists(self.pid):
            return False
        started = _start_of(self.pid)
        return started == self.started if started is not None and self.started else True


def _space() -> str:
    try:
        boot = Path("/proc/sys/kernel/random/boot_id").read_text("ascii").strip()
        return f"{boot}/{Path('/proc/self/ns/pid').readlink()}"
    except OSError:
        return ""


def _exists(pid: int) -> bool:
    if os.name == "nt":  # os.kill(pid, 0) would end the process there
        return True
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except (PermissionError, OverflowError):
        return True
    return _start_of(pid) != ""


def _start_of(pid: int) -> str | None:
    """When the process started; ``""`` when it has ended but was not waited for, ``None`` when nothing is known."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text("utf-8", "replace")
    except OSError:
        return None
    state, *fields = stat[stat.rindex(")") + 2 :].split()  # the name before it may hold spaces and parentheses
    return "" if state in "ZXx" else fields[18]
