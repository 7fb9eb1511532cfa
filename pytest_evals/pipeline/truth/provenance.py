"""Where in the source an item of ground truth stands."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

_LONGEST = 300
_LEAST = 0.2
"""The share of an item's words that a line must have to be named as its place."""


def provenance(analysis: Mapping[str, Any], quotes: Sequence[str], source: str) -> dict[str, Any]:
    """For every pair and every entry of a summary its span in the source, ``None`` where nothing there says it.

    A span has ``start`` and ``end`` in characters of the text, that ``text``, and ``found``: *quoted*, as the model
    copied it, or *nearest*, the line that shares most words with the item.
    """
    lines = _Lines(source)
    found: dict[str, Any] = {}
    if pairs := analysis.get("qa_pairs"):
        found["qa_pairs"] = [
            quoted(quote, source) or lines.nearest(pair["response"])
            for pair, quote in zip(pairs, [*quotes, *[""] * len(pairs)], strict=False)
        ]
    summaries = {**(analysis.get("summaries") or {})}
    if isinstance(analysis.get("summary"), str):
        summaries["summary"] = analysis["summary"]
    for name, value in summaries.items():
        spans = [lines.nearest(item) for item in value] if isinstance(value, list) else lines.nearest(value)
        found.setdefault("summaries", {})[name] = spans
    return found


def quoted(quote: str, source: str) -> dict[str, Any] | None:
    """The span of a quote, whatever its white space and letter case; ``None`` when it does not stand there."""
    words = quote.split()
    if not words:
        return None
    match = re.search(r"\s+".join(map(re.escape, words)), source, re.IGNORECASE)
    return _span(source, match.start(), match.end(), "quoted") if match else None


class _Lines:
    """The lines of a source by their words."""

    def __init__(self, source: str) -> None:
        self._source = source
        self._lines = [
            (match.start(), match.end(), words)
            for match in re.finditer(r"[^\n]+", source)
            if (words := _words(match[0]))
        ]

    def nearest(self, item: str) -> dict[str, Any] | None:
        wanted = _words(item)
        if not wanted or not self._lines:
            return None
        # of lines that share as much the shorter one says it more plainly
        start, end, words = max(self._lines, key=lambda line: (len(wanted & line[2]), -len(line[2])))
        return _span(self._source, start, end, "nearest") if len(wanted & words) / len(wanted) >= _LEAST else None


def _words(text: str) -> frozenset[str]:
    return frozenset(word for word in re.findall(r"\w+", text.casefold()) if len(word) > 2 or word.isdigit())


def _span(source: str, start: int, end: int, found: str) -> dict[str, Any]:
    return {"start": start, "end": end, "found": found, "text": source[start:end][:_LONGEST]}
