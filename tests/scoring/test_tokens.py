"""Texts cut into tokens."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_evals.scoring.folding import fold
from pytest_evals.scoring.tokens import ascii_words, characters, word_parts, words, words_13a


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("", []),
        ("a b", ["a", "b"]),
        ("a  b", ["a", "b"]),
        (" a", ["", "a"]),
        ("a\n", ["a", ""]),
        ("  ", ["", ""]),
        ("don't stop.", ["don't", "stop."]),
        ("我在2024年", ["我", "在", "2024", "年"]),
        ("カー だ。", ["カ", "ー", "だ", "。"]),
        ("ขอบ", ["ข", "อ", "บ"]),
        ("ที่", ["ที่"]),
        ("привет мир", ["привет", "мир"]),
        ("naïve", ["naïve"]),
    ],
)
def test_white_space_separates_words_and_characters_are_words_where_there_is_none(text, found):
    assert words(text) == found


@given(st.text())
def test_no_character_is_lost(text):
    assert "".join(words(text)) == "".join(text.split())
    assert "".join(characters(text)) == "".join(text.split())


def test_13a_parts_punctuation_but_not_numbers():
    assert words_13a('He paid $1,000.50 (cash), "ok" e-mail 5-3 &amp; x.\n') == [
        "He", "paid", "$", "1,000.50", "(", "cash", ")", ",", '"', "ok", '"', "e-mail", "5", "-", "3", "&", "x", ".",
    ]  # fmt: skip


def test_rouge_score_sees_ascii_alone():
    assert ascii_words("Zürich 2024, don't") == ["z", "rich", "2024", "don", "t"]


def test_words_of_letters_digits_and_marks():
    assert word_parts("x_y 3.5 don't") == ["x_y", "3", "5", "don", "t"]
    assert word_parts("किताब naïve 读书") == ["किताब", "naïve", "读", "书"]


def test_folding_composes_and_lowers():
    assert fold("Cafe\u0301") == "café"
    assert fold("Cafe\u0301", case_sensitive=True) == "Café"
    assert fold(None) == ""
    assert fold({"A": "Ü"}) == '{"a": "ü"}'
    assert fold("İ") == fold("i\u0307")
