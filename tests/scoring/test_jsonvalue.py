"""Answers read as JSON, strictly."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from datetime import date
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonvalues import VALUES

from pytest_evals.scoring.jsonvalue import DEEPEST, NotJsonError, RepeatedKeyError, json_of, read_json


@given(VALUES)
def test_what_json_writes_is_read_as_it_was(value):
    assert read_json(json.dumps(value)) == value
    assert json_of(value) == value


@given(st.text())
def test_a_text_is_json_exactly_when_the_grammar_says_so(text):
    try:
        json.loads(text, parse_constant=float)
        valid = "NaN" not in text and "Infinity" not in text
    except ValueError:
        valid = False
    try:
        read_json(text)
    except NotJsonError:
        assert not valid
    else:
        assert valid


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "it is empty"),
        (" \n", "it is empty"),
        ('{"a": NaN}', "NaN is no JSON value"),
        ("[-Infinity]", "-Infinity is no JSON value"),
        ('{"a": 1, "b": 2, "a": 1}', "the key 'a' is there twice in one object"),
        ("{'a': 1}", "expecting property name enclosed in double quotes at line 1, column 2"),
        ('{"a": 1,}', "at line 1, column"),
        ("[1, // one\n2]", "expecting value at line 1, column 5"),
        ("Paris", "it starts with 'Paris'"),
        ('{"a": 1} and more', "after it comes 'and more' (line 1)"),
        ('\ufeff{"a": 1}', "it starts with a byte order mark"),
        ('"a\nb"', "invalid control character at line 1, column 3"),
        ("01", "after it comes '1' (line 1)"),
        ("\u00a0{}", "it starts with"),
        ("True", "it starts with 'True'"),
    ],
)
def test_what_is_no_json_says_why(text, why):
    with pytest.raises(NotJsonError) as raised:
        read_json(text)
    assert why in str(raised.value)
    assert "\n" not in str(raised.value)


def test_the_same_key_in_different_objects_is_no_repeated_one():
    assert read_json('[{"a": {"a": 1}}, {"a": 2}]') == [{"a": {"a": 1}}, {"a": 2}]
    with pytest.raises(RepeatedKeyError):
        read_json('[{"a": {"b": 1, "b": 1}}]')


def test_numbers_beyond_what_python_reads_are_numbers_still():
    assert read_json("9" * 5000) == Decimal("9" * 5000)
    assert read_json("1e400") == Decimal("1e400")
    assert read_json("1e999999999") == Decimal("1e999999999")
    assert read_json("9007199254740993") == 9007199254740993
    assert read_json("-0.0") == 0


@pytest.mark.parametrize("text", ["[" * 100_000, "[" * 201 + "]" * 201, '{"a":' * 300 + "1" + "}" * 300])
def test_a_text_that_is_nested_too_deep_is_refused(text):
    with pytest.raises(NotJsonError, match="nested deeper than 200 levels"):
        read_json(text)


def test_brackets_inside_strings_are_no_nesting():
    text = json.dumps(["[" * 1000, '\\"{{' * 1000])
    assert read_json(text) == json.loads(text)
    deep = "[" * DEEPEST + "]" * DEEPEST
    assert read_json(deep)


def test_lone_surrogates_are_read_as_escapes_say():
    assert read_json('"\\ud800"') == "\ud800"


@dataclass
class Order:
    id: int
    when: date


def test_a_structured_answer_becomes_the_value_that_its_json_would_be():
    assert json_of({1: (1, 2), "when": date(2026, 1, 5)}) == {"1": [1, 2], "when": "2026-01-05"}
    assert json_of(Order(7, date(2026, 1, 5))) == {"id": 7, "when": "2026-01-05"}
    assert json_of(10**5000) == 10**5000


@pytest.mark.parametrize(
    ("value", "why"), [([1, {"a": math.nan}], "NaN"), ((math.inf,), "Infinity"), (-math.inf, "-Infinity")]
)
def test_a_structured_answer_with_a_number_that_json_has_not_is_none(value, why):
    with pytest.raises(NotJsonError, match=f"^{why} is no JSON value"):
        json_of(value)


def test_a_structured_answer_without_end_is_refused():
    endless: list = []
    endless.append(endless)
    with pytest.raises(NotJsonError, match="nested deeper"):
        json_of(endless)
    doubled: list = [1]
    for _ in range(100):
        doubled = [doubled, doubled]
    with pytest.raises(NotJsonError, match="more than 5,000,000 parts"):
        json_of(doubled)
