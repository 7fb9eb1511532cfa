"""The evaluation section of the terminal."""

from __future__ import annotations

import shlex
import time

import pytest
from factories import row, rows, session

from pytest_evals.model.gate_grammar import parse_gate
from pytest_evals.model.outcome import ErrorKind
from pytest_evals.model.run import Budget, SuiteCount
from pytest_evals.report.gates import gate_line
from pytest_evals.report.lines import plain_text
from pytest_evals.report.terminal import quoted, section
from pytest_evals.report.text import cells
from pytest_evals.stats import decide

STYLES = {"", "bold", "red", "green", "yellow", "cyan", "dim"}


def shown(of, **options):
    return [plain_text(line) for line in section(of, **options)]


def decided(all_rows, *gates, **options):
    return decide([parse_gate(text) for text in gates], all_rows, **options)


MIXED = [
    *(
        row("passed", f"p{n}", score=0.9, criteria={"contains": 1.0, "tone": 0.8}, latencies_ms=(100.0 + n,))
        for n in range(90)
    ),
    row("warned", "near", score=0.65, headline="score 0.65 < 0.70, warned"),
    row(
        "failed",
        "refund-window",
        score=0.2,
        criteria={"contains": 0.0, "tone": None},
        headline="contains 0 < 1: no '30 days'",
    ),
    row("failed", "hours", score=0.3, gated=True, headline="score 0.30 < 0.70"),
    row("errored", "slow", error_kind=ErrorKind.TIMEOUT, headline="timeout: no answer within 30 s (2 attempts)"),
    row("skipped", "later"),
    row("failed", "known", xfail=True, headline="contains 0 < 1"),
    row("passed", "mended", xfail=True),
]


def test_the_verdict_comes_first_and_what_to_type_last():
    said = shown(session(MIXED, exit_status=1))
    assert said[0] == "failed: 1 of 94 cases failed, 1 case errored, 1 missed (12.3 s)"
    assert said[-3] == "  next"
    assert said[-2].startswith("    pytest --lf ")
    assert said[-1].startswith("    pytest evals/bot.eval.yaml::refund-window ")


def test_counts_name_every_outcome_that_occurred():
    said = "\n".join(shown(session(MIXED, exit_status=1)))
    for part in ("90 passed", "1 warned", "1 failed", "1 missed", "1 errored", "1 skipped", "1 xfailed", "1 xpassed"):
        assert part in said
    assert "scored" not in said.replace("not scored", "").replace("be scored", "")


def test_figures_are_labelled_and_unknown_ones_left_out():
    said = shown(session(MIXED, exit_status=1))
    assert "  pass rate  95.7% (89.6% to 98.3%), 96.8% of those that could be scored" in said
    assert "  latency    p50 144 ms, p95 185 ms, p99 189 ms, max 189 ms" in said
    assert "  errors     timeout 1" in said
    assert not any(line.startswith(("  tokens", "  cost")) for line in said)


def test_tokens_and_cost_show_when_known_and_say_when_partial():
    full = shown(session([row(cost_usd=0.5, input_tokens=1200, output_tokens=0)]))
    assert "  tokens     1,200 in, 0 out" in full
    assert "  cost       $0.50" in full
    partial = shown(session([row(cost_usd=0.0, input_tokens=5), row("errored", "e")]))
    assert "  cost       $0, partial: unknown for 1 case" in partial
    assert "  tokens     5 in, – out, partial: unknown for 1 case" in partial


def test_every_limit_of_the_budget_is_shown_with_what_was_spent_of_it():
    limits = [Budget("cost_usd", 1.0, 0.5, 3), Budget("tokens", 20_000, 20_100, 1), Budget("time_s", 90.0, 12.3)]
    said = shown(session([row()], budget=limits), width=120)
    assert "  budget     $0.50 of $1.00, cost unknown for 3 calls, which count as 0, 20,100 of 20,000 tokens," in said
    assert "             tokens unknown for 1 call, which counts as 0, 12.3 s of 1 min 30 s" in said


