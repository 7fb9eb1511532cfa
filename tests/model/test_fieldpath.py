"""Paths to a value inside a JSON value."""

from __future__ import annotations

import pytest

from pytest_evals.model.fieldpath import read_path

REPLY = {
    "answer": "yes",
    "choices": [{"message": {"content": "first"}}, {"message": {"content": "last"}}],
    "a.b": {"c d": 1},
    "7": "seven",
    "0": None,
    "": "blank",
}


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("answer", "yes"),
        ("$.answer", "yes"),
        (" $.answer ", "yes"),
        (".answer", "yes"),
        ("$", REPLY),
        ("choices.0.message.content", "first"),
        ("choices[0].message.content", "first"),
        ("$.choices[-1].message.content", "last"),
        ("choices.-1.message.content", "last"),
        ('$["a.b"]["c d"]', 1),
        ("$['a.b']['c d']", 1),
        ("7", "seven"),
        ("$[7]", "seven"),
        ("0", None),
    ],
)
def test_a_path_finds_a_value(path, value):
    assert read_path(path).find(REPLY) == value


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("a", "there is no 'a', which is a mapping of 'answer', 'choices', 'a.b', '7', '0', ''"),
        ("choices.0.mesage", "there is no 'mesage' at 'choices.0', which is a mapping of 'message'; did you mean "),
        ("choices.2", "there is no '2' at 'choices', which is a list of 2"),
        ("choices.-3", "there is no '-3' at 'choices', which is a list of 2"),
        ("choices.first", "there is no 'first' at 'choices', which is a list of 2"),
        ("choices.0.text", "there is no 'text' at 'choices.0', which is a mapping of 'message'"),
        ("answer.text", "there is no 'text' at 'answer', which is str 'yes'"),
        ("answer.0", "there is no '0' at 'answer', which is str 'yes'"),
        ("0.x", "there is no 'x' at '0', which is null"),
    ],
)  # fmt: skip
def test_what_is_not_there_is_said_with_what_is(path, said):
    with pytest.raises(LookupError) as raised:
        read_path(path).find(REPLY)
    assert raised.value.args[0].startswith(said)


def test_the_keys_of_a_large_mapping_are_not_all_named():
    with pytest.raises(LookupError) as raised:
        read_path("x").find({f"key{n}": n for n in range(100)})
    assert "'key7' …" in raised.value.args[0]


@pytest.mark.parametrize("value", [[], {}, "", None, 3])
def test_a_value_that_is_no_place_to_look_in(value):
    with pytest.raises(LookupError, match="there is no 'x', which is "):
        read_path("x").find(value)


@pytest.mark.parametrize("text", ["", " ", "a..b", "a.", "a[", "a[b]", "a[0", "a]", "$a", "$..a", "[0", "'a'", "a[]"])
def test_what_is_no_path(text):
    with pytest.raises(ValueError, match="is no path; write"):
        read_path(text)
