"""Transcripts: normalisation, word errors, and the rate."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_evals.scoring import WordErrors, normalise_transcript, score, word_errors
from pytest_evals.scoring.transcript import edits

WORDS = st.lists(st.sampled_from("abcde"), max_size=12)
LINES = st.lists(
    st.sampled_from(["the", "Cat", "don’t", "um", "[noise]", "3.5", "mat,", "naïve", "well-known", "'quoted'", "…"]),
    max_size=15,
).map(" ".join)


def slow_edits(wanted, heard):
    """The same counts from the table of all prefixes, preferring substitution, deletion, insertion."""
    row = [(j, 0, 0, j) for j in range(len(heard) + 1)]
    for i, word in enumerate(wanted, 1):
        below = [(i, 0, i, 0)]
        for j, other in enumerate(heard, 1):
            miss = int(word != other)
            cost, s, d, n = row[j - 1]
            options = [(cost + miss, s + miss, d, n)]
            cost, s, d, n = row[j]
            options.append((cost + 1, s, d + 1, n))
            cost, s, d, n = below[j - 1]
            options.append((cost + 1, s, d, n + 1))
            below.append(min(options, key=lambda option: option[0]))
        row = below
    return row[-1][1:]


@settings(max_examples=500, deadline=None)
@given(WORDS, WORDS)
def test_the_counts_are_those_of_the_table_of_all_prefixes(wanted, heard):
    assert edits(wanted, heard) == slow_edits(wanted, heard)


@settings(max_examples=200, deadline=None)
@given(LINES, LINES)
def test_rate_and_sum_of_the_counts_equal_jiwer_on_normalised_text(reference, hypothesis):
    import jiwer

    errors = word_errors(reference, hypothesis)
    theirs = jiwer.process_words(" ".join(normalise_transcript(reference)), " ".join(normalise_transcript(hypothesis)))
    assert errors.errors == theirs.substitutions + theirs.deletions + theirs.insertions
    if errors.reference_words:
        assert errors.rate == pytest.approx(theirs.wer, abs=1e-9)


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=40), st.text(max_size=40))
def test_any_text_can_be_normalised_and_counted(reference, hypothesis):
    words = normalise_transcript(reference)
    assert normalise_transcript(" ".join(words)) == words
    errors = word_errors(reference, hypothesis)
    assert errors.reference_words - errors.deletions + errors.insertions == len(normalise_transcript(hypothesis))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Hello, WORLD!", ["hello", "world"]),
        ("I don‘t, don’t, donʼt", ["i", "don't", "don't", "don't"]),
        ("[unclosed ok", ["unclosed", "ok"]),
        ("[a [b] c]", ["c"]),
        ("Um, uh, er, ah, hmm, mm", []),
        ("umbrella", ["umbrella"]),
        ("''", []),
        ("50% of $3,000", ["50", "of", "3", "000"]),
        ("❤️ love", ["love"]),
        ("cafe\u0301 İzmir", ["café", "i̇zmir"]),
        ("हिन्दी में", ["हिन्दी", "में"]),
    ],
)
def test_only_what_was_said_counts(text, words):
    assert normalise_transcript(text) == words


def test_errors_of_lines_add_up_to_those_of_the_corpus():
    lines = [word_errors("the cat sat", "the bat sat"), word_errors("a", "a b c"), word_errors("one two", "")]
    corpus = sum(lines, WordErrors())
    assert corpus == sum(lines)
    assert corpus == WordErrors(substitutions=1, deletions=2, insertions=2, reference_words=6)
    assert corpus.rate == pytest.approx(5 / 6)
    assert sum(line.rate for line in lines) / 3 == pytest.approx((1 / 3 + 2 + 1) / 3)


def test_only_word_errors_can_be_added():
    with pytest.raises(TypeError):
        sum([WordErrors()], 3)


def test_the_score_is_1_minus_the_rate_and_never_below_0():
    found = score("word_error_rate", "so the meeting is at three", "Um, so the [laughter] meeting's at 3.")
    assert found.value == pytest.approx(0.4)
    assert found.detail["rate"] == 0.6
    assert found.reason == "2 substitutions, 0 deletions, 1 insertion in 5 words, rate 0.6"
    assert score("word_error_rate", "x y z w", "a").value == 0


def test_words_can_be_compared_as_written():
    assert score("word_error_rate", "Hello, world.", "hello world").value == 1
    assert score("word_error_rate", "Hello, world.", "hello world", normalise=False).value == 0
    assert word_errors("um  ok", "um ok", normalised=False) == WordErrors(reference_words=2)
