"""Files of prices."""

from __future__ import annotations

import pytest

from pytest_evals.errors import SuiteError
from pytest_evals.model.price import Price
from pytest_evals.suite import read_prices

TOML = """\
version = "2026-11"

[models."openai/gpt-5"]
input = 1
output = 8.5
cached_input = 0.1

[models."mine/*"]
input = 0
output = 0
"""
YAML = """\
version: 2026-11
models:
  openai/gpt-5: {input: 1, output: 8.5, cached_input: 0.1}
  mine/*: {input: 0, output: 0}
"""
JSON = """{"version": "2026-11", "models": {
  "openai/gpt-5": {"input": 1, "output": 8.5, "cached_input": 0.1}, "mine/*": {"input": 0, "output": 0}}}"""


@pytest.mark.parametrize(("name", "content"), [("p.toml", TOML), ("p.yaml", YAML), ("p.yml", YAML), ("p.json", JSON)])
def test_prices_are_read_alike_from_every_format(tmp_path, name, content):
    (tmp_path / name).write_text(content, "utf-8")
    found = read_prices(tmp_path / name, shown=name)
    assert found.prices == {"openai/gpt-5": Price(1, 8.5, 0.1), "mine/*": Price(0, 0)}
    assert (found.path, found.version, len(found.sha256)) == (name, "2026-11", 64)


def problems(tmp_path, name, content):
    (tmp_path / name).write_text(content, "utf-8")
    with pytest.raises(SuiteError) as caught:
        read_prices(tmp_path / name, shown=name)
    return [str(problem) for problem in caught.value.problems]


def test_every_mistake_is_told_with_its_place(tmp_path):
    found = problems(
        tmp_path,
        "p.yaml",
        "models:\n  gpt-5: {input: 1, output: 2}\n  openai/a: {inptu: 1, output: -2}\n  openai/b: 3\nmodel: x\n",
    )
    assert found == [
        "p.yaml:2:3: 'gpt-5' is no model; write provider/model, such as openai/gpt-5",
        "p.yaml:3:3: 'openai/a' has no price for input; give dollars a million tokens",
        "p.yaml:3:14: unknown key 'inptu'; did you mean 'input'?",
        "p.yaml:3:24: output must be a number of at least 0, not -2",
        "p.yaml:4:3: the price of 'openai/b' must be a mapping with input and output, not 3",
        "p.yaml:5:1: unknown key 'model'; did you mean 'models'?",
    ]


def test_mistakes_of_a_toml_file_have_places_too(tmp_path):
    content = '[models."openai/a"]\ninput = "1"\noutput = 2\n\n[models."openai/b"]\ninput = 1\nout = 2\n'
    assert problems(tmp_path, "p.toml", content) == [
        "p.toml:2:1: input must be a number of at least 0, not the text '1'; remove the quotes",
        "p.toml:5:10: 'openai/b' has no price for output; give dollars a million tokens",
        "p.toml:7:1: unknown key 'out'; did you mean 'output'?",
    ]
    assert problems(tmp_path, "q.toml", "[models\n")[0].startswith("q.toml:1:8: this is not TOML: ")


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("p.txt", "", "prices are read from .toml, .yaml (or .yml) or .json, not from 'p.txt'"),
        ("p.json", "[]", "a file of prices has 'models': prices by provider/model"),
        ("p.toml", "", "a file of prices has 'models': prices by provider/model"),
        ("p.yaml", "models: 3", "models must be a mapping of provider/model to prices, not 3"),
    ],
)
def test_what_is_no_file_of_prices_is_refused(tmp_path, name, content, message):
    assert [text.partition(": ")[2] for text in problems(tmp_path, name, content)] == [message]
