"""Plain JSON values: what may leave a process, enter a report or a store."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping
from datetime import date, time, timedelta
from decimal import Decimal
from enum import Enum
from os import PathLike
from typing import Any

MAX_DEPTH = 60
"""Deeper values are shown as text: nobody reads them, and JSON encoders recurse."""

_HUGE = 10**4000
"""Python refuses to write integers of more than 4,300 decimal digits."""


def plain(value: Any, depth: int = 0) -> Any:
    """The value in JSON types alone, whatever an application or scorer put in.

    Dates become ISO text, numpy scalars and arrays numbers and lists, enums their value, paths text, sets sorted lists,
    dataclasses and pydantic models mappings, bytes text; NaN and infinities become text, since JSON has none.
    Never raises: what is none of these becomes its ``str``.
    """
    kind = type(value)
    if kind is str or kind is bool or value is None:
        return value
    if kind is int:
        return value if -_HUGE < value < _HUGE else hex(value)
    if kind is float:
        return value if math.isfinite(value) else str(value)
    if depth > MAX_DEPTH:
        return _text(value)
    if kind is dict or isinstance(value, Mapping):
        return {_key(k): plain(v, depth + 1) for k, v in value.items()}
    if kind is list or kind is tuple or isinstance(value, (list, tuple)):
        return [plain(v, depth + 1) for v in value]
    return _unusual(value, depth)


def _unusual(value: Any, depth: int) -> Any:
    if isinstance(value, Enum):
        return plain(value.value, depth + 1)
    if isinstance(value, (date, time)):
        return value.isoformat()
    if isinstance(value, timedelta):
        return value.total_seconds()
    if isinstance(value, Decimal):
        return plain(float(value))
    if isinstance(value, (bytes, bytearray, memoryview)):
        return bytes(value).decode("utf-8", "backslashreplace")
    if isinstance(value, (set, frozenset)):
        items = [plain(v, depth + 1) for v in value]
        return sorted(items, key=lambda item: (type(item).__name__, str(item)))
    if isinstance(value, PathLike):
        return str(value)
    if isinstance(value, (str, int, float)):
        base = str if isinstance(value, str) else int if isinstance(value, int) else float
        return plain(base.__str__(value) if base is str else base(value))
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {f.name: plain(getattr(value, f.name), depth + 1) for f in dataclasses.fields(value)}
    for method in ("model_dump", "tolist", "item"):
        convert = getattr(value, method, None)
        if callable(convert) and not isinstance(value, type):
            try:
                return plain(convert(), depth + 1)
            except Exception:  # an object of someone else's: fall through to its text
                break
    return _text(value)


def _key(key: Any) -> str:
    return key if type(key) is str else str(plain(key))


def _text(value: Any) -> str:
    try:
        return str(value)
    except Exception as error:  # a broken __str__ must not lose the result that carries it
        return f"<{type(value).__name__}: {type(error).__name__} in __str__>"
