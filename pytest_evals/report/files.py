"""Report files: whole or not at all."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO


@contextmanager
def whole_file(path: Path) -> Iterator[BinaryIO]:
    """A file to write to, which takes the place of ``path`` when all is written; nothing is left behind otherwise.

    Missing folders are made. What is there and is no ordinary file (a pipe, ``/dev/stdout``) is written to directly.
    Raises ``OSError``.
    """
    target = Path(os.path.realpath(path))  # through links: the file is replaced, not the link
    if target.exists() and not target.is_file():
        with target.open("wb") as file:
            yield file
        return
    target.parent.mkdir(parents=True, exist_ok=True)
    # the name tells which process it was, should the machine stop meanwhile
    draft = target.with_name(f".{target.name[:100]}.{os.getpid()}.tmp")
    try:
        with draft.open("wb") as file:
            yield file
        draft.replace(target)
    except BaseException:
        with suppress(OSError):
            draft.unlink()
        raise
