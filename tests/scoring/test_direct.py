"""Scoring in Python: mistakes are told in one line."""

from __future__ import annotations

import pytest

from pytest_evals.errors import ScorerError
from pytest_evals.model.score import Score
from pytest_evals.scoring import score


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (("exactmatch", "a", "b"), "there is no built-in scorer 'exactmatch'; did you mean 'exact_match'?"),
        (("nope", "a", "b"), "there is no built-in scorer 'nope'"),
        (("exact_match", "a"), "exact_match has nothing to look for; give expected_output, or the option 'expected'"),
        (
            ("bleu", "a"),
            "bleu has nothing to look for; give expected_output or reference_outputs, or the option 'expected'",
        ),
        (("regex", "a"), "regex needs the option 'pattern'"),
        (("contains", "a", ""), "contains cannot look for an empty text: every answer holds it"),
    ],
)
def test_a_call_that_cannot_score_says_what_to_do(call, message):
    with pytest.raises(ScorerError) as caught:
        score(*call)
    assert str(caught.value) == message


@pytest.mark.parametrize(
    ("scorer", "options", "message"),
    [
        ("contains", {"casesensitive": True}, "contains has no option 'casesensitive'; did you mean 'case_sensitive'?"),
        ("contains", {"case_sensitive": "yes"}, "contains: case_sensitive must be true or false, not 'yes'"),
        ("contains", {"case_sensitive": 1}, "contains: case_sensitive must be true or false, not 1"),
        ("bleu", {"max_ngram_order": 0}, "bleu: max_ngram_order must be a whole number from 1 to 10, not 0"),
        ("bleu", {"max_ngram_order": 2.5}, "bleu: max_ngram_order must be a whole number from 1 to 10, not 2.5"),
        ("bleu", {"max_ngram_order": True}, "bleu: max_ngram_order must be a whole number from 1 to 10, not True"),
        (
            "bleu",
            {"tokenizer": "13b"},
            "bleu: tokenizer must be one of words, 13a, char (did you mean '13a'), not '13b'",
        ),
        ("numeric", {"tolerance": -1}, "numeric: tolerance must be a number of at least 0, not -1"),
        ("numeric", {"tolerance": float("nan")}, "numeric: tolerance must be a number of at least 0, not nan"),
        (
            "semantic_similarity",
            {"method": "mean"},
            "semantic_similarity: method must be one of words, embedding, not 'mean'",
        ),
        ("regex", {"pattern": ["a"]}, "regex: pattern must be a text, not ['a']"),
        (
            "rouge",
            {"variant": "rouge9", "stem": True},
            "rouge: variant must be one of rouge1, rouge2, rougeL, rougeLsum (did you mean 'rougeL'), not 'rouge9'; "
            "rouge has no option 'stem'; did you mean 'stemming'?",
        ),
    ],
)
def test_a_wrong_option_is_named_with_what_it_should_be(scorer, options, message):
    with pytest.raises(ScorerError) as caught:
        score(scorer, "a", "b", **options)
    assert str(caught.value) == message


def test_a_pattern_with_a_mistake_is_told():
    with pytest.raises(ScorerError, match=r"^regex: the pattern is not a regular expression: .* at column 1"):
        score("regex", "a", pattern="(")


def test_an_option_that_is_none_is_not_given():
    assert score("numeric", "7", 7, pattern=None).value is True


def test_yes_no_scorers_give_a_bool_and_measures_a_float():
    assert score("exact_match", "a", "a") == Score(True, "equals the expected text")
    assert isinstance(score("levenshtein", "a", "a").value, float)


def test_a_single_reference_may_be_a_text():
    assert score("equals_any", "thirty", "30", "thirty").value is True
    assert score("bleu", "hello world", None, "hello world").value == 1
