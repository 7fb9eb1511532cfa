"""``choice``: the letter a multiple-choice answer settles on."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from ..errors import ScorerError
from ..model.criterion import Option
from ..model.score import Score
from ..model.text import text_of
from .builtin import Asked, define, expected_option, named, quote

CHOICES = "ABCDEFGHIJ"

_OPEN, _CLOSE = r"[*_`\"'“‘(\[{$]*", r"[*_`\"'”’)\]}$]*"
_ENDS = r"(?![\w-]|['’]\w)"
_DENIED = r"(?<!not\s)(?<!n't\s)(?<!n’t\s)"
_NAMES = r"(?:answer|choice|option|solution|pick|choose|select)"
_SAYS = r"(?:[*_]*\s*[:=–—]|\s+(?:is|was|would\sbe|should\sbe|must\sbe)\b\s*:?)"


@lru_cache(maxsize=100)
def _ways(choices: str) -> tuple[tuple[re.Pattern[str], bool], ...]:
    """The ways to state a choice, the surest first, and whether all statements of this way must agree.

    Where they need not, the last one counts: people and models correct themselves.
    """
    capital = f"(?P<choice>[{re.escape(choices)}]){_ENDS}"
    small = f"(?P<small>[{re.escape(choices.lower())}]){_ENDS}"
    words = "".join(letter for letter in choices if letter in "AI")  # A and I are English words as well
    others = re.escape("".join(letter for letter in choices if letter not in words)) or "(?!)"
    single = rf"(?:[{others}]|[{words}](?!\s+(?!or\b|and\b)[a-z]))" if words else f"[{others}]"
    ways = (
        # nothing else: B · (b) · **B**. · option B
        (rf"\A\s*(?i:{_NAMES}\s+)?{_OPEN}(?:{capital}|{small}){_CLOSE}[.!]?{_CLOSE}\s*\Z", False),
        (rf"\\boxed\{{\s*(?:\\text\w*\{{)?\(?{capital}", False),
        # Answer: B · the correct answer is (B) · **Final answer:** b
        (
            rf"\b(?i:{_NAMES}(?:\s+[a-z]+){{0,6}}?{_SAYS})\s*(?i:{_NAMES}\s+)?{_OPEN}"
            rf"(?:{capital}|{small}(?=\)|{_CLOSE}[.!]?{_CLOSE}\s*?(?:\n|\Z)))",
            False,
        ),
        # I choose B · option (C)
        (rf"\b(?i:{_NAMES})s?\s+{_OPEN}{capital}", False),
        # B) Paris, at the start of a line
        (rf"^[ \t]*{_OPEN}(?:{capital}|{small})[*_]*[).:\]](?=\W*\s)", True),
        # (B) anywhere
        (rf"{_DENIED}[(\[]{capital}[)\]]", True),
        # B, a capital on its own
        (rf"(?<![\w'’-]){_DENIED}(?P<choice>{single}){_ENDS}", True),
    )
    return tuple((re.compile(way, re.MULTILINE), agree) for way, agree in ways)


def chosen(text: str, choices: str = CHOICES) -> tuple[str, ...]:
    """The letter a text chooses; none, or several, when it does not settle on one."""
    for way, agree in _ways(choices):
        found = list(way.finditer(text))
        if not found:
            continue
        letters = [_letter(match) for match in (found if agree else found[-1:])]
        hedge, end = _hedge(choices), found[-1].end()
        while more := hedge.match(text, end):
            letters.append(_letter(more))
            end = more.end()
        return tuple(dict.fromkeys(letters))
    return ()


@lru_cache(maxsize=100)
def _hedge(choices: str) -> re.Pattern[str]:
    """Another letter beside the one stated: ``or B``, ``and maybe (C)``."""
    return re.compile(
        rf"{_CLOSE}\s*(?:,|/|&|\bor\b|\band\b)\s*(?:(?:maybe|perhaps|possibly|even)\s+)?"
        rf"{_OPEN}(?P<choice>[{re.escape(choices)}]){_ENDS}"
    )


def _letter(match: re.Match[str]) -> str:
    return next(letter for letter in match.groupdict().values() if letter).upper()


def choice(asked: Asked) -> Score:
    choices = text_of(asked.options["choices"]).upper()
    goal = chosen(text_of(asked.expected), choices)
    if len(goal) != 1:
        raise ScorerError(f"choice needs one letter of {choices} as expectation, not {quote(text_of(asked.expected))}")
    letters = chosen(text_of(asked.actual), choices)
    detail = {"chosen": list(letters), "expected": goal[0]}
    if len(letters) == 1:
        told = f"chose {letters[0]}"
        return Score(letters == goal, told if letters == goal else f"{told} where {goal[0]} is expected", detail)
    if letters:
        return Score(False, f"names {', '.join(letters)}: it does not settle on one; {goal[0]} is expected", detail)
    return Score(False, f"chooses no letter of {choices}; {goal[0]} is expected", detail)


def _check(options: Mapping[str, Any]) -> Sequence[str]:
    given = options.get("choices")
    choices = CHOICES if given is None else text_of(given).upper()
    if not choices.isalnum() or len(set(choices)) != len(choices):
        return [f"choices must be letters or digits, each once, as in ABCD, not {quote(choices)}"]
    expected = options.get("expected")
    if expected is not None and len(chosen(text_of(expected), choices)) != 1:
        return [f"the expected choice {quote(text_of(expected))} is not one letter of {choices}"]
    return []


SCORERS = named(
    define(
        "choice",
        choice,
        expected_option(help="The right letter; default: the case's expected output."),
        Option("choices", "text", "The letters (or digits) there are to choose from.", default=CHOICES),
        graded=False,
        main="expected",
        needs=("expected_output",),
        check=_check,
    ),
)
