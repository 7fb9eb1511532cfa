"""What is written reads back as the same, and looks as a person would write it."""

from __future__ import annotations

import math
from pathlib import Path

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_evals.errors import UsageError
from pytest_evals.suite.reading import Reading
from pytest_evals.suite.scalars import json_value
from pytest_evals.suite.source import Source
from pytest_evals.suite.tree import Map
from pytest_evals.suite.writer import Noted, write_suite
from pytest_evals.suite.yamlerrors import read_yaml


def read_back(text):
    source = Source(Path("a.eval.yaml"), "a.eval.yaml", text)
    r = Reading(source)
    root = read_yaml(source, r.report)
    assert isinstance(root, Map)
    value = {key: json_value(r, root, key, node) for key, node in root.items()}
    r.finish()
    return value


TEXTS = st.one_of(
    st.text(max_size=30),
    st.text(alphabet="ab \n\t:#-'\"{}[],&*!|>%@`?\\\r\u2028\u0085\ufeff\x00\x7f", max_size=12),
    st.sampled_from(["no", "~", "null", "12:30", "0123", "1e3", ".inf", "=", "<<", "---", "a: b", "a #b", "x:", "- a"]),
)
SCALARS = st.one_of(
    TEXTS, st.none(), st.booleans(), st.integers(-(10**30), 10**30), st.floats(allow_nan=False, allow_infinity=False)
)
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXTS, inner, max_size=4), max_leaves=12
)


@settings(max_examples=200, deadline=None)
@given(st.dictionaries(TEXTS, VALUES, min_size=1, max_size=4))
def test_any_json_value_reads_back_as_it_was(data):
    text = write_suite(data)
    assert read_back(text) == data
    # other programs read it as YAML 1.1, some with a parser that is not libyaml's
    assert yaml.load(text, yaml.SafeLoader) == data


@settings(max_examples=150, deadline=None)
@given(st.lists(TEXTS, max_size=3), VALUES)
def test_comments_change_nothing(comments, value):
    text = write_suite({"x-a": Noted([Noted({"k": Noted(value, tuple(comments))}, tuple(comments)), 1])}, comments)
    assert read_back(text) == {"x-a": [{"k": value}, 1]}


def test_a_suite_looks_as_a_person_writes_it():
    suite = {
        "suite": "support",
        "target": {"model": "anthropic/claude-haiku-5-5", "temperature": 0},
        "defaults": {"timeout": "30s", "criteria": ["exact_match"]},
        "cases": [
            {
                "id": "refund",
                "input": [{"role": "user", "content": "How long?"}],
                "expected_output": "30 days",
                "criteria": ["contains", {"levenshtein": {"threshold": 0.5, "weight": 2}}, {"regex": r"\d+ (days|d)"}],
            },
            Noted({"id": "no", "input": "One\nTwo\n", "tags": ["a", "b"], "criteria": ["contains"]}, ("a comment",)),
        ],
    }
    assert write_suite(suite, ["Header"]) == (
        "# Header\n"
        "suite: support\n"
        "target: {model: anthropic/claude-haiku-5-5, temperature: 0}\n"
        "defaults: {timeout: 30s, criteria: [exact_match]}\n"
        "\n"
        "cases:\n"
        "  - id: refund\n"
        "    input:\n"
        "      - {role: user, content: 'How long?'}\n"
        "    expected_output: 30 days\n"
        "    criteria:\n"
        "      - contains\n"
        "      - levenshtein: {threshold: 0.5, weight: 2}\n"
        "      - regex: '\\d+ (days|d)'\n"
        "\n"
        "  # a comment\n"
        "  - id: 'no'\n"
        "    input: |\n"
        "      One\n"
        "      Two\n"
        "    tags: [a, b]\n"
        "    criteria: [contains]\n"
    )


@pytest.mark.parametrize("value", [math.nan, math.inf])
def test_a_number_that_is_not_finite_is_refused_in_one_line(value):
    with pytest.raises(UsageError, match="a suite cannot hold the number"):
        write_suite({"x-a": value})


def test_half_of_a_surrogate_pair_is_refused():
    with pytest.raises(UsageError, match="half of a surrogate pair"):
        write_suite({"x-a": "\ud800"})
