"""Which of many JSON values is nearest to another, and where the two differ."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher, unified_diff
from typing import Any, TypeVar

from ..model.text import one_line

T = TypeVar("T")
_NOTHING = object()

_CLOSE = 5
"""How many candidates are compared letter by letter."""
_LETTERS = 2000
"""Of each text that is compared so."""


@dataclass(frozen=True, slots=True)
class Difference:
    """A place in which two values differ."""

    where: str
    """``messages[1].content``"""
    recorded: Any
    asked: Any

    def one_line(self) -> str:
        """Both values, cut to where they begin to differ."""
        return f"{self.where}: recorded {_short(self.recorded, self.asked)}, asked {_short(self.asked, self.recorded)}"

    def lines(self) -> Iterator[str]:
        """Both values whole; long texts as a diff."""
        yield f"{self.where}:"
        if isinstance(self.recorded, str) and isinstance(self.asked, str):
            diff = unified_diff(self.recorded.splitlines(), self.asked.splitlines(), lineterm="", n=1)
            yield from (f"  {line}" for line in diff if not line.startswith(("---", "+++", "@@")))
        else:
            yield f"  -{_shown(self.recorded)}"
            yield f"  +{_shown(self.asked)}"


def nearest(wanted: Mapping[str, Any], among: Sequence[T], value_of: Callable[[T], Mapping[str, Any]]) -> T:
    """The one that differs in the fewest places, and there by the fewest letters."""
    leaves = dict(_leaves("", wanted))

    def places(candidate: T) -> int:
        return sum(1 for _ in _different(dict(_leaves("", value_of(candidate))), leaves))

    close = sorted(among, key=places)[:_CLOSE]
    fewest = places(close[0])

    def unlike(candidate: T) -> tuple[int, float]:
        found = list(_different(dict(_leaves("", value_of(candidate))), leaves))
        return len(found) - fewest, sum(1 - _alike(each.recorded, each.asked) for each in found)

    return min(close, key=lambda candidate: sum(unlike(candidate)))


def differences(recorded: Mapping[str, Any], asked: Mapping[str, Any]) -> Iterator[Difference]:
    """Every place in which they differ, in the order of what is asked."""
    return _different(dict(_leaves("", recorded)), dict(_leaves("", asked)))


def _different(recorded: Mapping[str, Any], asked: Mapping[str, Any]) -> Iterator[Difference]:
    for where, value in asked.items():
        before = recorded.get(where, _NOTHING)
        if before is _NOTHING or before != value:
            yield Difference(where, before, value)
    for where, value in recorded.items():
        if where not in asked:
            yield Difference(where, value, _NOTHING)


def _leaves(where: str, value: Any) -> Iterator[tuple[str, Any]]:
    if isinstance(value, Mapping) and value:
        for key, item in value.items():
            yield from _leaves(f"{where}.{key}" if where else str(key), item)
    elif isinstance(value, list) and value:
        for index, item in enumerate(value):
            yield from _leaves(f"{where}[{index}]", item)
    else:
        yield where, value


def _alike(first: Any, second: Any) -> float:
    if isinstance(first, str) and isinstance(second, str):
        return SequenceMatcher(None, first[:_LETTERS], second[:_LETTERS], autojunk=False).quick_ratio()
    return 0.0


def _shown(value: Any) -> str:
    return "nothing" if value is _NOTHING else repr(value)


def _short(value: Any, other: Any) -> str:
    if not isinstance(value, str):
        return one_line(_shown(value), 60)
    start = 0
    if isinstance(other, str) and len(value) > 60:
        while start < min(len(value), len(other)) and value[start] == other[start]:
            start += 1
        start = max(0, start - 15)
    return repr(("…" if start else "") + one_line(value[start:], 60))
