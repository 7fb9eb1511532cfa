"""The overview as data: figures, tables and charts, in the words of all reports."""

from __future__ import annotations

from dataclasses import replace

import pytest
from factories import criterion, result, session
from reportsessions import of, rated, small, variants

from pytest_evals.model.run import TrendPoint
from pytest_evals.report.format import percent, score
from pytest_evals.report.html.page import page
from pytest_evals.report.html.tables import MOST_GROUPS, weakest_criterion
from pytest_evals.report.rows import row_of
from pytest_evals.stats import summarize


def texts(session, name):
    """The cells of a table."""
    table = next(table for table in page(session)["tables"] if table["name"] == name)
    return [[cell[0] for cell in row["cells"]] for row in table["rows"]]


def test_tiles_say_what_the_figures_say():
    told, _ = small()
    shown = {tile["label"]: tile for tile in page(told)["tiles"]}
    assert shown["pass rate"]["value"] == percent(told.summary.pass_rate) == "50.0%"
    assert shown["pass rate"]["note"] == "15.0% to 85.0%, 95% interval"
    assert shown["mean score"]["value"] == score(told.summary.score.mean, 3)
    assert shown["cost"] == {"label": "cost", "value": "$0.0030", "note": "unknown for 2 cases"}
    assert shown["broken"]["link"] == {"change": ["broken"]}


def test_what_is_not_known_has_no_tile_and_no_chart():
    told = page(of([result("errored", output=None)])[0])
    assert [tile["label"] for tile in told["tiles"]] == ["pass rate"]
    assert told["charts"] == []


def test_missed_cases_are_told_from_failed_ones():
    told, _ = of([result("failed", "a"), result("failed", "b", gated=True), result("passed", "c")])
    assert [(part["word"], part["n"]) for part in page(told)["outcomes"]] == [
        ("passed", 1),
        ("failed", 1),
        ("missed", 1),
    ]


def test_columns_in_which_nothing_happened_are_left_out():
    table = next(t for t in page(variants()[0])["tables"] if t["name"] == "criteria")
    assert [name for name, _ in table["heads"]] == ["criterion", "n", "mean", "sd", "pass rate", "missed"]


def test_of_many_categories_the_worst_are_shown():
    results = [result("failed" if n == 300 else "passed", f"c{n}", category=f"k{n}") for n in range(301)]
    table = next(t for t in page(of(results)[0])["tables"] if t["name"] == "by-category")
    assert (len(table["rows"]), table["rows"][0]["cells"][0][0]) == (MOST_GROUPS, "k300")
    assert table["note"] == "and 101 more, no worse than these"


def test_the_weakest_criterion_is_named_unless_all_are_alike():
    def weakest(**scores):
        row = row_of(result("failed", criteria=tuple(criterion(name, value) for name, value in scores.items())))
        return weakest_criterion(summarize([row]).criteria)

    assert [weakest(a=0.5, b=0.4), weakest(a=0.5, b=0.5), weakest(a=0.1), weakest(a=0.9, b=None)] == ["b", "", "", ""]


def test_grades_are_worked_out_of_the_words_of_a_judge():
    told, _ = rated()
    assert texts(told, "ratings")[0] == ["small", "58.3", "66.7", "8.3", "44.4", "fair", "topic_organization"]
    counts = {row[0]: row[2:] for row in texts(told, "distributions")}
    assert counts["topic_organization"] == ["1", "2", "2", "3", "37.5"]
    assert counts["topic_organization, small"] == ["0", "0", "1", "3", "8.3"]
    assert all(sum(map(int, row[2:6])) in {4, 8} for row in texts(told, "distributions"))


def test_ratings_of_two_criteria_are_told_apart_and_one_variant_is_one_row():
    _, results = rated()
    one = [replace(each, variant="", variant_id="") for each in results[:4]]
    twice = [
        replace(
            each, trials=(replace(each.trials[0], criteria=(*each.criteria, replace(each.criteria[0], name="more"))),)
        )
        for each in one
    ]
    table = next(t for t in page(of(twice)[0])["tables"] if t["name"] == "ratings")
    assert [name for name, _ in table["heads"]][1:3] == [
        "quality: detail_completeness",
        "quality: action_items_structure",
    ]
    assert [row[0] for row in texts(of(one)[0], "ratings")] == ["all cases"]


def points(*rates, experiment="bot", kind="checked", **fields):
    return [
        TrendPoint(f"r{n}", experiment, kind, f"2026-01-{n:02}T10:00:00Z", pass_rate=rate, score=rate, **fields)
        for n, rate in enumerate(rates, 1)
    ]


def trends(trend):
    found = page(session([row_of(result("passed"))], trend=trend))["charts"]
    return [(chart["title"], chart["summary"]) for chart in found if chart["kind"] == "trend"]


@pytest.mark.parametrize(
    ("trend", "shown"),
    [
        ([], []),
        (points(0.5), []),
        (points(None, 0.5), []),
        (points(0.5, None, 0.75), [("pass rate, last runs", "2 runs, 50.0% at first, 75.0% at last")]),
        (points(0.5, 0.75, kind="judged"), [("mean score, last runs", "2 runs, 0.500 at first, 0.750 at last")]),
        (points(0.0, 0.0, cost_usd=0.0), [("pass rate, last runs", "2 runs, 0% at first, 0% at last")]),
        (
            points(1.0, 1.0, latency_p50_ms=90.0) + points(0.5, 1.0, experiment="other"),
            [
                ("pass rate of bot, last runs", "2 runs, 100% at first, 100% at last"),
                ("pass rate of other, last runs", "2 runs, 50.0% at first, 100% at last"),
            ],
        ),
    ],
)
def test_a_trend_is_shown_of_two_runs_that_have_the_figure(trend, shown):
    assert trends(trend) == shown


def test_runs_of_one_day_are_told_apart_by_their_time():
    day = [replace(point, started_at=f"2026-01-05T1{n}:30:00Z") for n, point in enumerate(points(0.5, 0.6))]
    told = page(session([row_of(result("passed"))], trend=day))["charts"][-1]
    assert [point["label"] for point in told["points"]] == ["10:30", "11:30"]
