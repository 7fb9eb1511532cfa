"""Criteria in the shortest form that a suite allows, each under a name of its own."""

from __future__ import annotations

from pytest_evals.importers.criteria import Draft, written


def test_short_forms():
    assert written([Draft("exact_match"), Draft("contains", {"expected": "x"}), Draft("length", {"min": 1})]) == [
        "exact_match",
        {"contains": "x"},
        {"length": {"min": 1}},
    ]


def test_names_are_given_where_a_scorer_is_asked_twice():
    made = written(
        [Draft("contains", {"expected": "x"}), Draft("contains", {"expected": "y"}), Draft("is_kind", name="a")]
    )
    assert made == [
        {"contains": "x"},
        {"contains": {"expected": "y", "name": "contains_2"}},
        {"is_kind": {"name": "a"}},
    ]
    assert written([Draft("contains"), Draft("contains", name="a")], {"contains", "a"}) == [
        {"contains": {"name": "contains_2"}},
        {"contains": {"name": "a_2"}},
    ]


def test_not_and_combinations_carry_the_keys_of_their_own():
    part = Draft("contains", {"expected": "x"})
    assert written(
        [
            Draft("contains", {"expected": "x"}, negated=True, weight=2, threshold=0.5),
            Draft("any_of", parts=(part, Draft("regex", {"pattern": "x"}, negated=True)), weight=3),
            Draft("all_of", parts=(part,), negated=True, name="n"),
        ]
    ) == [
        {"not": {"contains": "x"}, "weight": 2, "threshold": 0.5},
        {"any_of": [{"contains": "x"}, {"not": {"regex": "x"}}], "weight": 3},
        {"not": {"all_of": [{"contains": "x"}]}, "name": "n"},
    ]


def test_functions_are_named_by_what_they_call():
    asked = Draft("python", {"function": "a.py:f"})
    assert written([asked, asked, Draft("python", {"function": "a.py:g"}, negated=True)]) == [
        {"python": "a.py:f"},
        {"python": "a.py:f", "name": "f_2"},
        {"not": {"python": "a.py:g"}},
    ]


def test_a_weight_of_one_is_not_written_and_a_mark_of_zero_is():
    assert written([Draft("a", weight=1, threshold=0)]) == [{"a": {"threshold": 0}}]
