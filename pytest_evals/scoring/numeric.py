"""``numeric``: the final number of an answer against the expected one."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from ..errors import ScorerError
from ..model.criterion import Option
from ..model.score import Score
from ..model.text import one_line, text_of
from .builtin import Asked, define, expected_option, named, quote
from .numbers import Number, numbers
from .pattern import compiled, matches, mistakes


def number_of(value: Any, options: Mapping[str, Any], required: bool = True) -> Number | str:
    """The number of an answer or an expectation, or why there is none, in a sentence.

    Without a pattern it is the last one. With a pattern, only the last match counts: its group ``number``, else its
    first group, else the match itself; where a pattern without groups has no number in it, the first one behind it.
    ``required=False`` reads a text the pattern does not occur in as if there were none.
    """
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return Number(Fraction(value)) if isinstance(value, int) else _of_float(value)
    text, decimal = text_of(value), options["decimal"]
    if options["pattern"] is None:
        return _last(text, decimal)
    pattern = compiled(text_of(options["pattern"]))
    found = matches(pattern, text, "finditer")
    if not found:
        missing = f"nothing in the answer matches {quote(pattern.pattern)}"
        return missing if required else _last(text, decimal)
    match = found[-1]
    if pattern.groups:
        return _last(match["number" if "number" in pattern.groupindex else 1] or "", decimal)
    inside = _last(match[0], decimal)
    if isinstance(inside, Number):
        return inside
    return next(numbers(text[match.end() :], decimal), f"there is no number after {quote(match[0])}")


def _last(text: str, decimal: Any) -> Number | str:
    last: Number | str = f"there is no number in {quote(text)}" if text.strip() else "the answer is empty"
    for last in numbers(text, decimal):  # noqa: B007 - the last one is what is wanted
        pass
    return last


def _of_float(value: float) -> Number | str:
    # repr: 0.1 is meant, not the binary fraction next to it
    return Number(Fraction(repr(value))) if math.isfinite(value) else f"{value} is not a number"


def numeric(asked: Asked) -> Score:
    wanted = number_of(asked.expected, asked.options, required=False)
    if isinstance(wanted, str):
        raise ScorerError(f"numeric needs a number to compare with; {quote(text_of(asked.expected))} has none")
    found = number_of(asked.actual, asked.options)
    if isinstance(found, str):
        return Score(False, found, {"number": None, "expected": plain_number(wanted.value)})
    value, goal = (_value(number, asked.options["percent"]) for number in (found, wanted))
    off = abs(value - goal)
    allowed = max(_exact(asked.options["tolerance"]), _exact(asked.options["relative_tolerance"]) * abs(goal))
    detail = {"number": plain_number(value), "expected": plain_number(goal), "difference": plain_number(off)}
    if off <= allowed:
        within = f", within {shown(allowed)}" if off else ""
        return Score(True, f"{shown(value)} is expected{within}", detail)
    hint = ""
    if found.percent != wanted.percent and 100 * min(abs(value), abs(goal)) == max(abs(value), abs(goal)):
        hint = "; `percent: fraction` reads 50% as 0.5"
    return Score(False, f"{shown(value)} where {shown(goal)} is expected, off by {shown(off)}{hint}", detail)


def _value(number: Number, percent: str) -> Fraction:
    return number.value / 100 if number.percent and percent == "fraction" else number.value


def _exact(value: float) -> Fraction:
    return Fraction(repr(value))


def plain_number(value: Fraction) -> int | float | str:
    """The number as JSON has it: whole when it is, as text when it is too large for a float."""
    if value.denominator == 1 and abs(value) < 2**53:
        return int(value)
    try:
        return float(value)
    except OverflowError:
        return shown(value)


def shown(value: Fraction) -> str:
    """The number for a person: 12 digits, no exponent for whole numbers unless they are very long."""
    if value.denominator == 1:
        return one_line(str(value.numerator), 40)
    try:
        return f"{float(value):.12g}"
    except OverflowError:
        return one_line(str(round(value)), 40)


def _check(options: Mapping[str, Any]) -> Sequence[str]:
    found = []
    if (pattern := options.get("pattern")) is not None:
        found += mistakes(text_of(pattern))
    expected = options.get("expected")
    if expected is not None and not found:
        given = {option.name: option.default for option in SCORERS["numeric"].spec.options} | dict(options)
        if isinstance(number_of(expected, given, required=False), str):
            found.append(f"there is no number in the expected text {quote(text_of(expected))}")
    return found


SCORERS = named(
    define(
        "numeric",
        numeric,
        expected_option(help="A number, or a text with one; default: the case's expected output."),
        Option("tolerance", "number", "How far off the number may be.", default=0, minimum=0),
        Option(
            "relative_tolerance",
            "number",
            "How far off it may be, as a fraction of the expected number; the larger tolerance counts.",
            default=0,
            minimum=0,
        ),
        Option(
            "pattern",
            "text",
            "Where the number stands: a regular expression with the number in its first group, "
            "or one that stands before the number, such as `A:`.",
        ),
        Option(
            "percent",
            "choice",
            "What 50% is: the number 50, or the fraction 0.5.",
            default="number",
            choices=("number", "fraction"),
        ),
        Option(
            "decimal",
            "choice",
            "The decimal mark where one alone leaves a doubt, as in 1.234; auto reads it as in English.",
            default="auto",
            choices=("auto", "point", "comma"),
        ),
        graded=False,
        main="expected",
        needs=("expected_output",),
        check=_check,
    ),
)