def test_criteria_have_a_table_with_what_could_not_be_scored():
    said = shown(session(MIXED, exit_status=1))
    at = said.index("  criterion   n   mean     sd  pass rate  not scored")
    assert said[at + 1] == "  contains   91  0.989  0.104      98.9%           0"
    assert said[at + 2] == "  tone       90  0.800  0.000       100%           1"


def test_suites_have_a_table_worst_first_when_there_are_several():
    all_rows = [row(suite="good"), row("failed", suite="bad"), row("scored", suite="none"), row("errored", suite="bad")]
    said = shown(session(all_rows, exit_status=1))
    at = next(n for n, line in enumerate(said) if line.startswith("  suite "))
    assert [line.split()[0] for line in said[at + 1 : at + 4]] == ["bad", "good", "none"]
    assert said[at + 1].split() == ["bad", "2", "1", "0", "1", "0%", "–"]
    assert not any(line.startswith("  suite ") for line in shown(session(MIXED)))


def test_many_suites_and_criteria_are_counted_not_listed():
    all_rows = [row("failed" if n == 33 else "passed", suite=f"s{n}", criteria={f"c{n}": n / 100}) for n in range(40)]
    said = shown(session(all_rows, exit_status=1))
    assert "  and 30 more suites, no worse than these" in said
    assert "  and 30 more criteria, no worse than these" in said
    assert next(line for line in said if line.startswith("  suite")).split()[0] == "suite"
    assert said[said.index(next(line for line in said if line.startswith("  suite"))) + 1].startswith("  s33 ")
    everything = shown(session(all_rows, exit_status=1), verbose=1)
    assert sum(line.startswith("  s") for line in everything) >= 40


def test_gates_show_bound_observed_margin_and_verdict():
    gates = decided(MIXED, "pass_rate >= 97%", "latency.p95 <= 2s", "score.mean(tag=no) >= 0.5", "errors <= 1")
    said = shown(session(MIXED, verdicts=gates, exit_status=1))
    assert said[0].startswith("failed: 1 of 4 gates broken and 1 undecided, 1 of 94 cases failed")
    at = next(n for n, line in enumerate(said) if line.startswith("  gate "))
    assert said[at + 1].split() == ["pass_rate", ">=", "97%", "95.7%", "94", "broken,", "1.3", "pp", "too", "little"]
    assert said[at + 2].endswith("–      0  undecided, no case in scope")
    assert "185 ms" in said[at + 3]
    assert said[at + 3].endswith("held, 1.81 s to spare")
    assert said[at + 4].endswith("held, nothing to spare")


def test_many_held_gates_are_counted_but_every_broken_one_is_listed():
    texts = [f"errors <= {n}" for n in range(2, 40)] + [f"latency.p99 <= {n}ms" for n in range(15)]
    said = "\n".join(shown(session(MIXED, verdicts=decided(MIXED, *texts), exit_status=1)))
    assert said.count("  broken,") == 15
    assert "and 28 gates held, 0 not asked" in said


def test_gates_of_several_suites_name_their_suite():
    all_rows = [row(suite="a"), row(suite="b")]
    gates = decide([parse_gate("errors == 0", suite=name) for name in "ab"], all_rows)
    said = "\n".join(shown(session(all_rows, verdicts=gates)))
    assert "  a: errors == 0" in said
    assert "  b: errors == 0" in said


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("pass_rate >= 97%", "pass_rate >= 97%: broken, 95.7% over 94 cases, 1.3 pp too little"),
        ("errors <= 1", "errors <= 1: held, 1 over 96 cases, nothing to spare"),
        ("pass_rate(tag=no) >= 1%", "pass_rate(tag=no) >= 1%: undecided, no case in scope"),
    ],
)
def test_a_gate_alone_is_one_line(text, line):
    assert gate_line(decided(MIXED, text)[0]) == line


