"""Answers as JSON: read strictly, or told why they are none.

Strictly: as RFC 8259 has it, so no ``NaN``, no comments, no trailing comma; and every key of an object once, because of
two equal keys every reader takes another one.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping
from decimal import Decimal
from functools import cache
from typing import Any

from ..model.text import one_line
from ..model.wire import plain

DEEPEST = 200
"""Levels of nesting that are read. Deeper ones are nobody's answer, and what compares values recurses."""

_LONGEST_NUMBER = 4300  # Python reads no longer integers: it would take quadratic time
_HUGE = 10**_LONGEST_NUMBER
_BRACKETS = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"?|[\[{]|[\]}]', re.DOTALL)
_MOST_PARTS = 5_000_000


class NotJsonError(ValueError):
    """A text that is no JSON; ``str`` says why, and goes on after "the answer is not JSON: "."""


class RepeatedKeyError(NotJsonError):
    """JSON by its grammar, with a key that is there twice in one object."""


def read_json(text: str) -> Any:
    """The JSON value that a text writes. Raises ``NotJsonError``.

    A number that no float or short integer can hold becomes a ``Decimal``.
    """
    if not text.strip():
        raise NotJsonError("it is empty")
    if text.startswith("\ufeff"):
        raise NotJsonError("it starts with a byte order mark")
    check_depth(text)
    try:
        return _decoder().decode(text)
    except json.JSONDecodeError as error:
        raise NotJsonError(_told(text, error)) from None
    except RecursionError:
        raise NotJsonError(_TOO_DEEP) from None


_TOO_DEEP = f"it is nested deeper than {DEEPEST} levels"


def check_depth(text: str) -> None:
    """Refuse a text whose brackets are nested too deep; it need not be JSON."""
    if text.count("[") + text.count("{") <= DEEPEST:
        return
    depth = 0
    for match in _BRACKETS.finditer(text):
        if match[0] in "[{":
            depth += 1
            if depth > DEEPEST:
                raise NotJsonError(_TOO_DEEP)
        elif match[0] in "]}":
            depth -= 1


@cache
def _decoder() -> json.JSONDecoder:
    return json.JSONDecoder(
        object_pairs_hook=_object, parse_constant=_refuse, parse_int=_integer, parse_float=_fraction
    )


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        seen: set[str] = set()
        twice = next(key for key, _ in pairs if key in seen or seen.add(key))  # type: ignore[func-returns-value]
        raise RepeatedKeyError(f"the key {one_line(repr(twice), 60)} is there twice in one object")
    return found


def _refuse(constant: str) -> Any:
    raise NotJsonError(f"{constant} is no JSON value")


def _integer(digits: str) -> int | Decimal:
    return int(digits) if len(digits) <= _LONGEST_NUMBER else Decimal(digits)


def _fraction(digits: str) -> float | Decimal:
    value = float(digits)
    return value if math.isfinite(value) else Decimal(digits)


def _told(text: str, error: json.JSONDecodeError) -> str:
    """What is wrong and where; what Python calls an expected value is mostly a text with no JSON in it."""
    start = len(text) - len(text.lstrip(" \t\r\n"))
    if error.pos == start and error.msg == "Expecting value":
        return f"it starts with '{one_line(text[start : start + 60], 20)}'"
    if error.msg == "Extra data":
        return f"after it comes '{one_line(text[error.pos : error.pos + 90], 30)}' (line {error.lineno})"
    message = error.msg[:1].lower() + error.msg[1:].removesuffix(" at")
    return f"{message} at line {error.lineno}, column {error.colno}"


def json_of(value: Any) -> Any:
    """A structured answer (mapping, list, number …) as the JSON value it stands for. Raises ``NotJsonError``."""
    todo, depth, count = [value], 0, 0
    while todo:
        below: list[Any] = []
        for part in todo:
            if isinstance(part, float) and not math.isfinite(part):
                raise NotJsonError(f"{_name(part)} is no JSON value")
            if isinstance(part, Mapping):
                below.extend(part.values())
            elif isinstance(part, (list, tuple)):
                below.extend(part)
        todo, depth, count = below, depth + 1, count + len(below)
        if depth > DEEPEST:
            raise NotJsonError(_TOO_DEEP)
        if count > _MOST_PARTS:  # a few lists that hold each other twice are more than fits any memory
            raise NotJsonError(f"it has more than {_MOST_PARTS:,} parts")
    return _whole(value)


def _name(value: float) -> str:
    return "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"


def _whole(value: Any) -> Any:
    # plain() cuts at 60 levels, for what leaves the process; comparing wants all of them
    if isinstance(value, Mapping):
        return {key if type(key) is str else str(plain(key)): _whole(part) for key, part in value.items()}
    if isinstance(value, (list, tuple)):
        return [_whole(part) for part in value]
    kind = type(value)
    if kind is str or kind is bool or value is None:
        return value
    if kind is int:
        # JSON writes no longer ones, and neither does Python
        return value if -_HUGE < value < _HUGE else Decimal(value)
    return plain(value)
