"""Tables of text."""

from __future__ import annotations

from collections.abc import Sequence

from ..report.text import cells, fit, pad


def table(
    headers: Sequence[str], rows: Sequence[Sequence[object]], *, right: Sequence[int] = (), width: int = 40
) -> str:
    """The rows under their headers, no cell wider than ``width``; ``right`` are the columns of numbers.

    A column without any value is left out.
    """
    texts = [[fit(cell, width) if cell not in (None, "") else "" for cell in row] for row in rows]
    used = [i for i in range(len(headers)) if any(row[i] for row in texts)]
    widths = {i: max(cells(headers[i]), *(cells(row[i]) for row in texts)) for i in used}
    return "\n".join(
        "  ".join(pad(row[i], widths[i], i in right) for i in used).rstrip() for row in (list(headers), *texts)
    )


def minute(time: str | None) -> str:
    """A time of the history to the minute, in UTC: ``2026-03-01 16:00``."""
    return "" if time is None else time[:16].replace("T", " ")
