"""``regex``: a regular expression searched for, with a limit on the time it may take."""

from __future__ import annotations

import re
import warnings
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import lru_cache
from typing import Any
from unicodedata import normalize

from ..errors import ScorerError
from ..model.criterion import Option
from ..model.score import Score
from ..model.text import one_line, text_of
from .builtin import Asked, define, named, quote

TIME_LIMIT_S = 1.0
"""A pattern that backtracks for ever is given up after this time on one answer."""

_FLAGS = {"i": "IGNORECASE", "m": "MULTILINE", "s": "DOTALL", "x": "VERBOSE"}


@lru_cache(maxsize=1000)
def compiled(pattern: str, flags: str = "") -> Any:
    """The pattern, compiled. Raises ``regex.error`` when it is not one.

    The ``regex`` package is used, not ``re``: a search of ``re`` cannot be stopped, not even from another thread.
    """
    import regex  # 17 ms: only when used

    chosen = regex.VERSION0  # the syntax of re
    for letter in flags:
        chosen |= regex.RegexFlag[_FLAGS[letter]]
    return regex.compile(normalize("NFC", pattern), chosen)


def matches(pattern: Any, text: str, method: str = "search", time_limit: float = TIME_LIMIT_S) -> Any:
    """What ``pattern.search`` (or ``fullmatch``, or a list of ``finditer``) finds; ``ScorerError`` past the limit.

    The interpreter's lock is released meanwhile, so a slow pattern delays no other case.
    """
    try:
        found = getattr(pattern, method)(text, timeout=time_limit, concurrent=True)
        return list(found) if method == "finditer" else found
    except TimeoutError:
        raise ScorerError(
            f"the pattern {quote(pattern.pattern)} took longer than {time_limit:g} s on an answer of "
            f"{len(text)} characters; it backtracks: make its repetitions exclude each other, or raise time_limit"
        ) from None


def mistakes(pattern: str, flags: str = "") -> list[str]:
    """What is wrong with a pattern, with the place inside it."""
    import regex

    if not pattern:
        return ["the pattern is empty: every answer matches it"]
    try:
        compiled(pattern, flags)
    except regex.error as error:
        return [f"the pattern is not a regular expression: {_told(pattern, error)}"]
    except (RecursionError, MemoryError, OverflowError):
        return ["the pattern is too large"]
    return []


def _told(pattern: str, error: Any) -> str:
    # the package points behind what it could not read; re points at what is wrong, when it sees it too
    message, position = error.msg, min(error.pos or 0, len(pattern))
    with warnings.catch_warnings(), suppress(RecursionError, OverflowError):
        warnings.simplefilter("ignore")
        try:
            re.compile(pattern)
        except re.error as other:
            message, position = other.msg, other.pos or 0
    line = pattern.count("\n", 0, position) + 1
    column = position - pattern.rfind("\n", 0, position)
    place = f"column {column}" if line == 1 else f"line {line}, column {column}"
    return f"{message} at {place} of the pattern"


def _check(options: Mapping[str, Any]) -> Sequence[str]:
    pattern, flags = options.get("pattern"), str(options.get("flags") or "")
    unknown = [letter for letter in flags if letter not in _FLAGS]
    if unknown:
        return [f"flags may hold the letters {', '.join(_FLAGS)}, not {unknown[0]!r}"]
    return mistakes(text_of(pattern), flags) if pattern is not None else []


def regex_scorer(asked: Asked) -> Score:
    answer = normalize("NFC", text_of(asked.actual))
    source = text_of(asked.options["pattern"])
    pattern = compiled(source, asked.options["flags"])
    method = "fullmatch" if asked.options["full"] else "search"
    found = matches(pattern, answer, method, asked.options["time_limit"])
    shown = one_line(source, 60)
    if not found:
        return Score(False, f"{shown} does not match" + (" the whole answer" if asked.options["full"] else ""))
    detail = {"match": one_line(found[0], 100), "start": found.start(), "end": found.end()}
    return Score(True, f"{shown} matches {quote(found[0])}", detail)


SCORERS = named(
    define(
        "regex",
        regex_scorer,
        Option("pattern", "text", "The regular expression."),
        Option("flags", "text", "Letters of i (ignore case), m, s and x, as in Python.", default=""),
        Option("full", "boolean", "Whether the whole answer must match, not a part of it.", default=False),
        Option(
            "time_limit",
            "number",
            "Seconds the pattern may take on one answer; longer is an error.",
            default=TIME_LIMIT_S,
            minimum=0.001,
            maximum=3600,
        ),
        graded=False,
        main="pattern",
        requires=("pattern",),
        check=_check,
    ),
)
