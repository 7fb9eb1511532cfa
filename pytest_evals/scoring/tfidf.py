"""``tfidf_similarity``: the cosine of two texts as TF-IDF vectors.

The texts themselves are the collection the weights come from, so a word only one of them has weighs more
(1 + ln 1.5) than a word of both (1); this is what scikit-learn's ``TfidfVectorizer`` gives for two texts.
"""

from __future__ import annotations

import math
from collections import Counter

from ..model.criterion import Option
from ..model.score import Score
from .builtin import ALL_REFERENCES, Asked, best_of, compared, define, expected_option, named
from .folding import fold
from .stopwords import ENGLISH
from .tokens import is_unspaced, word_parts

_OF_ONE = (1 + math.log(3 / 2)) ** 2
"""The squared weight of a word that one of the two texts has: smoothed idf ln((1 + 2) / (1 + 1)) + 1."""


def _counted(text: str, stop_words: bool) -> tuple[Counter[str], Counter[str]]:
    """How often each word stands in a text: those that count, and all."""
    every = Counter(word_parts(text))
    kept = {
        word: number
        for word, number in every.items()
        if (len(word) > 1 or is_unspaced(word)) and not (stop_words and word in ENGLISH)
    }
    return Counter(kept), every


def tfidf_cosine(answer: str, wanted: str, stop_words: bool = True) -> float:
    """The cosine of two folded texts; 0 when one of them has no words."""
    if answer == wanted and answer:
        return 1.0
    (mine, my_all), (theirs, their_all) = _counted(answer, stop_words), _counted(wanted, stop_words)
    if not mine and not theirs:
        mine, theirs = my_all, their_all
    if not mine or not theirs:
        return 0.0
    shared = mine.keys() & theirs.keys()
    # idf of a word in both texts: ln(3 / 3) + 1 = 1
    product = sum(mine[word] * theirs[word] for word in shared)
    norms = 1.0
    for counts in (mine, theirs):
        norms *= sum(n * n * (1.0 if word in shared else _OF_ONE) for word, n in counts.items())
    return min(1.0, product / math.sqrt(norms))


def tfidf_similarity(asked: Asked) -> Score:
    answer, stop_words = fold(asked.actual), asked.options["stop_words"] == "english"
    scores = []
    for text in compared(asked):
        value = tfidf_cosine(answer, fold(text), stop_words)
        scores.append(Score(value, f"cosine {value:.2f} of the TF-IDF weighted words; word order does not count"))
    return best_of(scores)


SCORERS = named(
    define(
        "tfidf_similarity",
        tfidf_similarity,
        expected_option(help="The text to compare with; default: the case's expected output, else its references."),
        ALL_REFERENCES,
        Option(
            "stop_words",
            "choice",
            "Frequent words that do not count.",
            default="english",
            choices=("english", "none"),
        ),
        graded=True,
        main="expected",
        needs=("expected_output", "reference_outputs"),
    ),
)
