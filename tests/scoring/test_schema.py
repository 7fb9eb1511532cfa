"""``json_schema``: an answer held against a JSON schema."""

from __future__ import annotations

import json
import sys
import time

import pytest
from hypothesis import given
from jsonschema import Draft202012Validator
from jsonvalues import VALUES

from pytest_evals.errors import ScorerError
from pytest_evals.scoring import score, specs
from pytest_evals.scoring.formats import CHECKS

ORDER = {
    "type": "object",
    "required": ["id", "items"],
    "additionalProperties": False,
    "properties": {
        "id": {"type": "integer", "minimum": 1},
        "items": {"type": "array", "items": {"$ref": "#/$defs/item"}},
        "day": {"type": "string", "format": "date"},
    },
    "$defs": {"item": {"type": "object", "required": ["sku"], "properties": {"sku": {"pattern": "^[A-Z]+$"}}}},
}


@pytest.mark.parametrize(
    ("answer", "says"),
    [
        ('{"id": 1, "items": [{"sku": "MUG"}], "day": "2026-01-31"}', ""),
        ({"id": 1.0, "items": []}, ""),
        ('{"id": 0, "items": []}', "$.id: 0 is less than the minimum of 1"),
        ('{"id": 1, "items": [{"sku": "mug"}]}', "$.items[0].sku: 'mug' does not match '^[A-Z]+$'"),
        ('{"id": 1, "items": [{}]}', "$.items[0]: 'sku' is a required property"),
        ('{"id": 1, "items": [], "day": "2026-02-30"}', "$.day: '2026-02-30' is not a 'date'"),
        ('{"id": 1, "items": [], "x": 1}', "Additional properties are not allowed ('x' was unexpected)"),
        ("[]", "[] is not of type 'object'"),
    ],
)
def test_a_reason_names_the_path(answer, says):
    found = score("json_schema", answer, schema=ORDER)
    assert found.value is (not says)
    assert found.reason == (says or "fits the schema")


@given(VALUES)
def test_the_verdict_is_that_of_the_package(value):
    schema = {
        "anyOf": [
            {"type": "array", "items": {"type": ["integer", "boolean", "null"]}, "maxItems": 3},
            {"type": "object", "propertyNames": {"maxLength": 3}},
            {"enum": [1, "a", None]},
        ]
    }
    assert score("json_schema", json.dumps(value), schema=schema).value is Draft202012Validator(schema).is_valid(value)


def test_what_nearly_fits_one_of_several_is_told():
    schema = {"anyOf": [{"type": "string"}, {"type": "object", "properties": {"a": {"type": "integer"}}}]}
    assert score("json_schema", {"a": "x"}, schema=schema).reason == "$.a: 'x' is not of type 'integer' (anyOf)"


@pytest.mark.parametrize(
    ("schema", "says"),
    [
        ({"type": "objekt"}, "the schema is wrong at $.type: 'objekt' is not valid"),
        ({"properties": {"a": {"minimum": "1"}}}, "the schema is wrong at $.properties.a.minimum: '1' is not of type"),
        ({"required": "a"}, "the schema is wrong at $.required"),
        ({"pattern": "("}, "the schema is wrong at $.pattern: '(' is not a 'regex'"),
        ({"$ref": "#/$defs/gone"}, "the $ref '#/$defs/gone' of the schema leads nowhere"),
        ({"items": {"$ref": "https://example.com/x.json"}}, "leads nowhere; it must stay inside the schema"),
        ([], "a schema is a mapping, not '[]'"),
    ],
)
def test_a_wrong_schema_is_a_mistake_of_the_suite(schema, says):
    [message] = specs()["json_schema"].check({"schema": schema})
    assert says in message


@pytest.mark.parametrize(
    "schema",
    [
        True,
        {},
        {"$schema": "http://json-schema.org/draft-07/schema#", "definitions": {"a": {}}, "$ref": "#/definitions/a"},
        {"$id": "https://example.com/order", "$defs": {"a": {"$id": "a", "type": "integer"}}, "$ref": "a"},
        {"$defs": {"node": {"properties": {"next": {"$ref": "#/$defs/node"}}}}, "$ref": "#/$defs/node"},
        {"properties": {"$ref": {"type": "string"}, "format": {"type": "string"}}},
    ],
)
def test_a_right_schema_is_none(schema):
    assert specs()["json_schema"].check({"schema": schema}) == []
    assert score(
        "json_schema", "{}" if not isinstance(schema, dict) or "$id" not in schema else "1", schema=schema
    ).value


def test_a_schema_that_leads_back_to_itself_is_an_error_and_no_crash():
    with pytest.raises(ScorerError, match="leads back to itself without end"):
        score("json_schema", "1", schema={"$ref": "#"})


