"""Which format a report is written in, and what happens when it cannot be."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from factories import result, row, session

from pytest_evals.errors import UsageError
from pytest_evals.report import parse_report_option, write_report
from pytest_evals.report.registry import formats


@pytest.mark.parametrize(
    ("text", "parsed"),
    [
        ("json:out.json", ("json", "out.json")),
        ("json:out.txt", ("json", "out.txt")),
        ("json:/tmp/a:b.txt", ("json", "/tmp/a:b.txt")),
        ("out.json", ("json", "out.json")),
        ("a b/OUT.JSON", ("json", "a b/OUT.JSON")),
        ("./a:b.json", ("json", "./a:b.json")),
        ("out.brief.md", ("brief", "out.brief.md")),
        ("out.md", ("markdown", "out.md")),
        ("out.summary.csv", ("csv-summary", "out.summary.csv")),
        ("out.csv", ("csv", "out.csv")),
        ("C:\\reports\\out.json", ("json", "C:\\reports\\out.json")),
        ("json:C:\\out", ("json", "C:\\out")),
    ],
)
def test_the_format_is_named_or_told_by_the_suffix(text, parsed):
    assert parse_report_option(text) == parsed


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("jsno:out.json", "unknown report format 'jsno'; the formats are brief (.brief.md), csv (.csv), "),
        ("pdf:out.pdf", "unknown report format 'pdf'"),
        ("out.docx", "FORMAT:PATH with one of brief (.brief.md), csv (.csv), "),
        ("out", "its suffix is not one of a format"),
        ("", "its suffix is not one of a format"),
        ("json:", "has no path; write json:PATH"),
        ("json:  ", "has no path"),
    ],
)
def test_a_report_that_cannot_be_meant_lists_the_formats(text, says):
    with pytest.raises(UsageError) as caught:
        parse_report_option(text)
    assert says in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_name_that_is_nearly_right_is_suggested():
    with pytest.raises(UsageError, match="; did you mean 'json'"):
        parse_report_option("jsno:out.json")


def test_every_format_has_its_own_name_and_suffixes():
    suffixes = [suffix for made in formats().values() for suffix in made.suffixes]
    assert len(suffixes) == len(set(suffixes))
    assert all(suffix.startswith(".") for suffix in suffixes)
    assert all(name == made.name for name, made in formats().items())


def of():
    return session([row("passed", "a")]), [result("passed", "a")]


def test_a_written_report_is_named_in_one_line(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert write_report("json", tmp_path / "deep" / "er" / "r.json", *of()) == "json report: deep/er/r.json"
    assert json.loads((tmp_path / "deep/er/r.json").read_text())["format"] == 1
    assert write_report("json", "plain.json", *of()) == "json report: plain.json"


@pytest.mark.parametrize("name", ["folder", "file/r.json", "null\0.json", "x" * 300])
def test_a_path_that_cannot_be_written_is_one_line_and_leaves_nothing(tmp_path, name):
    (tmp_path / "folder").mkdir()
    (tmp_path / "file").write_text("here before")
    line = write_report("json", str(tmp_path / name), *of())
    assert line.startswith("json report: cannot write ")
    assert "\n" not in line
    assert "\0" not in line
    assert sorted(p.name for p in tmp_path.rglob("*")) == ["file", "folder"]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_full_disk_is_one_line():
    assert write_report("json", "/dev/full", *of()).startswith("json report: cannot write /dev/full: ")


def test_a_link_is_followed_not_replaced(tmp_path):
    (tmp_path / "real.json").write_text("old")
    (tmp_path / "link.json").symlink_to("real.json")
    write_report("json", tmp_path / "link.json", *of())
    assert (tmp_path / "link.json").is_symlink()
    assert json.loads((tmp_path / "real.json").read_text())["format"] == 1


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_a_pipe_is_written_to(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    code = f"import json; print(json.load(open({str(pipe)!r}))['format'])"
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True) as reader:
        line = write_report("json", pipe, *of())
        assert reader.communicate(timeout=30)[0] == "1\n"
    assert line.startswith("json report: ")
    assert not line.startswith("json report: cannot")


def test_a_new_file_has_the_usual_permissions(tmp_path):
    (tmp_path / "usual").touch()
    write_report("json", tmp_path / "r.json", *of())
    assert (tmp_path / "r.json").stat().st_mode == (tmp_path / "usual").stat().st_mode
