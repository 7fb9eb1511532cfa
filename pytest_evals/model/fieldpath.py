"""Where a value lies inside a JSON value: ``choices.0.message.content``, ``$.answer``, ``items[-1]["the name"]``."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from .place import did_you_mean
from .text import one_line

_FIRST = re.compile(r"\$|[^.\[\]\"'$][^.\[\]]*")
_NEXT = re.compile(r"""\.([^.\[\]]+)|\[(-?\d+)\]|\["([^"]+)"\]|\['([^']+)'\]""")
_INDEX = re.compile(r"-?\d{1,9}")


@dataclass(frozen=True, slots=True)
class FieldPath:
    """The way to a value. Made by ``read_path``."""

    text: str
    """As written."""
    parts: tuple[str, ...]
    """Keys of mappings, and numbers of places in lists."""

    def find(self, value: Any) -> Any:
        """The value at the path. Raises ``LookupError`` that says what is there instead."""
        for number, part in enumerate(self.parts):
            if isinstance(value, Mapping) and part in value:
                value = value[part]
            elif _is_list(value) and _INDEX.fullmatch(part) and -len(value) <= int(part) < len(value):
                value = value[int(part)]
            else:
                where = f" at {'.'.join(self.parts[:number])!r}" if number else ""
                raise LookupError(f"there is no {part!r}{where}, which is {_said(value, part)}")
        return value


def read_path(text: str) -> FieldPath:
    """The path a text writes. Raises ``ValueError`` when it is none."""
    text = text.strip()
    first = _FIRST.match(text)
    at = first.end() if first else 0
    parts = [first[0]] if first and first[0] != "$" else []
    while at < len(text):
        found = _NEXT.match(text, at)
        if found is None:
            break
        parts.append(next(group for group in found.groups() if group is not None))
        at = found.end()
    if at < len(text) or not text:
        raise ValueError(
            f"{one_line(text, 60)!r} is no path; write 'answer', 'choices.0.message.content' or '$.answer'"
        )
    return FieldPath(text, tuple(parts))


def _is_list(value: Any) -> bool:
    return isinstance(value, Sequence) and not isinstance(value, (str, bytes))


def _said(value: Any, part: str) -> str:
    """What stands where a part was looked for."""
    if isinstance(value, Mapping):
        keys = list(value)
        if not keys:
            return "an empty mapping"
        shown = ", ".join(one_line(repr(key), 40) for key in keys[:8]) + (" …" if len(keys) > 8 else "")
        return f"a mapping of {shown}{did_you_mean(part, [key for key in keys if isinstance(key, str)])}"
    if _is_list(value):
        return f"a list of {len(value)}" if value else "an empty list"
    return f"{type(value).__name__} {one_line(value, 60)!r}" if value is not None else "null"
