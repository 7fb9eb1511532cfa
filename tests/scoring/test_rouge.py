"""ROUGE: equal to the rouge-score package with its tokenizer; white space separates words by default."""

from __future__ import annotations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from pytest_evals.scoring import score
from pytest_evals.scoring.rouge import common_places

VARIANTS = ("rouge1", "rouge2", "rougeL", "rougeLsum")
WORDS = "the cat sat on a mat , . 3.5 don't activates activating activated cities city \n (x) naïve".split(" ")  # noqa: SIM905
TEXTS = st.lists(st.sampled_from(WORDS), max_size=16).map(" ".join)


def theirs(actual, references, stemming):
    from rouge_score.rouge_scorer import RougeScorer

    return RougeScorer(list(VARIANTS), use_stemmer=stemming).score_multi(references, actual)


@settings(max_examples=250, deadline=None)
@given(TEXTS, st.lists(TEXTS, min_size=1, max_size=2), st.booleans())
@example("alpha beta gamma.\ndelta epsilon zeta.", ["delta epsilon zeta.\nalpha beta gamma."], False)
def test_rouge_equals_rouge_score(actual, references, stemming):
    expected, *others = references
    wanted = theirs(actual, references, stemming)
    for variant in VARIANTS:
        options = {"variant": variant, "tokenizer": "rouge_score", "stemming": stemming}
        ours = score("rouge", actual, expected, others, all_references=True, **options)
        assert ours.value == pytest.approx(wanted[variant].fmeasure, abs=1e-9)
        assert ours.detail["precision"] == pytest.approx(wanted[variant].precision, abs=1e-9)
        assert ours.detail["recall"] == pytest.approx(wanted[variant].recall, abs=1e-9)


@settings(max_examples=150, deadline=None)
@given(st.text(st.characters(codec="ascii"), max_size=60), st.text(st.characters(codec="ascii"), max_size=60))
def test_rouge_equals_rouge_score_on_any_ascii_text(actual, expected):
    wanted = theirs(actual, [expected], False)
    for variant in VARIANTS:
        ours = score("rouge", actual, expected, variant=variant, tokenizer="rouge_score")
        assert ours.value == pytest.approx(wanted[variant].fmeasure, abs=1e-9)


@settings(max_examples=300, deadline=None)
@given(st.lists(st.sampled_from("abcd"), max_size=9), st.lists(st.sampled_from("abcd"), max_size=9))
def test_the_common_subsequence_is_the_one_rouge_score_picks(wanted, answer):
    from rouge_score.rouge_scorer import lcs_ind

    assert sorted(common_places(wanted, answer)) == lcs_ind(wanted, answer)


def test_the_variants_of_one_pair():
    actual, expected = "the cat sat on mat", "the cat sat on the mat"
    values = {variant: score("rouge", actual, expected, variant=variant).value for variant in VARIANTS}
    assert values == {
        "rouge1": pytest.approx(10 / 11),
        "rouge2": pytest.approx(2 * 3 / 9),
        "rougeL": pytest.approx(10 / 11),
        "rougeLsum": pytest.approx(10 / 11),
    }


def test_lines_are_compared_one_by_one_in_any_order_only_by_rouge_l_sum():
    actual, expected = "one two three\nfour five six", "four five six\r\none two three"
    assert score("rouge", actual, expected).value == 0.5
    assert score("rouge", actual, expected, variant="rougeLsum").value == 1


def test_the_longest_common_subsequence_is_of_words_not_characters():
    assert score("rouge", "gene q7 activate kinase", "gene q7 activates kinase").value == 0.75
    assert score("rouge", "gene q7 activate kinase", "gene q7 activates kinase", stemming=True).value == 1


def test_precision_is_of_the_answer_and_recall_of_the_expectation():
    detail = score("rouge", "a b c", "a b c d e f").detail
    assert (detail["precision"], detail["recall"]) == (1.0, 0.5)


def test_a_change_of_one_character_costs_one_word_where_there_are_no_spaces():
    found = score("rouge", "我今天在图书馆看了一本新书", "我今天在图书馆读了一本新书")
    assert found.value == pytest.approx(12 / 13)


def test_the_best_of_all_references_counts_when_they_are_asked_for():
    assert score("rouge", "a b", "c d", ["a b"]).value == 0
    assert score("rouge", "a b", "c d", ["a b"], all_references=True).value == 1
    assert score("rouge", "a b", None, ["c d", "a b"]).value == 1


def test_the_reason_tells_what_was_counted():
    reason = score("rouge", "the cat sat on mat", "the cat sat on the mat").reason
    assert reason == "5 words in the longest common subsequence, of 5 in the answer and 6 expected"


@pytest.mark.parametrize("variant", VARIANTS)
def test_two_empty_texts_share_nothing(variant):
    assert score("rouge", "", "", variant=variant).value == 0
