"""Ids of cases: those made for cases without one, and that no two stand for the same test."""

from __future__ import annotations

import hashlib
import json
from typing import Any

from ..model.ids import node_name, slug
from .reading import Reading
from .source import Source
from .tree import Map, quoted

DIGITS = 8

DIGITS_OF_ROWS = 12
"""Of 100,000 rows two would likely share 8 digits; with 12 it is one chance in 50,000."""


def default_id(name: str, content: Any, digits: int = DIGITS) -> str:
    """The slug of the name; without one, a hash of what the case asks, which is the same in every run and position."""
    if made := slug(name):
        return made
    canonical = json.dumps(content, sort_keys=True, separators=(",", ":"))
    return f"case-{hashlib.sha256(canonical.encode()).hexdigest()[:digits]}"


class Ids:
    """The ids of a file so far."""

    def __init__(self, r: Reading) -> None:
        self.unheard = Reading(r.source)
        """For values that are read a second time."""
        self._stated: dict[tuple[str, ...], tuple[str, ...]] = {}
        self._by_test: dict[str, tuple[str, Source, int, bool]] = {}

    def same(self, keys: tuple[str, ...]) -> tuple[str, ...]:
        """One object for all cases that state these keys."""
        return self._stated.setdefault(keys, keys)

    def check(self, r: Reading, case_id: str, node: Map) -> None:
        """Note an id that another case has, or whose test would have the same name."""
        name = node_name(case_id)
        first = self._by_test.get(name)
        if first is None:
            # without the node, which would keep every row of a data set in memory
            self._by_test[name] = (case_id, r.source, node.spot("id"), "id" in node)
            return
        other_id, source, at, has_id = first
        place = source.place(at)
        where = f"in line {place.line}" if source is r.source else f"at {place.path}:{place.line}"
        if other_id != case_id:
            message = f"ids {quoted(case_id)} and {quoted(other_id)} ({where.removeprefix('in ')})"
            r.wrong(node, "id", f"{message} make one test name, {quoted(name)}; change one")
        elif "id" in node and has_id:
            r.wrong(node, "id", f"duplicate id {quoted(case_id)}, which the case {where} has; change one")
        else:
            message = f"without an id the case is {quoted(case_id)}, like the one {where}; give each an 'id'"
            r.wrong(node, "id", message)
