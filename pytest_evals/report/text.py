"""Hostile and huge texts made fit to be shown: control characters escaped, long ones cut with a count."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any
from unicodedata import east_asian_width

from ..model.text import one_line
from ..model.wire import plain
from .format import count

_KEPT = frozenset("\n\t\u200c\u200d")
"""Not printable to Python, but harmless: line breaks, and the joiners that emoji and Persian are written with."""


def readable(value: Any) -> str:
    """A value as a person reads it: text as it is, messages as ``role: content``, anything else as JSON."""
    if isinstance(value, str):
        return value
    value = plain(value)
    if isinstance(value, list) and value and all(_is_message(part) for part in value):
        # a message of several lines is indented, so that none can pass for the next message
        return "\n".join(f"{part['role']}: {part['content']}".replace("\n", "\n  ") for part in value)
    short = json.dumps(value, ensure_ascii=False)
    return short if len(short) <= 100 else json.dumps(value, ensure_ascii=False, indent=2)


def indented(value: Any) -> str:
    """Text as it is, nothing as nothing, any other value as JSON with a line for each part, to be compared."""
    if value is None or isinstance(value, str):
        return value or ""
    return json.dumps(plain(value), ensure_ascii=False, indent=2)


def _is_message(value: Any) -> bool:
    return isinstance(value, Mapping) and set(value) == {"role", "content"} and isinstance(value["content"], str)


def escape(text: str) -> str:
    """The text with control characters, bidirectional overrides and lone surrogates as visible escapes."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() or c in _KEPT else c.encode("unicode_escape").decode("ascii") for c in text)


def cut(text: str, limit: int) -> str:
    """At most about ``limit`` bytes of the text, escaped, and how many characters were left out."""
    shown = escape(text[:limit])
    encoded = shown.encode("utf-8")
    if len(encoded) <= limit and len(text) <= limit:
        return shown
    if len(encoded) > limit:
        shown = encoded[:limit].decode("utf-8", "ignore")
    # escapes make a text longer, so the count is of what is certainly not shown
    left = len(text) - len(shown)
    return f"{shown.rstrip()} … ({count(left)} more characters)" if left > 0 else f"{shown.rstrip()} … (cut)"


def cut_start(text: str, limit: int) -> str:
    """At most about ``limit`` bytes of the end of the text: of a traceback the last frames matter."""
    shown = escape(text[-limit:])
    encoded = shown.encode("utf-8")
    if len(encoded) <= limit and len(text) <= limit:
        return shown
    if len(encoded) > limit:
        shown = encoded[-limit:].decode("utf-8", "ignore")
    _, _, whole_lines = shown.partition("\n")
    return f"… (cut)\n{whole_lines or shown}"


def cells(text: str) -> int:
    """How many columns of a terminal the text takes."""
    return len(text) if text.isascii() else sum(_cells(c) for c in text)


def _cells(character: str) -> int:
    return 2 if east_asian_width(character) in "WF" else 1


def fit(text: object, width: int) -> str:
    """The value on one line of at most ``width`` columns."""
    line = one_line(text, max(width, 1))
    if cells(line) <= width:
        return line
    taken, used = [], 1
    for character in line:
        used += _cells(character)
        if used > width:
            break
        taken.append(character)
    return "".join(taken) + "…"


def pad(text: str, width: int, right: bool = False) -> str:
    """The text filled up with spaces to ``width`` columns."""
    space = " " * (width - cells(text))
    return space + text if right else text + space
