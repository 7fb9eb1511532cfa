"""Figures as text."""

from __future__ import annotations

import pytest
from factories import row, rows
from hypothesis import given
from hypothesis import strategies as st

from pytest_evals.model.gate_grammar import parse_gate
from pytest_evals.report.format import (
    comparison,
    count,
    counted,
    duration,
    margin,
    observed,
    percent,
    score,
    short_score,
    usd,
)
from pytest_evals.stats.decide import decide


@pytest.mark.parametrize("shown", [percent, score, duration, usd, count])
def test_unknown_is_a_dash(shown):
    assert shown(None) == "–"


@pytest.mark.parametrize("shown", [percent, score, short_score, duration, usd, count])
def test_a08_zero_is_shown_as_zero(shown):
    assert "0" in shown(0)
    assert shown(0) == shown(0.0)
    assert "–" not in shown(0)


@pytest.mark.parametrize(
    ("share", "text"),
    [
        (1, "100%"),
        (0.99999, "99.9%"),
        (9999 / 10_000, "99.9%"),
        (0.975, "97.5%"),
        (0.5, "50.0%"),
        (1e-9, "0.1%"),
        (0, "0%"),
    ],
)
def test_a_share_is_never_rounded_to_all_or_nothing(share, text):
    assert percent(share) == text


@given(st.floats(0, 1))
def test_only_exact_shares_and_scores_show_as_all_or_nothing(value):
    assert (percent(value) == "100%") == (value == 1)
    assert (percent(value) == "0%") == (value == 0)
    assert (float(score(value)) == 1) == (value == 1)
    assert (float(score(value, 3)) == 0) == (value == 0)


@pytest.mark.parametrize(
    ("value", "mark", "text"),
    [
        (0.47, 0.7, "0.47 < 0.70"),
        (0.0, 1.0, "0 < 1"),
        (0.5, 1.0, "0.50 < 1"),
        (0.699, 0.7, "0.699 < 0.700"),
        (0.6999996, 0.7, "0.6999996 < 0.7000000"),
        (0.0, 0.7, "0 < 0.70"),
    ],
)
def test_a_missed_mark_never_looks_reached(value, mark, text):
    assert comparison(value, "<", mark) == text


@pytest.mark.parametrize(
    ("ms", "text"),
    [
        (0, "0 ms"),
        (0.001, "0.1 ms"),
        (0.44, "0.4 ms"),
        (9.96, "10 ms"),
        (340.4, "340 ms"),
        (999.4, "999 ms"),
        (999.6, "1.00 s"),
        (1234, "1.23 s"),
        (9996, "10.0 s"),
        (59_949, "59.9 s"),
        (59_951, "1 min 0 s"),
        (125_000, "2 min 5 s"),
        (3_599_900, "1 h 0 min"),
        (-1500, "-1.50 s"),
    ],
)
def test_times_have_the_unit_a_person_would_choose(ms, text):
    assert duration(ms) == text


@pytest.mark.parametrize(
    ("cost", "text"),
    [
        (1234.5, "$1,234.50"),
        (0.125, "$0.12"),
        (0.00034, "$0.00034"),
        (0.0099, "$0.0099"),
        (1e-9, "<$0.000001"),
        (0.0, "$0"),
        (-2.0, "-$2.00"),
    ],
)
def test_costs_are_dollars_with_as_many_digits_as_matter(cost, text):
    assert usd(cost) == text


def test_counts_have_their_thousands_apart():
    assert count(1_234_567) == "1,234,567"
    assert counted(1, "case") == "1 case"
    assert counted(10_000, "case") == "10,000 cases"
    assert counted(2, "criterion", "criteria") == "2 criteria"


@pytest.mark.parametrize(
    ("text", "all_rows", "seen", "words"),
    [
        ("pass_rate >= 50%", rows(passed=3, failed=1), "75.0%", "25.0 pp to spare"),
        ("pass_rate >= 95%", rows(passed=3, failed=1), "75.0%", "20.0 pp too little"),
        ("pass_rate >= 75%", rows(passed=3, failed=1), "75.0%", "nothing to spare"),
        ("pass_rate > 75%", rows(passed=3, failed=1), "75.0%", "on the bound"),
        ("pass_rate == 75%", rows(passed=3, failed=1), "75.0%", "exactly"),
        ("pass_rate == 70%", rows(passed=3, failed=1), "75.0%", "5.0 pp off"),
        ("pass_rate >= 95%", rows(passed=9499, failed=501), "94.99%", "0.01 pp too little"),
        ("score.mean >= 0.7", [row(score=0.69996)], "0.69996", "0.00004 too little"),
        ("score.mean <= 0.5", [row(score=0.7)], "0.700", "0.200 too much"),
        ("latency.p95 <= 2s", [row(latencies_ms=(2001.0,))], "2,001 ms", "1.0 ms too much"),
        ("latency.p95 <= 2s", [row(latencies_ms=(1800.0,))], "1.80 s", "200 ms to spare"),
        ("errors <= 1", rows(errored=3, passed=1), "3", "2 too many"),
        ("errors >= 3", rows(errored=1, passed=1), "1", "2 too few"),
        ("errors <= 10%", rows(errored=1, passed=3), "25.0%", "15.0 pp too much"),
        ("score.mean >= 0.5", [], "–", ""),
    ],
)
def test_a_gates_figures_show_on_which_side_of_the_bound_they_are(text, all_rows, seen, words):
    (verdict,) = decide([parse_gate(text)], all_rows)
    assert (observed(verdict), margin(verdict)) == (seen, words)
