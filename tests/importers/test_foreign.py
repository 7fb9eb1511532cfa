"""Other tools' files as plain values that know their lines."""

from __future__ import annotations

import pytest

from pytest_evals.errors import SuiteError, UsageError
from pytest_evals.importers.foreign import list_in, mapping_in, place_of, read_file


def test_values_know_their_lines(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.yaml").write_text("a:\n  - b: 1\n    c: no\n  - x\n")
    data = read_file(tmp_path / "a.yaml")
    assert data == {"a": [{"b": 1, "c": "no"}, "x"]}
    assert (place_of(data), place_of(data, "a"), place_of(data["a"][0], "c")) == ("a.yaml:1", "a.yaml:1", "a.yaml:3")
    assert (place_of(data["a"], 1), place_of(data["a"][0], "gone")) == ("a.yaml:4", "a.yaml:2")
    assert place_of({"a": 1}, "a") == ""


@pytest.mark.parametrize(
    ("name", "text", "value"),
    [
        ("a.json", '\ufeff{"a": [1, 2.5, true, null, "x"]}', {"a": [1, 2.5, True, None, "x"]}),
        ("a.jsonl", '{"a": 1}\r\n\r\n{"a": "\u2028"}\r\n', [{"a": 1}, {"a": "\u2028"}]),
        ("a.csv", 'a,b\n1,"x\ny"\n', [{"a": "1", "b": "x\ny"}]),
        ("a.tsv", "a\tb\n1\tx,y\n", [{"a": "1", "b": "x,y"}]),
        ("a.csv", "a;b\n1;x,y\n", [{"a": "1", "b": "x,y"}]),
        ("a.yaml", "a: .nan\nb: 2024-01-05\nc: 0x10\n", {"a": ".nan", "b": "2024-01-05", "c": 16}),
        ("a.yaml", "", None),
    ],
)
def test_formats(tmp_path, name, text, value):
    (tmp_path / name).write_text(text, encoding="utf-8", newline="")
    assert read_file(tmp_path / name, table=("a", "b")) == value


@pytest.mark.parametrize(
    ("name", "content", "told"),
    [
        ("a.json", b'{"a": 1, "a": 2}', "a.json:1:10: duplicate key 'a'"),
        ("a.json", b"{", "a.json:1:2: this is not JSON"),
        ("a.yaml", b"a: !!python/name:os.system x\n", "YAML tags are not read"),
        ("a.csv", b'a,b\n"x\n', "a.csv:2:1: a quote that opens in this row is never closed"),
        ("a.csv", "a\nä\n".encode("latin-1"), "is not UTF-8"),
        ("a.yaml", b"version https://git-lfs.github.com/spec/v1\noid x\n", "this is a Git LFS pointer"),
        ("a.toml", b"", "a.toml is none of the files that are read here"),
    ],
)
def test_what_cannot_be_read_is_told_with_its_place(tmp_path, monkeypatch, name, content, told):
    monkeypatch.chdir(tmp_path)
    (tmp_path / name).write_bytes(content)
    with pytest.raises(SuiteError) as caught:
        read_file(tmp_path / name)
    assert told in str(caught.value)


def test_other_shapes_than_wanted_are_refused(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.yaml").write_text("b:\na: x\n")
    data = read_file(tmp_path / "a.yaml")
    assert (mapping_in(data, "b"), list_in(data, "b"), list_in(data, "gone")) == ({}, [], [])
    with pytest.raises(UsageError, match=r"^a\.yaml:2: 'a' must be a list$"):
        list_in(data, "a")
    with pytest.raises(UsageError, match=r"^a\.yaml:2: 'a' must be a mapping$"):
        mapping_in(data, "a")
