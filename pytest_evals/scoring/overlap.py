"""Scorers that count the words answer and expectation share, wherever they stand."""

from __future__ import annotations

import string
from collections import Counter

from ..model.criterion import Option
from ..model.score import Score
from .builtin import ALL_REFERENCES, Asked, best_of, compared, count, define, expected_option, named
from .folding import fold
from .tokens import is_unspaced, without_punctuation, words

SHORTEST = 3
"""``word_overlap`` leaves out shorter words, unless a text has no others."""


def _distinct(text: str) -> tuple[set[str], set[str]]:
    """The distinct words of a text: the long ones, and all."""
    every = set(words(without_punctuation(text).strip()))
    return {word for word in every if len(word) >= SHORTEST or is_unspaced(word)}, every


def word_overlap(asked: Asked) -> Score:
    answer = fold(asked.actual)
    wanted = fold(asked.references[0] if asked.expected is None else asked.expected)
    if answer == wanted and answer:
        return Score(1.0, "the texts are equal")
    (mine, my_all), (theirs, their_all) = _distinct(answer), _distinct(wanted)
    if not mine and not theirs:
        mine, theirs = my_all, their_all
    larger = max(len(mine), len(theirs))
    shared = len(mine & theirs)
    detail = {"shared": shared, "answer": len(mine), "expected": len(theirs)}
    return Score(
        shared / larger if larger else 0.0,
        f"{shared} of {count(larger, 'distinct word')} shared; order and repeats do not count",
        detail,
    )


_PUNCTUATION = str.maketrans("", "", string.punctuation)
_ARTICLES = {"a", "an", "the"}


def answer_words(text: str, drop_articles: bool) -> list[str]:
    """The words of a folded text that ``token_f1`` counts: no punctuation, no articles."""
    bare = text.translate(_PUNCTUATION)
    if not bare.isascii():
        bare = without_punctuation(bare)
    return [word for word in words(bare.strip()) if not (drop_articles and word in _ARTICLES)]


def token_f1(asked: Asked) -> Score:
    answer, drop_articles = fold(asked.actual), asked.options["drop_articles"]
    wanted = compared(asked)
    return best_of([_token_f1(answer, fold(text), drop_articles) for text in wanted])


def _token_f1(answer: str, wanted: str, drop_articles: bool) -> Score:
    mine, theirs = answer_words(answer, drop_articles), answer_words(wanted, drop_articles)
    if not mine and not theirs:
        # nothing but articles and punctuation in both: those are the answer then
        mine, theirs = answer.split(), wanted.split()
        if not mine and not theirs:
            return Score(1.0, "both texts are empty")
    if not mine or not theirs:
        return Score(0.0, f"the {'expected text' if mine else 'answer'} has no words")
    shared = (Counter(mine) & Counter(theirs)).total()
    precision, recall = shared / len(mine), shared / len(theirs)
    value = 2 * precision * recall / (precision + recall) if shared else 0.0
    reason = f"{shared} of {count(len(mine), 'word')} are expected, {shared} of {len(theirs)} expected words are there"
    return Score(value, reason, {"precision": precision, "recall": recall, "shared": shared})


SCORERS = named(
    define(
        "word_overlap",
        word_overlap,
        expected_option(
            help="The text to compare with; default: the case's expected output, else its first reference."
        ),
        graded=True,
        main="expected",
        needs=("expected_output", "reference_outputs"),
    ),
    define(
        "token_f1",
        token_f1,
        expected_option(help="The text to compare with; default: the case's expected output, else its references."),
        ALL_REFERENCES,
        Option("drop_articles", "boolean", "Whether a, an and the are left out.", default=True),
        graded=True,
        main="expected",
        needs=("expected_output", "reference_outputs"),
    ),
)
