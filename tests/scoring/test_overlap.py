"""Shared words: as a set, and with repeats."""

from __future__ import annotations

import re
import string
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_evals.scoring import score

WORDS = ["the", "a", "an", "cat", "sat", "on", "mat.", "don't", "well-known", "snake_case", "3.5", "(x)"]
TEXTS = st.lists(st.sampled_from(WORDS), min_size=1, max_size=9).map(" ".join)


def squad_f1(answer, wanted):
    """F1 as the SQuAD evaluation computes it."""

    def tokens(text):
        bare = "".join(c for c in text.lower() if c not in string.punctuation)
        return re.sub(r"\b(a|an|the)\b", " ", bare).split()

    mine, theirs = tokens(answer), tokens(wanted)
    if not mine or not theirs:
        return float(mine == theirs)
    shared = sum((Counter(mine) & Counter(theirs)).values())
    if not shared:
        return 0.0
    precision, recall = shared / len(mine), shared / len(theirs)
    return 2 * precision * recall / (precision + recall)


@given(TEXTS, TEXTS)
def test_token_f1_is_that_of_squad(answer, wanted):
    articles = {"a", "an", "the"}
    if set(answer.split()) <= articles and set(wanted.split()) <= articles:
        return  # SQuAD calls "a" and "the" equal
    assert score("token_f1", answer, wanted).value == pytest.approx(squad_f1(answer, wanted))


@pytest.mark.parametrize(
    ("actual", "expected", "options", "value"),
    [
        ("rome rome rome rome", "rome", {}, 0.4),
        ("The Cat!", "a cat", {}, 1),
        ("The cat", "a cat", {"drop_articles": False}, 0.5),
        ("the", "a", {}, 0),
        ("the", "the", {}, 1),
        ("!", "?", {}, 0),
        ("", "", {}, 1),
        ("", "cat", {}, 0),
        ("cat", "", {}, 0),
        ("the", "the cat", {}, 0),
        ("我今天读书", "我今天看书", {}, 0.8),
        ("«Привет», мир", "привет мир", {}, 1),
    ],
)
def test_token_f1(actual, expected, options, value):
    assert score("token_f1", actual, expected, **options).value == pytest.approx(value)


def test_token_f1_takes_the_best_of_several_texts():
    assert score("token_f1", "cat", None, ["dog", "cat"]).value == 1
    assert score("token_f1", "cat", "dog", ["cat"]).value == 0
    best = score("token_f1", "cat", "dog", ["cat"], all_references=True)
    assert best.value == 1
    assert best.reason.endswith("best of 2 texts, number 2")


@pytest.mark.parametrize(
    ("actual", "expected", "value"),
    [
        ("rome rome rome rome", "rome", 1),
        ("one two three", "one two three four five", 0.6),
        ("is it on", "is it up", 2 / 3),
        ("is it", "is it fine", 0),
        ("café bar", "cafe bar", 0.5),
        ("कि", "क", 0),
        ("日本語", "日本人", 2 / 3),
        ("word", "", 0),
        ("", "", 0),
        ("👍", "👎", 0),
    ],
)
def test_word_overlap(actual, expected, value):
    assert score("word_overlap", actual, expected).value == pytest.approx(value)


def test_word_overlap_says_that_it_is_a_set_measure():
    found = score("word_overlap", "rome rome rome", "rome venice")
    assert found.reason == "1 of 2 distinct words shared; order and repeats do not count"
    assert found.detail == {"shared": 1, "answer": 1, "expected": 2}


def test_semantic_similarity_says_that_it_compares_words():
    found = score("semantic_similarity", "the quick fox", "the slow fox")
    assert found.value == score("word_overlap", "the quick fox", "the slow fox").value
    assert found.reason.startswith("method words: ")
    assert found.detail["method"] == "words"


def test_the_first_reference_stands_in_for_a_missing_expectation():
    assert score("word_overlap", "one two", None, ["one two", "other"]).value == 1
    assert score("word_overlap", "one two", None, ["other", "one two"]).value == 0
