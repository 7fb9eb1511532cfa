"""The stemmer is that of rouge-score: NLTK's Porter stemmer."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_evals.scoring.stemmer import stem

PIECES = """
a e i o y b l s t st tr at bl iz ing ed eed ies ied ational tional enci anci izer bli alli entli eli ousli ization
ation ator alism iveness fulness ousness aliti iviti biliti fulli logi icate ative alize iciti ical ful ness al ance
ence er ic able ible ant ement ment ent sion tion ion ou ism ate iti ous ive ize ll ss sses zz hop fil tann 1 7
""".split()  # noqa: SIM905


@settings(max_examples=1000, deadline=None)
@given(st.lists(st.sampled_from(PIECES), min_size=1, max_size=5).map("".join))
def test_every_word_gets_the_stem_nltk_gives_it(word):
    assert stem(word) == nltk_stem(word)


@settings(max_examples=300, deadline=None)
@given(st.text(st.sampled_from("aeiouybcdlmnrstz"), max_size=12))
def test_every_run_of_letters_gets_the_stem_nltk_gives_it(word):
    assert stem(word) == nltk_stem(word)


def test_irregular_words_are_looked_up():
    for word in "skies sky dying lying tying news innings outings cannings howe proceed exceed succeed".split():  # noqa: SIM905
        assert stem(word) == nltk_stem(word)


def test_forms_of_a_word_share_a_stem():
    assert {stem(word) for word in ("activate", "activates", "activated", "activating")} == {"activ"}


def nltk_stem(word):
    from nltk.stem.porter import PorterStemmer

    return PorterStemmer().stem(word)