def test_a_format_that_is_not_checked_is_told():
    found = score("json_schema", '"x"', schema={"format": "color", "anyOf": [{"format": "int32"}, {}]})
    assert found.reason == "fits the schema; format color, int32 is not checked"


def test_a_pattern_that_backtracks_for_ever_is_an_error():
    started = time.perf_counter()
    with pytest.raises(ScorerError, match="it backtracks"):
        score("json_schema", json.dumps("a" * 40 + "b"), schema={"pattern": "^(a|aa)+$"})
    assert time.perf_counter() - started < 10


def test_patterns_of_keys_are_searched_for():
    schema = {"patternProperties": {"^n_": {"type": "integer"}}}
    assert score("json_schema", {"n_a": 1, "x": "y"}, schema=schema).value is True
    assert score("json_schema", {"n_a": "1"}, schema=schema).reason == "$.n_a: '1' is not of type 'integer'"


def test_numbers_that_no_float_holds_fail_and_do_not_crash():
    assert score("json_schema", "1e400", schema={"type": "number", "minimum": 1}).value is True
    found = score("json_schema", "1e400", schema={"multipleOf": 0.1})
    assert found.value in (True, False)


def test_without_the_package_the_suite_is_told_what_to_install(monkeypatch):
    monkeypatch.setattr("pytest_evals.scoring.schema.find_spec", lambda name: None)
    assert specs()["json_schema"].check({"schema": {}}) == [
        "needs the jsonschema package: pip install 'pytest-evals-suite[jsonschema]'"
    ]
    monkeypatch.setitem(sys.modules, "jsonschema.validators", None)
    monkeypatch.setitem(sys.modules, "jsonschema", None)
    from pytest_evals.scoring.schema import _validator

    _validator.cache_clear()
    from pytest_evals.scoring import scorer

    with pytest.raises(ScorerError, match="json_schema needs the jsonschema package"):
        scorer("json_schema")(actual="1", options={"schema": {"title": "not seen before"}})


FORMATS = {
    "date": (["2024-02-29", "0001-01-01"], ["2024-13-45", "2023-02-29", "2024-1-1", "20240101", "2024-01-01T00:00:00Z"]),
    "time": (["12:30:00Z", "23:59:59.5+02:00"], ["12:30", "24:00:00Z", "12:30:00", "12:30:00+25:00"]),
    "date-time": (["2024-01-05T12:30:00Z", "2024-01-05t12:30:00z"], ["2024-01-05", "2024-02-30T12:30:00Z", "x"]),
    "email": (["a@b.co", "a.b+c@x-y.org", '"a b"@x.org'], ["a", "a@", "@b.co", "a..b@c.de", "a b@c.de"]),
    "hostname": (["a", "example.com", "xn--bcher-kva.example"], ["-a.com", "a_b.com", "", "a" * 64 + ".com", "a..b"]),
    "uri": (["https://example.com/a?b=c#d", "mailto:a@b.co", "urn:x:y"], ["example.com", "/a", "http://a b", "http://[x", "a:%zz"]),
    "uri-reference": (["/a/b?c", "#x", "", "https://x.org"], ["a b", "\\x", "%g"]),
    "ipv4": (["127.0.0.1"], ["1.2.3", "256.1.1.1", "01.2.3.4"]),
    "ipv6": (["::1", "fe80::1"], ["::g", "fe80::1%eth0", "1"]),
    "uuid": (["123e4567-e89b-12d3-a456-426614174000"], ["123e4567e89b12d3a456426614174000", "{123e4567-e89b-12d3-a456-426614174000}"]),
    "regex": (["^a+$"], ["("]),
    "duration": (["P1D", "PT5M", "P1Y2M3DT4H5M6S", "P2W"], ["P", "PT", "1D", "P1DT", "P1W2D"]),
    "json-pointer": (["", "/a/b~0c", "/~1"], ["a", "/a~2"]),
}  # fmt: skip


def test_every_checked_format_has_examples():
    assert FORMATS.keys() == CHECKS.keys()


@pytest.mark.parametrize("name", FORMATS)
def test_a_format_is_checked_by_its_grammar(name):
    right, wrong = FORMATS[name]
    schema = {"type": "string", "format": name}
    assert [text for text in right if not score("json_schema", json.dumps(text), schema=schema).value] == []
    assert [text for text in wrong if score("json_schema", json.dumps(text), schema=schema).value] == []
    assert score("json_schema", "5", schema={"format": name}).value is True  # a format is about texts


def test_a_hostile_text_takes_no_time_by_any_format():
    started = time.perf_counter()
    for text in (
        "a" * 10_000,
        "a." * 10_000,
        "a@" + "a." * 10_000,
        '"\\' * 10_000,
        "http://" + "[" * 10_000,
        "/~" * 10_000,
    ):
        for check in CHECKS.values():
            check(text)
    assert time.perf_counter() - started < 5
