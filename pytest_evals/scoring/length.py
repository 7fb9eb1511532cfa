"""``length``: bounds on the size of an answer."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ..model.criterion import Option
from ..model.score import Score
from .builtin import Asked, count, define, named
from .folding import fold

UNITS: Mapping[str, Callable[[str], int]] = {
    "characters": len,
    "words": lambda text: len(text.split()),
    "lines": lambda text: len(text.splitlines()),
}


def length(asked: Asked) -> Score:
    unit, minimum, maximum = asked.options["unit"], asked.options["min"], asked.options["max"]
    size = UNITS[unit](fold(asked.actual, case_sensitive=True))
    told = count(size, unit.removesuffix("s"))
    detail = {unit: size}
    if minimum is not None and size < minimum:
        return Score(False, f"{told}, {minimum - size} fewer than the least of {minimum}", detail)
    if maximum is not None and size > maximum:
        return Score(False, f"{told}, {size - maximum} more than the most of {maximum}", detail)
    return Score(True, told, detail)


def _check(options: Mapping[str, Any]) -> Sequence[str]:
    minimum, maximum = options.get("min"), options.get("max")
    if minimum is None and maximum is None:
        return ["give min, max or both"]
    if minimum is not None and maximum is not None and minimum > maximum:
        return [f"min {minimum} is above max {maximum}: no answer can have that length"]
    return []


SCORERS = named(
    define(
        "length",
        length,
        Option("max", "integer", "The most the answer may have.", minimum=0),
        Option("min", "integer", "The least the answer must have.", minimum=0),
        Option(
            "unit",
            "choice",
            "What is counted: characters (code points), words between white space, or lines.",
            default="characters",
            choices=tuple(UNITS),
        ),
        graded=False,
        main="max",
        check=_check,
    ),
)
