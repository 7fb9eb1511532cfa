"""``chrf``: F-score of the character n-grams two texts share (Popović 2015), equal to sacrebleu's sentence chrF."""

from __future__ import annotations

import string
from collections import Counter
from collections.abc import Sequence
from typing import Any

from ..model.criterion import Option
from ..model.score import Score
from .builtin import ALL_REFERENCES, Asked, best_of, compared, define, expected_option, named
from .folding import fold

_PUNCTUATION = frozenset(string.punctuation)


def _grams(text: str, char_order: int, word_order: int) -> list[Counter[Any]]:
    """How often each character n-gram occurs, white space left out, then each word n-gram."""
    bare = "".join(text.split())
    counted: list[Counter[Any]] = [
        Counter(bare[n : n + order] for n in range(len(bare) - order + 1)) for order in range(1, char_order + 1)
    ]
    if word_order:
        parted = _parted(text)
        counted += [
            Counter(zip(*(parted[n:] for n in range(order)), strict=False)) for order in range(1, word_order + 1)
        ]
    return counted


def _parted(text: str) -> list[str]:
    """Words with the punctuation mark at their end, else at their start, apart."""
    found: list[str] = []
    for word in text.split():
        if len(word) > 1 and word[-1] in _PUNCTUATION:
            found += (word[:-1], word[-1])
        elif len(word) > 1 and word[0] in _PUNCTUATION:
            found += (word[0], word[1:])
        else:
            found.append(word)
    return found


def chrf_score(answer: Sequence[Counter[Any]], wanted: Sequence[Counter[Any]], beta: float) -> Score:
    """The F-score of the mean precision and the mean recall over the orders both texts are long enough for."""
    precisions, recalls = [], []
    for mine, theirs in zip(answer, wanted, strict=True):
        if mine and theirs:
            matched = sum(min(number, theirs[gram]) for gram, number in mine.items() if gram in theirs)
            precisions.append(matched / mine.total())
            recalls.append(matched / theirs.total())
    if not precisions:
        return Score(0.0, "one of the texts is empty: there is nothing to compare")
    precision, recall = sum(precisions) / len(precisions), sum(recalls) / len(recalls)
    detail = {"precision": precision, "recall": recall, "orders": len(precisions)}
    if not precision + recall:
        return Score(0.0, "no character is shared", detail)
    weight = beta * beta
    value = (1 + weight) * precision * recall / (weight * precision + recall)
    reason = f"{precision:.0%} of the answer's n-grams are expected, {recall:.0%} of the expected ones are there"
    return Score(min(1.0, value), reason, detail)


def chrf(asked: Asked) -> Score:
    case_sensitive, orders = asked.options["case_sensitive"], (asked.options["char_order"], asked.options["word_order"])
    answer = _grams(fold(asked.actual, case_sensitive), *orders)
    scores = [
        chrf_score(answer, _grams(fold(text, case_sensitive), *orders), asked.options["beta"])
        for text in compared(asked)
    ]
    return best_of(scores)


SCORERS = named(
    define(
        "chrf",
        chrf,
        expected_option(help="The text to compare with; default: the case's expected output, else its references."),
        ALL_REFERENCES,
        Option(
            "case_sensitive",
            "boolean",
            "Whether capitals and small letters differ; true is standard chrF.",
            default=True,
        ),
        Option("char_order", "integer", "The longest character n-grams.", default=6, minimum=1, maximum=20),
        Option("word_order", "integer", "The longest word n-grams; 2 gives chrF++.", default=0, minimum=0, maximum=10),
        Option("beta", "number", "How much more recall counts than precision.", default=2, minimum=0.01, maximum=100),
        graded=True,
        main="expected",
        needs=("expected_output", "reference_outputs"),
    ),
)
