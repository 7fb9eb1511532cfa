"""The JSON Schema of suite files: it takes what the reader takes, and refuses what a schema can."""

from __future__ import annotations

import random
import re
import textwrap
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from pytest_evals.errors import SuiteError
from pytest_evals.scoring import specs
from pytest_evals.suite import read_suite
from pytest_evals.suite.core import core
from pytest_evals.suite.jsonschema import defaults_schema, suite_schema
from pytest_evals.suite.source import load
from pytest_evals.suite.tree import Map, Plain, Seq
from pytest_evals.suite.yamlerrors import read_yaml

from .conftest import PAGE
from .test_fuzz import VALID, mutated

ROOT = Path(__file__).parents[2]
EXAMPLES = sorted((ROOT / "example_suites").rglob("*.eval.yaml"))


@pytest.fixture(scope="module")
def schema():
    made = suite_schema(specs())
    jsonschema.Draft7Validator.check_schema(made)
    return jsonschema.Draft7Validator(made)


def plain(node: Any) -> Any:
    """A file as an editor reads it: YAML 1.2."""
    if isinstance(node, Map):
        return {key: plain(part) for key, part in node.items()}
    if isinstance(node, Seq):
        return [plain(part) for part in node]
    return core(node) if isinstance(node, Plain) else str(node)


def loaded(path: Path) -> Any:
    found: list[str] = []
    node = read_yaml(load(path, str(path)), lambda _, message: found.append(message))
    assert not found
    return plain(node)


def problems(schema, data: Any) -> list[str]:
    return [error.message for error in schema.iter_errors(data)]


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.name)
def test_every_example_suite_is_valid(schema, path):
    assert problems(schema, loaded(path)) == []


def test_every_suite_of_the_documentation_is_valid(schema, tmp_path):
    seen = 0
    for page in sorted((ROOT / "docs").glob("*.md")):
        for name, text in re.findall(
            r"^```yaml\n# (\S+\.eval\.yaml)\n(.*?)^```$", page.read_text("utf-8"), re.M | re.S
        ):
            path = tmp_path / "a.yaml"
            path.write_text(text, encoding="utf-8")
            assert problems(schema, loaded(path)) == [], f"{page.name}: {name}"
            seen += 1
    assert seen > 20


def test_shared_files_have_a_schema_of_their_own(tmp_path):
    checked = jsonschema.Draft7Validator(defaults_schema(specs()))
    (text,) = re.findall(r"^```yaml\n# evals/shared/tone.yaml\n(.*?)^```$", PAGE, re.M | re.S)
    path = tmp_path / "a.yaml"
    path.write_text(text)
    assert problems(checked, loaded(path)) == []
    assert problems(checked, {"cases": []})
    assert problems(checked, {"defaults": {"id": "x"}})


GOOD_CASE = {"input": "x", "criteria": ["own"]}


def suite_with(**keys: Any) -> dict[str, Any]:
    return {"target": "echo", "cases": [GOOD_CASE], **keys}


def case_with(**keys: Any) -> dict[str, Any]:
    return {"target": "echo", "cases": [{**GOOD_CASE, **keys}]}


def criterion(written: Any) -> dict[str, Any]:
    return case_with(criteria=[written], expected_output="x")


