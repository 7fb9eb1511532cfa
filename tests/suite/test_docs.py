"""docs/suite-file.md tells the truth: its examples are read, its keys and its messages are the reader's."""

from __future__ import annotations

import random
import re

import pytest

from pytest_evals.model.criterion import COMBINATIONS
from pytest_evals.model.ids import node_name
from pytest_evals.scoring import specs
from pytest_evals.suite import read_responses, read_suite
from pytest_evals.suite.fields import CASE_FIELDS, DEFAULT_FIELDS
from pytest_evals.suite.options import OWN_KEYS
from pytest_evals.suite.reader import EXPERIMENT_KEYS, ROOT_KEYS
from pytest_evals.suite.responses import FIELDS

from .conftest import MESSAGES, PAGE
from .test_fuzz import VALID, mutated

BLOCKS = re.findall(r"^```(\w+)\n# (\S+)\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
SUITES = [name for _, name, _ in BLOCKS if ".eval." in name]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("docs")
    for _, name, text in BLOCKS:
        path = folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return folder


def test_every_yaml_block_is_a_suite_with_a_name():
    assert len(re.findall(r"^```yaml$", PAGE, re.MULTILINE)) == sum(language == "yaml" for language, _, _ in BLOCKS)
    assert len(SUITES) == len(set(SUITES)) > 10


@pytest.mark.parametrize("name", SUITES)
def test_every_example_is_read(folder, name):
    suite = read_suite(folder / name, specs=specs())
    assert suite.cases
    if suite.target.kind == "responses":
        answers = read_responses(suite.target.base / suite.target.value)
        assert {case.id for case in suite.cases} <= set(answers)


def test_the_examples_mean_what_the_page_says(folder):
    scalars = read_suite(folder / "evals/scalars.eval.yaml", specs=specs())
    assert [case.id for case in scalars.cases] == ["no", "0123", "json"]
    assert scalars.cases[1].metadata == {
        "answered": "no",
        "at": "2024-01-05",
        "count": 3,
        "ratio": 0.5,
        "checked": True,
    }
    assert scalars.cases[2].input == {"n": 1, "zip": "02134"}
    exact = read_suite(folder / "evals/defaults.eval.yaml", specs=specs()).cases[1]
    assert (exact.category, exact.tags, exact.metadata["team"]) == (None, ("fast", "strict"), "web")
    assert [criterion.name for criterion in exact.criteria] == ["exact_match"]
    (forms,) = read_suite(folder / "evals/criteria.eval.yaml", specs=specs()).cases
    assert [criterion.name for criterion in forms.criteria] == [
        "contains",
        "levenshtein",
        "regex",
        "a-date",
        "not_contains",
        "the-order",
        "one-of-them",
    ]
    assert [part.name for part in forms.criteria[-1].parts] == ["contains", "contains_2"]
    assert node_name("a::b[c]") == "a:b(c)"


@pytest.mark.parametrize(
    "key",
    sorted({*ROOT_KEYS, *CASE_FIELDS, *DEFAULT_FIELDS, *EXPERIMENT_KEYS, *OWN_KEYS, *COMBINATIONS, *FIELDS, "scorer"}),
)
def test_every_key_is_on_the_page(key):
    assert re.search(rf"`(?:[^`\n]*[{{ ,])?{key}\b[^`\n]*`", PAGE), f"{key} is not explained"


def test_the_tables_of_keys_list_what_the_reader_reads():
    def listed(title: str) -> set[str]:
        section = PAGE.partition(f"## {title}\n")[2].partition("\n## ")[0]
        return set(re.findall(r"^\| `([\w…-]+)` \|", section, re.MULTILINE))

    assert listed("Keys of a file") == {*ROOT_KEYS, "x-…"}
    assert listed("Keys of a case") == set(CASE_FIELDS)
    assert listed("Criteria") >= set(OWN_KEYS)
    assert listed("Recorded answers") | {"input_tokens", "output_tokens", "cached_tokens"} == set(FIELDS)


# --- messages: that each one a test sees is on the page is asserted in conftest.py ------------------------------------


def test_no_message_is_listed_twice():
    assert len(MESSAGES) == len(set(MESSAGES)) > 100


@pytest.mark.parametrize("seed", range(20))
def test_every_message_about_a_mutated_suite_is_on_the_page(read, seed):
    rng = random.Random(1000 + seed)
    for _ in range(40):
        read.wrong(mutated(rng, VALID).encode())
