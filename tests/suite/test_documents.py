"""Options that are a value or the name of a file that holds it."""

from __future__ import annotations

import pytest

from pytest_evals.errors import SuiteError
from pytest_evals.scoring import specs
from pytest_evals.suite import read_suite

SUITE = "target: echo\ncases:\n  - id: a\n    input: x\n    criteria:\n      - json_schema: {}\n"


def read(folder, schema, **files):
    for name, text in files.items():
        path = folder / name.replace("__", "/").replace("_", ".")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    path = folder / "s.eval.yaml"
    path.write_text(SUITE.format(schema), encoding="utf-8")
    [case] = read_suite(path, specs=specs(), shown="evals/s.eval.yaml").cases
    return case


def problems(folder, schema, **files):
    with pytest.raises(SuiteError) as raised:
        read(folder, schema, **files)
    return [str(problem) for problem in raised.value.problems]


def test_a_schema_stands_in_the_criterion_or_in_a_file_beside_the_suite(tmp_path):
    text = '{"type": "object", "required": ["id"]}'
    inline = read(tmp_path, "{schema: {type: object, required: [id]}}")
    for name in ("schemas/order.json", "schemas/order.yaml", "./schemas/../schemas/order.json"):
        for form in (name, f"{{schema: {name}}}", f"{{schema: '{name}', extract: false}}"):
            case = read(tmp_path, form, schemas__order_json=text, schemas__order_yaml=text)
            assert case.criteria[0].options["schema"] == {"type": "object", "required": ["id"]}
    assert case.criteria[0].options["schema"] == inline.criteria[0].options["schema"]


def test_a_change_of_the_file_changes_the_definition_of_the_case(tmp_path):
    before = read(tmp_path, "order.json", order_json='{"type": "object"}').definition_sha256()
    assert read(tmp_path, "order.json", order_json='{"type":\n"object"}').definition_sha256() == before
    assert read(tmp_path, "order.json", order_json='{"type": "array"}').definition_sha256() != before


def test_a_schema_that_is_true_is_no_file(tmp_path):
    assert read(tmp_path, "{schema: true}").criteria[0].options["schema"] is True


@pytest.mark.parametrize(
    ("form", "text", "says"),
    [
        ("gone.json", "{}", "evals/s.eval.yaml:6:9: json_schema: there is no file "),
        ("order.json", "{", "evals/order.json:1:2: this is not JSON: "),
        ("order.json", '{"a": 1, "a": 2}', "evals/order.json:1:10: duplicate key 'a', which is also in line 1"),
        ("order.json", " ", "evals/order.json:1:1: the file is empty"),
        ("order.json", '{"type": "objekt"}', "evals/s.eval.yaml:6:9: json_schema: the schema is wrong at $.type"),
        ("order.json", "version https://git-lfs.github.com/spec/v1", "schema: this is a Git LFS pointer"),
        ("''", "{}", "schema is blank; give a mapping, or the name of a file"),
        ("{schema: ~}", "{}", "schema is blank; give a mapping, or the name of a file"),
        ("{schema: ''}", "{}", "schema is blank"),
    ],
)
def test_a_file_that_cannot_be_read_is_a_mistake_with_its_place(tmp_path, form, text, says):
    [message] = problems(tmp_path, form, order_json=text)
    assert says in message
    assert "\n" not in message
