"""Blocks of code in an answer: what stands between ``` marks, as in Markdown."""

from __future__ import annotations

import re
from collections.abc import Iterator
from textwrap import dedent
from typing import NamedTuple

# a line of at least three ` or ~, and the next line of at least as many of the same
_FENCE = re.compile(r"^[ \t]*(`{3,}|~{3,})[ \t]*([^\s`]*)[^\n`]*$", re.MULTILINE)


class Block(NamedTuple):
    """A block of code."""

    language: str
    """What stands behind the opening mark, in lower case; empty if nothing does."""
    text: str


def fenced(text: str) -> Iterator[Block]:
    """The blocks of a text in their order; one that is not closed, as in a cut answer, goes to the end."""
    opening: re.Match[str] | None = None
    for match in _FENCE.finditer(text):
        if opening is None:
            opening = match
        elif match[1].startswith(opening[1]) and not match[2]:
            yield _block(opening, text, match.start())
            opening = None
    if opening is not None:
        yield _block(opening, text, len(text))


def _block(opening: re.Match[str], text: str, end: int) -> Block:
    return Block(opening[2].lower(), dedent(text[opening.end() + 1 : end]))


def code_of(text: str, *languages: str) -> str:
    """The code of an answer: its first block in one of the languages, else its first block, else all of it."""
    blocks = list(fenced(text))
    named = (block.text for block in blocks if block.language in languages)
    return next(named, blocks[0].text if blocks else text)
