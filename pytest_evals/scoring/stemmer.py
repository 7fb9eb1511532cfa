"""English words without their endings, for ROUGE with ``stemming``.

Porter, "An algorithm for suffix stripping" (1980), with the departures of NLTK's stemmer, which rouge-score uses:
a table of irregular words, and other rules for -ies, -ied, -y, -alli, -bli, -fulli, -logi and two-letter stems.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache

_IRREGULAR = {
    "skies": "sky",
    "sky": "sky",
    "dying": "die",
    "lying": "lie",
    "tying": "tie",
    "news": "news",
    "innings": "inning",
    "inning": "inning",
    "outings": "outing",
    "outing": "outing",
    "cannings": "canning",
    "canning": "canning",
    "howe": "howe",
    "proceed": "proceed",
    "exceed": "exceed",
    "succeed": "succeed",
}

Condition = Callable[[str], bool]
Rule = tuple[str, str, Condition]
"""An ending, what takes its place, and what must hold of the word without it."""


def _shape(stem: str) -> str:
    """``c`` or ``v`` for each letter; y is a vowel after a consonant."""
    shape = ""
    for letter in stem:
        vowel = letter in "aeiou" or (letter == "y" and shape.endswith("c"))
        shape += "v" if vowel else "c"
    return shape


def _measure(stem: str) -> int:
    """How many times a vowel is followed by a consonant: Porter's m."""
    return _shape(stem).count("vc")


def _ends_short(stem: str) -> bool:
    """Ends consonant, vowel, consonant other than w, x, y (-hop, -wil), or is a vowel and a consonant."""
    shape = _shape(stem)
    return (shape.endswith("cvc") and stem[-1] not in "wxy") or shape == "vc"


def _always(_stem: str) -> bool:
    return True


def _m_above_0(stem: str) -> bool:
    return _measure(stem) > 0


def _m_above_1(stem: str) -> bool:
    return _measure(stem) > 1


def _apply(word: str, rules: Sequence[Rule]) -> str:
    """Only the first rule whose ending the word has is tried."""
    for ending, replacement, holds in rules:
        if word.endswith(ending):
            stem = word[: len(word) - len(ending)]
            return stem + replacement if holds(stem) else word
    return word


_PLURALS: Sequence[Rule] = (("sses", "ss", _always), ("ies", "i", _always), ("ss", "ss", _always), ("s", "", _always))


def _plural(word: str) -> str:
    if word.endswith("ies") and len(word) == 4:
        return word[:-1]
    return _apply(word, _PLURALS)


def _past(word: str) -> str:
    """-eed, -ed and -ing, and what the stem needs once they are gone."""
    if word.endswith("ied"):
        return word[:-1] if len(word) == 4 else word[:-2]
    if word.endswith("eed"):
        return word[:-1] if _m_above_0(word[:-3]) else word
    for ending in ("ed", "ing"):
        stem = word[: -len(ending)]
        if word.endswith(ending) and "v" in _shape(stem):
            return _mended(stem)
    return word


def _mended(stem: str) -> str:
    if stem.endswith(("at", "bl", "iz")):
        return stem + "e"
    if len(stem) > 1 and stem[-1] == stem[-2] and _shape(stem).endswith("c"):
        return stem if stem[-1] in "lsz" else stem[:-1]
    if _measure(stem) == 1 and _ends_short(stem):
        return stem + "e"
    return stem


def _y_to_i(word: str) -> str:
    if word.endswith("y") and len(word) > 2 and _shape(word[:-1]).endswith("c"):
        return word[:-1] + "i"
    return word


_DOUBLE_SUFFIXES: Sequence[Rule] = (
    *(
        (ending, replacement, _m_above_0)
        for ending, replacement in (
            ("ational", "ate"),
            ("tional", "tion"),
            ("enci", "ence"),
            ("anci", "ance"),
            ("izer", "ize"),
            ("bli", "ble"),
            ("alli", "al"),
            ("entli", "ent"),
            ("eli", "e"),
            ("ousli", "ous"),
            ("ization", "ize"),
            ("ation", "ate"),
            ("ator", "ate"),
            ("alism", "al"),
            ("iveness", "ive"),
            ("fulness", "ful"),
            ("ousness", "ous"),
            ("aliti", "al"),
            ("iviti", "ive"),
            ("biliti", "ble"),
            ("fulli", "ful"),
        )
    ),
    ("logi", "log", lambda stem: _m_above_0(stem + "l")),
)


def _double_suffix(word: str) -> str:
    if word.endswith("alli") and _m_above_0(word[:-4]):
        return _double_suffix(word[:-2])
    return _apply(word, _DOUBLE_SUFFIXES)


_SINGLE_SUFFIXES: Sequence[Rule] = tuple(
    (ending, replacement, _m_above_0)
    for ending, replacement in (
        ("icate", "ic"),
        ("ative", ""),
        ("alize", "al"),
        ("iciti", "ic"),
        ("ical", "ic"),
        ("ful", ""),
        ("ness", ""),
    )
)

_LAST_SUFFIXES: Sequence[Rule] = (
    *((e, "", _m_above_1) for e in ("al", "ance", "ence", "er", "ic", "able", "ible", "ant", "ement", "ment", "ent")),
    ("ion", "", lambda stem: _m_above_1(stem) and stem[-1] in "st"),
    *((e, "", _m_above_1) for e in ("ou", "ism", "ate", "iti", "ous", "ive", "ize")),
)


def _tidied(word: str) -> str:
    """A final e, and one of a final ll, go from longer words."""
    if word.endswith("e"):
        stem = word[:-1]
        if _measure(stem) > 1 or (_measure(stem) == 1 and not _ends_short(stem)):
            word = stem
    if word.endswith("ll") and _measure(word[:-1]) > 1:
        word = word[:-1]
    return word


@lru_cache(maxsize=20_000)
def stem(word: str) -> str:
    """The stem of a word in lower case: ``activates`` and ``activated`` give ``activ``."""
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    if len(word) <= 2:
        return word
    word = _double_suffix(_y_to_i(_past(_plural(word))))
    return _tidied(_apply(_apply(word, _SINGLE_SUFFIXES), _LAST_SUFFIXES))
