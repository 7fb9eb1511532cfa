"""The JSON value inside an answer with text around it.

Nothing is repaired: what counts is a piece of the answer as it stands, found by the JSON parser itself, so that braces
inside strings and escaped quotes are what they are. A whole answer that is JSON is never searched.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import cache
from typing import Any, NamedTuple

from .fences import fenced
from .jsonvalue import NotJsonError, RepeatedKeyError, check_depth, read_json

MOST_STARTS = 1000
"""Brackets that are tried. Each may cost a look at all that follows, so that a text of brackets would take for ever."""

# what can follow a bracket that opens a JSON value; most brackets in prose are none
_START = re.compile(r'\{(?=[ \t\r\n]*["}])|\[(?=[ \t\r\n]*["{\[\]\-0-9tfn])')

_OPENS = re.compile(r"\s*[{\[]")


class Found(NamedTuple):
    """A JSON value in a text."""

    text: str
    """As it stands there."""
    number: int
    """How many values there were to choose from."""


def extract(text: str) -> Found:
    """The piece of an answer that is its JSON value. Raises ``NotJsonError`` when there is none.

    All of it, if that is JSON; else the first block between ``` marks that is; else the first object, or list that
    holds objects; else the first list.
    """
    if _is_json(text):
        return Found(text, 1)
    blocks = [block.text for block in fenced(text) if _OPENS.match(block.text) and _is_json(block.text)]
    if blocks:
        return Found(blocks[0], len(blocks))
    values = list(_values(text))
    if not values:
        raise NotJsonError("there is no JSON object or list in it")
    # the [1] of a citation is a list too
    best = next((text for text in values if "{" in text), values[0])
    return Found(best, len(values))


def _is_json(text: str) -> bool:
    try:
        read_json(text)
    except RepeatedKeyError:
        return True  # its scorer says so
    except NotJsonError:
        return False
    return True


def _values(text: str) -> Iterator[str]:
    """The objects and lists in a text that are not inside another one."""
    end = tried = 0
    for match in _START.finditer(text):
        if match.start() < end:
            continue
        tried += 1
        if tried > MOST_STARTS:
            return
        try:
            _, stop = _scanner().raw_decode(text, match.start())
            check_depth(text[match.start() : stop])
        except (ValueError, RecursionError):
            continue
        yield text[match.start() : stop]
        end = stop


@cache
def _scanner() -> json.JSONDecoder:
    # numbers stay text: only where the value ends is asked for
    return json.JSONDecoder(parse_constant=_refuse, parse_int=str, parse_float=str)


def _refuse(constant: str) -> Any:
    raise NotJsonError(constant)
