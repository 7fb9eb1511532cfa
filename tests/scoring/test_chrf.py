"""chrF: equal to sacrebleu's, chrF++ included."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_evals.scoring import score

TEXTS = st.text(st.sampled_from("abAB (.)é中\n"), max_size=30)


@pytest.fixture(scope="module")
def chrf_of():
    from sacrebleu.metrics import CHRF

    def measure(actual, references, **options):
        return CHRF(**options).sentence_score(actual, references).score / 100

    return measure


@settings(max_examples=200, deadline=None)
@given(
    actual=TEXTS,
    references=st.lists(TEXTS, min_size=1, max_size=3),
    char_order=st.integers(1, 7),
    word_order=st.integers(0, 3),
    beta=st.integers(1, 3),
    case_sensitive=st.booleans(),
)
def test_chrf_equals_sacrebleu(chrf_of, actual, references, char_order, word_order, beta, case_sensitive):
    orders = {"char_order": char_order, "word_order": word_order, "beta": beta}
    theirs = chrf_of(actual, references, lowercase=not case_sensitive, **orders)
    expected, *others = references
    ours = score("chrf", actual, expected, others, all_references=True, case_sensitive=case_sensitive, **orders)
    assert ours.value == pytest.approx(theirs, abs=1e-9)


def test_case_counts_unless_switched_off():
    assert score("chrf", "PARIS", "paris").value == 0
    assert score("chrf", "PARIS", "paris", case_sensitive=False).value == 1


def test_references_stand_in_for_a_missing_expectation_and_the_best_counts():
    found = score("chrf", "Paris", None, ["London", "Paris"])
    assert found.value == 1
    assert found.detail["number"] == 2


@pytest.mark.parametrize(("actual", "expected"), [("", "a"), ("a", ""), ("", ""), ("a", "b")])
def test_nothing_shared_scores_0_and_says_why(actual, expected):
    found = score("chrf", actual, expected)
    assert found.value == 0
    assert found.reason


def test_recall_counts_more_than_precision():
    whole, part = "the cat sat on the mat", "the cat sat"
    assert score("chrf", whole, part).value > score("chrf", part, whole).value
