"""A comparison as text, Markdown and JSON says the same and holds hostile names."""

from __future__ import annotations

import json
from importlib.resources import files

import jsonschema
import pytest
from factories import row, session

from pytest_evals.model.comparison import Change, Side
from pytest_evals.report.comparison import LISTED, SINGULAR, baseline_lines, comparison_lines, counts, standing, verdict
from pytest_evals.report.comparison_json import comparison_plain
from pytest_evals.report.comparison_markdown import MOST_LISTED, comparison_markdown
from pytest_evals.report.lines import plain_text
from pytest_evals.report.markdown import inline
from pytest_evals.report.text import cells
from pytest_evals.stats.compare import compare


def two(broken=2, fixed=3, same=20, tone=0.6, **after):
    """Two runs with so many changed cases."""
    before, now = [], []
    for n in range(broken + fixed + same):
        was, is_now = n >= broken and n < broken + same, n >= broken
        if n < broken:
            was, is_now = True, False
        before.append(row("passed" if was else "failed", f"c{n}", score=1.0 if was else 0.2, criteria={"tone": 0.5}))
        now.append(
            row("passed" if is_now else "failed", f"c{n}", score=1.0 if is_now else 0.2, criteria={"tone": tone})
        )
    return compare(Side("last:main", before), Side("this session", now, **after))


def text(comparison, **more):
    return [plain_text(one) for one in comparison_lines(comparison, **more)]


def test_the_first_line_has_the_verdict_and_what_broke_first():
    lines = text(two())
    assert lines[0] == "improved: 2 broken, 3 fixed, 20 same"
    assert lines[1:4] == [
        "  before  last:main, 25 cases",
        "  after   this session, 25 cases",
        "  shared  25 cases",
    ]


def test_the_broken_cases_stand_before_the_fixed_ones():
    lines = text(two())
    at = [lines.index(next(one for one in lines if one.startswith(f"  {word}:"))) for word in ("broken", "fixed")]
    assert at == sorted(at)
    assert "  broken: 2 cases that passed before and do not any more" in lines
    assert "    bot::c0  passed 1 → failed 0.20" in lines


@pytest.mark.parametrize("width", [60, 80, 100, 200])
def test_no_line_is_longer_than_the_terminal(width):
    hostile = "x" * 300
    before = [row("passed", hostile, score=1.0), row("failed", "日本" * 60, score=0.1)]
    after = [row("failed", hostile, score=0.0, headline="y" * 400), row("passed", "日本" * 60, score=1.0)]
    found = compare(Side("b" * 200, before, incomplete="z" * 200), Side("a", after))
    for one in (*comparison_lines(found, width=width), *baseline_lines(found, width, 1)):
        assert cells(plain_text(one)) <= width


def test_of_many_cases_ten_are_listed_and_all_with_v():
    assert sum("→" in line for line in text(two(0, 40))) == 10
    assert sum("→" in line for line in text(two(0, 40), verbose=1)) == 40


def test_an_incomplete_side_says_so():
    assert "  after   this session, 25 cases, incomplete: interrupted" in text(two(incomplete="interrupted"))


def test_runs_that_share_nothing_say_so():
    found = compare(Side("a", [row("passed", "x")]), Side("b", [row("passed", "y")]))
    assert "  the runs share no case: nothing can be compared" in text(found)


def test_every_listed_change_has_its_words():
    assert set(LISTED) == set(SINGULAR)
    assert set(Change) - set(LISTED) == {Change.SAME, Change.LEFT_OUT}


def test_a_single_case_may_break_where_no_figure_shows_it():
    found = two(1, 0, 30, tone=0.5)
    assert verdict(found) == ("no change shown", "yellow")
    assert counts(found) == ["1 broken", "30 same"]


def test_too_few_cases_say_how_many_more_it_takes():
    rate = two(1, 1, 2).metric("pass_rate")
    assert standing(rate) == "not enough data, 6 more cases needed"


def test_in_a_session_the_answers_stand_beside_each_other():
    from dataclasses import replace

    found = replace(two(), answers={("bot", "c0", ""): ("30 days", "no idea\nat all")})
    lines = [plain_text(one) for one in baseline_lines(found, 80, 0)]
    assert "      before 30 days" in lines
    assert "      now    no idea at all" in lines


def test_the_json_fits_the_schema_of_reports():
    schema = json.loads(files("pytest_evals.report").joinpath("report.schema.json").read_text("utf-8"))
    part = {"$ref": "#/$defs/comparison", "$defs": schema["$defs"]}
    for found in (two(), two(0, 0, 3), compare(Side("a", []), Side("b", [row("errored", "x")]))):
        plain = json.loads(json.dumps(comparison_plain(found), allow_nan=False))
        jsonschema.validate(plain, part)
    assert comparison_plain(two())["counts"]["broken"] == 2
    assert len(comparison_plain(two())["cases"]) == 5


def test_a_session_carries_its_comparison():
    assert session([row()], comparison=two()).comparison.regressions == 2


# -- Markdown -------------------------------------------------------------------------------------------------------


def test_markdown_has_the_verdict_then_what_broke_then_the_figures():
    said = comparison_markdown(two())
    assert said.startswith("### 🟢 improved\n\n2 broken, 3 fixed, 20 same\n")
    assert said.index("**broken: 2 cases") < said.index("| pass rate |") < said.index("<summary>fixed: 3 cases")


HOSTILE = [
    "a|b",
    "<script>alert(1)</script>",
    "@everyone",
    "`x`",
    "[a](http://x)",
    "![i](//x)",
    "# t",
    "$x$",
    "a\nb",
    "\\|",
]


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_names_stay_in_their_cell(name):
    found = compare(Side(name, [row("passed", name)]), Side("b", [row("failed", name, headline=name)]))
    lines = comparison_markdown(found).splitlines()
    [cell] = [line for line in lines if line.startswith("| bot")]
    assert cell.count("|") == 5
    for active in ("<script", "@everyone", "`", "](", "$x$", "://"):
        assert active not in cell


def test_what_is_left_out_is_counted():
    said = comparison_markdown(two(0, MOST_LISTED + 7))
    assert "and 7 more cases" in said


def test_plain_text_is_left_alone():
    assert inline("pass rate 3.5 (a-b): x") == "pass rate 3.5 (a-b): x"
