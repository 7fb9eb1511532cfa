"""The file: what is in it, in which order, and how much of it."""

from __future__ import annotations

from dataclasses import replace

import pytest
from factories import criterion, result
from htmlfile import written
from reportsessions import many, of, small, variants

from pytest_evals.report import write_report
from pytest_evals.report.brief import case_text, rerun
from pytest_evals.report.html import document


def test_it_is_one_file_that_names_nothing_outside_itself(tmp_path):
    session, results = small()
    path = tmp_path / "deep" / "report.html"
    assert write_report("html", path, session, results) == f"html report: {path}"
    text = path.read_text("utf-8")
    assert "default-src 'none'" in text
    assert [text.count(part) for part in ("http://", "https://", "url(", "@import", "import(")] == [2, 0, 0, 0, 0]
    assert text.count("http://www.w3.org/2000/svg") == 2, "the name of SVG, which is not fetched"


def test_cases_stand_in_the_order_of_the_files_and_the_last_result_of_one_counts(tmp_path):
    session, results = small()
    again = replace(results[0], name="again")
    html = written(tmp_path, session, [*reversed(results), again])
    assert [entry["id"] for entry in html.entries] == ["opening-hours", "refund-window", "slow", "later", "voucher"]
    assert html.entries[0]["name"] == "again"


def test_a_case_has_its_brief_and_its_command(tmp_path):
    session, results = small()
    html = written(tmp_path, session, results)
    details = [html.detail(entry) for entry in html.entries]
    assert [rerun(one) for one in results] == [detail["command"] for detail in details]
    assert [bool(detail.get("brief")) for detail in details] == [False, True, True, False, False]
    change = next(case for case in session.comparison.cases if case.key == results[1].key)
    before = session.comparison.answers[results[1].key][0]
    assert details[1]["brief"] == case_text(results[1], change, before)


def test_every_case_is_found_in_its_block(tmp_path, monkeypatch):
    monkeypatch.setattr("pytest_evals.report.html.packing.BLOCK_BYTES", 5000)
    html = written(tmp_path, *many(60))
    assert len({entry["at"][0] for entry in html.entries}) > 5
    for number, entry in enumerate(html.entries):
        assert html.detail(entry)["trials"][0]["output"].startswith(f"the answer number {number} ")


@pytest.mark.parametrize(("together", "kept"), [(document.MOST_TOGETHER, 100_000), (70_000, 10_000), (10, 1000)])
def test_texts_are_cut_and_what_is_left_out_is_counted(tmp_path, monkeypatch, together, kept):
    monkeypatch.setattr(document, "MOST_TOGETHER", together)
    html = written(tmp_path, *of([result("failed", output="0123456789" * 50_000)]))
    text, left = html.detail(html.entries[0])["trials"][0]["output"]
    assert (len(text), left) == (kept, f"{500_000 - kept:,}")


def test_an_answer_is_told_from_others_by_its_whole_text(tmp_path):
    session, results = variants()
    long = [replace(one, trials=(replace(one.trials[0], output="x" * 500 + one.variant),)) for one in results]
    entries = written(tmp_path, session, long).entries
    assert len({entry["answer"]["begins"] for entry in entries}) == 1
    assert len({entry["answer"]["is"] for entry in entries}) == 2


def test_the_verdict_stands_in_the_title_and_an_interrupted_session_says_so(tmp_path):
    html = written(tmp_path, *of([result("passed")], stopped="KeyboardInterrupt", exit_status=2))
    assert html.title == "incomplete: bot"
    assert html.page["incomplete"] == "KeyboardInterrupt"


def test_a_session_without_cases_is_a_report_too(tmp_path):
    session, _ = of([], not_run=["evals/bot.eval.yaml::a"])
    html = written(tmp_path, session, [])
    assert (html.entries, html.page["charts"], html.page["not_run"]) == ([], [], ["evals/bot.eval.yaml::a"])


def test_no_text_becomes_an_element(tmp_path):
    plain = written(tmp_path, *of([result("failed", "a", criteria=(criterion("b"),))])).tags
    evil = "</script></title><img src=x onerror=alert(1)><!--"
    fields = {"category": evil, "tags": (evil,), "input": evil, "output": evil, "node_id": evil}
    hostile = of([result("failed", evil, evil, criteria=(criterion(evil, reason=evil),), **fields)], session_id=evil)
    html = written(tmp_path, *hostile)
    assert html.tags == plain
    assert html.entries[0]["id"] == evil
    assert html.detail(html.entries[0])["trials"][0]["output"] == evil


def test_a_file_that_cannot_be_written_is_a_line(tmp_path):
    (tmp_path / "file").write_text("")
    line = write_report("html", tmp_path / "file" / "report.html", *small())
    assert line.startswith("html report: cannot write ")
