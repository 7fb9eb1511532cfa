"""From JSON text to a tree: the standard ``json`` judges the text, then a small scanner finds out where things stand.

``json`` keeps neither positions nor duplicate keys. Strings are decoded by its own C function, so escapes and surrogate
pairs are right; numbers, ``true``, ``false`` and ``null`` stay as written.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from json import decoder
from typing import Any, cast

from ..errors import SuiteError
from .source import Source
from .tree import Map, Node, Plain, Seq, quoted
from .yamltree import MAX_DEPTH, Report

# documented for subclasses of the decoder, but missing from the type stubs
_string: Callable[[str, int], tuple[str, int]] = decoder.scanstring  # type: ignore[attr-defined]
_SPACE = re.compile(r"[ \t\n\r]*")
_WORD = re.compile(r"[^\s,\]}]+")


def read_json(source: Source, report: Report, start: int = 0, end: int | None = None) -> Node | None:
    """The JSON value in a text, or in a part of it; ``None`` when there is only white space.

    Reports duplicate keys; raises ``SuiteError`` when it is not JSON.
    """
    text = source.text
    end = len(text) if end is None else end
    first = _after_space(text, start)
    if first >= end:
        return None
    try:
        json.loads(text if (start, end) == (0, len(text)) else text[start:end], parse_constant=_refuse, parse_int=str)
    except json.JSONDecodeError as error:
        message = error.msg[:1].lower() + error.msg[1:]
        raise source.refuse(f"this is not JSON: {message}", start + error.pos) from None
    except _NoJsonError as error:
        place = re.search(rf"{re.escape(str(error))}(?![\w\"])", text[start:end])
        at = start + (place.start() if place else 0)
        raise source.refuse(f"{error} is not a JSON value; quote it if it is a text", at) from None
    except RecursionError:
        raise _too_deep(source, first) from None
    return _Scanner(source, report).value(first, 1)[0]


class _NoJsonError(ValueError):
    pass


def _refuse(constant: str) -> Any:
    raise _NoJsonError(constant)


def _after_space(text: str, position: int) -> int:
    return cast("re.Match[str]", _SPACE.match(text, position)).end()


def _too_deep(source: Source, offset: int) -> SuiteError:
    return source.refuse(f"this is nested deeper than {MAX_DEPTH} levels", offset)


class _Scanner:
    """Reads a text that is known to be JSON."""

    def __init__(self, source: Source, report: Report) -> None:
        self.source = source
        self.text = source.text
        self.report = report

    def value(self, at: int, depth: int) -> tuple[Node, int]:
        """The value at a position, and the position after it."""
        character = self.text[at]
        if character == '"':
            return _string(self.text, at + 1)
        if character == "{" or character == "[":  # noqa: PLR1714  (two comparisons are faster than a tuple)
            if depth > MAX_DEPTH:
                raise _too_deep(self.source, at)
            return self.mapping(at, depth) if character == "{" else self.sequence(at, depth)
        end = cast("re.Match[str]", _WORD.match(self.text, at)).end()
        return Plain(self.text[at:end]), end

    def mapping(self, at: int, depth: int) -> tuple[Map, int]:
        node = Map()
        node.at, node.spots = at, []
        text = self.text
        at = _after_space(text, at + 1)
        while text[at] != "}":
            spot = at
            key, at = _string(text, at + 1)
            at = _after_space(text, _after_space(text, at) + 1)
            value, at = self.value(at, depth + 1)
            if key in node:
                line = self.source.place(node.spot(key)).line
                self.report(spot, f"duplicate key {quoted(key)}, which is also in line {line}; remove one")
            else:
                node[key] = value
                node.spots.append(spot)
            at = _after_space(text, at)
            if text[at] == ",":
                at = _after_space(text, at + 1)
        return node, at + 1

    def sequence(self, at: int, depth: int) -> tuple[Seq, int]:
        node = Seq()
        node.at, node.spots = at, []
        text = self.text
        at = _after_space(text, at + 1)
        while text[at] != "]":
            node.spots.append(at)
            value, at = self.value(at, depth + 1)
            node.append(value)
            at = _after_space(text, at)
            if text[at] == ",":
                at = _after_space(text, at + 1)
        return node, at + 1
