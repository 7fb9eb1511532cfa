"""Journals whose sessions are gone: killed, or ended without a history they could write to."""

from __future__ import annotations

import contextlib
import json
import os
import time
from collections.abc import Iterator
from pathlib import Path

from ..errors import StoreError
from .journal import Journal, line_of
from .owner import FOREIGN_SILENCE_S, Owner


def abandoned(folder: Path, *, foreign: bool = False) -> Iterator[Journal]:
    """The journals in the folder whose sessions are gone, oldest first; the caller finishes or closes each.

    ``foreign`` includes those of other machines that wrote within the last hour, which may still be alive.
    """
    _sweep(folder)
    for path in sorted(folder.glob("*.jsonl")):
        try:
            owner, silent_s = _owner_of(path)
            if owner is None or (owner.alive(silent_s) and not (foreign and not owner.near)):
                continue
            yield Journal.open(path)
        except (OSError, StoreError):  # another session took it meanwhile, or it is not ours to read
            continue


def living(folder: Path) -> list[tuple[Path, Owner]]:
    """The journals in the folder whose sessions run, or may run on another machine."""
    found = []
    for path in sorted(folder.glob("*.jsonl")):
        with contextlib.suppress(OSError):
            owner, silent_s = _owner_of(path)
            if owner is not None and owner.alive(silent_s):
                found.append((path, owner))
    return found


def _sweep(folder: Path) -> None:
    """Remove what sessions left that were killed in the instant of making their journal; there is nothing in it."""
    for path in folder.glob("*.jsonl.new"):
        with contextlib.suppress(OSError):
            if time.time() - path.stat().st_mtime > FOREIGN_SILENCE_S:
                path.unlink()
                folder.rmdir()  # only when nothing else is there


def _owner_of(path: Path) -> tuple[Owner | None, float]:
    """Who writes it, and for how many seconds nothing was written. A released journal has waited for ever."""
    released = line_of("released")
    with path.open("rb") as file:
        first = file.readline()
        status = os.fstat(file.fileno())
        file.seek(max(0, status.st_size - len(released)))
        last = file.read()
    try:
        owner = Owner.read(json.loads(first)["owner"])
    except (ValueError, KeyError, TypeError):
        return None, 0.0
    if owner is not None and last == released:
        return Owner("", "", 0, ""), float("inf")
    return owner, max(0.0, time.time() - status.st_mtime)
