"""The JSON inside an answer with text around it."""

from __future__ import annotations

import json
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonvalues import VALUES

from pytest_evals.scoring.jsonextract import extract
from pytest_evals.scoring.jsonvalue import NotJsonError, read_json

PROSE = st.text(st.characters(exclude_characters='{[`"', exclude_categories=["Cs"]))
BOXES = VALUES.filter(lambda value: isinstance(value, (list, dict)))


@given(PROSE, BOXES, PROSE)
def test_a_value_between_words_is_found_as_it_stands(before, value, after):
    found = extract(f"x{before}{json.dumps(value)}{after}x")
    assert read_json(found.text) == value


@given(BOXES, st.sampled_from([None, 1, 4]))
def test_a_whole_answer_that_is_json_is_not_searched(value, indent):
    text = json.dumps(value, indent=indent)
    assert extract(text) == (text, 1)


@pytest.mark.parametrize(
    ("text", "value", "number"),
    [
        ('{"reason": "lists a, b, ] and stops,} ok"}', {"reason": "lists a, b, ] and stops,} ok"}, 1),
        ('Answer: {"a": "}{"} ok', {"a": "}{"}, 1),
        ('{"a": 1} {"a": 2}', {"a": 1}, 2),
        ("Use {curly} words, then [1, 2]", [1, 2], 1),
        ('See [1] and [2]: {"a": [3]}', {"a": [3]}, 3),
        ('See [1]: [{"a": 1}]', [{"a": 1}], 2),
        ('not {"a": NaN} but {"a": 1}', {"a": 1}, 1),
        ('For {"x": 1} say\n```json\n{"x": 2}\n```', {"x": 2}, 1),
        ('1. so:\n   ```\n   {"x": 2}\n   ```\n', {"x": 2}, 1),
        ('```json\n{"x": 2}', {"x": 2}, 1),
        ("```python\nprint([1])\n```", [1], 1),
        ('{"a": {"b": 1} oops {"c": 2}', {"b": 1}, 2),
        ('json\n{"score": 0.8}', {"score": 0.8}, 1),
        ("42", 42, 1),
    ],
)
def test_the_value_that_is_meant_is_found(text, value, number):
    found = extract(text)
    assert (read_json(found.text), found.number) == (value, number)


@pytest.mark.parametrize("text", ["", "none", "{below}", "[see", '{"a": 1,}', "{'a': 1}", "{a: [x]}"])
def test_what_is_not_json_is_not_made_json(text):
    with pytest.raises(NotJsonError, match="there is no JSON object or list in it"):
        extract(text)


@pytest.mark.parametrize(
    "text",
    [
        "{" * 300_000,
        "[" * 300_000,
        '{"x' * 100_000,
        "[1," * 200_000,
        '["' * 200_000,
        '{"a":[' * 100_000,
        "```\n[" * 50_000,
    ],
    ids=range(7),
)
def test_a_hostile_answer_takes_no_time(text):
    started = time.perf_counter()
    with pytest.raises(NotJsonError):
        extract(text)
    assert time.perf_counter() - started < 5  # 0.2 s on a quiet machine
