"""Criteria in the shortest form that a suite allows, each under a name of its own."""

from __future__ import annotations

from pytest_evals.importers.criteria import Asked, written


def test_short_forms():
    assert written([Asked("exact_match"), Asked("contains", {"expected": "x"}), Asked("length", {"min": 1})]) == [
        "exact_match",
        {"contains": "x"},
        {"length": {"min": 1}},
    ]


def test_names_are_given_where_a_scorer_is_asked_twice():
    made = written(
        [Asked("contains", {"expected": "x"}), Asked("contains", {"expected": "y"}), Asked("is_kind", name="a")]
    )
    assert made == [
        {"contains": "x"},
        {"contains": {"expected": "y", "name": "contains_2"}},
        {"is_kind": {"name": "a"}},
    ]
    assert written([Asked("contains"), Asked("contains", name="a")], {"contains", "a"}) == [
        {"contains": {"name": "contains_2"}},
        {"contains": {"name": "a_2"}},
    ]


def test_not_and_combinations_carry_the_keys_of_their_own():
    part = Asked("contains", {"expected": "x"})
    assert written(
        [
            Asked("contains", {"expected": "x"}, negated=True, weight=2, threshold=0.5),
            Asked("any_of", parts=(part, Asked("regex", {"pattern": "x"}, negated=True)), weight=3),
            Asked("all_of", parts=(part,), negated=True, name="n"),
        ]
    ) == [
        {"not": {"contains": "x"}, "weight": 2, "threshold": 0.5},
        {"any_of": [{"contains": "x"}, {"not": {"regex": "x"}}], "weight": 3},
        {"not": {"all_of": [{"contains": "x"}]}, "name": "n"},
    ]


def test_functions_are_named_by_what_they_call():
    asked = Asked("python", {"function": "a.py:f"})
    assert written([asked, asked, Asked("python", {"function": "a.py:g"}, negated=True)]) == [
        {"python": "a.py:f"},
        {"python": "a.py:f", "name": "f_2"},
        {"not": {"python": "a.py:g"}},
    ]


def test_a_weight_of_one_is_not_written_and_a_mark_of_zero_is():
    assert written([Asked("a", weight=1, threshold=0)]) == [{"a": {"threshold": 0}}]
