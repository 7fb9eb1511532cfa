"""The Markdown report, and how a document is kept short."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from factories import criterion, result, row, session
from hypothesis import given
from hypothesis import strategies as st
from reportsessions import of, rated, small, variants

from pytest_evals.report.filling import Part, fill
from pytest_evals.report.pull_request import MOST_BYTES, markdown
from pytest_evals.stats import pair_variants


def headings(text):
    return re.findall(r"^#+ (.*)|^\*\*(.*)\*\*$|<summary>(.*?)</summary>", text, re.MULTILINE)


def test_verdict_gates_changes_and_variants_come_in_this_order():
    found = ["".join(parts) for parts in headings(markdown(*small()))]
    assert found[:8] == [
        "🔴 failed: 1 of 2 gates broken, 1 of 4 cases failed, 1 case errored",
        "Gates",
        "Since the baseline: no change shown",
        "broken: 2 cases that passed before and do not any more",
        "The figures before and after",
        "worse: 1 case that scores lower, with the same verdict",
        "new: 1 case that is new",
        "Results",
    ]


def test_variants_stand_against_criteria_with_cost_and_latency():
    text = markdown(*variants())
    assert "|  | cases | pass rate | score | contains | tone | p50 | p95 | cost |" in text
    assert "| small | 3 | 100% | 1.000 | 1.000 | 0.900 | – | – | – |" in text


def test_pairs_of_variants_stand_case_by_case():
    made, results = variants()
    text = markdown(replace(made, pairs=pair_variants(made.rows)), results)
    assert "| small → large | 3 | 0 | 1 | -33.3 pp | 1 |" in text


def test_ratings_have_grades():
    text = markdown(*rated())
    assert "### Grades" in text
    assert re.search(r"\| small \|.*\| \*\*\d+\.\d\*\* \| fair \(mostly good\) \|", text)


def test_cases_that_did_not_pass_come_with_their_texts():
    text = markdown(*small())
    assert "| bot::refund-window | failed | score 0.20 &#60; 0.70; contains 0: '30 days' is missing |" in text
    assert "<details><summary>bot::refund-window</summary>\n\n```sh\npytest evals/bot.eval.yaml::refund-window" in text


def test_an_interrupted_session_says_so_first():
    text = markdown(*of([result("passed", "a")], stopped="interrupted", exit_status=2, not_run=["x::b", "x::c"]))
    assert text.startswith("## 🟡 incomplete: ")
    assert "**Interrupted: interrupted.**" in text
    assert "<summary>2 cases never ran</summary>" in text


def test_why_there_is_no_baseline_is_said():
    assert "there is no run yet" in markdown(*of([result("passed")], no_baseline="there is no run yet"))


def test_nothing_at_all_is_a_report_too():
    assert markdown(session([]), []).startswith("## ⚪ unknown: no case ran")


O05 = ["a | b", "two\nlines", "ends with \\", "already \\|", "`code | x`", "<details>", "\r", ""]


@pytest.mark.parametrize("text", O05)
def test_o05_every_row_keeps_its_columns(text):
    one = result("failed", text or "x", score=0.0, criteria=(criterion(text or "c", reason=text),))
    lines = markdown(*of([one])).splitlines()
    for table in re.findall(r"(?:^\|.*\n)+", "\n".join(lines) + "\n", re.MULTILINE):
        assert len({len(re.findall(r"(?<!\\)\|", line)) for line in table.splitlines()}) == 1


def test_many_cases_are_cut_and_counted():
    rows = [row("failed", f"case-{n}", headline="because " * 12, score=0.1) for n in range(10_000)]
    text = markdown(session(rows, exit_status=1), [])
    assert len(text.encode()) < MOST_BYTES
    assert "and 9,950 more cases that did not pass" in text


# -- filling --------------------------------------------------------------------------------------------------------

NOUN = ("row", "rows")


def test_what_matters_most_gets_its_place_first_and_the_order_stays():
    parts = [
        Part(["# late"], [f"l{n}" + "x" * 90 for n in range(50)], noun=NOUN, relevance=2),
        Part(["# first"], [f"f{n}" + "x" * 90 for n in range(9)], noun=("thing", "things"), relevance=1),
    ]
    text = fill(parts, 2500)
    assert text.index("# late") < text.index("# first")
    assert "f8x" in text
    assert "more thing" not in text
    assert re.search(r"and \d+ more rows", text)


def test_what_has_no_room_at_all_is_counted_at_the_end():
    text = fill([Part(["a" * 300]), Part(["b" * 3000], ["x"] * 7, noun=NOUN, relevance=5)], 1200)
    assert text.endswith("Left out, for there is no room: 7 rows.\n")


@given(
    st.lists(
        st.tuples(st.integers(0, 2000), st.lists(st.integers(0, 300), max_size=30), st.integers(0, 5)), max_size=8
    ),
    st.integers(1500, 8000),
)
def test_it_is_never_longer_than_it_may_be_and_no_row_is_lost(shapes, most):
    parts = [Part(["é" * head], ["x" * n for n in rows], noun=NOUN, relevance=rank) for head, rows, rank in shapes]
    text = fill(parts, most)
    assert len(text.encode("utf-8")) <= most
    left = sum(int(n) for n in re.findall(r"(?:and|room:) (\d+) (?:more )?rows?", text))
    shown = sum(0 if part.dropped else part.shown for part in parts)
    assert shown + left == sum(len(part.rows) for part in parts)
