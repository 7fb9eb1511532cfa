"""What libyaml complains about, said so that a person knows what to change.

Most mistakes are texts that want quotes. Such a text is reported, the character that libyaml stumbles over is replaced
by a harmless one of the same width, and the file is read again, so that its other mistakes are reported with it.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

from .source import Source
from .tree import Node
from .yamlparser import YAMLError, parser_for
from .yamltree import Report, build

MAX_REPAIRS = 50
MAX_REREAD = 20_000_000
"""Characters, over all repairs: 2 s."""

_UNPRINTABLE = re.compile("[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_YAML_BREAKS = re.compile("[\x85\u2028\u2029]")
_REGEX = " (in single quotes if it is a regular expression)"
# where the value of a line starts: after `- `, after `key: `
_VALUE = re.compile(r"""\s*(?:-\s+)*(?:[^\s'"#\[{][^'"#]*?:\s+)?(?P<value>\S.*)""")


class _Mistake(NamedTuple):
    offset: int
    message: str
    repair: tuple[int, str] | None = None
    """A character to put somewhere so that reading can go on."""


def read_yaml(source: Source, report: Report, make_parser: Callable[[str], Any] = parser_for) -> Node | None:
    """The document in a file, ``None`` when it holds none. Reports every mistake; raises ``SuiteError`` at the last.

    After a mistake that cannot be repaired nothing more can be said about the file.
    """
    for match in _YAML_BREAKS.finditer(source.text):
        name = f"U+{ord(match[0]):04X}"
        report(match.start(), f"{name} would be read as a line break; write it as an escape in double quotes")
    text = source.text
    reread = 0
    for _ in range(MAX_REPAIRS):
        found: list[tuple[int, str]] = []
        try:
            root = build(text, partial(_note, found), make_parser)
        except (YAMLError, ValueError, OverflowError) as error:
            mistake = _mistake(source, text, error)
        else:
            _pass_on(found, report)
            return root
        if mistake.repair is None:
            _pass_on(found, report)
            raise source.refuse(mistake.message, mistake.offset)
        # what was found besides is found again, or was no mistake
        report(mistake.offset, mistake.message)
        at, character = mistake.repair
        text = text[:at] + character + text[at + 1 :]
        reread += at
        if reread > MAX_REREAD:
            break
    raise source.refuse("too many texts want quotes; the rest is read when these are mended", mistake.offset)


def _note(found: list[tuple[int, str]], at: int, message: str) -> None:
    found.append((at, message))


def _pass_on(found: list[tuple[int, str]], report: Report) -> None:
    for at, message in found:
        report(at, message)


def _mistake(source: Source, text: str, error: Exception) -> _Mistake:
    mark, context_mark = getattr(error, "problem_mark", None), getattr(error, "context_mark", None)
    if mark is None:
        # PyYAML's own parser meets these in escapes such as "\UFFFFFFFF"; libyaml names the place
        found = _UNPRINTABLE.search(text)
        if found is None:
            return _Mistake(0, f"the file is not YAML: {' '.join(str(error).split())}")
        code = ord(found[0])
        escape = f"\\x{code:02x}" if code < 256 else f"\\u{code:04x}"
        message = f'the control character U+{code:04X} is not allowed; write it as "{escape}" in double quotes'
        return _Mistake(found.start(), message, (found.start(), "x"))
    start = context_mark.index if context_mark is not None else mark.index
    context, problem = getattr(error, "context", None) or "", getattr(error, "problem", None) or ""
    return _known(source, text, context, problem, mark.index, start)


def _known(source: Source, text: str, context: str, problem: str, at: int, start: int) -> _Mistake:
    character = text[at : at + 1]
    if "cannot start any token" in problem or "found a tab" in problem:
        if character == "\t":
            return _Mistake(at, "a tab cannot indent; use spaces", (at, " "))
        return _quote(at, character, at)
    if "scanning an alias" in context:
        return _quote(start, "*", start)
    if "scanning an anchor" in context:
        return _quote(start, "&", start)
    if "tag" in context or "tag handle" in problem:
        start = text.find("!", start) if "!" in text[start : at + 1] else start
        message = "YAML tags are not read; quote a text that starts with '!'"
        return _Mistake(start, message, (start, "x") if text[start : start + 1] == "!" else None)
    if "scanning a block scalar" in context:
        return _quote(start, text[start : start + 1], start)
    if "entries are not allowed" in problem or "keys are not allowed" in problem:
        return _quote(at, f"{character} ", at)
    if "values are not allowed" in problem:
        return _colon(source, at)
    if "quoted scalar" in context or "double-quoted" in context:
        return _in_quotes(text, problem, at, start)
    if "could not find expected ':'" in problem:
        return _Mistake(start, "this line is neither a 'key: value' nor a part of the text above; indent or quote it")
    if "nesting" in problem:
        return _Mistake(at, "this is nested too deeply")
    if "directive" in context or "directive" in problem or "incompatible YAML" in problem:
        return _Mistake(start, "YAML directives (%…) are not needed; remove it, or quote a text that starts with '%'")
    if "flow sequence" in context or "flow mapping" in context:
        bracket = text[start : start + 1]
        if not text[at:].strip():
            at = start
        what = "a comma or the closing bracket is missing; quote texts that hold commas, brackets, ': ' or ' #'"
        return _Mistake(at, f"cannot read on inside the '{bracket}' of line {source.place(start).line}: {what}")
    return _after_value(source, text, context, at)


def _quote(offset: int, what: str, at: int) -> _Mistake:
    return _Mistake(offset, f"a text that starts with '{what}' must be quoted{_REGEX}", (at, "x"))


def _colon(source: Source, at: int) -> _Mistake:
    before = source.line_at(at)[: source.place(at).column - 1]
    if re.search(r"(?:^\s*(?:-\s+)*|[\[{,]\s*)[^\s:#'\"][^:#]*:\s+\S", before):
        return _Mistake(at, "a text that holds ': ' must be quoted", (at, "_"))
    return _Mistake(at, "this key is indented differently from its neighbours, or a text with ': ' is not quoted")


def _in_quotes(text: str, problem: str, at: int, start: int) -> _Mistake:
    if "unknown escape" in problem:
        # libyaml points at the backslash, PyYAML's own parser at what follows
        slash = at if text[at : at + 1] == "\\" else at - 1
        escape = text[slash : slash + 2]
        message = f"{escape} is no escape in double quotes; use single quotes (for a regular expression) or double it"
        return _Mistake(slash, message, (slash + 1, "n"))
    if "expected" in problem and "hex" in problem:
        return _Mistake(at, "this escape in double quotes has too few hexadecimal digits; use single quotes, or '\\\\'")
    if "Unicode character escape" in problem:
        return _Mistake(at, "this escape is no character; write the character itself, or as \\U0001F600")
    return _Mistake(start, f"the quote that opens here ({text[start : start + 1]}) is never closed")


def _after_value(source: Source, text: str, context: str, at: int) -> _Mistake:
    """Something follows where a key or the next item was expected."""
    line = source.line_at(at)
    found = _VALUE.match(line)
    first = found["value"][0] if found else ""
    column = source.place(at).column - 1
    behind = found is not None and found.start("value") < column
    if behind and first in "\"'":
        inside = "''" if first == "'" else '\\"'
        cure = f"quote the whole text, with {inside} for each {first} in it"
        return _Mistake(at, f"text follows the closing {first}; {cure}")
    if behind and first in "[{":
        return _Mistake(at, f"text follows the closing bracket; quote a text that starts with '{first}'")
    if behind and first in "*&!":
        start = at - column + found.start("value") if found else at
        return _quote(start, first, start)
    if not text[at:].strip() and "flow" in context:
        return _Mistake(at, "the file ends inside brackets; a closing ']' or '}' is missing")
    if line[column : column + 1] in ("]", "}", ","):
        return _quote(at, line[column], at)
    return _Mistake(at, "this line does not fit the lines above it; check its indentation and the quotes before it")
