"""Scorers that look for several texts, any or all of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ..errors import ScorerError
from ..model.score import Score
from .builtin import CASE_SENSITIVE, Asked, count, define, expected_option, named, quote, texts
from .folding import fold
from .text import equal

SHOWN = 3
"""Texts named in a reason; the detail has them all."""


def wanted(asked: Asked) -> tuple[str, ...]:
    """The texts looked for: those of the criterion alone, else the case's expected output and references."""
    own = asked.options["expected"]
    items = (*texts(asked.expected), *texts(asked.references)) if own is None else texts(own)
    if not items:
        raise ScorerError("equals_any, contains_any and contains_all need at least one text to look for")
    return items


def listed(items: Sequence[str]) -> str:
    """``'salt', 'pepper'`` and how many more."""
    shown = ", ".join(quote(item, 30) for item in items[:SHOWN])
    return shown if len(items) <= SHOWN else f"{shown} and {len(items) - SHOWN} more"


def _found(actual: Any, items: Sequence[str], case_sensitive: bool) -> tuple[list[str], list[str]]:
    answer = fold(actual, case_sensitive)
    found: list[str] = []
    missing: list[str] = []
    for item in items:
        (found if fold(item, case_sensitive) in answer else missing).append(item)
    return found, missing


def contains_any(asked: Asked) -> Score:
    items = wanted(asked)
    found, missing = _found(asked.actual, items, asked.options["case_sensitive"])
    if found:
        return Score(True, f"found {listed(found)}", {"found": found, "missing": missing})
    return Score(
        False, f"none of {count(len(items), 'text')} occurs: {listed(items)}", {"found": [], "missing": missing}
    )


def contains_all(asked: Asked) -> Score:
    items = wanted(asked)
    found, missing = _found(asked.actual, items, asked.options["case_sensitive"])
    detail = {"found": found, "missing": missing}
    if missing:
        return Score(False, f"{len(missing)} of {count(len(items), 'text')} missing: {listed(missing)}", detail)
    return Score(True, f"all of {count(len(items), 'text')} occur", detail)


def equals_any(asked: Asked) -> Score:
    items = wanted(asked)
    for number, item in enumerate(items, 1):
        if equal(asked.actual, item, asked.options["case_sensitive"]):
            return Score(True, f"equals {quote(item)}, number {number} of {len(items)}", {"number": number})
    return Score(False, f"equals none of {count(len(items), 'text')}: {listed(items)}")


def _check(options: Mapping[str, Any]) -> Sequence[str]:
    expected = options.get("expected")
    return ["expected holds no text to look for"] if expected is not None and not texts(expected) else []


SCORERS = named(
    *(
        define(
            name,
            function,
            expected_option(
                "texts", "The texts, one or a list; default: the case's expected output and reference outputs."
            ),
            CASE_SENSITIVE,
            graded=False,
            main="expected",
            needs=("expected_output", "reference_outputs"),
            refuses_empty=refuses_empty,
            check=_check,
        )
        for name, function, refuses_empty in (
            ("equals_any", equals_any, False),
            ("contains_any", contains_any, True),
            ("contains_all", contains_all, True),
        )
    )
)
