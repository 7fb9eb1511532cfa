"""Two JSON values compared: where they differ, within a tolerance for numbers, without the order of lists if asked.

Numbers are equal by value (``10`` is ``10.0``), ``true`` is no ``1`` and ``"1"`` is no ``1``; the order of keys never
counts.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from decimal import Decimal
from fractions import Fraction
from typing import Any, NamedTuple

from ..errors import ScorerError
from ..model.text import one_line
from .matching import pair

MOST_UNORDERED = 500
"""Items of two lists that are compared each with each, when their order does not count and they are not equal."""


class How(NamedTuple):
    """How values are compared."""

    tolerance: float = 0
    relative_tolerance: float = 0
    """As a fraction of the expected number; the larger one counts."""
    unordered: bool = False
    """Whether the order of lists does not count."""
    subset: bool = False
    """Whether the answer may have more keys than are expected."""


EXACTLY = How()


Steps = tuple[str | int, ...]
"""The keys and places that lead to a value. Written out only where values differ: most do not."""


class Difference(NamedTuple):
    """Where the answer is not what was expected."""

    steps: Steps
    says: str

    def told(self, start: str = "$") -> str:
        """In words, with the path from ``start`` on."""
        path = written(self.steps, start)
        return f"{path}: {self.says}" if path not in ("", "$") else self.says

    def __str__(self) -> str:
        return self.told()


def differences(actual: Any, expected: Any, how: How = EXACTLY, steps: Steps = ()) -> Iterator[Difference]:
    """The differences of two JSON values, in the order of the expected one."""
    if isinstance(expected, Mapping) and isinstance(actual, Mapping):
        yield from _of_objects(actual, expected, how, steps)
    elif isinstance(expected, list) and isinstance(actual, list):
        if how.unordered:
            yield from _of_bags(actual, expected, how, steps)
        else:
            yield from _of_lists(actual, expected, how, steps)
    elif not equal_scalars(actual, expected, how):
        yield Difference(steps, f"{shown(actual)} where {shown(expected)} is expected{_hint(actual, expected)}")


def same(actual: Any, expected: Any, how: How = EXACTLY) -> bool:
    """Whether two JSON values are equal."""
    return next(differences(actual, expected, how), None) is None


def _of_objects(actual: Any, expected: Any, how: How, steps: Steps) -> Iterator[Difference]:
    for key, value in expected.items():
        if key in actual:
            yield from differences(actual[key], value, how, (*steps, key))
        else:
            yield Difference((*steps, key), f"missing, {shown(value)} is expected")
    if not how.subset:
        for key in actual:
            if key not in expected:
                yield Difference((*steps, key), f"not expected, here {shown(actual[key])}")


def _of_lists(actual: list[Any], expected: list[Any], how: How, steps: Steps) -> Iterator[Difference]:
    if len(actual) != len(expected):
        yield Difference(steps, f"{_items(actual)} where {len(expected)} {_are(expected)} expected")
    for number, (mine, theirs) in enumerate(zip(actual, expected, strict=False)):
        yield from differences(mine, theirs, how, (*steps, number))


def _of_bags(actual: list[Any], expected: list[Any], how: How, steps: Steps) -> Iterator[Difference]:
    if len(actual) != len(expected):
        yield Difference(steps, f"{_items(actual)} where {len(expected)} {_are(expected)} expected")
    mine, theirs = _without_equals(actual, expected)
    if max(len(mine), len(theirs)) > MOST_UNORDERED:
        raise ScorerError(
            f"the lists at {written(steps)} differ in more than {MOST_UNORDERED} items, "
            "which is too much to compare without their order"
        )
    pairs = pair(len(theirs), len(mine), lambda i, j: same(mine[j], theirs[i], how))
    for number, value in enumerate(theirs):
        if number not in pairs:
            yield Difference(steps, f"no item is {shown(value)}")
    used = set(pairs.values())
    for number, value in enumerate(mine):
        if number not in used:
            yield Difference(steps, f"item {shown(value)} is not expected")


def _without_equals(actual: list[Any], expected: list[Any]) -> tuple[list[Any], list[Any]]:
    """What is left of two lists when items that are exactly equal are taken out, in linear time."""
    wanted = Counter(map(canonical, expected))
    left: list[Any] = []
    for value in actual:
        key = canonical(value)
        if wanted[key] > 0:
            wanted[key] -= 1
        else:
            left.append(value)
    missing: list[Any] = []
    for value in expected:
        key = canonical(value)
        if wanted[key] > 0:
            wanted[key] -= 1
            missing.append(value)
    return left, missing


def canonical(value: Any) -> str:
    """A text that only equal values share, when the order of lists does not count."""
    if isinstance(value, Mapping):
        return "{" + ",".join(f"{json.dumps(key)}:{canonical(value[key])}" for key in sorted(value)) + "}"
    if isinstance(value, list):
        return "[" + ",".join(sorted(map(canonical, value))) + "]"
    if isinstance(value, Decimal):
        return str(value)
    return str(int(value)) if isinstance(value, float) and value.is_integer() else json.dumps(value)


def equal_scalars(actual: Any, expected: Any, how: How) -> bool:
    """Whether two values that are not both objects or both lists are equal."""
    if is_number(actual) and is_number(expected):
        return bool(actual == expected) or _within(actual, expected, how)
    return type(actual) is type(expected) and bool(actual == expected)


def is_number(value: Any) -> bool:
    """Whether it is a JSON number; ``true`` is none."""
    return isinstance(value, (int, float, Decimal)) and not isinstance(value, bool)


def _within(actual: Any, expected: Any, how: How) -> bool:
    if not (how.tolerance or how.relative_tolerance):
        return False
    if isinstance(actual, Decimal) or isinstance(expected, Decimal):
        return False  # such a number has thousands of digits, or an exponent that would
    # repr: 3.15 is within 0.01 of 3.14, though the binary fractions next to them are not
    mine, theirs = Fraction(repr(actual)), Fraction(repr(expected))
    allowed = max(Fraction(repr(how.tolerance)), Fraction(repr(how.relative_tolerance)) * abs(theirs))
    return abs(mine - theirs) <= allowed


_PLAIN_KEY = re.compile(r"[^\W\d]\w*")


def written(steps: Iterable[str | int], start: str = "$") -> str:
    """A path as a person reads it: ``$.order.items[0].id``, ``$["the name"]``."""
    path = start
    for step in steps:
        if isinstance(step, int):
            path += f"[{step}]"
        else:
            path += f".{one_line(step, 60)}" if _PLAIN_KEY.fullmatch(step) else f"[{one_line(json.dumps(step), 60)}]"
    return path


def shown(value: Any, limit: int = 60) -> str:
    """A JSON value as it stands in a reason."""
    if isinstance(value, Decimal):
        return one_line(str(value), limit)
    if isinstance(value, (Mapping, list)) and len(value) > limit:
        return f"{'an object' if isinstance(value, Mapping) else 'a list'} of {len(value)}"
    if isinstance(value, str):
        cut = value if len(value) <= limit else value[:limit] + "…"
        return one_line(json.dumps(cut, ensure_ascii=False), limit + 3)
    return one_line(json.dumps(value) if value is None or isinstance(value, bool) else value, limit)


def _hint(actual: Any, expected: Any) -> str:
    if isinstance(actual, str) and is_number(expected) and actual == str(expected):
        return "; it is there as a text"
    if isinstance(expected, str) and is_number(actual) and expected == str(actual):
        return "; it is there as a number"
    return ""


def _items(values: list[Any]) -> str:
    return f"{len(values)} item" if len(values) == 1 else f"{len(values)} items"


def _are(values: list[Any]) -> str:
    return "is" if len(values) == 1 else "are"
