"""``bleu``: clipped n-gram precision with a penalty for short answers.

Papineni et al. 2002. With the tokenizers ``13a`` and ``char`` it equals sacrebleu's sentence BLEU with exponential
smoothing.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ..model.criterion import Option
from ..model.score import Score
from .builtin import CASE_SENSITIVE, Asked, compared, count, define, expected_option, named
from .folding import fold
from .tokens import Tokenizer, characters, words, words_13a

TOKENIZERS: Mapping[str, Tokenizer] = {"words": words, "13a": words_13a, "char": characters}

Grams = list[Counter[tuple[str, ...]]]
"""How often each n-gram occurs, a counter an order from 1 on."""


def ngrams(tokens: Sequence[str], max_order: int) -> Grams:
    return [Counter(zip(*(tokens[n:] for n in range(order)), strict=False)) for order in range(1, max_order + 1)]


@dataclass(frozen=True, slots=True)
class Precision:
    """What n-grams of an answer are in the text it is compared with."""

    matched: tuple[int, ...]
    total: tuple[int, ...]
    smoothed: tuple[float, ...]
    """The precision of each order that counts; an order without a match gets half of the one before it would."""
    mean: float
    """Their geometric mean; 0 when nothing matches."""


def precision(answer: Grams, wanted: Grams, effective_order: bool) -> Precision:
    """Clipped n-gram precision: an n-gram counts as often as it is wanted, no more."""
    matched = tuple(
        sum(min(number, theirs[gram]) for gram, number in mine.items() if gram in theirs)
        for mine, theirs in zip(answer, wanted, strict=True)
    )
    total = tuple(mine.total() for mine in answer)
    smoothed: list[float] = []
    halving = 1.0
    for hits, all_grams in zip(matched, total, strict=True):
        if not all_grams:
            break  # the answer is shorter than this order
        if not hits:
            halving *= 2
        smoothed.append(hits / all_grams if hits else 1 / (halving * all_grams))
    if not any(matched) or (len(smoothed) < len(total) and not effective_order):
        return Precision(matched, total, tuple(smoothed), 0.0)
    mean = math.exp(sum(map(math.log, smoothed)) / len(smoothed))
    return Precision(matched, total, tuple(smoothed), mean)


def brevity_penalty(length: int, wanted_length: int) -> float:
    if length >= wanted_length:
        return 1.0
    return math.exp(1 - wanted_length / length) if length else 0.0


def bleu(asked: Asked) -> Score:
    tokenize, order = TOKENIZERS[asked.options["tokenizer"]], asked.options["max_ngram_order"]
    answer = tokenize(fold(asked.actual, asked.options["case_sensitive"]))
    texts = [tokenize(fold(text, asked.options["case_sensitive"])) for text in compared(asked)]
    equal = answer in texts if asked.options["all_references"] else answer == texts[0]
    if answer and equal and asked.options["tokenizer"] == "words":
        return Score(1.0, "the texts are equal", {"length": len(answer), "reference_length": len(answer)})
    grams = ngrams(answer, order)
    counted = [ngrams(text, order) for text in texts]
    if asked.options["all_references"]:
        # every n-gram as often as the text that has it most often
        union = [_most(orders) for orders in zip(*counted, strict=True)]
        best = precision(grams, union, asked.options["effective_order"])
        wanted_length = min((len(text) for text in texts), key=lambda n: (abs(n - len(answer)), n))
    else:
        best = max((precision(grams, each, asked.options["effective_order"]) for each in counted), key=lambda p: p.mean)
        wanted_length = len(texts[0])
    penalty = brevity_penalty(len(answer), wanted_length)
    detail = {
        "precisions": list(best.smoothed),
        "brevity_penalty": penalty,
        "length": len(answer),
        "reference_length": wanted_length,
    }
    return Score(min(1.0, penalty * best.mean), _reason(best, penalty, wanted_length), detail)


def _most(counters: Sequence[Counter[tuple[str, ...]]]) -> Counter[tuple[str, ...]]:
    union: Counter[tuple[str, ...]] = Counter()
    for counter in counters:
        union |= counter
    return union


def _reason(best: Precision, penalty: float, wanted_length: int) -> str:
    if not best.total[0]:
        return "the answer is empty"
    if not wanted_length:
        return "the expected text is empty: there is nothing to compare with"
    found = [
        f"{hits} of {count(total, f'{order}-gram')}"
        for order, (hits, total) in enumerate(zip(best.matched, best.total, strict=True), 1)
        if total
    ]
    short = f"; brevity penalty {penalty:.2f} ({best.total[0]} of {wanted_length} tokens)" if penalty < 1 else ""
    return f"{', '.join(found)} expected{short}"


SCORERS = named(
    define(
        "bleu",
        bleu,
        expected_option(help="The text to compare with; default: the case's expected output, else its references."),
        Option(
            "max_ngram_order",
            "integer",
            "The longest n-grams counted; 4 is standard BLEU.",
            default=1,
            minimum=1,
            maximum=10,
        ),
        Option(
            "tokenizer",
            "choice",
            "How texts are cut: at white space, by the mteval-v13a rules, or into characters.",
            default="words",
            choices=tuple(TOKENIZERS),
        ),
        Option(
            "effective_order",
            "boolean",
            "Leave out orders longer than the answer; false scores such answers 0.",
            default=True,
        ),
        Option(
            "all_references",
            "boolean",
            "Compare with expected output and references together; the length is that of the closest one.",
            default=False,
        ),
        CASE_SENSITIVE,
        graded=True,
        main="expected",
        needs=("expected_output", "reference_outputs"),
    ),
)
