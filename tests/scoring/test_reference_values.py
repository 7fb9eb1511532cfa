"""The values other evaluators give for the same texts, and where ours differ on purpose."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pytest_evals.errors import ScorerError
from pytest_evals.scoring import normalise_transcript, score, word_errors

DATA = Path(__file__).parents[1] / "data"
AGENTOS = json.loads((DATA / "agentos" / "agentos_reference_values.json").read_text("utf-8"))
GAIA = json.loads((DATA / "gaia" / "similarity.json").read_text("utf-8"))

EMPTY = "the empty text is a value: two of them are equal"
IDENTICAL = "equal texts score 1 in every script, and when their words are short"
CODE_POINTS = "lengths are counted in code points, not in UTF-16 units"

OURS = {
    ("exact_match", "", ""): (1, EMPTY),
    ("levenshtein", "👍", "👎"): (0, CODE_POINTS),
    ("semantic_similarity", "a b c", "a b c"): (1, IDENTICAL),
    ("semantic_similarity", "is it on", "is it on"): (1, IDENTICAL),
    ("semantic_similarity", "日本語 テスト", "日本語 テスト"): (1, IDENTICAL),
    ("tfidf_similarity", "the and of", "the and of"): (1, IDENTICAL),
    ("tfidf_similarity", "a b c", "a b c"): (1, IDENTICAL),
}

REFUSED = {("contains", "abc", "")}
"""Every answer holds the empty text: looking for it is a mistake, not a 0."""


def rows():
    for row in AGENTOS["scores"]:
        if row["scorer"] != "nope":
            yield row["scorer"], row["actual"], row["expected"], row["references"] or (), row["score"]
    for row in GAIA["similarity"]:
        yield "tfidf_similarity", row["response"], row["ground_truth"], (), row["similarity"]


def is_refused(scorer, actual, expected, references):
    return (expected is None and not references) or (scorer, actual, expected) in REFUSED


@pytest.mark.parametrize(
    ("scorer", "actual", "expected", "references", "value"), [row for row in rows() if not is_refused(*row[:4])]
)
def test_the_value_is_that_of_the_reference_or_differs_on_purpose(scorer, actual, expected, references, value):
    wanted, _why = OURS.get((scorer, actual, expected), (value, ""))
    assert float(score(scorer, actual, expected, references).value) == pytest.approx(wanted, abs=1e-12)


def test_every_difference_is_one():
    reference = {(scorer, actual, expected): value for scorer, actual, expected, _, value in rows()}
    assert {row for row, (value, _) in OURS.items() if reference[row] == value} == set()


@pytest.mark.parametrize(
    ("scorer", "actual", "expected", "references"), [row[:4] for row in rows() if is_refused(*row[:4])]
)
def test_where_there_is_nothing_to_look_for_the_reference_says_0_and_we_refuse(scorer, actual, expected, references):
    with pytest.raises(ScorerError, match=r"nothing to look for|cannot look for an empty text"):
        score(scorer, actual, expected, references)


@pytest.mark.parametrize("row", AGENTOS["word_error_rate"], ids=lambda row: f"{row['hypothesis']}|{row['reference']}")
def test_word_errors_are_counted_as_in_the_reference(row):
    errors = word_errors(row["reference"], row["hypothesis"])
    counts = (errors.substitutions, errors.deletions, errors.insertions, errors.reference_words)
    assert counts == tuple(row[key] for key in ("substitutions", "deletions", "insertions", "referenceWords"))
    assert errors.rate == row["rate"]
    assert score("word_error_rate", row["hypothesis"], row["reference"]).value == row["score"]


@pytest.mark.parametrize("row", AGENTOS["normalize_transcript"], ids=lambda row: row["text"])
def test_transcripts_are_normalised_as_in_the_reference(row):
    assert normalise_transcript(row["text"]) == row["words"]


TABLE = [
    ("levenshtein", "kitten", "sitting", (), 0.5714285714),
    ("semantic_similarity", "machine learning rocks", None, ("machine learning is great", "other"), 0.6666666667),
    ("bleu", "the cat sat on mat", "the cat sat on the mat", (), 0.8187307531),
    ("bleu", "the the the the the the the", "the cat is on the mat", (), 0.2857142857),
    ("bleu", "hello", None, ("hello world foo", "hello"), 0.1353352832),
    ("bleu", "hello world", "hello there", ("hello world",), 0.5),
    ("rouge", "the cat sat on mat", "the cat sat on the mat", (), 0.9090909091),
    ("rouge", "a b c d", "d c b a", (), 0.25),
    ("word_error_rate", "same", "so the meeting's at 3", (), 0),
]


@pytest.mark.parametrize(("scorer", "actual", "expected", "references", "value"), TABLE)
def test_the_table_of_the_definitions_holds(scorer, actual, expected, references, value):
    assert score(scorer, actual, expected, references).value == pytest.approx(value, abs=1e-10)
