"""What differs between two texts, word by word and whole: the terminal's diff is shortened, this one is not."""

from __future__ import annotations

import re
from difflib import SequenceMatcher
from typing import Literal, NamedTuple

MOST_WORDS = 4000
"""SequenceMatcher is quadratic; longer texts are compared line by line."""


class Part(NamedTuple):
    """A piece of text that both have, or only one."""

    kind: Literal["same", "gone", "new"]
    text: str


def word_difference(expected: str, answer: str) -> list[Part]:
    """The pieces in order; none when the texts are too long to be compared."""
    first, second = _words(expected), _words(answer)
    if max(len(first), len(second)) > MOST_WORDS:
        first, second = expected.splitlines(keepends=True), answer.splitlines(keepends=True)
        if max(len(first), len(second)) > MOST_WORDS:
            return []
    parts: list[Part] = []
    for step, a, b, c, d in SequenceMatcher(None, first, second, autojunk=False).get_opcodes():
        if step == "equal":
            parts.append(Part("same", "".join(first[a:b])))
            continue
        if b > a:
            parts.append(Part("gone", "".join(first[a:b])))
        if d > c:
            parts.append(Part("new", "".join(second[c:d])))
    return parts


def _words(text: str) -> list[str]:
    return re.findall(r"\s+|\w+|[^\w\s]", text)
