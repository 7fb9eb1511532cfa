"""Parts of a report in the order of the suite files, whatever order the results come in."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from tempfile import TemporaryFile

from ..model.run import SessionResult

Key = tuple[str, str, str]


def in_file_order(session: SessionResult, parts: Iterable[tuple[Key, bytes]]) -> Iterator[bytes]:
    """Each case's part of a report; of several parts of one case the last counts.

    They wait in a temporary file, so that memory does not grow with their texts. Raises ``OSError``.
    """
    with TemporaryFile() as spool:
        places: dict[Key, tuple[int, int]] = {}
        position = 0
        for key, part in parts:
            spool.write(part)
            places[key] = (position, len(part))
            position += len(part)
        ordered = [row.key for row in session.rows if row.key in places]
        for key in dict.fromkeys([*ordered, *places]):
            start, length = places[key]
            spool.seek(start)
            yield spool.read(length)
