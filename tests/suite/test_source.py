"""Files as they come: encodings, line ends, pointers, files that are not there."""

from __future__ import annotations

import codecs
import os
import subprocess
import sys
from pathlib import Path

import pytest

from pytest_evals.errors import SuiteError
from pytest_evals.suite import read_responses
from pytest_evals.suite.source import Source, load

from .conftest import SPECS, only

TEXT = """\
target: echo
cases:
  - id: größe
    input: "Größe – “quoted” 東京 😀"
    context: |
      one
      two
    expected_output: 東京
    criteria: [contains]
"""


@pytest.mark.parametrize("bom", [b"", codecs.BOM_UTF8], ids=["plain", "bom"])
@pytest.mark.parametrize("ends", ["\n", "\r\n", "\r"], ids=["lf", "crlf", "cr"])
def test_Y05_marks_and_line_ends_make_no_difference(read, bom, ends):
    plain = read(TEXT).cases[0]
    case = read(bom + TEXT.replace("\n", ends).encode()).cases[0]
    assert case == plain
    assert case.input == "Größe – “quoted” 東京 😀"
    assert case.context == "one\ntwo\n"
    assert (case.place.line, case.place.column) == (3, 5)


@pytest.mark.parametrize("name", ["a.eval.yaml", "a.eval.json"])
def test_Y05_problems_of_a_file_with_a_mark_have_the_right_place(read, name):
    text = '{"targt": "echo",\r\n "cases": [{"input": "ü", "x": 1, "criteria": ["own"]}], "target": "echo"}\r\n'
    places = [problem.partition(": ")[0] for problem in read.wrong(codecs.BOM_UTF8 + text.encode(), name)]
    assert places == ["1:2", "2:27"]


READ = """
import pathlib, sys
from pytest_evals.suite import read_responses, read_suite
suite = read_suite(pathlib.Path(sys.argv[1]), specs={})
answers = read_responses(suite.target.base / suite.target.value)
print(ascii(suite.cases[0].id), ascii(answers[suite.cases[0].id].output))
"""


@pytest.mark.parametrize("locale", ["C", "POSIX"])
@pytest.mark.parametrize(
    ("name", "answers"),
    [("a.csv", "id,output\r\nü,東京\r\n"), ("a.jsonl", '{"id": "ü", "output": "東京"}\n'), ("a.json", '{"ü": "東京"}')],
)
def test_Y05_files_are_utf_8_in_every_locale(tmp_path, locale, name, answers):
    suite = f"target: {{responses: {name}}}\ncases: [{{id: ü, expected_output: 東京, criteria: [own]}}]\n"
    (tmp_path / name).write_bytes(codecs.BOM_UTF8 + answers.encode())
    (tmp_path / "a.eval.yaml").write_bytes(codecs.BOM_UTF8 + suite.encode())
    environment = {**os.environ, "LC_ALL": locale, "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    command = [sys.executable, "-c", READ, str(tmp_path / "a.eval.yaml")]
    ran = subprocess.run(command, env=environment, capture_output=True, text=True, check=False, timeout=60)
    assert ran.stdout.split() == ["'\\xfc'", "'\\u6771\\u4eac'"], ran.stderr


def test_Y05_bytes_that_are_no_utf_8_are_named_with_their_place(read):
    data = b"target: echo\ncases:\n  - input: caf" + b"\xe9\n"
    assert only(read.wrong(data)) == "3:15: byte 0xE9 at offset 34 is not UTF-8; save the file as UTF-8"
    assert only(read.wrong(codecs.BOM_UTF8 + data)).startswith("3:15: byte 0xE9 at offset 37")


@pytest.mark.parametrize(
    "data",
    [b"\xff", b"\xc3", b"\xed\xa0\x80", b"\xf5\x80\x80\x80", b"\xc0\x80", b"a: \x80\n", "a: ö".encode("latin-1")],
)
def test_Y05_no_other_encoding_is_guessed(read, data):
    assert "is not UTF-8; save the file as UTF-8" in only(read.wrong(data))


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-32"])
def test_Y05_utf_16_and_32_are_named(read, encoding):
    data = TEXT.encode(encoding)
    if encoding == "utf-16-le":
        data = codecs.BOM_UTF16_LE + data
    if encoding == "utf-16-be":
        data = codecs.BOM_UTF16_BE + data
    assert only(read.wrong(data)) == f"1:1: the file is UTF-{encoding[4:6]}; save it as UTF-8"


LFS = f"version https://git-lfs.github.com/spec/v1\noid sha256:{'0' * 64}\nsize 1503\n"


@pytest.mark.parametrize("name", ["a.eval.yaml", "a.eval.json"])
def test_a_pointer_of_git_lfs_is_named_as_such(read, name):
    assert only(read.wrong(LFS, name)) == "1:1: this is a Git LFS pointer, not the file itself; run `git lfs pull`"


@pytest.mark.parametrize("name", ["a.json", "a.jsonl", "a.csv"])
def test_answers_that_are_a_pointer_of_git_lfs_are_named_as_such(tmp_path, name):
    (tmp_path / name).write_text(LFS)
    with pytest.raises(SuiteError, match="Git LFS pointer"):
        read_responses(tmp_path / name)


def test_a_file_that_is_not_there_is_named_in_full(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SuiteError) as raised:
        load(Path("gone.eval.yaml"), "gone.eval.yaml")
    assert str(raised.value) == f"gone.eval.yaml:1:1: there is no file {tmp_path / 'gone.eval.yaml'}"


def test_a_folder_is_no_file(tmp_path):
    with pytest.raises(SuiteError, match="the file cannot be read: Is a directory"):
        load(tmp_path, "folder")


def test_a_path_with_a_line_break_keeps_messages_on_one_line(tmp_path):
    source = Source(tmp_path, "a\nb.eval.yaml", "x")
    assert str(source.place(0)) == "a\\nb.eval.yaml:1:1"


@pytest.mark.parametrize("ends", ["\n", "\r\n", "\r"])
def test_places_count_lines_as_editors_do(ends):
    text = "one\x0b\x0c\x1c\u2028still one" + ends + "two" + ends + ends + "four"
    source = Source(Path("a"), "a", text)
    assert [str(source.place(text.index(word))) for word in ("one", "still", "two", "four")] == [
        "a:1:1",
        "a:1:8",
        "a:2:1",
        "a:4:1",
    ]
    assert source.line_at(text.index("wo")) == "two"
    assert source.line_at(len(text)) == "four"
    assert str(source.place(len(text))) == "a:4:5"


def test_the_specs_of_these_tests_are_named_as_their_keys():
    assert all(name == spec.name for name, spec in SPECS.items())
