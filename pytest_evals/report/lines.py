"""Styled lines and aligned columns. Knows nothing of the terminal they are shown in."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from .text import cells, fit, pad

Span = tuple[str, str]
"""A text and its style: ``bold``, ``red``, ``green``, ``yellow``, ``cyan``, ``dim`` or an empty text."""
Line = tuple[Span, ...]

INDENT = "  "
_GAP = "  "


def line(*parts: str | Span) -> Line:
    """A line of spans; a bare text has no style."""
    return tuple(part if isinstance(part, tuple) else (part, "") for part in parts)


def plain_text(shown: Line) -> str:
    """The line without its styles."""
    return "".join(text for text, _ in shown)


def table(rows: Sequence[Sequence[str | Span]], width: int, right: str, header: bool = True) -> list[Line]:
    """Rows as aligned columns within ``width``; ``right`` says of each column ``r`` or ``l``, e.g. ``"lrrl"``.

    When lines would be too long, the first column gives way, and a last one of the kind ``l``.
    """
    spans = [[part if isinstance(part, tuple) else (part, "") for part in row] for row in rows]
    widths = [max(cells(row[n][0]) for row in spans) for n in range(len(right))]
    over = sum(widths) + len(INDENT) + len(_GAP) * (len(widths) - 1) - width
    flexible = [0, len(widths) - 1] if right[-1] == "l" and len(widths) > 1 else [0]
    while over > 0:  # the wider of the texts gives way
        widest = max(flexible, key=lambda n: widths[n])
        if widths[widest] <= 8:
            break
        widths[widest] -= 1
        over -= 1
    lines = []
    for number, row in enumerate(spans):
        shown: list[Span] = [(INDENT, "")]
        for n, (text, style) in enumerate(row):
            cut = text if cells(text) <= widths[n] else fit(text, widths[n])
            last = n == len(row) - 1
            padded = cut if last and right[n] == "l" else pad(cut, widths[n], right[n] == "r")
            shown.append((padded, "dim" if header and number == 0 else style))
            if not last:
                shown.append((_GAP, ""))
        lines.append(tuple(shown))
    return lines


def wrapped(label: str, parts: Iterable[Span], width: int, column: int) -> list[Line]:
    """``label  a, b, c`` in as many lines as it takes; parts are never broken."""
    lines: list[Line] = []
    start = [(INDENT, ""), (pad(label, column), "dim"), (_GAP, "")]
    current: list[Span] = list(start)
    used = first = len(INDENT) + column + len(_GAP)
    for text, style in parts:
        if used > first and used + 2 + cells(text) + 1 > width:
            current.append((",", ""))
            lines.append(tuple(current))
            current, used = [(" " * first, "")], first
        if used > first:
            current.append((", ", ""))
            used += 2
        current.append((text, style))
        used += cells(text)
    lines.append(tuple(current))
    return lines
