"""Data in the page: compressed, and as base64, so that no text of it can be taken for markup."""

from __future__ import annotations

import base64
import zlib
from typing import BinaryIO

BLOCK_BYTES = 256_000
"""So much JSON is unpacked at once when a case is opened (a few milliseconds)."""


def packed(name: str, data: bytes) -> bytes:
    """A script element of data with the id ``name``: zlib, base64."""
    body = base64.b64encode(zlib.compress(data, 6))
    return b'<script type="application/octet-stream" id="' + name.encode("ascii") + b'">' + body + b"</script>\n"


class Blocks:
    """Many JSON values in few packed blocks, written as they fill up."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._values: list[bytes] = []
        self._size = 0
        self._number = 0

    def add(self, value: bytes) -> tuple[int, int]:
        """Returns in which block the value is, and where in it."""
        at = (self._number, len(self._values))
        self._values.append(value)
        self._size += len(value)
        if self._size >= BLOCK_BYTES:
            self.finish()
        return at

    def finish(self) -> None:
        """Write what is left."""
        if self._values:
            self._file.write(packed(f"block-{self._number}", b"[" + b",".join(self._values) + b"]"))
            self._values, self._size, self._number = [], 0, self._number + 1
