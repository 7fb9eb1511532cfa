"""``json_valid`` and ``json_equals``, and what all scorers of JSON share: the answer and the expectation as values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import islice
from typing import Any, NamedTuple

from ..errors import ScorerError
from ..model.criterion import Option
from ..model.score import Score
from .builtin import Asked, count, define, expected_option, named, quote
from .jsoncompare import Difference, How, differences
from .jsonextract import extract
from .jsonvalue import NotJsonError, json_of, read_json

EXTRACT = Option("extract", "boolean", "Whether the JSON may have text around it, which is left out.", default=False)
TOLERANCE = Option("tolerance", "number", "How far off a number may be.", default=0, minimum=0)
RELATIVE_TOLERANCE = Option(
    "relative_tolerance",
    "number",
    "How far off it may be, as a fraction of the expected number; the larger tolerance counts.",
    default=0,
    minimum=0,
)
UNORDERED = Option("unordered", "boolean", "Whether the order of lists does not count.", default=False)
SUBSET = Option("subset", "boolean", "Whether objects may have more keys than are expected.", default=False)

SHOWN = 3
"""Differences that a reason tells; the detail has more."""

KEPT = 50
"""Differences that the detail has."""


class Answer(NamedTuple):
    """The answer as a JSON value."""

    value: Any
    note: str = ""
    """What a reason must add: which of several values it is."""


def answer_of(asked: Asked) -> Answer:
    """The JSON value of the answer. Raises ``NotJsonError``; a structured answer is its own value."""
    if not isinstance(asked.actual, str):
        return Answer(json_of(asked.actual))
    if not asked.options["extract"]:
        return Answer(read_json(asked.actual))
    found = extract(asked.actual)
    note = f"; the first of {found.number} JSON values in the answer" if found.number > 1 else ""
    return Answer(read_json(found.text), note)


def not_json(asked: Asked, error: NotJsonError) -> Score:
    """The score of an answer that is no JSON."""
    return Score(False, f"the answer is not JSON: {error}{_hint(asked)}")


def _hint(asked: Asked) -> str:
    if not isinstance(asked.actual, str) or asked.options["extract"]:
        return ""
    try:
        found = extract(asked.actual)
        read_json(found.text)
    except NotJsonError:
        return ""
    return "" if found.text == asked.actual else "; `extract: true` reads the JSON inside the text"


def json_valid(asked: Asked) -> Score:
    try:
        answer = answer_of(asked)
    except NotJsonError as error:
        return not_json(asked, error)
    return Score(True, f"JSON: {_kind(answer.value)}{answer.note}")


def _kind(value: Any) -> str:
    if isinstance(value, Mapping):
        return f"an object with {count(len(value), 'key')}"
    if isinstance(value, list):
        return f"a list of {count(len(value), 'item')}"
    kinds = {str: "a text", bool: "true or false", type(None): "null"}
    return kinds.get(type(value), "a number")


def expected_value(asked: Asked) -> Any:
    """What the answer is compared with, as a JSON value: a text is JSON itself. Raises ``ScorerError``."""
    if not isinstance(asked.expected, str):
        return _expected_json(asked.expected)
    try:
        return read_json(asked.expected)
    except NotJsonError as error:
        raise ScorerError(
            f"the expectation {quote(asked.expected)} is not JSON: {error}; a text is written with its quotes: "
            "'\"Paris\"'"
        ) from None


def _expected_json(value: Any) -> Any:
    try:
        return json_of(value)
    except NotJsonError as error:
        raise ScorerError(f"the expectation is not JSON: {error}") from None


def how_of(asked: Asked) -> How:
    options = asked.options
    return How(options["tolerance"], options["relative_tolerance"], options["unordered"], options["subset"])


def compare(actual: Any, expected: Any, how: How) -> list[Difference]:
    """The first differences. Raises ``ScorerError`` for values too deep to be compared as asked."""
    try:
        return list(islice(differences(actual, expected, how), KEPT))
    except RecursionError:
        raise ScorerError("the values are nested too deep to be compared without the order of lists") from None


def told(found: Sequence[object]) -> str:
    """Differences in a reason."""
    more = len(found) - SHOWN
    rest = "" if more <= 0 else f"; and {'at least ' if len(found) == KEPT else ''}{more} more"
    return "; ".join(str(difference) for difference in found[:SHOWN]) + rest


def json_equals(asked: Asked) -> Score:
    wanted = expected_value(asked)
    try:
        answer = answer_of(asked)
    except NotJsonError as error:
        return not_json(asked, error)
    found = compare(answer.value, wanted, how_of(asked))
    if not found:
        return Score(True, f"equals the expected JSON{answer.note}")
    return Score(False, told(found) + answer.note, {"differences": [str(difference) for difference in found]})


def check_expected(options: Mapping[str, Any]) -> Sequence[str]:
    """What is wrong with an ``expected`` that is a text: it must be JSON."""
    expected = options.get("expected")
    if isinstance(expected, str):
        try:
            read_json(expected)
        except NotJsonError as error:
            return [f"expected is not JSON: {error}; a text is written with its quotes: '\"Paris\"'"]
    return []


SCORERS = named(
    define("json_valid", json_valid, EXTRACT, graded=False, main="extract"),
    define(
        "json_equals",
        json_equals,
        expected_option("json", "The value, or a text that is JSON; default: the case's expected output."),
        EXTRACT,
        TOLERANCE,
        RELATIVE_TOLERANCE,
        UNORDERED,
        SUBSET,
        graded=False,
        main="expected",
        needs=("expected_output",),
        check=check_expected,
    ),
)
