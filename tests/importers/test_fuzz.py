"""Whatever a file holds: a suite, or an error in one line; never a traceback."""

from __future__ import annotations

import copy
import itertools
from pathlib import Path
from typing import Any

import pytest

from pytest_evals.errors import EvalsError
from pytest_evals.importers import deepeval, inspect_samples, pydantic_evals, table
from pytest_evals.importers.code import Code
from pytest_evals.importers.imported import Folders, Wishes
from pytest_evals.importers.notes import Notes
from pytest_evals.importers.promptfoo import config
from pytest_evals.importers.text import suite_text

FOLDERS = Folders(Path("nowhere"), Path("nowhere"), Code("code.py"))

PROMPTFOO = {
    "description": "d",
    "prompts": ["{{a}}", {"label": "l", "raw": "x"}, [{"role": "user", "content": "{{a}}"}]],
    "providers": [
        "openai:gpt-4o",
        {"id": "https", "config": {"url": "http://a/b", "body": {"q": "{{prompt}}"}, "headers": {"a": "b"}}},
        {
            "id": "anthropic:messages:c",
            "config": {"tools": [{"name": "t"}], "tool_choice": {"name": "t"}, "stop": ["a"]},
        },
        {"exec: a b": {"config": {}}},
    ],
    "defaultTest": {"vars": {"a": "b"}, "assert": [{"type": "contains", "value": "x"}], "options": {"prefix": "p"}},
    "tests": [
        {
            "description": "t",
            "vars": {"a": ["x", 1], "b": "{{a}}"},
            "threshold": 0.5,
            "metadata": {"k": "v"},
            "assert": [
                {"type": "contains-any", "value": ["a", "b"], "weight": 2, "metric": "m"},
                {"type": "is-json", "value": {"type": "object"}},
                {"type": "word-count", "value": {"min": 1, "max": 2}},
                {
                    "type": "assert-set",
                    "threshold": 0.5,
                    "assert": [{"type": "equals", "value": "a"}, {"type": "is-sql"}],
                },
                {"type": "trajectory:tool-args-match", "value": {"name": "n", "args": {"a": 1}}},
                {"type": "bleu", "value": ["a", "b"], "threshold": 0.5},
                {"type": "not-levenshtein", "value": "abc", "threshold": 1},
            ],
        }
    ],
    "scenarios": [{"config": [{"vars": {"a": "b"}}], "tests": [{"vars": {"c": "d"}}]}],
    "evaluateOptions": {"repeat": 2, "timeoutMs": 3},
}
DEEPEVAL = [
    {
        "input": "i",
        "actual_output": "a",
        "context": ["c"],
        "tools_called": [{"name": "t", "input_parameters": {"a": 1}}],
        "tags": ["t"],
        "additional_metadata": {"a": 1},
        "completion_time": 1.5,
    }
]
INSPECT = {
    "eval": {"task": "t", "model": "m", "scorers": [{"name": "match", "options": {"location": "any"}}]},
    "samples": [
        {
            "id": 1,
            "epoch": 1,
            "input": [{"role": "user", "content": "c"}],
            "choices": ["a"],
            "target": ["t"],
            "output": {
                "choices": [
                    {"message": {"content": [{"text": "x"}], "tool_calls": [{"function": "f", "arguments": {}}]}}
                ],
                "usage": {"input_tokens": 1},
                "time": 0.5,
            },
            "scores": {"match": {"value": "C"}},
        }
    ],
}
PYDANTIC = {
    "name": "n",
    "cases": [{"name": "c", "inputs": {"a": 1}, "expected_output": "x", "evaluators": [{"Contains": {"value": "x"}}]}],
    "evaluators": ["EqualsExpected", {"MaxDuration": 2.0}, {"IsInstance": "int"}, {"LLMJudge": {"rubric": "r"}}],
}
ODD = [
    *(None, True, 3, "", "{{", "file://x.yaml", "a\nb", [], {}),
    *([None, "x", {"type": "equals"}, 3], {"type": 3, "value": None, "id": [], "vars": "x", "name": {}}),
]


def spots(value: Any, path: tuple = ()) -> list[tuple]:
    """The paths to everything inside a value."""
    found = [path] if path else []
    parts = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, part in parts:
        found += spots(part, (*path, key))
    return found


def changed(value: Any, path: tuple, odd: Any) -> Any:
    made = copy.deepcopy(value)
    box = made
    for key in path[:-1]:
        box = box[key]
    box[path[-1]] = odd
    return made


def check(convert, data, more, *, written):
    notes = Notes()
    said, text = "", "cases:"
    try:
        imported = convert(data, Wishes(), notes, *more)
        if written:
            text = suite_text(imported)
    except EvalsError as error:
        said = str(error)
    assert "cases:" in text or said
    assert "\n" not in said
    assert all("\n" not in str(note) for note in notes)


@pytest.mark.parametrize(
    ("convert", "data", "more"),
    [
        (config.convert, PROMPTFOO, (FOLDERS,)),
        (deepeval.convert, DEEPEVAL, ()),
        (inspect_samples.convert, INSPECT, ()),
        (inspect_samples.convert, INSPECT["samples"], ()),
        (pydantic_evals.convert, PYDANTIC, ()),
        (table.convert, [{"input": "a", "tags": "b", "metadata": "{}", "output": "x", "cost_usd": "1"}], ()),
    ],
)
def test_any_value_may_be_any_other(convert, data, more):
    odds = [str(odd) for odd in ODD] if convert is table.convert else ODD
    for number, (path, odd) in enumerate(itertools.product(spots(data), odds)):
        # writing takes ten times as long as converting
        check(convert, changed(data, path, odd), more, written=number % 20 == 0)
