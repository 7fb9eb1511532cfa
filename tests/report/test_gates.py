"""The table of gates in the terminal, also where there is little room."""

from __future__ import annotations

import pytest
from factories import row

from pytest_evals.model.gate_grammar import parse_gate
from pytest_evals.report.gates import gate_lines
from pytest_evals.report.lines import plain_text
from pytest_evals.report.text import cells
from pytest_evals.stats import decide

ROWS = [row("failed", "a", score=0.1, latencies_ms=(900.0,)), row("passed", "b", score=0.9, latencies_ms=(100.0,))]
LONG = "latency.p95 (category=questions-about-refunds-and-returns, tag=smoke) <= 200ms"


def text(gates, width, suite="customer-support"):
    verdicts = decide([parse_gate(gate, suite=suite) for gate in gates], ROWS)
    return [plain_text(line).rstrip() for line in gate_lines(verdicts, width, 0)]


def test_with_room_every_gate_is_one_line():
    assert text(["pass_rate >= 95%", "score.mean >= 0.4"], 80, "bot") == [
        "  gate               observed  cases  verdict",
        "  pass_rate >= 95%      50.0%      2  broken, 45.0 pp too little",
        "  score.mean >= 0.4     0.500      2  held, 0.100 to spare",
    ]


def test_a_long_gate_has_lines_of_its_own_and_keeps_its_bound():
    found = text([LONG, "pass_rate >= 95%"], 80, "bot")
    assert " ".join(" ".join(found).split()).count(LONG) == 1
    assert any(line.startswith("  pass_rate >= 95%") and "broken, 45.0 pp too little" in line for line in found)


def test_a_long_reason_stands_below():
    found = text(["pass_rate (tag=a-tag-that-no-case-of-this-suite-has) >= 95%"], 60, "bot")
    assert "no case in scope" in " ".join(found)
    assert not any("…" in line for line in found)


@pytest.mark.parametrize("width", [60, 80, 100, 200])
def test_no_line_is_wider_than_the_terminal(width):
    for line in text([LONG, "pass_rate >= 95%", "score.日本語.mean >= 0.9", "errors <= 1%"], width, "bot"):
        assert cells(line) <= width
