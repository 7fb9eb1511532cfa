"""Hostile texts through every format: shown, never acted on, and no format breaks."""

from __future__ import annotations

import csv
import io
import json
import re

import pytest
from factories import criterion, result, session
from hostile import PARTS, full, strings

from pytest_evals.model.csvguard import unguard
from pytest_evals.report.brief import write_brief
from pytest_evals.report.csv import write_csv
from pytest_evals.report.csv_summary import write_csv_summary
from pytest_evals.report.github import commands, write_github
from pytest_evals.report.json import write_json
from pytest_evals.report.jsonl import write_jsonl
from pytest_evals.report.junit import junit_properties
from pytest_evals.report.markdown import fenced, inline, row
from pytest_evals.report.pull_request import MOST_BYTES, markdown, write_markdown
from pytest_evals.report.registry import formats
from pytest_evals.report.rows import row_of
from pytest_evals.report.text import escape

TEXTS = strings(2000)
CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufffe\uffff]")


@pytest.fixture(scope="module")
def everything():
    return full(TEXTS)


def written(write, tmp_path, everything) -> bytes:
    write(tmp_path / "report", *everything)
    return (tmp_path / "report").read_bytes()


def test_there_are_two_thousand_different_texts():
    assert len(set(TEXTS)) > 1900
    assert set(PARTS) <= set(TEXTS)


def test_json_parses_and_holds_every_text(tmp_path, everything):
    cases = json.loads(written(write_json, tmp_path, everything).decode("utf-8"))["cases"]
    assert len(cases) == 2000
    for text, case in zip(TEXTS, cases, strict=True):
        shown = re.sub("[\ud800-\udfff]", lambda found: f"\\u{ord(found[0]):04x}", text)
        assert case["input"] == case["expected_output"] == shown
        assert case["metadata"] == {shown: shown}


def test_every_line_of_json_lines_parses(tmp_path, everything):
    first, *cases = written(write_jsonl, tmp_path, everything).decode("utf-8").removesuffix("\n").split("\n")
    assert json.loads(first)["type"] == "session"
    assert [json.loads(line)["type"] for line in cases] == ["case"] * 2000


def test_csv_parses_and_gives_back_every_text_that_is_no_control_character(tmp_path, everything):
    content = written(write_csv, tmp_path, everything).decode("utf-8")
    assert not CONTROL.search(content.replace("\ufffe", "").replace("\uffff", ""))
    head, *rows = csv.reader(io.StringIO(content, newline=""), strict=True)
    assert {len(cells) for cells in rows} == {len(head)}
    found = [dict(zip(head, cells, strict=True)) for cells in rows][:2000]
    for text, cells in zip(TEXTS, found, strict=True):
        if not CONTROL.search(text):
            assert unguard(cells["input"]) == unguard(cells["expected_output"]) == text
    for cells in rows:
        for cell in cells:
            assert not re.match(r"[\s\u200b\ufeff]*[=+\-@]", cell), cell


def test_the_csv_of_figures_parses(tmp_path, everything):
    content = written(write_csv_summary, tmp_path, everything).decode("utf-8")
    assert len({len(cells) for cells in csv.reader(io.StringIO(content, newline=""), strict=True)}) == 1


def test_commands_for_the_runner_are_one_line_each(tmp_path, everything):
    found = commands(everything[0])
    assert len(found) > 20
    for line in found:
        assert re.match(r"::(error|warning|notice)( [^:]*)?::[^\r\n]*$", line), line
        assert not CONTROL.search(line)
    written(write_github, tmp_path, everything)


def test_properties_of_junit_are_fit_for_xml(everything):
    for one in everything[1]:
        for name, value in junit_properties(one):
            assert not CONTROL.search(name + value)


ALLOWED = re.compile(r"</?details>|</?sub>|</?summary>|\s+|[^<>]+")


def tokens(text: str) -> list:
    """As GitHub reads it: CommonMark with tables, and HTML."""
    markdown_it = pytest.importorskip("markdown_it", reason="the docs extra is not installed")
    found = []
    for token in markdown_it.MarkdownIt("commonmark", {"html": True}).enable(["table"]).parse(text):
        found += [token, *(token.children or ())]
    return found


def shown_in_tables(text: str) -> list[list[str]]:
    rows: list[list[str]] = []
    for token in tokens(text):
        if token.type == "tr_open":
            rows.append([])
        elif token.type == "inline" and rows and token.level > 3:
            rows[-1].append("".join(child.content for child in token.children or ()))
    return rows


def test_every_text_stays_in_its_cell():
    lines = [row("a", "b", "c"), row("---", "---", "---"), *(row("x", inline(text, 500), "y") for text in TEXTS)]
    _, *rows = shown_in_tables("\n".join(lines))
    assert [(cells[0], cells[2]) for cells in rows] == [("x", "y")] * 2000
    for text, (_, cell, _) in zip(TEXTS, rows, strict=True):
        assert cell == re.sub(r"\s+", " ", inline_shown(text))


def inline_shown(text: str) -> str:
    folded = " ".join(text.split())
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in folded)


def test_every_text_stays_in_its_fence():
    lines = [line for text in TEXTS for line in (*fenced(text), "")]
    found = [token.content.removesuffix("\n") for token in tokens("\n".join(lines)) if token.type == "fence"]
    # a reader of Markdown takes a carriage return for the end of a line
    assert len(found) == 2000
    for text, shown in zip(TEXTS, found, strict=True):
        assert shown.rstrip("\n") == escape(text).rstrip("\n")


@pytest.mark.parametrize("write", [write_markdown, write_brief])
def test_markdown_holds_no_markup_but_its_own(tmp_path, everything, write):
    text = written(write, tmp_path, everything).decode("utf-8")
    assert not CONTROL.search(text)
    found = tokens(text)
    assert not {"link_open", "image", "em_open", "hr"} & {token.type for token in found}
    html = [token.content for token in found if token.type in {"html_block", "html_inline"}]
    for content in html:
        assert "".join(ALLOWED.findall(content)) == content
    assert "".join(html).count("<details>") == "".join(html).count("</details>")


def test_markdown_is_cut_and_says_what_it_left_out(everything):
    text = markdown(*everything)
    assert MOST_BYTES * 0.5 < len(text.encode("utf-8")) <= MOST_BYTES
    assert "and 950 more broken cases" in text


@pytest.mark.parametrize("name", sorted(formats()))
def test_an_answer_of_5_mb_is_no_trouble(tmp_path, name):
    text = "<b>|`" * 1_000_000
    one = result("failed", "long", output=text, criteria=(criterion(reason=text),), score=0.0)
    formats()[name].write(tmp_path / "report", session([row_of(one)]), [one])
    size = (tmp_path / "report").stat().st_size
    if name in {"markdown", "github", "brief"}:
        assert size <= MOST_BYTES
