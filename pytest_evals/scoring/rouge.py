"""``rouge``: what answer and expectation share, in F1 (Lin 2004).

With the tokenizer ``rouge_score`` it equals the rouge-score package.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any

from ..model.criterion import Option
from ..model.score import Score
from .bleu import ngrams
from .builtin import ALL_REFERENCES, Asked, best_of, compared, count, define, expected_option, named
from .folding import fold
from .stemmer import stem
from .tokens import Tokenizer, ascii_words, is_beyond_ascii, words

Lines = list[list[str]]
"""The words of a text, line by line: what ROUGE-Lsum calls sentences."""


def rouge_n(answer: Lines, wanted: Lines, order: int) -> tuple[int, int, int]:
    """Shared n-grams, those of the answer, those of the expectation."""
    mine, theirs = (ngrams(text[0] if text else [], order)[-1] for text in (answer, wanted))
    return (mine & theirs).total(), mine.total(), theirs.total()


def rouge_l(answer: Lines, wanted: Lines) -> tuple[int, int, int]:
    """The longest common subsequence of words, and the words of each text."""
    mine, theirs = (text[0] if text else [] for text in (answer, wanted))
    return _common()(mine, theirs), len(mine), len(theirs)


@cache
def _common() -> Callable[[Sequence[str], Sequence[str]], int]:
    from rapidfuzz.distance import LCSseq  # 14 ms: only when used

    return LCSseq.similarity


def rouge_l_sum(answer: Lines, wanted: Lines) -> tuple[int, int, int]:
    """For each expected line, the words of its longest common subsequences with all lines of the answer.

    A word is counted no more often than the answer has it.
    """
    available = Counter(word for line in answer for word in line)
    hits = 0
    for line in wanted:
        places: set[int] = set()
        for mine in answer:
            places |= common_places(line, mine)
        for place in places:
            if available[line[place]] > 0:
                available[line[place]] -= 1
                hits += 1
    return hits, sum(map(len, answer)), sum(map(len, wanted))


def common_places(wanted: Sequence[str], answer: Sequence[str]) -> set[int]:
    """The places in ``wanted`` of one longest common subsequence, the one rouge-score picks among equals.

    Bit-parallel (Hyyrö 2004): bit ``n`` of a column is 0 where word ``n`` makes the subsequence longer.
    """
    where: dict[str, int] = {}
    for place, word in enumerate(wanted):
        where[word] = where.get(word, 0) | 1 << place
    every = (1 << len(wanted)) - 1
    column, columns = every, []
    for word in answer:
        hits = column & where.get(word, 0)
        column = (column + hits | column - hits) & every
        columns.append(column)
    found: set[int] = set()
    row, at = len(wanted), len(answer)
    while row and at:
        if wanted[row - 1] == answer[at - 1]:
            row, at = row - 1, at - 1
            found.add(row)
        elif columns[at - 1] >> (row - 1) & 1:
            row -= 1
        else:
            at -= 1
    return found


VARIANTS: Mapping[str, tuple[Callable[[Lines, Lines], tuple[int, int, int]], str, str]] = {
    "rouge1": (lambda answer, wanted: rouge_n(answer, wanted, 1), "word", "shared"),
    "rouge2": (lambda answer, wanted: rouge_n(answer, wanted, 2), "word pair", "shared"),
    "rougeL": (rouge_l, "word", "in the longest common subsequence"),
    "rougeLsum": (rouge_l_sum, "word", "in the common subsequences of the lines"),
}

TOKENIZERS: Mapping[str, Tokenizer] = {"words": words, "rouge_score": ascii_words}


def _lines(text: str, options: Mapping[str, Any]) -> Lines:
    tokenize = words if is_beyond_ascii(text) else TOKENIZERS[options["tokenizer"]]
    whole = [line.removesuffix("\r") for line in text.split("\n")] if options["variant"] == "rougeLsum" else [text]
    lines = [tokenize(line) for line in whole if line]
    if options["stemming"]:
        lines = [[stem(word) if len(word) > 3 else word for word in line] for line in lines]
    return lines


def rouge(asked: Asked) -> Score:
    answer = _lines(fold(asked.actual), asked.options)
    wanted = compared(asked)
    return best_of([_rouge(answer, _lines(fold(text), asked.options), asked.options) for text in wanted])


def _rouge(answer: Lines, wanted: Lines, options: Mapping[str, Any]) -> Score:
    measure, noun, told = VARIANTS[options["variant"]]
    shared, mine, theirs = measure(answer, wanted)
    precision, recall = shared / max(mine, 1), shared / max(theirs, 1)
    detail = {"precision": precision, "recall": recall, "shared": shared}
    if answer and answer == wanted and options["tokenizer"] == "words":
        return Score(1.0, "the texts are equal", detail)  # a single word has no pairs
    value = 2 * precision * recall / (precision + recall) if shared else 0.0
    reason = f"{count(shared, noun)} {told}, of {mine} in the answer and {theirs} expected"
    return Score(value, reason, detail)


SCORERS = named(
    define(
        "rouge",
        rouge,
        expected_option(help="The text to compare with; default: the case's expected output, else its references."),
        ALL_REFERENCES,
        Option(
            "variant",
            "choice",
            "Shared words, shared pairs of words, or the longest common subsequence, of the texts or line by line.",
            default="rougeL",
            choices=tuple(VARIANTS),
        ),
        Option(
            "tokenizer",
            "choice",
            "How texts are cut: at white space, or into runs of ASCII letters and digits.",
            default="words",
            choices=tuple(TOKENIZERS),
        ),
        Option("stemming", "boolean", "Compare English words without their endings.", default=False),
        graded=True,
        main="expected",
        needs=("expected_output", "reference_outputs"),
    ),
)
