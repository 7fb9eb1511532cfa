"""Two JSON values compared."""

from __future__ import annotations

import json
import random
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonvalues import VALUES

from pytest_evals.errors import ScorerError
from pytest_evals.scoring.jsoncompare import EXACTLY, How, canonical, differences, same
from pytest_evals.scoring.jsonvalue import read_json

UNORDERED = How(unordered=True)


def told(actual, expected, how=EXACTLY):
    return [str(difference) for difference in differences(actual, expected, how)]


@given(VALUES)
def test_a_value_equals_itself_however_it_is_compared(value):
    again = json.loads(json.dumps(value))
    for how in (How(), UNORDERED, How(subset=True), How(tolerance=0.1, unordered=True, subset=True)):
        assert same(value, again, how)


@given(VALUES, VALUES)
def test_values_differ_exactly_when_their_json_does(one, other):
    # with sorted keys; numbers of JSON are equal by value, and Python writes 1 and 1.0 differently
    def written(value):
        return canonical_in_order(value)

    assert same(one, other) is (written(one) == written(other))


def canonical_in_order(value):
    if isinstance(value, dict):
        return ("object", tuple((key, canonical_in_order(value[key])) for key in sorted(value)))
    if isinstance(value, list):
        return ("list", tuple(map(canonical_in_order, value)))
    return ("boolean" if isinstance(value, bool) else "number" if isinstance(value, (int, float)) else "other", value)


@given(st.lists(VALUES, max_size=6), st.randoms())
def test_a_shuffled_list_is_the_same_without_its_order(values, randomness):
    shuffled = list(values)
    randomness.shuffle(shuffled)
    assert same(shuffled, values, UNORDERED)
    assert canonical(shuffled) == canonical(values)


@pytest.mark.parametrize(
    ("actual", "expected", "says"),
    [
        (True, 1, "true where 1 is expected"),
        (1, True, "1 where true is expected"),
        ("1", 1, '"1" where 1 is expected; it is there as a text'),
        (1, "1", '1 where "1" is expected; it is there as a number'),
        (None, 0, "null where 0 is expected"),
        ({}, [], "{} where [] is expected"),
        ({"a": {"b c": [1, 2]}}, {"a": {"b c": [1, 3]}}, '$.a["b c"][1]: 2 where 3 is expected'),
        ({"a": 1}, {"b": 1}, "$.b: missing, 1 is expected"),
        ([1, 2], [1], "2 items where 1 is expected"),
        ({"a": [1, 2] * 50}, {"a": 1}, "$.a: a list of 100 where 1 is expected"),
    ],
)
def test_a_difference_names_its_place_and_both_values(actual, expected, says):
    assert told(actual, expected)[0] == says


def test_numbers_are_equal_by_value():
    assert same(10.0, 10)
    assert same(read_json("9007199254740993"), 9007199254740993)
    assert not same(9007199254740993, 9007199254740992.0)
    assert same(read_json("1e400"), read_json("10e399"))


def test_a_tolerance_is_one_of_decimals():
    assert same(3.15, 3.14, How(tolerance=0.01))
    assert not same(3.151, 3.14, How(tolerance=0.01))
    assert same(101, 100, How(relative_tolerance=0.01))
    assert not same(100, 101.1, How(relative_tolerance=0.01))
    assert same({"a": [0.1 + 0.2]}, {"a": [0.3]}, How(tolerance=1e-9))
    assert not same(True, 1.05, How(tolerance=0.1))


def test_a_number_with_a_huge_exponent_is_compared_in_no_time():
    started = time.perf_counter()
    assert not same(read_json("1e999999999"), 5, How(tolerance=1))
    assert not same(5, read_json("-1e999999999"), How(relative_tolerance=1))
    assert time.perf_counter() - started < 1


def test_more_keys_are_allowed_at_every_level_of_a_subset():
    assert same({"a": {"b": 1, "x": 2}, "y": 3}, {"a": {"b": 1}}, How(subset=True))
    assert not same({"a": {"x": 2}}, {"a": {"b": 1}}, How(subset=True))
    assert told({"a": 1, "x": 2}, {"a": 1}) == ["$.x: not expected, here 2"]


def test_repeats_count_without_order():
    assert not same([1, 1, 2], [1, 2, 2], UNORDERED)
    assert told([1, 1, 2], [1, 2, 2], UNORDERED) == ["no item is 2", "item 1 is not expected"]
    assert same([[2, 1], [3]], [[3], [1, 2]], UNORDERED)


def test_items_that_fit_several_are_paired_so_that_all_fit():
    how = How(tolerance=0.5, unordered=True)
    assert same([1.5, 1.0], [1.2, 1.9], how)  # 1.5 fits both, 1.0 only the first
    assert same([{"a": 1, "b": 2}, {"a": 1}], [{"a": 1}, {"a": 1, "b": 2}], How(unordered=True, subset=True))


def test_long_lists_without_order_take_linear_time_when_they_are_equal():
    values = [{"id": number, "tags": [str(number), "x"]} for number in range(20_000)]
    shuffled = random.Random(1).sample(values, len(values))
    started = time.perf_counter()
    assert same(shuffled, values, UNORDERED)
    assert time.perf_counter() - started < 5
    with pytest.raises(ScorerError, match=r"the lists at \$ differ in more than 500 items"):
        same([value + 1000 for value in range(600)], list(range(600)), UNORDERED)
