"""Which recorded request is nearest."""

from __future__ import annotations

import time

from pytest_evals.llm.nearest import differences, nearest


def same(value):
    return value


def test_fewer_differing_places_are_nearer_and_then_more_alike_texts():
    wanted = {"a": "the cat sat", "b": 1, "c": 2}
    far = {"a": "the cat sat", "b": 9, "c": 9}
    unlike = {"a": "xyz", "b": 1, "c": 2}
    alike = {"a": "the cat sits", "b": 1, "c": 2}
    assert nearest(wanted, [far, unlike, alike], same) is alike


def test_differences_are_told_by_their_place():
    recorded = {"messages": [{"content": "a"}, {"content": "b"}], "gone": {}, "same": [1]}
    asked = {"messages": [{"content": "a"}, {"content": "c"}, {"content": "d"}], "same": [1]}
    found = [each.one_line() for each in differences(recorded, asked)]
    assert found == [
        "messages[1].content: recorded 'b', asked 'c'",
        "messages[2].content: recorded nothing, asked 'd'",
        "gone: recorded {}, asked nothing",
    ]


def test_long_texts_are_cut_to_where_they_differ():
    (only,) = differences({"t": "word " * 100 + "one"}, {"t": "word " * 100 + "two"})
    assert only.one_line() == "t: recorded '…word word word one', asked '…word word word two'"
    assert next(iter(only.lines())) == "t:"


def test_values_of_other_types_differ():
    assert [each.one_line() for each in differences({"t": 1}, {"t": "1"})] == ["t: recorded 1, asked '1'"]


def test_a_thousand_candidates_are_compared_in_a_second():
    wanted = {"messages": [{"role": "user", "content": "x" * 3000 + str(n)} for n in range(5)]}
    among = [
        {"messages": [{"role": "user", "content": "y" * 3000 + str(k + n)} for n in range(5)]} for k in range(1000)
    ]
    started = time.perf_counter()
    nearest(wanted, among, same)
    assert time.perf_counter() - started < 1.0
