"""TF-IDF cosine of two texts."""

from __future__ import annotations

import math

import pytest

from pytest_evals.scoring import score
from pytest_evals.scoring.stopwords import ENGLISH


def test_the_value_is_the_cosine_of_smoothed_tf_idf_vectors():
    # "report" and "friday" against "report" twice and "monday"; idf of a word of one text ln(3/2) + 1
    rare = (1 + math.log(1.5)) ** 2
    expected = 2 / math.sqrt((1 + rare) * (4 + rare))
    assert score("tfidf_similarity", "report friday", "the report of report monday").value == pytest.approx(expected)


@pytest.mark.parametrize(
    ("actual", "expected", "options", "value"),
    [
        ("The capital of France is Paris.", "Paris is the capital of France", {}, 1),
        ("Paris", "London", {}, 0),
        ("", "x", {}, 0),
        ("", "", {}, 0),
        ("the", "cat", {}, 0),
        ("budget", "budget budget", {}, 1),
        ("the cat", "a cat", {}, 1),
        ("the cat", "the dog", {}, 0),
        ("is it on", "is it on", {}, 1),
        ("读书", "读报", {}, 1 / (1 + (1 + math.log(1.5)) ** 2)),
    ],
)
def test_tfidf_similarity(actual, expected, options, value):
    assert score("tfidf_similarity", actual, expected, **options).value == pytest.approx(value)


def test_stop_words_count_when_asked_for():
    assert score("tfidf_similarity", "the cat", "the dog", stop_words="none").value > 0


def test_the_best_reference_counts():
    assert score("tfidf_similarity", "Paris", None, ["London", "Paris"]).value == 1


def test_there_are_318_stop_words():
    assert len(ENGLISH) == 318
    assert {"the", "and", "of", "yourselves", "amoungst"} <= ENGLISH
