"""Equality, containment and distance: what is ignored, what counts, and what the reason says."""

from __future__ import annotations

import pytest

from pytest_evals.scoring import score


@pytest.mark.parametrize(
    ("actual", "expected", "equal"),
    [
        ("Hello", "hello", True),
        ("  hi\n", "hi", True),
        ("hi", "  hi ", True),
        ("a  b", "a b", False),
        ("cafe\u0301", "caf\u00e9", True),
        ("É", "e\u0301", True),
        ("", "", True),
        ("x", "", False),
        (42, "42", True),
        ("0", 0, True),
        (0, "0", True),
        (True, "true", True),
        (None, "", True),
        ({"a": 1, "b": [2]}, {"b": [2], "a": 1}, True),
        ({"a": 1}, {"a": 2}, False),
        ([1, 2], [2, 1], False),
        ({"a": 1}, '{"a": 1}', True),
        ("man bites dog", "dog bites man", False),
    ],
)
def test_exact_match(actual, expected, equal):
    assert score("exact_match", actual, expected).value is equal


def test_case_counts_when_asked_for():
    for scorer, actual, expected in [
        ("exact_match", "Paris", "paris"),
        ("contains", "in Paris", "paris"),
        ("starts_with", "Paris is", "paris"),
        ("ends_with", "is Paris", "paris"),
        ("contains_any", "in Paris", ["paris"]),
        ("contains_all", "in Paris", ["paris"]),
        ("equals_any", "Paris", ["paris"]),
    ]:
        assert score(scorer, actual, expected).value is True, scorer
        assert score(scorer, actual, expected, case_sensitive=True).value is False, scorer
    assert score("levenshtein", "Paris", "PARIS").value == 1
    assert score("levenshtein", "Paris", "PARIS", case_sensitive=True).value == pytest.approx(0.2)


@pytest.mark.parametrize(
    ("actual", "expected", "options", "reason"),
    [
        ("Berlin", "Bern", {}, "differs from character 4 on: 'lin' where 'n' was expected"),
        ("Paris", "paris", {"case_sensitive": True}, "differs only in case"),
        ("a  b", "a b", {}, "differs only in white space"),
        ("", "Paris", {}, "the answer is empty; 'Paris' was expected"),
        ("Par", "Paris", {}, "ends after character 3, where 'is' should follow"),
        ("Paris, of course", "Paris", {}, "goes on with ', of course' after the expected text"),
        ("paris", "PARIS!", {}, "ends after character 5, where '!' should follow"),
    ],
)
def test_exact_match_says_where_the_texts_part(actual, expected, options, reason):
    assert score("exact_match", actual, expected, **options).reason == reason


@pytest.mark.parametrize(
    ("actual", "expected", "options", "reason"),
    [
        ("Hello World", "Goodbye", {}, "'goodbye' does not occur"),
        ("Hello World", "hello", {"case_sensitive": True}, "'hello' occurs only with other capitals"),
        ("a\nb", "a b", {}, "'a b' occurs only with other white space"),
        ("", "blue", {}, "the answer is empty; 'blue' was expected in it"),
        ("deep BLUE sea", "blue", {}, "'blue' occurs"),
    ],
)
def test_contains_says_why_not(actual, expected, options, reason):
    assert score("contains", actual, expected, **options).reason == reason


def test_contains_does_not_trim():
    assert score("contains", "hello world", " hello ").value is False


def test_where_the_text_was_found_is_in_the_detail():
    assert score("contains", "deep blue sea", "blue").detail == {"position": 5}


@pytest.mark.parametrize(
    ("scorer", "actual", "expected", "fulfilled"),
    [
        ("starts_with", "  Yes, of course", "yes", True),
        ("starts_with", " yes", " yes", True),
        ("starts_with", "Oh yes", "yes", False),
        ("ends_with", "It is so. \n", "so.", True),
        ("ends_with", "It is so.", "it", False),
        ("ends_with", "cafe\u0301", "FÉ", True),
    ],
)
def test_starts_and_ends(scorer, actual, expected, fulfilled):
    assert score(scorer, actual, expected).value is fulfilled


def test_starts_and_ends_say_what_is_there_instead():
    assert score("starts_with", "Oh yes", "yes").reason == "starts with 'oh', not with 'yes'"
    assert score("ends_with", "Oh yes", "no!").reason == "ends with 'yes', not with 'no!'"
    assert score("starts_with", " ", "yes").reason == "the answer is empty"
    assert score("ends_with", "", "yes").reason == "the answer is empty"


@pytest.mark.parametrize(
    ("actual", "expected", "value"),
    [
        ("", "", 1.0),
        ("abc", "", 0.0),
        ("kitten", "sitting", 0.5714285714285714),
        ("Paris", "PARIS", 1.0),
        ("!", "?", 0.0),
        (" abc", "abc", 0.75),
        ("caf\u00e9", "cafe\u0301", 1.0),
        ("\ud800", "\ud800", 1.0),
    ],
)
def test_levenshtein(actual, expected, value):
    assert score("levenshtein", actual, expected).value == pytest.approx(value)


def test_levenshtein_tells_edits_and_length():
    found = score("levenshtein", "kitten", "sitting")
    assert found.reason == "3 edits over 7 characters"
    assert found.detail == {"distance": 3, "longer": 7}


def test_a_reason_never_holds_a_long_answer():
    long = "word " * 10_000
    for scorer in ("exact_match", "contains", "starts_with", "ends_with", "levenshtein", "equals_any", "contains_any"):
        for actual, expected in ((long, "something else"), ("something else", long)):
            assert len(score(scorer, actual, expected).reason) < 160, scorer


def test_a_reason_is_one_line():
    assert (
        score("exact_match", "a\nb\tc\x1b[31m", "zzz").reason
        == "differs from character 1 on: 'a b c\\x1b[31m' where 'zzz' was expected"
    )
