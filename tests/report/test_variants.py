"""Variants side by side in the terminal and in the JSON report."""

from __future__ import annotations

import pytest
from factories import row, session

from pytest_evals.model.pair import VariantPair
from pytest_evals.report.lines import plain_text
from pytest_evals.report.text import cells
from pytest_evals.report.variants import p_value, variant_lines
from pytest_evals.stats import pair_variants


def shown(rows, width=80, verbose=0):
    made = session(rows, pairs=pair_variants(rows))
    lines = [plain_text(line) for line in variant_lines(made, width, verbose)]
    assert all(cells(line) <= width for line in lines)
    return [line.rstrip() for line in lines]


def one(variant, case="a", outcome="passed", **fields):
    return row(outcome, case, variant=variant, variant_id=variant, **fields)


def test_a_session_without_variants_has_no_table():
    assert shown([row("passed"), row("failed", "b", variant="m1")]) == []


def test_variants_stand_below_each_other_in_their_order():
    said = shown(
        [
            one("small", "a", score=1.0, latencies_ms=(100.0,), cost_usd=0.01),
            one("small", "b", "failed", score=0.25, latencies_ms=(300.0,), cost_usd=0.01),
            one("large", "a", score=1.0, latencies_ms=(900.0,), cost_usd=0.3),
            one("large", "b", score=1.0, latencies_ms=(1100.0,)),
        ]
    )
    assert said == [
        "  variant  cases  pass rate  score     p50     p95    cost",
        "  small        2      50.0%  0.625  100 ms  300 ms   $0.02",
        "  large        2       100%  1.000  900 ms  1.10 s  $0.30+",
        "",
        "  pair           cases  better  worse  pass rate  p",
        "  small → large      2       1      0   +50.0 pp  1",
    ]


def test_what_no_variant_knows_has_no_column_and_errors_have_one_when_there_are_some():
    said = shown([one("small", outcome="errored"), one("large", score=1.0)])
    assert said == [
        "  variant  cases  pass rate  errored  score",
        "  small        1         0%        1      –",
        "  large        1       100%        0  1.000",
    ]


def test_several_criteria_have_a_column_each_and_those_without_room_a_table_of_their_own():
    names = [f"criterion_{n}" for n in range(8)]
    rows = [one(v, score=0.5, criteria=dict.fromkeys(names, 0.5)) for v in ("small", "large")]
    said = shown(rows)
    heads = [line for line in said if line.startswith("  variant")]
    assert len(heads) == 2
    assert " ".join(heads).split() == ["variant", "cases", "pass", "rate", "score", *names[:3], "variant", *names[3:]]
    assert len([line for line in shown(rows, width=200) if line.startswith("  variant")]) == 1


def test_a_criterion_that_a_variant_does_not_ask_is_unknown():
    rows = [one("small", criteria={"tone": 1.0, "contains": 0.5}), one("large", criteria={"tone": 0.5})]
    assert shown(rows)[2].split() == ["large", "1", "100%", "–", "0.500", "–"]


def test_suites_are_kept_apart():
    said = shown([one(v, suite=suite) for suite in ("chat", "shop") for v in ("small", "large")])
    assert [line for line in said if "variant" in line] == [
        "  variant of chat  cases  pass rate  score",
        "  variant of shop  cases  pass rate  score",
    ]
    assert len([line for line in said if "small → large" in line]) == 2


def test_long_names_of_a_pair_are_both_cut():
    first, second = "a" * 50, "b" * 50
    (pair,) = (line for line in shown([one(first), one(second)]) if "→" in line)
    assert "a… → b" in pair


def test_of_many_pairs_ten_are_listed_and_all_with_v():
    rows = [one(f"v{n}") for n in range(6)]
    said = shown(rows)
    assert len([line for line in said if "→" in line]) == 10
    assert said[-1] == "  and 5 more pairs, all with -v"
    assert len([line for line in shown(rows, verbose=1) if "→" in line]) == 15


def test_scores_without_verdicts_are_compared_as_scores():
    said = shown([one("small", outcome="scored", score=0.75), one("large", outcome="scored", score=0.5)])
    assert said[-2:] == [
        "  pair           cases  better  worse   score  p",
        "  small → large      1       0      1  -0.250  1",
    ]


@pytest.mark.parametrize(
    ("p", "said"), [(None, "–"), (1.0, "1"), (0.9999, "1"), (0.99, "0.990"), (0.0312, "0.031"), (0.0009, "<0.001")]
)
def test_p_values_are_rounded_but_never_to_nothing(p, said):
    assert p_value(p) == said


def test_a_pair_that_nobody_answered_is_not_listed():
    made = session([one("small"), one("large")], pairs=[VariantPair("bot", "small", "large", 0, 0, 0, 2)])
    assert not any("→" in plain_text(line) for line in variant_lines(made, 80))
