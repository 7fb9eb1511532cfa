"""The filters of templates. None calls anything, and none makes a value that is larger than a template may be."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from ..model.text import text_of

MAX_LENGTH = 10_000_000
"""Characters of a rendered text, and of every value on the way to it."""

MAX_BITS = 4_000
"""Of a whole number that a template computes."""


class Refused(Exception):  # noqa: N818  (a sentence, no error of ours)
    """A template that cannot be rendered: one sentence that says why."""


def bounded_text(value: Any) -> str:
    """A value as it stands inside a text: text as it is, anything else as compact JSON."""
    measure(value)
    return bounded(text_of(value))


def bounded(text: str) -> str:
    """The text, unless it is too long."""
    if len(text) > MAX_LENGTH:
        raise too_long()
    return text


def too_long() -> Refused:
    """The error for what grows without bounds."""
    return Refused(f"the text would be longer than {MAX_LENGTH:,} characters")


def measure(value: Any) -> None:
    """Refuse a value whose JSON would be too long, without writing it: lists may hold one text many times."""
    left = MAX_LENGTH
    todo = [value]
    while todo:
        part = todo.pop()
        left -= len(part) if isinstance(part, str) else 1
        if left < 0:
            raise too_long()
        if isinstance(part, Mapping):
            todo += [*part, *part.values()]
        elif isinstance(part, (list, tuple)):
            todo += part


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise Refused(f"text is wanted here, not {text_of(value)[:40] or 'nothing'}")
    return value


def _several(value: Any) -> list[Any]:
    measure(value)
    if isinstance(value, (list, tuple)):
        return list(value)
    if isinstance(value, Mapping):
        return list(value)
    raise Refused(f"a list is wanted here, not {'a text' if isinstance(value, str) else text_of(value)[:40]}")


def _number(value: Any) -> int | float:
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return value
    raise Refused(f"a number is wanted here, not {'a text' if isinstance(value, str) else text_of(value)[:40]}")


def _int(value: Any) -> int:
    """A whole number from a number or a text of digits."""
    try:
        if isinstance(value, float) and math.isfinite(value):
            return int(value)
        if isinstance(value, (int, str)):
            return int(value)
    except ValueError:
        pass
    raise Refused(f"{text_of(value)[:40]!r} is no whole number")


def _float(value: Any) -> float:
    """A number from a number or a text."""
    try:
        number = float(value) if isinstance(value, (int, float, str)) else math.nan
    except (ValueError, OverflowError):
        number = math.nan
    if not math.isfinite(number):
        raise Refused(f"{text_of(value)[:40]!r} is no number")
    return number


def _round(value: Any, digits: Any = 0) -> int | float:
    if not isinstance(digits, int) or not -20 <= digits <= 20:
        raise Refused("round takes a number of digits from -20 to 20")
    rounded = round(_number(value), digits)
    return int(rounded) if digits <= 0 else rounded


def _join(value: Any, between: Any = "") -> str:
    parts = [bounded_text(part) for part in _several(value)]
    if sum(map(len, parts)) + len(_text(between)) * len(parts) > MAX_LENGTH:
        raise too_long()
    return between.join(parts)  # type: ignore[no-any-return]


def _replace(value: Any, old: Any, new: Any) -> str:
    text, old, new = _text(value), _text(old), _text(new)
    if len(text) + text.count(old) * max(0, len(new) - len(old)) > MAX_LENGTH:
        raise too_long()
    return text.replace(old, new)


def _indent(value: Any, width: Any = 4) -> str:
    """All lines but the first start with so many spaces."""
    if not isinstance(width, int) or not 0 <= width <= 200:
        raise Refused("indent takes a width from 0 to 200")
    return _replace(_text(value), "\n", "\n" + " " * width)


def _length(value: Any) -> int:
    return len(value) if isinstance(value, str) else len(_several(value))


def _first(value: Any) -> Any:
    found = value if isinstance(value, str) else _several(value)
    if not found:
        raise Refused("there is no first of an empty value")
    return found[0]


def _last(value: Any) -> Any:
    found = value if isinstance(value, str) else _several(value)
    if not found:
        raise Refused("there is no last of an empty value")
    return found[-1]


def _reverse(value: Any) -> Any:
    return value[::-1] if isinstance(value, str) else _several(value)[::-1]


def _unique(value: Any) -> list[Any]:
    seen: dict[str, Any] = {}
    for part in _several(value):
        seen.setdefault(json.dumps(part, sort_keys=True), part)
    return list(seen.values())


def _map(value: Any, attribute: Any) -> list[Any]:
    """What each mapping of a list holds under one key."""
    found = []
    for part in _several(value):
        if not isinstance(part, Mapping) or attribute not in part:
            raise Refused(f"not every part of the list has the key {attribute!r}")
        found.append(part[attribute])
    return found


def _compared(choose: Callable[[Iterable[Any]], Any]) -> Callable[[Any], Any]:
    def chosen(value: Any) -> Any:
        parts = _several(value)
        if not parts:
            raise Refused("an empty list has no least and no greatest")
        return choose(parts)

    return chosen


def _json(value: Any, indent: Any = None) -> str:
    if indent is not None and (not isinstance(indent, int) or not 0 <= indent <= 20):
        raise Refused("tojson takes an indent from 0 to 20")
    measure(value)
    return bounded(json.dumps(value, ensure_ascii=False, indent=indent))


FILTERS: dict[str, Callable[..., Any]] = {
    "abs": lambda value: abs(_number(value)),
    "capitalize": lambda value: _text(value).capitalize(),
    "count": _length,
    "first": _first,
    "float": _float,
    "indent": _indent,
    "int": _int,
    "join": _join,
    "last": _last,
    "length": _length,
    "lower": lambda value: _text(value).lower(),
    "map": _map,
    "max": _compared(max),
    "min": _compared(min),
    "replace": _replace,
    "reverse": _reverse,
    "round": _round,
    "sort": lambda value: sorted(_several(value)),
    "string": bounded_text,
    "title": lambda value: _text(value).title(),
    "tojson": _json,
    "trim": lambda value: _text(value).strip(),
    "unique": _unique,
    "upper": lambda value: _text(value).upper(),
}
"""By the name they have in a template. ``default`` (and ``d``) is Jinja's own."""
