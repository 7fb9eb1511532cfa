"""``json_valid`` and ``json_equals``."""

from __future__ import annotations

import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonvalues import VALUES

from pytest_evals.errors import ScorerError
from pytest_evals.scoring import score
from pytest_evals.scoring.structure import check_expected


@given(VALUES)
def test_a_value_is_valid_and_equals_itself_as_text_and_as_it_is(value):
    text = json.dumps(value)
    assert score("json_valid", text).value is True
    assert score("json_equals", text, text).value is True
    if not isinstance(value, str):
        assert score("json_valid", value).value is True
        assert score("json_equals", value, text).value is True


@given(st.text() | VALUES, st.booleans())
def test_no_answer_is_an_error(answer, extract):
    for name, options in (
        ("json_valid", {}),
        ("json_equals", {"expected": {"a": [1]}}),
        ("json_path", {"path": "a", "expected": 1}),
        ("json_schema", {"schema": {"type": "object", "required": ["a"], "properties": {"a": {"minimum": 1}}}}),
    ):
        found = score(name, answer, extract=extract, **options)
        assert 0 <= found.value <= 1
        assert found.reason
        assert "\n" not in found.reason


@pytest.mark.parametrize("name", ["xml_valid", "yaml_valid", "python_valid", "sql_valid"])
@given(answer=st.text() | VALUES, extract=st.booleans())
def test_no_answer_is_an_error_in_any_language(name, answer, extract):
    found = score(name, answer, extract=extract)
    assert found.value in (True, False)
    assert found.reason
    assert "\n" not in found.reason


def test_a_reason_says_what_extract_would_find():
    found = score("json_valid", 'Sure: {"a": 1}')
    assert found.value is False
    assert found.reason.endswith("`extract: true` reads the JSON inside the text")
    assert "extract" not in score("json_valid", "Sure: {a}").reason
    assert score("json_valid", 'Sure: {"a": 1}', extract=True).reason == "JSON: an object with 1 key"


def test_a_repeated_key_is_told_also_when_it_is_extracted():
    for text in ('{"a": 1, "a": 2}', 'Here: {"a": 1, "a": 2}'):
        found = score("json_equals", text, '{"a": 2}', extract=True)
        assert (found.value, found.reason) == (
            False,
            "the answer is not JSON: the key 'a' is there twice in one object",
        )


def test_structured_answers_are_values_and_a_text_is_text():
    assert score("json_valid", {"a": [1]}).value is True
    assert score("json_valid", {"a": math.nan}).reason == "the answer is not JSON: NaN is no JSON value"
    assert score("json_valid", True).reason == "JSON: true or false"
    assert score("json_valid", "true").reason == "JSON: true or false"
    assert score("json_valid", "yes").value is False
    assert score("json_equals", {"a": 1}, {"a": 1.0}).value is True


def test_differences_are_told_three_in_the_reason_and_more_in_the_detail():
    found = score("json_equals", [0] * 100, list(range(1, 101)))
    assert found.reason.startswith("$[0]: 0 where 1 is expected; $[1]: 0 where 2 is expected; $[2]: ")
    assert found.reason.endswith("; and at least 47 more")
    assert len(found.detail["differences"]) == 50


def test_an_expectation_that_is_a_text_must_be_json():
    assert score("json_equals", '"Paris"', '"Paris"').value is True
    assert score("json_equals", "42.0", "42").value is True
    with pytest.raises(ScorerError, match="the expectation 'Paris' is not JSON: it starts with 'Paris'"):
        score("json_equals", '"Paris"', "Paris")
    assert check_expected({"expected": "Paris"})[0].startswith(
        "expected is not JSON: it starts with 'Paris'; a text is"
    )
    assert check_expected({"expected": '"Paris"'}) == check_expected({"expected": {"a": "Paris"}}) == []


def test_values_too_deep_for_a_comparison_without_order_are_an_error():
    one, other = 1, 2
    for _ in range(190):
        one, other = [one], [other]
    assert score("json_equals", one, other).value is False
    with pytest.raises(ScorerError, match="nested too deep to be compared without the order"):
        score("json_equals", one, other, unordered=True)


def test_the_order_of_keys_never_counts_and_that_of_lists_unless_asked():
    assert score("json_equals", '{"b": [1, 2], "a": 1}', '{"a": 1, "b": [1, 2]}').value is True
    assert score("json_equals", "[2, 1]", "[1, 2]").value is False
    assert score("json_equals", "[2, 1]", "[1, 2]", unordered=True).value is True
    assert score("json_equals", '{"a": 1.01, "b": 2}', '{"a": 1}', subset=True, tolerance=0.01).value is True


def test_numbers_that_python_cannot_write_are_compared_and_shown():
    assert score("json_equals", {"n": 10**5000}, {"n": 10**5000}).value is True
    assert score("json_equals", [10**5000], [1], unordered=True).value is False
    assert score("json_schema", [10**5000], schema={"items": {"type": "string"}}).value is False
