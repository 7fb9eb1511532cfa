"""Ids of cases: those made for cases without one, and that no two stand for the same test."""

from __future__ import annotations

import hashlib
import json
from typing import Any

from ..model.ids import node_name, slug
from .reading import Reading
from .tree import Map, quoted


def default_id(name: str, content: Any) -> str:
    """The slug of the name; without one, a hash of what the case asks, which is the same in every run and position."""
    if made := slug(name):
        return made
    canonical = json.dumps(content, sort_keys=True, separators=(",", ":"))
    return f"case-{hashlib.sha256(canonical.encode()).hexdigest()[:8]}"


class Ids:
    """The ids of a file so far."""

    def __init__(self, r: Reading) -> None:
        self.unheard = Reading(r.source)
        """For values that are read a second time."""
        self._by_test: dict[str, tuple[str, Map]] = {}

    def check(self, r: Reading, case_id: str, node: Map) -> None:
        """Note an id that another case has, or whose test would have the same name."""
        name = node_name(case_id)
        if name not in self._by_test:
            self._by_test[name] = (case_id, node)
            return
        other_id, other = self._by_test[name]
        line = r.source.place(other.spot("id")).line
        if other_id != case_id:
            message = f"ids {quoted(case_id)} and {quoted(other_id)} (line {line}) make one test name, {quoted(name)}"
            r.wrong(node, "id", f"{message}; change one")
        elif "id" in node and "id" in other:
            r.wrong(node, "id", f"duplicate id {quoted(case_id)}, which the case in line {line} has; change one")
        else:
            message = f"without an id the case is {quoted(case_id)}, like the one in line {line}; give each an 'id'"
            r.wrong(node, "id", message)
