"""Several texts to look for: lists are lists, texts are texts."""

from __future__ import annotations

import pytest

from pytest_evals.errors import ScorerError
from pytest_evals.scoring import score, scorer


@pytest.mark.parametrize(
    ("name", "actual", "expected", "fulfilled"),
    [
        ("contains_any", "about 41.2", "23.5", False),
        ("contains_any", "12 eggs", [12, True], True),
        ("contains_any", "that is true", [12, True], True),
        ("contains_all", "oil with salt, pepper", ["salt, pepper", "oil"], True),
        ("contains_all", "oil with salt", ["salt, pepper", "oil"], False),
        ("contains_all", "OIL", "oil", True),
        ("equals_any", " Paris ", ["London", "paris"], True),
        ("equals_any", "in Paris", ["London", "paris"], False),
        ("equals_any", "", ["a", ""], True),
        ("contains_any", "x y", {"y"}, True),
    ],
)
def test_any_and_all(name, actual, expected, fulfilled):
    assert score(name, actual, expected).value is fulfilled


def test_expected_output_and_references_are_looked_for_together():
    assert score("equals_any", "thirty", "30", ["thirty"]).value is True
    assert score("contains_any", "it is thirty", "30", ["thirty"]).value is True
    assert score("contains_all", "30, thirty", "30", ["thirty"]).value is True
    assert score("contains_all", "30", "30", ["thirty"]).value is False
    assert score("equals_any", "thirty", None, ["thirty"]).value is True
    assert score("equals_any", "thirty", None, "thirty").value is True


def test_the_texts_of_the_criterion_stand_alone():
    found = scorer("contains_all")(
        actual="salt", expected="pepper", references=["oil", ""], options={"expected": ["salt"]}
    )
    assert found.value is True


@pytest.mark.parametrize("name", ["contains_any", "contains_all"])
@pytest.mark.parametrize("expected", [[], [""], ["a", ""], ""])
def test_looking_for_nothing_is_refused(name, expected):
    with pytest.raises(ScorerError, match=name):
        score(name, "x", expected)


@pytest.mark.parametrize("name", ["contains_any", "contains_all", "equals_any"])
def test_an_empty_list_is_refused_at_collection(name):
    assert scorer(name).spec.check({"expected": []}) == ["expected holds no text to look for"]
    assert scorer(name).spec.check({"expected": ["a"]}) == []


def test_equals_any_of_nothing_is_refused():
    with pytest.raises(ScorerError, match="equals_any"):
        score("equals_any", "x", [])


def test_reasons_name_what_is_missing():
    assert score("contains_all", "salt", ["salt", "oil"]).reason == "1 of 2 texts missing: 'oil'"
    assert score("contains_any", "salt", ["oil"]).reason == "none of 1 text occurs: 'oil'"
    assert score("contains_any", "", list("abcde")).reason == "none of 5 texts occurs: 'a', 'b', 'c' and 2 more"
    assert score("equals_any", "b", ["a", "b"]).reason == "equals 'b', number 2 of 2"
    assert score("contains_any", "salt", ["salt", "oil"]).detail == {"found": ["salt"], "missing": ["oil"]}
