"""What a terminal shows of how far a judge can be trusted."""

from __future__ import annotations

from pytest_evals.report.calibration import calibration_lines, calibration_plain, took_text
from pytest_evals.report.lines import plain_text
from pytest_evals.report.stability import stability_lines
from pytest_evals.stats.calibration import Calibration, Rated, Stability, Steadiness


def shown(lines):
    return [plain_text(line) for line in lines]


def test_nothing_that_people_or_models_wrote_moves_the_cursor():
    hostile = "a\x1b[2Jb\x07c\nd"
    rated = (Rated(hostile, True, 0.1, None, hostile, hostile), Rated("b", False, 0.1))
    calibration = Calibration("x/m", "p", hostile, 0.7, rated, 0, ((hostile, hostile),))
    steady = Stability("x/m", "p", hostile, 0.5, 2, (Steadiness((0.4, 0.6), 0.5, hostile, 1),), hostile)
    text = "".join(shown(calibration_lines(calibration, 100)) + shown(stability_lines(steady, 100)))
    assert not set(text) & set("\x1b\x07\n")


def test_the_worst_disagreements_come_first_and_the_rest_is_counted():
    rated = tuple(Rated(f"a{n}", True, n / 10) for n in range(6))
    lines = shown(calibration_lines(Calibration("x/m", "p", "tone", 0.7, rated), 100, 2))
    at = lines.index("  6 disagreements, the worst 2 of 6")
    assert [line.split()[0] for line in lines[at + 2 : at + 4]] == ["a0", "a1"]
    everything = shown(calibration_lines(Calibration("x/m", "p", "tone", 0.7, rated), 100, 0))
    assert sum(line.startswith("  a") and "pass" in line for line in everything) == 6


def test_labels_of_one_kind_alone_tell_nothing_of_agreement_beyond_chance():
    rated = (Rated("a", True, 0.9), Rated("b", True, 0.8))
    lines = shown(calibration_lines(Calibration("x/m", "", "tone", 0.7, rated), 100))
    assert any(line.startswith("  kappa      – ") for line in lines)
    assert "  kappa is not defined: every label and every verdict is the same; label answers of both kinds" in lines
    assert "  nothing is kept for gates: what the judge is told differs from answer to answer" in lines
    assert calibration_plain(Calibration("x/m", "", "tone", 0.7, rated))["kappa"] is None


def test_what_judging_took_is_told_as_far_as_it_is_known():
    took = {"calls": 4, "cached": 3, "input_tokens": 1000, "output_tokens": 20, "cost_usd": 0.5}
    assert took_text(took) == "4 calls, 3 answered by kept replies, 1,020 tokens, $0.50"
    assert took_text({**took, "cached": 0, "input_tokens": None, "cost_usd": None}) == "4 calls, –"
