"""Answers as text."""

from __future__ import annotations

import json
from typing import Any

from .wire import plain


def text_of(value: Any) -> str:
    """An answer as the text that scorers compare: text as it is, ``None`` as "", any other value as compact JSON."""
    if isinstance(value, str):
        return value
    if value is None:
        return ""
    return json.dumps(plain(value), ensure_ascii=False)


def one_line(value: Any, limit: int = 200) -> str:
    """The value on one line of at most ``limit`` characters: white space folded, control characters escaped."""
    text = text_of(value)
    if len(text) > 10_000 and limit < 1000:  # of a text of megabytes the beginning will do
        begun = one_line(text[:10_000], limit)
        if len(begun) == limit and begun.endswith("…"):
            return begun
    text = " ".join(text.split())
    text = "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in text)
    return text if len(text) <= limit else text[: limit - 1] + "…"
