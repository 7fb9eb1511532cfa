"""Values of a document as what they stand for; what is none of that is ``None``."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, TypeGuard


def number_of(value: Any) -> float | None:
    """A finite number, written as a number or as text."""
    if isinstance(value, bool) or not isinstance(value, (int, float, str)):
        return None
    try:
        number = float(value)
    except (ValueError, OverflowError):
        return None
    return number if math.isfinite(number) else None


def whole_of(value: Any) -> int | None:
    """A whole number, written as a number or as text."""
    number = number_of(value)
    if number is None or number != int(number):
        return None
    return value if type(value) is int else int(number)


def amount_of(value: Any) -> float | None:
    """A number that is not negative."""
    number = number_of(value)
    return number if number is not None and number >= 0 else None


def count_of(value: Any) -> int | None:
    """A whole number that is not negative."""
    number = whole_of(value)
    return number if number is not None and number >= 0 else None


def time_of(value: Any) -> datetime | None:
    """A moment in ISO 8601; one without a zone is taken as UTC."""
    if not isinstance(value, str):
        return None
    try:
        found = datetime.fromisoformat(value.replace("Z", "+00:00"))
    except ValueError:
        return None
    return found if found.tzinfo else found.replace(tzinfo=UTC)


def mapping_of(value: Any) -> Mapping[str, Any]:
    """The object, or an empty one."""
    return value if isinstance(value, Mapping) else {}


def is_list(value: Any) -> TypeGuard[Sequence[Any]]:
    return isinstance(value, Sequence) and not isinstance(value, (str, bytes, bytearray))


def mappings_of(value: Any) -> list[Mapping[str, Any]]:
    """The objects of a list."""
    return [item for item in value if isinstance(item, Mapping)] if is_list(value) else []


def kind_of(value: Any) -> str:
    """What a JSON value is, in a word."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "a boolean"
    if isinstance(value, (int, float)):
        return "a number"
    if isinstance(value, str):
        return "text"
    return "an object" if isinstance(value, Mapping) else "a list" if is_list(value) else type(value).__name__
