"""From YAML text to a tree, straight from libyaml's events.

Measured at 10,000 cases of 12 keys: 35 µs a case, where PyYAML's C loader takes 99 (331 unless the garbage collector
is paused, which the reader does). And nothing is lost that messages need: whether a scalar was quoted, where keys and
items stand, duplicate keys, tags.

Anchors, aliases and merge keys work as in YAML; an alias is the same object as what it repeats, so expanding many of
them costs nothing here and is bounded for those who come after.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable
from functools import cached_property
from typing import Any

from .source import line_starts
from .tree import LOST, Cut, Map, MaybeCut, Node, Plain, Seq, quoted
from .yamlparser import (
    AliasEvent,
    Event,
    MappingEndEvent,
    MappingStartEvent,
    ScalarEvent,
    SequenceEndEvent,
    SequenceStartEvent,
    StreamEndEvent,
    parser_for,
)

MAX_DEPTH = 60
"""Levels of nesting, aliases expanded. Results are cut at the same depth."""

MAX_REPEATS = 1_000_000
"""Values that aliases may add to a file, besides one for each of its characters."""

Report = Callable[[int, str], None]
"""Takes an offset and what is wrong there."""

# An unquoted scalar that starts otherwise can only be text. `<` is for the merge key.
_SPECIAL = frozenset("0123456789+-.~nNtTfF<")
_COMMENT = re.compile(r"([ \t]+)#(.?)")
_STANDARD_TAG = "tag:yaml.org,2002:"


def build(text: str, report: Report, make_parser: Callable[[str], Any] = parser_for) -> Node | None:
    """The document in the text; ``None`` when it holds none. Raises ``YAMLError`` when it is not YAML.

    Whatever can be read on from is reported: duplicate keys, tags, unknown anchors, a second document.
    """
    return _Builder(text, report, make_parser(text)).document()


class _Builder:
    def __init__(self, text: str, report: Report, parser: Any) -> None:
        self.text = text
        self.report = report
        self.next: Callable[[], Event] = parser.get_event
        self.has_comments = " #" in text or "\t#" in text
        self.anchors: dict[str, Node] = {}
        self.open: set[str] = set()
        self.unused: dict[str, int] = {}
        self.extents: dict[int, tuple[int, int]] = {}
        self.repeats = 0

    def document(self) -> Node | None:
        self.next()
        if self.next().__class__ is StreamEndEvent:
            return None
        root = self.node(self.next(), 1)
        self.next()
        event = self.next()
        at = event.start_mark.index
        if event.__class__ is not StreamEndEvent:
            self.report(at, "a second document starts here; a file holds one: remove the '---'")
        self._report_unused(root)
        return root

    def node(self, event: Event, depth: int) -> Node:
        """The value that an event starts."""
        kind = event.__class__
        if kind is AliasEvent:
            return self.alias(event, depth)
        anchor = event.anchor
        if anchor is not None:
            if anchor in self.anchors or anchor in self.open:
                self.report(event.start_mark.index, f"anchor '&{anchor}' is defined twice; give one another name")
            self.open.add(anchor)
        if event.tag is not None:
            tag = event.tag.replace(_STANDARD_TAG, "!!")
            message = f"YAML tags are not read: {quoted(tag)}; remove it, or quote a text that starts with '!'"
            self.report(event.start_mark.index, message)
        node: Node
        if kind is ScalarEvent:
            node = event.value if event.style else self.plain(event)
            if anchor is not None and not event.style:
                self.unused[anchor] = event.start_mark.index
        elif depth > MAX_DEPTH:
            self.report(event.start_mark.index, f"this is nested deeper than {MAX_DEPTH} levels")
            self.skip()
            node = LOST
        elif kind is MappingStartEvent:
            node = self.mapping(event, depth + 1)
        else:
            node = self.sequence(event, depth + 1)
        if anchor is not None:
            self.open.discard(anchor)
            self.anchors[anchor] = node
        return node

    def skip(self) -> None:
        """Pass over the rest of a container."""
        level = 1
        while level:
            kind = self.next().__class__
            if kind is MappingStartEvent or kind is SequenceStartEvent:
                level += 1
            elif kind is MappingEndEvent or kind is SequenceEndEvent:
                level -= 1

    def plain(self, event: Event) -> str:
        """An unquoted scalar."""
        value: str = event.value
        if self.has_comments and (comment := _COMMENT.match(self.text, event.end_mark.index)):
            blanks, after = comment.groups()
            set_off = len(blanks) > 1 or blanks == "\t"
            spaced = after in " \t\r#"
            if not value:
                # `timeout: # later` leaves it blank, `input: #1 in sales` was meant as a text
                return Plain(value) if set_off or spaced else Cut(value)
            # `3 days  # at most` is a comment, `ticket #12` is not, `the # key` and `3 days  #most` may be either
            return Plain(value) if set_off and spaced else MaybeCut(value) if set_off or spaced else Cut(value)
        return Plain(value) if not value or value[0] in _SPECIAL else value

    def mapping(self, event: Event, depth: int) -> Map:
        node = Map()
        node.at = event.start_mark.index
        spots = node.spots = []
        merged: list[Map] = []
        get, special, has_comments = self.next, _SPECIAL, self.has_comments
        while True:
            event = get()
            if event.__class__ is MappingEndEvent:
                break
            spot = event.start_mark.index
            # the common key and value are read here and not in `key` and `node`: a fifth of the time
            if event.__class__ is ScalarEvent and event.anchor is None and event.tag is None:
                key: str | None = event.value
                merges = key == "<<" and not event.style
            else:
                key, merges = self.key(event, depth), False
            event = get()
            if event.__class__ is ScalarEvent and event.anchor is None and event.tag is None:
                value: Any = event.value
                if not event.style and (has_comments or not value or value[0] in special):
                    value = self.plain(event)
            else:
                value = self.node(event, depth)
            if merges:
                if merged:
                    self.report(spot, "duplicate key '<<'; write '<<: [*a, *b]' to merge several")
                merged = self.merged(value, spot)
            elif key is None:
                pass
            elif key in node:
                self.duplicate(spot, key, node.spot(key))
            else:
                node[key] = value
                spots.append(spot)
        for base in merged:
            for (name, part), spot in zip(base.items(), base.spots, strict=True):
                if name not in node:
                    node[name] = part
                    spots.append(spot)
        return node

    def sequence(self, event: Event, depth: int) -> Seq:
        node = Seq()
        node.at = event.start_mark.index
        spots = node.spots = []
        get, special, has_comments = self.next, _SPECIAL, self.has_comments
        while True:
            event = get()
            kind = event.__class__
            if kind is SequenceEndEvent:
                return node
            spots.append(event.start_mark.index)
            if kind is ScalarEvent and event.anchor is None and event.tag is None:
                value = event.value
                if not event.style and (has_comments or not value or value[0] in special):
                    value = self.plain(event)
                node.append(value)
            else:
                node.append(self.node(event, depth))

    def key(self, event: Event, depth: int) -> str | None:
        """A key with an anchor or a tag, or an alias as a key; ``None`` for one that is not text."""
        spot = event.start_mark.index
        node = self.node(event, depth)
        if isinstance(node, str):
            return None if node is LOST else str(node)
        self.report(spot, "a key must be text; quote a text that starts with '{' or '['")
        return None

    def duplicate(self, spot: int, key: str, first: int) -> None:
        line = bisect_right(self.starts, first)
        self.report(spot, f"duplicate key {quoted(key)}, which is also in line {line}; remove one")

    @cached_property
    def starts(self) -> list[int]:
        return line_starts(self.text)

    def merged(self, value: Node, spot: int) -> list[Map]:
        """The mappings that a ``<<`` brings in, the strongest first."""
        bases = value if isinstance(value, Seq) else [value]
        if not all(isinstance(base, Map) or base is LOST for base in bases):
            self.report(spot, "'<<' merges a mapping or a list of mappings, such as '*name'")
        return [base for base in bases if isinstance(base, Map)] or [_empty(spot)]

    def alias(self, event: Event, depth: int) -> Node:
        name, spot = event.anchor, event.start_mark.index
        self.unused.pop(name, None)
        if name in self.open:
            self.report(spot, f"'*{name}' stands inside what it repeats, '&{name}'; it would never end")
        elif name not in self.anchors:
            cure = f"define it with '&{name}', or quote a text that starts with '*' (in single quotes)"
            self.report(spot, f"unknown anchor '*{name}'; {cure}")
        else:
            node = self.anchors[name]
            size, height = self.extent(node)
            self.repeats += size
            if depth + height > MAX_DEPTH + 1:
                self.report(spot, f"'*{name}' makes the file nested deeper than {MAX_DEPTH} levels")
            elif self.repeats > MAX_REPEATS + len(self.text):
                self.repeats = 0  # said once for each time that the limit is passed
                self.report(spot, f"aliases repeat more than {MAX_REPEATS:,} values up to '*{name}'; repeat less")
            else:
                return node
        return LOST

    def extent(self, node: Node) -> tuple[int, int]:
        """How many values a node holds and how many levels deep, repeats counted. Walks each container once."""
        if isinstance(node, str):
            return 1, 0
        known = self.extents.get(id(node))
        if known is None:
            below = [self.extent(part) for part in (node.values() if isinstance(node, Map) else node)]
            known = 1 + sum(size for size, _ in below), 1 + max((height for _, height in below), default=0)
            self.extents[id(node)] = known
        return known

    def _report_unused(self, root: Node) -> None:
        """An anchor that nothing repeats was meant as text, unless it stands under a free key."""
        for name, spot in self.unused.items():
            if isinstance(root, Map):
                above = [key for key, start in zip(root, root.spots, strict=True) if start <= spot]
                if above and above[-1].startswith("x-"):
                    continue
            self.report(spot, f"anchor '&{name}' is never used; remove it, or quote a text that starts with '&'")


def _empty(at: int) -> Map:
    node = Map()
    node.at, node.spots = at, []
    return node
