"""Scorers that compare the answer with one text: equality, containment, and distance by characters."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

from ..model.score import Score
from ..model.wire import plain
from .builtin import CASE_SENSITIVE, Asked, count, define, expected_option, named, quote
from .folding import fold


def _folded(asked: Asked) -> tuple[str, str]:
    """Answer and expectation made comparable."""
    case_sensitive = asked.options["case_sensitive"]
    return fold(asked.actual, case_sensitive), fold(asked.expected, case_sensitive)


def equal(actual: Any, expected: Any, case_sensitive: bool) -> bool:
    """Whether two values are equal: texts without the white space at their ends, JSON values by content."""
    if isinstance(actual, (dict, list, tuple)) and isinstance(expected, (dict, list, tuple)):
        return bool(plain(actual) == plain(expected))
    return fold(actual, case_sensitive).strip() == fold(expected, case_sensitive).strip()


def exact_match(asked: Asked) -> Score:
    if equal(asked.actual, asked.expected, asked.options["case_sensitive"]):
        return Score(True, "equals the expected text")
    return Score(
        False,
        difference(
            fold(asked.actual, True).strip(), fold(asked.expected, True).strip(), asked.options["case_sensitive"]
        ),
    )


def difference(actual: str, expected: str, case_sensitive: bool) -> str:
    """Where two texts that are not equal part, in a sentence."""
    if not actual:
        return f"the answer is empty; {quote(expected)} was expected"
    if actual.lower() == expected.lower():
        return "differs only in case"
    if not case_sensitive:
        pairs = zip(actual.lower(), expected.lower(), strict=False)
    else:
        pairs = zip(actual, expected, strict=False)
    if "".join(actual.split()).lower() == "".join(expected.split()).lower():
        return "differs only in white space" + (" and case" if case_sensitive else "")
    start = next((n for n, (a, b) in enumerate(pairs) if a != b), min(len(actual), len(expected)))
    here, there = actual[start:], expected[start:]
    if not here:
        return f"ends after character {start}, where {quote(there)} should follow"
    if not there:
        return f"goes on with {quote(here)} after the expected text"
    return f"differs from character {start + 1} on: {quote(here)} where {quote(there)} was expected"


def contains(asked: Asked) -> Score:
    answer, wanted = _folded(asked)
    position = answer.find(wanted)
    if position >= 0:
        return Score(True, f"{quote(wanted)} occurs", {"position": position})
    return Score(False, absence(answer, wanted, asked.options["case_sensitive"]))


def absence(answer: str, wanted: str, case_sensitive: bool) -> str:
    """Why a text does not occur in an answer, in a sentence."""
    if not answer.strip():
        return f"the answer is empty; {quote(wanted)} was expected in it"
    if case_sensitive and wanted.lower() in answer.lower():
        return f"{quote(wanted)} occurs only with other capitals"
    words = " ".join(wanted.split())
    if words and words in " ".join(answer.split()):
        return f"{quote(wanted)} occurs only with other white space"
    return f"{quote(wanted)} does not occur"


def starts_with(asked: Asked) -> Score:
    answer, wanted = (
        fold(asked.actual, asked.options["case_sensitive"]),
        fold(asked.expected, asked.options["case_sensitive"]),
    )
    if answer.startswith(wanted) or answer.lstrip().startswith(wanted):
        return Score(True, f"starts with {quote(wanted)}")
    start = answer.lstrip()[: len(wanted)]
    return Score(False, f"starts with {quote(start)}, not with {quote(wanted)}" if start else "the answer is empty")


def ends_with(asked: Asked) -> Score:
    answer, wanted = (
        fold(asked.actual, asked.options["case_sensitive"]),
        fold(asked.expected, asked.options["case_sensitive"]),
    )
    if answer.endswith(wanted) or answer.rstrip().endswith(wanted):
        return Score(True, f"ends with {quote(wanted)}")
    end = answer.rstrip()[-len(wanted) :]
    return Score(False, f"ends with {quote(end)}, not with {quote(wanted)}" if end else "the answer is empty")


@cache
def _distance() -> Callable[[str, str], int]:
    from rapidfuzz.distance import Levenshtein  # 14 ms: only when used

    return Levenshtein.distance


def levenshtein(asked: Asked) -> Score:
    answer, wanted = (
        fold(asked.actual, asked.options["case_sensitive"]),
        fold(asked.expected, asked.options["case_sensitive"]),
    )
    longer = max(len(answer), len(wanted))
    if not longer:
        return Score(1.0, "both texts are empty", {"distance": 0, "longer": 0})
    distance = _distance()(answer, wanted)
    return Score(
        1 - distance / longer,
        f"{count(distance, 'edit')} over {count(longer, 'character')}",
        {"distance": distance, "longer": longer},
    )


SCORERS = named(
    define(
        "exact_match",
        exact_match,
        expected_option(help="The text the answer must equal; default: the case's expected output."),
        CASE_SENSITIVE,
        graded=False,
        main="expected",
        needs=("expected_output",),
    ),
    *(
        define(
            name,
            function,
            expected_option(),
            CASE_SENSITIVE,
            graded=False,
            main="expected",
            needs=("expected_output",),
            refuses_empty=True,
        )
        for name, function in (("contains", contains), ("starts_with", starts_with), ("ends_with", ends_with))
    ),
    define(
        "levenshtein",
        levenshtein,
        expected_option(help="The text to compare with; default: the case's expected output."),
        CASE_SENSITIVE,
        graded=True,
        main="expected",
        needs=("expected_output",),
    ),
)