def test_cases_that_did_not_pass_are_listed_with_why():
    said = shown(session(MIXED, exit_status=1))
    at = said.index("  4 cases did not pass")
    assert said[at + 1 : at + 6] == [
        "    evals/bot.eval.yaml",
        "      warned   near           score 0.65 < 0.70, warned",
        "      failed   refund-window  contains 0 < 1: no '30 days'",
        "      missed   hours          score 0.30 < 0.70",
        "      errored  slow           timeout: no answer within 30 s (2 attempts)",
    ]


def test_ten_cases_are_listed_failed_ones_first_and_all_with_v():
    all_rows = [row("failed", f"m{n}", gated=True) for n in range(30)] + [row("failed", f"f{n}") for n in range(4)]
    few = shown(session(all_rows, exit_status=1))
    assert "  34 cases did not pass; 10 of them, all with -v" in few
    assert sum(line.startswith("      failed ") for line in few) == 4
    assert sum(line.startswith("      missed ") for line in few) == 6
    everything = shown(session(all_rows, exit_status=1), verbose=1)
    assert sum(line.startswith("      missed ") for line in everything) == 30
    assert "  34 cases did not pass" in everything


def test_cases_that_never_ran_are_named():
    missing = [f"evals/bot.eval.yaml::c{n}" for n in range(8)]
    said = shown(session(rows(passed=2), not_run=missing, exit_status=75))
    assert said[0] == "inconclusive: 8 cases never ran (12.3 s)"
    assert "  never ran: 8 cases" in said
    assert "    evals/bot.eval.yaml::c4" in said
    assert "  and 3 more cases, all with -v" in said
    assert "    evals/bot.eval.yaml::c7" in shown(session(rows(passed=2), not_run=missing), verbose=1)


def test_reports_are_named_whole():
    line = "json report: " + "very/long/" * 20 + "evals.json"
    assert f"  {line}" in shown(session(rows(passed=1)), reports=[line])


@pytest.mark.parametrize(
    ("of", "line"),
    [
        (session(rows(passed=3)), "passed: 3 of 3 cases (12.3 s)"),
        (session(rows(passed=1, failed=1), exit_status=1), "failed: 1 of 2 cases failed (12.3 s)"),
        (session(rows(scored=4)), "passed: 4 cases scored without a verdict (12.3 s)"),
        (session(rows(passed=3), exit_status=1), "passed: 3 of 3 cases, but pytest exits with 1 (12.3 s)"),
        (
            session([row("errored", error_kind=ErrorKind.PROVIDER), row()], exit_status=75),
            "inconclusive: 1 case errored (12.3 s)",
        ),
        (session([row("errored"), row()], exit_status=1), "failed: 1 case errored (12.3 s)"),
        (
            session(rows(passed=1), stopped="interrupted", exit_status=2),
            "incomplete: stopped early: interrupted (12.3 s)",
        ),
        (
            session([row(), row("skipped")], stopped="budget of $1", budget=[Budget("cost_usd", 1, 1)], exit_status=75),
            "inconclusive: budget spent, stopped early: budget of $1 (12.3 s)",
        ),
        (session([row()], budget=[Budget("cost_usd", 1, 1)]), "passed: 1 of 1 case (12.3 s)"),
        (session([row("failed", gated=True), row()]), "passed: 1 of 2 cases, 1 missed (12.3 s)"),
        (session(rows(skipped=2)), "unknown: 2 cases skipped (12.3 s)"),
        (session([row("failed", xfail=True)]), "unknown: no case has a verdict (12.3 s)"),
    ],
)
def test_the_sentence_says_what_it_came_to(of, line):
    assert shown(of)[0] == line


def test_p09_an_empty_selection_is_unknown_and_says_so():
    nothing = session([], suites=[SuiteCount("a", "a.eval.yaml", 30, 0), SuiteCount("b", "b.eval.yaml", 10, 0)])
    said = shown(nothing, other_tests=12)
    assert said == ["unknown: none of 40 cases in 2 suites was selected, 12 other tests ran (12.3 s)"]
    assert section(nothing)[0][0] == ("unknown", "yellow")
    assert shown(session([]))[0] == "unknown: no case ran (12.3 s)"


