"""``json_path``: chosen fields of a JSON answer."""

from __future__ import annotations

import pytest

from pytest_evals.errors import ScorerError
from pytest_evals.scoring import score, specs
from pytest_evals.scoring.fields import path_of

ORDER = {"id": 7, "items": [{"sku": "MUG", "n": 2}, {"sku": "CUP", "n": 1}], "total": 19.5, "note": None, "a b": 1}


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("id", 7), ("$.id", 7), ("items[0].sku", "MUG"), ("items.1.sku", "CUP"), ("$.items[-1].n", 1),
        ('["a b"]', 1), ("items[*].sku", ["MUG", "CUP"]), ("$.items[*]", ORDER["items"]), ("$", ORDER), ("note", None),
    ],
)  # fmt: skip
def test_a_path_leads_to_a_value(path, value):
    assert path_of(path).find(ORDER) == value
    assert score("json_path", ORDER, path=path, expected=value if value is not None else "null").value == 1


def test_all_items_inside_all_items_are_one_list():
    nested = {"rows": [{"cells": [1, 2]}, {"cells": [3]}]}
    assert path_of("rows[*].cells[*]").find(nested) == [1, 2, 3]
    assert path_of("[*][0]").find([[1], [2]]) == [1, 2]


@pytest.mark.parametrize("path", ["", "a..b", "a[", "a[?(@.x)]", "a.*", "a[**]", "$$"])
def test_what_is_no_path_is_refused(path):
    with pytest.raises(ScorerError):
        score("json_path", {}, path=path, expected=1)


def test_the_score_is_the_share_of_fields_and_all_must_be_right():
    fields = {"id": 7, "total": 19.5, "items[0].sku": "CUP", "missing": 1}
    found = score("json_path", ORDER, fields=fields)
    assert found.value == 0.5
    assert found.reason.startswith(
        '2 of 4 fields right: items[0].sku: "MUG" where "CUP" is expected; missing: there is no \'missing\''
    )
    assert found.detail["values"]["id"] == "7"
    assert specs()["json_path"].mark == 1
    assert score("json_path", ORDER, fields={"id": 7, "note": None}).reason == "2 fields as expected"


def test_options_of_comparison_hold_for_each_field():
    assert score("json_path", ORDER, fields={"total": 19.6}, tolerance=0.1).value == 1
    assert score("json_path", ORDER, path="items[*].sku", expected=["CUP", "MUG"], unordered=True).value == 1
    assert score("json_path", ORDER, path="items[0]", expected={"n": 2}, subset=True).value == 1


def test_the_case_s_expected_output_is_a_text_that_may_mean_a_number():
    assert score("json_path", '{"days": 30}', "30", path="days").value == 1
    assert score("json_path", '{"days": "30"}', "30", path="days").value == 1
    assert score("json_path", '{"days": "thirty"}', "thirty", path="days").value == 1
    assert score("json_path", '{"days": "31"}', "30", path="days").value == 0
    # in the criterion itself a number is a number
    assert score("json_path", '{"days": "30"}', fields={"days": 30}).value == 0


def test_an_answer_without_json_has_no_field():
    found = score("json_path", "thirty days", fields={"days": 30, "id": 1})
    assert (found.value, found.reason) == (0, "the answer is not JSON: it starts with 'thirty days'")
    assert score("json_path", 'so: {"days": 30}', fields={"days": 30}, extract=True).value == 1


def test_all_items_are_asked_of_a_list_only():
    assert "7 is no list, which [*] asks for" in score("json_path", ORDER, path="id[*]", expected=[]).reason


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({}, "give path, or fields"),
        ({"path": "a", "fields": {"b": 1}}, "give path, or fields"),
        ({"fields": []}, "fields must be a mapping"),
        ({"fields": {"a": 1}, "expected": 1}, "fields have their own"),
        ({"fields": {"a[": 1, "b..c": 2}}, "'a[' is no path"),
    ],
)
def test_wrong_options_are_told(options, says):
    assert any(says in message for message in specs()["json_path"].check(options))


def test_nothing_to_compare_with_is_an_error():
    with pytest.raises(ScorerError, match="json_path has nothing to look for"):
        score("json_path", {}, path="a")
