"""Sessions whose xdist workers run on several hosts (``--tx ssh=…``, ``--tx socket=…``).

The workers of one host meet in a folder, those of another cannot look into it. So each host gets its share of what the
session may do, by the number of its workers: nothing is exceeded, whatever the hosts hear of each other.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from contextlib import suppress
from fractions import Fraction
from pathlib import Path
from shutil import rmtree
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest

if TYPE_CHECKING:
    from collections.abc import Sequence

_TOLD = "evals_host"


class Host(NamedTuple):
    """The host that this process is on, in a session of several."""

    name: str = ""
    """A file name; empty on the controller's own."""
    share: Fraction = Fraction(1)
    """Its part of the workers."""
    start: str = ""
    """Where pytest was started on the controller, from the rootdir."""

    @property
    def is_away(self) -> bool:
        """Whether the controller is elsewhere."""
        return bool(self.name)

    def meeting_place(self, folder: Path) -> Path:
        """Where the workers of this host leave word for each other, below a folder of the session."""
        return folder / f"host-{self.name}" if self.name else folder


def tell_host(config: pytest.Config, node: Any) -> None:
    """Let a worker that is about to start know its host's share. Raises ``pytest.UsageError`` for too small a one."""
    specs: Sequence[Any] = node.nodemanager.specs
    hosts = Counter(map(_host, specs))
    mine = _host(node.gateway.spec)
    if set(hosts) == {""} and not node.gateway.spec.chdir:
        return
    share = Fraction(hosts[mine], len(specs))
    _check(config, share)
    start = os.path.relpath(config.invocation_params.dir, config.rootpath)
    node.workerinput[_TOLD] = json.dumps([mine, share.numerator, share.denominator, start])


def is_elsewhere(node: Any) -> bool:
    """Whether a worker has folders of its own, on another host or in another directory."""
    return bool(_host(node.gateway.spec) or node.gateway.spec.chdir)


def has_own_host(node: Any) -> bool:
    """Whether a worker runs on another host."""
    return bool(_host(node.gateway.spec))


def host(config: pytest.Config) -> Host:
    """The host this process is on."""
    told = getattr(config, "workerinput", {}).get(_TOLD)
    if not told:
        return Host()
    name, numerator, denominator, start = json.loads(told)
    return Host(name, Fraction(numerator, denominator), start)


def _host(spec: Any) -> str:
    """A name for the host of an execution environment; empty for the controller's own."""
    where = spec.ssh or spec.vagrant_ssh or (spec.socket or "").rpartition(":")[0] or spec.via or ""
    words = str(where).split()  # ssh takes options beside the name
    return "".join(c if c.isalnum() or c in ".-" else "-" for c in (words[-1] if words else ""))


def _check(config: pytest.Config, share: Fraction) -> None:
    from ..errors import UsageError
    from ..llm.limits import parse_limits
    from .options import SETTINGS_KEY

    try:
        parse_limits(config.stash[SETTINGS_KEY].limits).shared(share)
    except UsageError as error:
        raise pytest.UsageError(str(error)) from None


class Attendance:
    """Says that a worker of a host that is away is there; the last one to leave clears up after the session."""

    def __init__(self, folder: Path, place: Path, worker: str) -> None:
        self._folder, self._place = folder, place
        place.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._mark = place / f"{worker}.here"
        self._mark.touch()

    def leave(self) -> None:
        """Remove what nobody needs any more."""
        with suppress(OSError):
            self._mark.unlink()
            if not list(self._place.glob("*.here")):
                rmtree(self._place)
            self._folder.rmdir()
