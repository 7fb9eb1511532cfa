"""The CSV reports, and our own reader of data sets on them."""

from __future__ import annotations

import csv
import io

import pytest
from factories import criterion, error, result, row, session
from reportsessions import of, small, variants

from pytest_evals.model.outcome import Outcome
from pytest_evals.model.result import Trial
from pytest_evals.model.run import SuiteCount
from pytest_evals.report.csv import write_csv
from pytest_evals.report.csv_summary import write_csv_summary
from pytest_evals.scoring import specs
from pytest_evals.suite import read_suite


def written(tmp_path, session, results, write=write_csv):
    write(tmp_path / "r.csv", session, results)
    return (tmp_path / "r.csv").read_bytes()


def read(content):
    return list(csv.DictReader(io.StringIO(content.decode("utf-8"), newline=""), strict=True))


def test_lines_end_as_rfc_4180_says_and_only_what_must_be_is_quoted(tmp_path):
    content = written(tmp_path, *of([result("passed", "a", output='so "it" is, yes\nor no')]))
    assert content.count(b"\r\n") == 2
    assert b'"so ""it"" is, yes\nor no"' in content
    assert not content.startswith(b"\xef\xbb\xbf")


def test_numbers_stay_numbers_and_texts_that_look_like_formulas_do_not(tmp_path):
    one = result("failed", "a", output="-5.5", latency_ms=12.5, score=0.0, criteria=(criterion(reason="=1+1"),))
    [cells] = read(written(tmp_path, *of([one])))
    assert (cells["output"], cells["reason contains"]) == ("'-5.5", "'=1+1")
    assert (cells["latency_ms"], cells["score"], cells["score contains"], cells["passed contains"]) == (
        "12.5",
        "0.0",
        "0.0",
        "false",
    )
    assert cells["cost_usd"] == ""


def test_a_row_for_each_case_in_the_order_of_the_files_the_last_word_counts(tmp_path):
    session_, results = small()
    again = result("passed", "slow", output="at last")
    rows = read(written(tmp_path, session_, [results[2], *reversed(results[:2]), again]))
    assert [(cells["id"], cells["outcome"]) for cells in rows] == [
        ("opening-hours", "passed"),
        ("refund-window", "failed"),
        ("slow", "passed"),
    ]


def test_cases_that_never_ran_are_there_too(tmp_path):
    made, results = of([result("passed", "a")], not_run=["evals/bot.eval.yaml::b"], stopped="interrupted")
    rows = read(written(tmp_path, made, results))
    assert [(cells["id"], cells["outcome"]) for cells in rows] == [("a", "passed"), ("b", "never ran")]


def test_several_trials_count_and_criteria_are_those_of_all(tmp_path):
    trials = tuple(
        Trial(Outcome(word), word, score, (criterion("contains", score),))
        for word, score in (("passed", 1.0), ("failed", 0.0), ("passed", 1.0))
    )
    one = result("passed", "a", trials=trials, planned_trials=3, pass_if="majority", score=2 / 3)
    [cells] = read(written(tmp_path, *of([one])))
    assert (cells["trials_passed"], cells["trials_asked"], cells["flaky"]) == ("2", "3", "true")
    assert float(cells["score contains"]) == pytest.approx(2 / 3)


def test_an_error_is_told_with_its_kind(tmp_path):
    [cells] = read(written(tmp_path, *of([result("errored", "a", error=error("timeout", "too late"))])))
    assert (cells["outcome"], cells["error_kind"], cells["score"]) == ("errored", "timeout", "")


TEXTS = ["=1+1", "'=1", "a, b", 'say "it"', "two\nlines", "two\r\nlines", "\t=1", "-", "日本語", "'tis", "x" * 200_000]


def test_the_reader_of_data_sets_gives_every_text_back(tmp_path):
    results = [
        result("failed", f"c{n}", input=text, expected_output=text, output=text, tags=("one", "two"), category=text)
        for n, text in enumerate(TEXTS)
    ]
    written(tmp_path, *of(results))
    suite = tmp_path / "again.eval.yaml"
    suite.write_text("target: echo\ncases:\n  - {file: r.csv, criteria: [exact_match]}\n")
    cases = read_suite(suite, specs=specs()).cases
    assert [case.id for case in cases] == [f"c{n}" for n in range(len(TEXTS))]
    for text, case in zip(TEXTS, cases, strict=True):
        assert (case.input, case.expected_output) == (text, text)
        assert case.tags == ("one", "two")


def test_other_files_keep_their_apostrophes(tmp_path):
    (tmp_path / "r.csv").write_text("id,input,expected_output\na,'=1,'-2\n")
    suite = tmp_path / "again.eval.yaml"
    suite.write_text("target: echo\ncases:\n  - {file: r.csv, criteria: [exact_match]}\n")
    [case] = read_suite(suite, specs=specs()).cases
    assert (case.input, case.expected_output) == ("'=1", "'-2")


# -- figures --------------------------------------------------------------------------------------------------------


def test_a_row_for_each_variant_and_each_suite_without_any(tmp_path):
    made, results = variants()
    count = SuiteCount("bot", "bot", 6, 6, ({"id": "small", "target": "model fake/s"}, {"id": "large"}))
    rows = [*made.rows, row("passed", "x", "billing")]
    found = read(written(tmp_path, session(rows, suites=[count]), results, write_csv_summary))
    assert [(cells["suite"], cells["variant"], cells["target"], cells["cases"]) for cells in found] == [
        ("bot", "small", "model fake/s", "3"),
        ("bot", "large", "", "3"),
        ("billing", "", "", "1"),
    ]


def test_figures_of_an_interrupted_session_say_so(tmp_path):
    made = session([row("passed", "a")], stopped="interrupted")
    [cells] = read(written(tmp_path, made, [], write_csv_summary))
    assert cells["stopped"] == "interrupted"
