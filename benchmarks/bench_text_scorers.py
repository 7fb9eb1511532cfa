"""What the text scorers cost a pair of texts, beside rouge-score and jiwer in the same run.

    python benchmarks/bench_text_scorers.py [--pairs 2000] [--words 60] [--repeats 7]

Each scorer is called as the engine calls it, on the same pairs: an answer that differs from its expectation in a fifth
of its words. The sides take turns, so that a busy moment of the machine hits all; the best round of each is compared.
Exits with 1 when a bound is missed: levenshtein 10 µs, rouge (ROUGE-L) 40 µs, word_error_rate 70 µs a pair.
"""

from __future__ import annotations

import argparse
import random
import string
import sys
import time
from collections.abc import Callable, Mapping
from typing import Any

from pytest_evals.scoring import scorer

Pair = tuple[str, str]
"""Answer and expectation."""

BOUNDS_US = {"levenshtein": 10.0, "rouge": 40.0, "word_error_rate": 70.0}
OTHERS = ("exact_match", "contains", "word_overlap", "token_f1", "tfidf_similarity", "bleu", "chrf")


def make_pairs(number: int, words: int, seed: int = 20) -> list[Pair]:
    """Texts of random words; a fifth of the expected words are replaced, left out or followed by another."""
    chance = random.Random(seed)
    vocabulary = ["".join(chance.choices(string.ascii_lowercase, k=chance.randint(2, 9))) for _ in range(1000)]
    pairs = []
    for _ in range(number):
        expected = chance.choices(vocabulary, k=words)
        answer = []
        for word in expected:
            change = chance.random()
            if change < 0.0667:
                continue
            answer.append(chance.choice(vocabulary) if change < 0.1333 else word)
            if 0.1333 <= change < 0.2:
                answer.append(chance.choice(vocabulary))
        pairs.append((" ".join(answer), " ".join(expected)))
    return pairs


def ours(name: str, options: Mapping[str, Any]) -> Callable[[Pair], object]:
    called = scorer(name)
    return lambda pair: called(actual=pair[0], expected=pair[1], references=(), options=options)


def sides() -> dict[str, tuple[Callable[[Pair], object], int]]:
    """What is timed, by its name: a call for one pair, and the share of pairs it gets (a slow one fewer)."""
    import jiwer
    from rouge_score.rouge_scorer import RougeScorer

    timed = {name: (ours(name, {}), 1) for name in (*BOUNDS_US, *OTHERS)}
    same_tokens = RougeScorer(["rougeL"])
    timed["rouge, tokenizer rouge_score"] = (ours("rouge", {"tokenizer": "rouge_score"}), 1)
    timed["rouge-score"] = (lambda pair: same_tokens.score(pair[1], pair[0]), 10)
    timed["jiwer"] = (lambda pair: jiwer.wer(pair[1], pair[0]), 1)
    return timed


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pairs", type=int, default=2000)
    parser.add_argument("--words", type=int, default=60)
    parser.add_argument("--repeats", type=int, default=7)
    arguments = parser.parse_args()
    pairs = make_pairs(arguments.pairs, arguments.words)
    timed, best = sides(), dict[str, float]()
    for _ in range(arguments.repeats):
        for name, (call, share) in timed.items():
            some = pairs[::share]
            started = time.perf_counter()
            for pair in some:
                call(pair)
            took_us = (time.perf_counter() - started) / len(some) * 1e6
            best[name] = min(took_us, best.get(name, took_us))
    print(f"{arguments.pairs} pairs of {arguments.words} words, best of {arguments.repeats} rounds")
    missed = 0
    for name, took_us in best.items():
        bound = BOUNDS_US.get(name)
        verdict = "" if bound is None else f"   bound {bound:.0f} µs: {'held' if took_us <= bound else 'MISSED'}"
        missed += bound is not None and took_us > bound
        print(f"  {name:<30} {took_us:8.1f} µs a pair{verdict}")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