BAD = [
    {},
    {"target": "echo"},
    {"cases": [GOOD_CASE]},
    suite_with(cases=[]),
    suite_with(cases={"a": 1}),
    suite_with(cases=["x"]),
    suite_with(case=[]),
    suite_with(suite=["x"]),
    suite_with(experiment={"nmae": "x"}),
    suite_with(experiment={"config": [1]}),
    suite_with(defaults={"input": "x"}),
    suite_with(defaults={"timeot": 1}),
    suite_with(defaults=[1]),
    suite_with(gates="pass_rate >= 1"),
    suite_with(gates=[1]),
    suite_with(include={"a": "b"}),
    suite_with(criteria_sets={"a": "own"}),
    suite_with(criteria_sets=["own"]),
    suite_with(variants=[]),
    suite_with(variants=["x"]),
    suite_with(matrix={"a": 1}),
    suite_with(target={"htp": {}}),
    suite_with(target={"http": {}}),
    suite_with(target={"http": {"url": "http://x/{{ input }}", "boddy": 1}}),
    suite_with(target={"command": []}),
    suite_with(target={"command": "echo"}),
    suite_with(target={"command": {"stdin": "x"}}),
    suite_with(target={"model": "anthropic/x", "max_tokens": 0}),
    suite_with(target={"model": "anthropic/x", "maxtokens": 5}),
    suite_with(target={"model": "nobody"}),
    suite_with(target=["x"]),
    case_with(expected="x"),
    case_with(id=None),
    case_with(id=["x"]),
    case_with(reference_outputs="x"),
    case_with(reference_outputs=[None]),
    case_with(expected_tool_calls=[{"args": {}}]),
    case_with(expected_tool_calls=[{"name": "x", "arg": {}}]),
    case_with(expected_tool_calls={"name": "x"}),
    case_with(inherit_criteria="no"),
    case_with(threshold="high"),
    case_with(threshold=1.5),
    case_with(warn=-1),
    case_with(timeout="soon"),
    case_with(timeout=-1),
    case_with(retries=1.5),
    case_with(retries="2"),
    case_with(trials=0),
    case_with(pass_if="often"),
    case_with(tags="smoke"),
    case_with(metadata=[1]),
    case_with(vars=[1]),
    case_with(prompt={"fil": "x"}),
    case_with(prompt=[]),
    case_with(skip=5),
    case_with(criteria="own"),
    case_with(criteria=[["own"]]),
    suite_with(cases=[{"file": "a.csv", "mapp": {}}]),
    suite_with(cases=[{"file": "a.csv", "id": "x"}]),
    suite_with(cases=[{"file": "a.csv", "limit": 1, "sample": 1}]),
    criterion(5),
    criterion({}),
    criterion("two words"),
    criterion("not"),
    criterion("python"),
    criterion("regex"),
    criterion({"regex": None}),
    criterion({"regex": {}}),
    criterion({"regex": {"patern": "x"}}),
    criterion({"regex": {"pattern": "x", "time_limit": "long"}}),
    criterion({"contains": {"case_sensitive": "no"}}),
    criterion({"contains": ["a"]}),
    criterion({"contains_any": []}),
    criterion({"length": {"unit": "pages", "max": 1}}),
    criterion({"length": {"max": 1.5}}),
    criterion({"contains": {"weight": -1}}),
    criterion({"contains": {"threshold": 2}}),
    criterion({"contains": "x", "weight": 2}),
    criterion({"scorer": "contains", "expcted": "x"}),
    criterion({"scorer": "two words"}),
    criterion({"not": []}),
    criterion({"not": ["own", "contains"]}),
    criterion({"all_of": "own"}),
    criterion({"all_of": []}),
    criterion({"all_of": ["own"], "wieght": 2}),
    criterion({"any_of": [{"contains": {"expected": "x", "weight": 2}}]}),
    criterion({"any_of": [{"scorer": "contains", "threshold": 1}]}),
    criterion({"any_of": [{"not": "own", "weight": 1}]}),
    criterion({"python": "nothing"}),
    criterion({"use": "x", "weight": 1}),
]


@pytest.mark.parametrize("data", BAD, ids=range(len(BAD)))
def test_what_is_wrong_is_refused_by_the_schema_and_by_the_reader(schema, tmp_path, data):
    import json

    assert problems(schema, data)
    path = tmp_path / "a.eval.json"
    path.write_text(json.dumps(data))
    with pytest.raises(SuiteError):
        read_suite(path, specs=specs())


@pytest.mark.parametrize(
    "written",
    [
        "own",
        {"own": None},
        {"own": {"anything": [1], "weight": 2}},
        {"own": 5},
        {"scorer": "own", "value": {"weight": 3}},
        {"any_of": [{"scorer": "own", "value": {"weight": 3}}, "contains", {"not": {"contains": "x"}}]},
        {"contains": 12},
        {"contains": None},
        {"levenshtein": {"threshold": "{{ least }}"}},
        {"tool_calls": {"order": "any"}},
        {"python": "checks.py:good", "weight": 2, "words": ["a"]},
        {"use": ["a", "b"]},
        {"scorer": "all_of", "criteria": ["own"], "name": "x"},
    ],
)
def test_criteria_in_all_their_forms_are_valid(schema, written):
    assert problems(schema, criterion(written)) == []


@pytest.mark.parametrize("seed", range(10))
def test_what_the_reader_takes_the_schema_takes(schema, tmp_path, seed):
    rng = random.Random(seed)
    taken = 0
    for _ in range(100):
        path = tmp_path / "a.eval.yaml"
        path.write_bytes(mutated(rng, VALID.replace('"big one"', "big")).encode("utf-8", "surrogatepass"))
        try:
            read_suite(path, specs=specs())
        except (SuiteError, UnicodeError):
            continue
        taken += 1
        assert problems(schema, loaded(path)) == [], textwrap.indent(path.read_text("utf-8"), "| ")
    assert taken > 1
