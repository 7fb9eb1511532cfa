"""Texts cut into the tokens that overlap measures count.

Each function takes a text that is already folded (``folding.fold``).
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from typing import Any

Tokenizer = Callable[[str], list[str]]

# Scripts written without spaces between words, with the marks and signs they share.
_UNSPACED = r"\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}ー〱-〵"


@cache
def unicode_pattern(pattern: str) -> Any:
    """A pattern with Unicode properties, which ``re`` does not have; only texts beyond ASCII need one."""
    import regex  # 17 ms: only when used

    return regex.compile(pattern)


def words(text: str) -> list[str]:
    """White space separates words; an edge of white space is an empty word.

    In scripts written without spaces between words (Chinese, Japanese, Thai …) each character is a word.
    """
    found = text.split()
    if not text.isascii() and unicode_pattern(f"[{_UNSPACED}]").search(text):
        each = unicode_pattern(rf"[{_UNSPACED}]\p{{M}}*|[^{_UNSPACED}]+")
        found = [piece for word in found for piece in each.findall(word)]
    if text and text[0].isspace():
        found.insert(0, "")
    if text and text[-1].isspace():
        found.append("")
    return found


def is_unspaced(word: str) -> bool:
    """Whether the word is one character of a script written without spaces."""
    return not word.isascii() and unicode_pattern(f"[{_UNSPACED}]").match(word) is not None


def characters(text: str) -> list[str]:
    """Every character but white space."""
    return list("".join(text.split()))


def ascii_words(text: str) -> list[str]:
    """Runs of ASCII letters and digits, as the rouge-score package sees them."""
    return _ASCII_WORDS.findall(text.lower())


_ASCII_WORDS = re.compile(r"[a-z0-9]+")


def is_beyond_ascii(text: str) -> bool:
    """Whether the text has letters or digits, but none of ASCII: the rouge-score package sees nothing in it."""
    return not text.isascii() and not ascii_words(text) and any(c.isalnum() for c in text)


# The rules of mteval-v13a, which the Workshop on Machine Translation scores with.
_13A_RULES = (
    (re.compile(r"([{-~\[-` -&(-+:-@/])"), r" \1 "),  # punctuation, but not ' , - .
    (re.compile(r"([^0-9])([.,])"), r"\1 \2 "),  # full stop and comma, unless a digit comes before …
    (re.compile(r"([.,])([^0-9])"), r" \1 \2"),  # … or after
    (re.compile(r"([0-9])(-)"), r"\1 \2 "),  # a dash after a digit
)


def words_13a(text: str) -> list[str]:
    """Words and punctuation as the mteval-v13a rules cut Western text, the tokens of standard BLEU."""
    text = text.rstrip().replace("<skipped>", "").replace("-\n", "").replace("\n", " ")
    for entity, sign in (("&quot;", '"'), ("&amp;", "&"), ("&lt;", "<"), ("&gt;", ">")):
        text = text.replace(entity, sign)
    text = f" {text} "
    for rule, replacement in _13A_RULES:
        text = rule.sub(replacement, text)
    return text.split()


def word_parts(text: str) -> list[str]:
    """Runs of letters, digits, marks and ``_``; characters of scripts without spaces one by one."""
    if text.isascii():
        return _WORD_PARTS.findall(text)
    found: list[str] = []
    for run in unicode_pattern(r"[\p{L}\p{M}\p{N}_]+").findall(text):
        found += words(run)
    return found


_WORD_PARTS = re.compile(r"\w+", re.ASCII)


def without_punctuation(text: str) -> str:
    """Only letters, digits, marks, ``_`` and white space stay; what punctuation parted is joined (don't: dont)."""
    if text.isascii():
        return _NO_WORD.sub("", text)
    return str(unicode_pattern(r"[^\p{L}\p{M}\p{N}_\s]+").sub("", text))


_NO_WORD = re.compile(r"[^\w\s]+", re.ASCII)
