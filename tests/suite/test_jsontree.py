"""Suites in JSON: the same suite, the same places, the same strictness."""

from __future__ import annotations

import json

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pytest_evals.errors import SuiteError
from pytest_evals.suite.jsontree import read_json
from pytest_evals.suite.reading import Reading
from pytest_evals.suite.scalars import json_value
from pytest_evals.suite.source import Source
from pytest_evals.suite.tree import Map, Seq

from .conftest import only

SUITE = {
    "suite": "shop",
    "experiment": {"name": "e", "config": {"n": 1}},
    "target": "echo",
    "defaults": {"tags": ["all"], "timeout": "5s"},
    "gates": ["pass_rate >= 95%"],
    "x-free": [1],
    "cases": [
        {
            "id": "a",
            "input": [{"role": "user", "content": "hé\n"}],
            "expected_output": "yes",
            "criteria": ["contains", {"regex": {"pattern": "a+", "weight": 2}}, {"not": {"contains": "no"}}],
            "threshold": 0.5,
            "metadata": {"a": [1, 2.5, True, None, "x"]},
        },
        {"id": "b", "input": "q", "criteria": ["own"], "threshold": "unset", "expected_output": None, "skip": True},
    ],
}


def test_a_json_suite_is_the_same_as_a_yaml_one(read):
    text = json.dumps(SUITE, indent=2)
    from_json, from_yaml = read(text, "a.eval.json"), read(text, "a.eval.yaml")
    assert from_json.cases == from_yaml.cases
    assert (from_json.gates, from_json.experiment, from_json.name) == (from_yaml.gates, from_yaml.experiment, "shop")
    assert [case.place.line for case in from_json.cases] == [case.place.line for case in from_yaml.cases]
    assert [c.place for case in from_json.cases for c in case.criteria][1].line == 34


@pytest.mark.parametrize(
    "written", ["1", "1.0", "1.10", "1e3", "-0", "true", "false", "12345678901234567890123", "1E400"]
)
def test_numbers_in_text_fields_are_as_written(read, written):
    criteria = f'[{{"contains": {written}}}]'
    case = f'{{"id": {written}, "input": {written}, "expected_output": {written}, "criteria": {criteria}}}'
    text = f'{{"target": "echo", "cases": [{case}]}}'
    (case,) = read(text, "a.eval.json").cases
    assert {case.id, case.input, case.expected_output, case.criteria[0].options["expected"]} == {written}


@pytest.mark.parametrize(
    ("written", "text"),
    [
        ('"\\ud83d\\ude00"', "😀"),
        ('"\\u0000\\b\\/"', "\0\b/"),
        ('"\\ud800"', "\ud800"),
        ('"a\u2028b"', "a\u2028b"),
        ('"é"', "é"),
    ],
)
def test_escapes_and_surrogate_pairs(read, written, text):
    document = f'{{"target": "echo", "cases": [{{"id": "a", "input": {written}, "criteria": ["own"]}}]}}'
    assert read(document, "a.eval.json").cases[0].input == text


def test_duplicate_keys_are_found_with_both_lines(read):
    text = '{\n"target": "echo",\n"target": "echo",\n'
    text += '"cases": [{"id": "a", "input": {"k": 1, "k": 2}, "criteria": ["own"]}]\n}'
    assert read.wrong(text, "a.eval.json") == [
        "3:1: duplicate key 'target', which is also in line 2; remove one",
        "4:41: duplicate key 'k', which is also in line 4; remove one",
    ]


def test_problems_have_the_place_of_their_key_or_item(read):
    text = json.dumps(
        {**SUITE, "cases": [{"id": "a", "input": "q", "criteria": ["own", "not"], "treshold": 1}]}, indent=1
    )
    problems = read.wrong(text, "a.eval.json")
    lines = text.split("\n")
    for problem in problems:
        line, column = (int(part) for part in problem.split(": ")[0].split(":"))
        assert lines[line - 1][column - 1 :].startswith(('"not"', '"treshold"'))
    assert len(problems) == 2


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{", "1:2: this is not JSON: expecting property name enclosed in double quotes"),
        ('{"a": 1,}', "this is not JSON"),
        ('{"a": }', "1:7: this is not JSON: expecting value"),
        ("{'a': 1}", "this is not JSON"),
        ('{"a": "x\ny"}', "1:9: this is not JSON: invalid control character"),
        ('{"a": 1} x', "1:10: this is not JSON: extra data"),
        ("// comment\n{}", "1:1: this is not JSON"),
        ('{"a": NaN}', "1:7: NaN is not a JSON value; quote it if it is a text"),
        ('{"a NaN": "NaN", "b": [-Infinity]}', "-Infinity is not a JSON value"),
        ('{"target": Infinity}', "1:12: Infinity is not a JSON value"),
        ("target: echo\n", "1:1: this is not JSON: expecting value"),
        ('{"a": "\\x"}', "this is not JSON: invalid \\escape"),
        ("[" * 100_000, "nested deeper than 60 levels"),
        ("[" * 61 + "]" * 61, "1:61: this is nested deeper than 60 levels"),
        ('{"a":' * 500 + "1" + "}" * 500, "this is nested deeper than 60 levels"),
    ],
)
def test_what_is_no_json(read, text, said):
    assert said in only(read.wrong(text, "a.eval.json"))


def test_merge_keys_are_ordinary_keys_in_json(read):
    text = '{"target": "echo", "cases": [{"id": "a", "input": {"<<": {"k": 1}}, "criteria": ["own"]}]}'
    assert read(text, "a.eval.json").cases[0].input == {"<<": {"k": 1}}


def test_huge_numbers_are_refused_where_numbers_stand(read):
    case = f'{{"id": "a", "input": "q", "criteria": ["own"], "metadata": {{"n": {"9" * 5000}}}}}'
    text = f'{{"target": "echo", "cases": [{case}]}}'
    assert "is not a number that JSON can hold" in only(read.wrong(text, "a.eval.json"))


values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**30), 10**30)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=20,
)


@given(value=values, indent=st.sampled_from([None, 0, 2]), ascii_only=st.booleans())
def test_any_json_value_comes_back(value, indent, ascii_only):
    text = json.dumps(value, indent=indent, ensure_ascii=ascii_only)
    source = Source("a", "a", text)
    root = read_json(source, lambda at, message: pytest.fail(message))
    box = Seq([root])
    box.at, box.spots = 0, [0]
    assert json_value(Reading(source), box, 0, root) == value


@given(value=values)
def test_every_container_knows_where_it_starts(value):
    text = json.dumps(value, indent=1)
    root = read_json(Source("a", "a", text), lambda at, message: None)

    def check(node):
        if isinstance(node, Map):
            assert text[node.at] == "{"
            for key, spot in zip(node, node.spots, strict=True):
                assert text[spot:].startswith(json.dumps(key))
                check(node[key])
        elif isinstance(node, Seq):
            assert text[node.at] == "["
            for part in node:
                check(part)

    check(root)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=300)
@given(text=st.text(alphabet='{}[]",:0123456789.eE+-truefalsn \n\\u', max_size=40))
def test_what_json_refuses_is_refused_and_what_it_reads_is_read(text):
    try:
        json.loads(text)
        readable = True
    except ValueError:
        readable = False
    try:
        read_json(Source("a", "a", text), lambda at, message: None)
    except SuiteError:
        assert not readable
    else:
        assert readable or not text.strip(" \n")
