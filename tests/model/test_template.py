"""Values with places for what a case gives."""

from __future__ import annotations

import pytest

from pytest_evals.model.template import NAMES, fill, fill_text, mistakes, places

GIVEN = {"input": "Why?", "context": {"lang": "de"}, "case.id": "c-1", "session_id": "s9"}


@pytest.mark.parametrize(
    ("template", "filled"),
    [
        ("{{ input }}", "Why?"),
        ("{{input}}", "Why?"),
        ("Q: {{ input }} ({{ case.id }}, {{ session_id }})", "Q: Why? (c-1, s9)"),
        ("{{ context }}", {"lang": "de"}),
        ("in {{ context }}", 'in {"lang": "de"}'),
        (" {{ context }}", ' {"lang": "de"}'),
        ({"q": ["{{ input }}", 3, None, True], "{{ input }}": {"deep": "{{ case.id }}!"}},
         {"q": ["Why?", 3, None, True], "{{ input }}": {"deep": "c-1!"}}),
        ("no places } } { {", "no places } } { {"),
    ],
)  # fmt: skip
def test_values_are_inserted(template, filled):
    assert fill(template, GIVEN) == filled


def test_what_is_inserted_is_not_looked_at_again():
    given = {**GIVEN, "input": "{{ context }} {{ session_id }}"}
    assert (
        fill("{{ input }}", given) == fill("{{ input }}!", given).removesuffix("!") == "{{ context }} {{ session_id }}"
    )


@pytest.mark.parametrize("value", [None, 0, False, [], [{"role": "user", "content": "é"}], {"a": 1.5}])
def test_a_place_alone_becomes_the_value_and_stands_as_json_inside_a_text(value):
    given = {**GIVEN, "input": value}
    assert fill("{{ input }}", given) == value
    text = fill("<{{ input }}>", given)
    assert text == "<>" if value is None else text.startswith("<") and "\\u" not in text


def test_text_can_be_shown_in_another_way():
    assert fill_text("?q={{ input }}", GIVEN, lambda value: value.upper()) == "?q=WHY?"


def test_a_template_is_left_as_it_was():
    template = {"q": ["{{ input }}"]}
    fill(template, GIVEN)
    assert template == {"q": ["{{ input }}"]}


def test_places_are_found_in_all_texts_of_a_value():
    assert list(places({"a": ["{{ input }}", {"b": "{{ context }}{{ case.id }}"}], "c": 1})) == [
        "input",
        "context",
        "case.id",
    ]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{{ imput }}", "there is no {{ imput }} to insert; did you mean 'input'?"),
        ("{{ case }}", "there is no {{ case }} to insert"),
        ("{{ case.metadata.x }}", "there is no {{ case.metadata.x }} to insert"),
        ("{{ input | upper }}", "a '{{' that is not understood"),
        ("{{ input", "a '{{' that is not understood"),
        ("{{}}", "a '{{' that is not understood"),
        ("{{ 'x' }}", "a '{{' that is not understood"),
    ],
)
def test_anything_else_in_braces_is_a_mistake(text, said):
    (message,) = mistakes(text)
    assert message.startswith(said)
    assert "did you mean" in message or all(f"{{{{ {name} }}}}" in message for name in NAMES)


@pytest.mark.parametrize("text", ["{{ input }}", "{ input }", "}}", "{% if %}", "${{ input }}"])
def test_what_is_no_mistake(text):
    assert list(mistakes(text)) == []
