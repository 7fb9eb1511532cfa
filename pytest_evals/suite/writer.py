"""Writing a suite file: plain data in, YAML out that reads back as the same data, with comments.

Texts are quoted wherever this reader, or one of YAML 1.1, would take them for something else; several lines become a
block. Short mappings and lists stand on one line, as a person would write them.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from ..errors import UsageError
from ..model.text import one_line
from .core import core

WIDTH = 110
"""Longer mappings and lists are broken into lines; texts never are."""

_SHORT_LIST = 80
_LONGEST_KEY = 900  # libyaml gives up looking for the ':' of a key after 1,024 characters

_PLAIN = re.compile(r"[^\W\d_][^\n]*|\d+(?: [^\W\d_][^\n]*|[a-z]{1,2})")
_WORDS = frozenset({"yes", "no", "on", "off", "y", "n", "true", "false", "null", "nan", "inf"})
_FLOW = re.compile(r"[,\[\]{}:#?]")
_ESCAPED = re.compile('["\\\\]|[^\x20-\x7e\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]')
_NAMED = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\t": "\\t", "\r": "\\r", "\0": "\\0"}
_HALF = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class Noted:
    """A value of a mapping or list with comments to stand above it."""

    value: Any
    above: tuple[str, ...] = ()


def write_suite(data: Mapping[str, Any], header: Iterable[str] = ()) -> str:
    """The suite file that holds the data, under a comment. Values may be ``Noted``.

    Raises ``UsageError`` for what no file can hold: numbers that are not finite, halves of surrogate pairs.
    """
    lines = [*_comments(header, ""), *_mapping(data, "", root=True)]
    return "\n".join(lines) + "\n"


def _comments(texts: Iterable[str], indent: str) -> Iterator[str]:
    for text in texts:
        for line in text.splitlines() or [""]:
            shown = one_line(line, 2000)
            yield f"{indent}# {shown}".rstrip()


def _mapping(data: Mapping[str, Any], indent: str, *, root: bool = False) -> Iterator[str]:
    block = False
    for index, (key, given) in enumerate(data.items()):
        value = given.value if isinstance(given, Noted) else given
        lines = [
            *(_comments(given.above, indent) if isinstance(given, Noted) else ()),
            *_entry(f"{indent}{_key(key)}:", value, indent, root=root),
        ]
        # the lists of a file stand apart
        before, block = block, root and _is_list(value) and len(lines) > 1
        if index and (block or before):
            yield ""
        yield from lines


def _entry(start: str, value: Any, indent: str, *, root: bool = False, item: bool = False) -> Iterator[str]:
    """A value after ``key:`` or ``-``, on the same line or below it."""
    if isinstance(value, str):
        yield from _text(start, value, indent)
    elif not _is_list(value) and not isinstance(value, Mapping):
        yield f"{start} {_scalar(value)}"
    elif (line := _on_one_line(value)) is not None and _fits(start, line, value):
        yield f"{start} {line}"
    elif isinstance(value, Mapping):
        if item:
            yield from _below_dash(start, value, indent)
        else:
            yield start
            yield from _mapping(value, indent + "  ")
    else:
        yield start
        yield from _list(value, indent + "  ", apart=root)


def _below_dash(start: str, value: Mapping[str, Any], indent: str) -> Iterator[str]:
    """A mapping that is an item of a list: its first key stands behind the dash."""
    lines = list(_mapping(value, indent + "  "))
    first = next(index for index, line in enumerate(lines) if not line.lstrip().startswith("#"))
    yield from lines[:first]
    yield f"{start} {lines[first].lstrip()}"
    yield from lines[first + 1 :]


def _list(values: Sequence[Any], indent: str, *, apart: bool = False) -> Iterator[str]:
    long = False
    for index, given in enumerate(values):
        value = given.value if isinstance(given, Noted) else given
        lines = [
            *(_comments(given.above, indent) if isinstance(given, Noted) else ()),
            *_entry(f"{indent}-", value, indent, item=True),
        ]
        before, long = long, len(lines) > 1
        if apart and index and (long or before):
            yield ""
        yield from lines


def _fits(start: str, line: str, value: Any) -> bool:
    if not value:
        return True
    if isinstance(value, Mapping):
        # `- contains: x` reads better than `- {contains: x}`
        return not (start.endswith("-") and len(value) == 1) and len(start) + len(line) < WIDTH
    short = all(not isinstance(part, (Mapping, list, tuple)) for part in value)
    return len(start) + len(line) < (_SHORT_LIST if short else 0) or not value


def _on_one_line(value: Any, depth: int = 0) -> str | None:
    """The value in brackets; ``None`` when a person would not write it so."""
    if isinstance(value, Noted):
        return None
    if isinstance(value, str):
        return None if "\n" in value else _quoted(value, flow=True)
    if isinstance(value, Mapping):
        if depth > 1:
            return None if value else "{}"
        parts = [(_key(key, flow=True), _on_one_line(part, depth + 1)) for key, part in value.items()]
        return None if any(p is None for _, p in parts) else "{" + ", ".join(f"{k}: {p}" for k, p in parts) + "}"
    if _is_list(value):
        if depth > 1:
            return None if value else "[]"
        items = [_on_one_line(part, depth + 1) for part in value]
        return None if None in items else "[" + ", ".join(str(item) for item in items) + "]"
    return _scalar(value)


def _is_list(value: Any) -> bool:
    return isinstance(value, (list, tuple))


def _scalar(value: Any) -> str:
    if value is None:
        return "~"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        if not math.isfinite(value):
            raise UsageError(f"a suite cannot hold the number {value}")
        written = repr(value)
        # in YAML 1.1 a number with an exponent has a point
        return written if "." in written or "e" not in written else written.replace("e", ".0e", 1)
    raise TypeError(f"a suite holds JSON values, not {type(value).__name__}")


@lru_cache(maxsize=1000)
def _key(key: str, *, flow: bool = False) -> str:
    if len(key) > _LONGEST_KEY:
        raise UsageError(f"a suite cannot hold a key of {len(key):,} characters: {one_line(key, 40)}")
    # a plain key is a word: what is more goes in quotes
    return key if re.fullmatch(r"[A-Za-z][\w-]*", key) and _is_text(key) else _quoted(key, flow=flow, plain=False)


def _text(start: str, value: str, indent: str) -> Iterator[str]:
    if not _makes_a_block(value):
        yield f"{start} {_quoted(value)}"
        return
    body = value.rstrip("\n")
    after = len(value) - len(body)
    yield f"{start} |{'-' if not after else '' if after == 1 else '+'}"
    for line in [*body.split("\n"), *[""] * (after - 1)]:
        yield f"{indent}  {line}" if line else ""


def _makes_a_block(value: str) -> bool:
    """Whether a text can stand as lines: anything odd about its white space wants escapes."""
    if "\n" not in value.rstrip("\n") or value[0] in " \t\n":
        return False
    lines = value.split("\n")
    odd = any(line != line.rstrip() or _ESCAPED.search(line.translate(_HARMLESS)) for line in lines)
    return not odd


_HARMLESS = str.maketrans({'"': "x", "\\": "x", "\t": "x"})


def _quoted(value: str, *, flow: bool = False, plain: bool = True) -> str:
    """A text on one line: as it is, in single quotes, or in double quotes with escapes."""
    if plain and _PLAIN.fullmatch(value) and _is_plain(value, flow):
        return value
    if _ESCAPED.search(value.translate(_HARMLESS)) or "\t" in value:
        if _HALF.search(value):
            raise UsageError(f"a file cannot hold half of a surrogate pair: {one_line(value, 40)}")
        return '"' + _ESCAPED.sub(_escape, value) + '"'
    return "'" + value.replace("'", "''") + "'"


def _is_plain(value: str, flow: bool) -> bool:
    if value[-1] in ": \t" or ": " in value or " #" in value or "\t" in value or _ESCAPED.search(value):
        return False
    return not (flow and _FLOW.search(value)) and _is_text(value)


def _is_text(value: str) -> bool:
    return value.lower() not in _WORDS and isinstance(core(value), str)


def _escape(match: re.Match[str]) -> str:
    character = match[0]
    if character in _NAMED:
        return _NAMED[character]
    code = ord(character)
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