def test_p09_cases_without_a_verdict_have_no_pass_rate():
    said = shown(session(rows(skipped=3)))
    assert "  pass rate  –, no case has a verdict" in said
    assert "100%" not in "\n".join(said)


def test_what_was_not_selected_is_counted():
    part = session(rows(passed=2), suites=[SuiteCount("bot", "bot.eval.yaml", 200, 2)])
    assert "  cases      2 passed, 198 not selected" in shown(part)


def test_nothing_to_do_next_when_all_passed():
    assert not any("next" in line for line in shown(session(rows(passed=3))))


def test_commands_work_where_pytest_was_started():
    said = shown(session([row("failed", "it's late [x]")], exit_status=1), command="uv run pytest", prefix="../")
    command = said[-1].split("  #")[0].strip()
    assert shlex.split(command) == ["uv", "run", "pytest", "../evals/bot.eval.yaml::it's late [x]"]


@pytest.mark.parametrize(
    "name", ["plain", "a b", "it's", 'say "hi"', "$HOME", "`id`", "it's $1", "a;b", "ä!", "'", "*", "\\"]
)
def test_node_ids_are_quoted_for_the_shell(name):
    assert shlex.split(f"pytest {quoted(name)}") == ["pytest", name]
    assert not set("$`!") & set(quoted(name)) or quoted(name).startswith("'")


def hostile(width):
    ids = ["\x1b[31mred", "東京" * 40, "x" * 300, "a\nb", "e\u202ed", "lone \ud83d", "👩\u200d💻 " * 30]
    all_rows = [
        row("failed", one, suite=f"s {one}", headline=one * 3, criteria={one: 0.5, f"{one}2": None}, score=0.1)
        for one in ids
    ]
    gates = [parse_gate(f'score."{one}".mean >= 0.7') for one in ids]
    return session(
        all_rows, verdicts=decide(gates, all_rows, stopped="東" * 200), stopped="東" * 200, not_run=ids, exit_status=1
    )


@pytest.mark.parametrize("width", [60, 80, 120, 200])
def test_hostile_names_neither_break_the_width_nor_reach_the_terminal(width):
    for line in section(hostile(width), width=width, verbose=1):
        text = plain_text(line)
        assert not set(text) & set("\x1b\n\u202e\ud83d")
        if "--lf" not in text:  # commands are never cut: they are there to be copied
            assert cells(text) <= width, text
        assert {style for _, style in line} <= STYLES


def ten_thousand():
    found = []
    for n in range(10_000):
        outcome = "failed" if n % 11 == 0 else "errored" if n % 97 == 0 else "passed"
        criteria = {"contains": float(outcome == "passed"), "a criterion with a long name for a table": n % 10 / 10}
        figures = {"score": 0.5, "latencies_ms": (float(n),), "cost_usd": 0.01}
        found.append(row(outcome, f"case-{n}", f"suite-{n % 25}", criteria=criteria, **figures))
    return found


@pytest.mark.parametrize("width", [80, 200])
def test_ten_thousand_cases_fit_on_a_screen_or_two(width):
    all_rows = ten_thousand()
    of = session(all_rows, verdicts=decided(all_rows, "pass_rate >= 95%", "latency.p95 <= 9s"), exit_status=1)
    started = time.perf_counter()
    said = shown(of, width=width)
    assert time.perf_counter() - started < 2
    assert len(said) < 60
    assert all(cells(line) <= width for line in said)


def test_colour_is_never_the_only_carrier():
    """Whatever has a colour is also said in words: the lines without styles tell outcomes apart."""
    said = "\n".join(shown(session(MIXED, exit_status=1)))
    for word in ("failed:", "      failed ", "      missed ", "      errored ", "      warned "):
        assert word in said
