"""BLEU: equal to sacrebleu with its tokenizers, and to the unigram rule of other evaluators by default."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_evals.scoring import score

WORDS = [
    *"the cat sat on a mat , . - 3.5 1,000 don't U.S. (x) $5 100% A B e-mail &amp; <skipped> foo-".split(),  # noqa: SIM905
    '"q"',
    "\n",
]
TEXTS = st.lists(st.sampled_from(WORDS), max_size=14).map(" ".join)


@pytest.fixture(scope="module")
def bleu_of():
    """Sentence BLEU of sacrebleu, from 0 to 1; its objects are slow to make."""
    import logging

    from sacrebleu.metrics import BLEU

    logging.getLogger("sacrebleu").setLevel(logging.ERROR)
    made = {}

    def measure(actual, references, **options):
        key = tuple(options.items())
        metric = made.get(key) or made.setdefault(key, BLEU(**options))
        return metric.sentence_score(actual, references).score / 100

    return measure


@settings(max_examples=200, deadline=None)
@given(
    actual=TEXTS,
    references=st.lists(TEXTS, min_size=1, max_size=3),
    order=st.sampled_from([1, 2, 4]),
    tokenizer=st.sampled_from(["13a", "char"]),
    effective=st.booleans(),
    case_sensitive=st.booleans(),
)
def test_bleu_equals_sacrebleu(bleu_of, actual, references, order, tokenizer, effective, case_sensitive):
    theirs = {
        "lowercase": not case_sensitive,
        "tokenize": tokenizer,
        "max_ngram_order": order,
        "effective_order": effective,
    }
    ours = {
        "case_sensitive": case_sensitive,
        "tokenizer": tokenizer,
        "max_ngram_order": order,
        "effective_order": effective,
    }
    expected, *others = references
    one = score("bleu", actual, expected, **ours)
    assert one.value == pytest.approx(bleu_of(actual, [expected], **theirs), abs=1e-9)
    together = score("bleu", actual, expected, others, all_references=True, **ours)
    assert together.value == pytest.approx(bleu_of(actual, references, **theirs), abs=1e-9)


@settings(max_examples=100, deadline=None)
@given(st.text(st.characters(codec="ascii"), max_size=40), st.text(st.characters(codec="ascii"), max_size=40))
def test_bleu_equals_sacrebleu_on_any_ascii_text(bleu_of, actual, expected):
    theirs = bleu_of(actual, [expected], lowercase=True, tokenize="13a", max_ngram_order=4, effective_order=True)
    assert score("bleu", actual, expected, max_ngram_order=4, tokenizer="13a").value == pytest.approx(theirs, abs=1e-9)


def test_the_penalty_comes_from_the_first_reference_and_the_match_from_the_best():
    found = score("bleu", "hello", None, ["hello world foo", "hello"])
    assert found.value == pytest.approx(0.1353352832)
    assert found.detail["reference_length"] == 3
    assert found.detail["precisions"] == [1.0]


def test_references_count_beside_an_expectation_only_when_all_are_asked_for():
    assert score("bleu", "hello world", "hello there", ["hello world"]).value == 0.5
    assert score("bleu", "hello world", "hello there", ["hello world"], all_references=True).value == 1


def test_white_space_at_the_ends_is_an_empty_word():
    assert score("bleu", " hello world ", "hello world").value == 0.5


@pytest.mark.parametrize(("actual", "expected"), [("", "a b"), ("a b", ""), ("", ""), ("a b", "c d")])
def test_nothing_shared_scores_0_and_says_why(actual, expected):
    found = score("bleu", actual, expected)
    assert found.value == 0
    assert found.reason


def test_the_reason_tells_what_was_counted():
    assert (
        score("bleu", "the cat", "the cat sat").reason
        == "2 of 2 1-grams expected; brevity penalty 0.61 (2 of 3 tokens)"
    )


def test_an_order_without_a_match_is_smoothed_not_zero():
    found = score("bleu", "a b c d", "a c b d", max_ngram_order=2)
    assert found.detail["precisions"] == [1.0, pytest.approx(1 / 6)]
    assert 0 < found.value < 1
