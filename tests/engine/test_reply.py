"""The answer in what a server or a program wrote."""

from __future__ import annotations

import pytest

from pytest_evals.engine.reply import answer_in, decoded
from pytest_evals.errors import TargetError
from pytest_evals.model.fieldpath import read_path


@pytest.mark.parametrize(
    ("text", "path", "is_json", "answer"),
    [
        ('{"a": 1}', None, False, '{"a": 1}'),
        ('{"a": 1}', None, True, {"a": 1}),
        ('{"a": [1, "x"]}', "a.1", False, "x"),
        ('"text"', "$", False, "text"),
        (" 3 ", "$", False, 3),
        ("null", None, True, None),
    ],
)
def test_the_answer_is_the_text_or_a_value_in_it(text, path, is_json, answer):
    assert answer_in(text, read_path(path) if path else None, is_json=is_json) == answer


@pytest.mark.parametrize(
    ("text", "path", "said"),
    [
        ("", "a", "the reply is empty, not JSON"),
        ("{'a': 1}", "a", "the reply is not JSON: {'a': 1}"),
        ('{"a": 1}{', "a", "the reply is not JSON"),
        ("null", "$", "the answer at '$' is null"),
        ('{"a": {}}', "a.b", "no answer at 'a.b': there is no 'b' at 'a', which is an empty mapping"),
    ],
)
def test_what_holds_no_answer_says_why(text, path, said):
    with pytest.raises(TargetError) as raised:
        answer_in(text, read_path(path))
    assert str(raised.value).startswith(said)


def test_a_large_reply_is_not_kept_whole_beside_the_error():
    with pytest.raises(TargetError) as raised:
        answer_in('{"b": "' + "x" * 100_000 + '"}', read_path("a"))
    assert len(raised.value.detail) == 2000


@pytest.mark.parametrize(
    ("content", "content_type", "text"),
    [
        ("é☃".encode(), "", "é☃"),
        (b"\xe9", "text/plain; charset=ISO-8859-1", "é"),
        (b"\xe9", 'text/plain; charset="latin-1"', "é"),
        (b"\xe9", "text/plain; charset=utf-8", "\ufffd"),
        (b"\xe9", "text/plain; charset=none-such", "\ufffd"),
        (b"", "text/plain; charset=", ""),
    ],
)
def test_bytes_are_utf_8_unless_they_say_otherwise(content, content_type, text):
    assert decoded(content, content_type) == text
