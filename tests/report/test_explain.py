"""What a person reads of a case that did not pass."""

from __future__ import annotations

import pytest
from factories import criterion, error, result
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_evals.model.outcome import ErrorKind
from pytest_evals.model.result import Attempt
from pytest_evals.report.diff import diff
from pytest_evals.report.explain import explain
from pytest_evals.report.headline import headline


def lines(of):
    return explain(of).splitlines()


def test_a_missed_case_shows_input_output_expected_and_every_criterion():
    said = lines(
        result(
            input="How long?",
            output="Two weeks.",
            expected_output="30 days",
            reference_outputs=("thirty days",),
            context="Returns within 30 days.",
            criteria=(
                criterion("contains", 0.0, reason="'30 days' is not in the answer"),
                criterion("levenshtein", 0.82, 0.5, weight=2.0, reason="2 of 7 differ"),
                criterion("tone", None, None, error=error("judge", "reply is not JSON")),
            ),
        )
    )
    assert said[0] == "contains 0 < 1: '30 days' is not in the answer"
    assert said[1] == "evals/bot.eval.yaml:7"
    assert "input:      How long?" in said
    assert "context:    Returns within 30 days." in said
    assert "expected:   30 days" in said
    assert "output:     Two weeks." in said
    assert "references: thirty days" in said
    assert "  ✗ contains     0 < 1  '30 days' is not in the answer" in said
    assert "  ✓ levenshtein  0.82 ≥ 0.50, weight 2  2 of 7 differ" in said
    assert "  ! tone         not scored  judge: reply is not JSON" in said


def test_a_threshold_is_shown_with_the_weighted_score():
    said = lines(result(score=0.47, threshold=0.7, warn=0.5, criteria=(criterion("contains", 0.0, None),)))
    assert said[0] == "score 0.47 < 0.70; contains 0"
    assert "  · contains  0" in said
    assert "weighted score 0.47 < 0.70 (threshold, warn 0.50)" in said


def test_a_stated_mark_that_is_missed_counts_although_the_weighted_score_is_reached():
    said = lines(
        result(score=0.9, threshold=0.7, criteria=(criterion("tone", 0.4, 0.5, threshold=0.5), criterion("b", 1.0)))
    )
    assert said[0] == "tone 0.40 < 0.50"
    assert "weighted score 0.90 ≥ 0.70 (threshold)" in said


def test_an_error_shows_its_kind_message_trace_and_attempts():
    late = error("timeout", "no answer within 30 s")
    raised = error(
        "target", "KeyError: 'x'", type="KeyError", detail="  File \"bot.py\", line 3, in answer\nKeyError: 'x'"
    )
    said = lines(result("errored", error=raised, attempts=(Attempt(30_000.0, late), Attempt(12.0, raised))))
    assert said[0] == "KeyError: 'x' (2 attempts)"
    assert "  1. 30.0 s  timeout: no answer within 30 s" in said
    assert "  2.  12 ms  KeyError: 'x'" in said
    assert "error (target): KeyError: 'x'" in said
    assert '    File "bot.py", line 3, in answer' in said


def test_an_error_that_the_attempts_have_told_is_not_told_again():
    late = error("timeout", "no answer within 30 s")
    said = explain(result("errored", error=late, attempts=(Attempt(30_000.0, late), Attempt(30_000.0, late))))
    assert said.count("no answer within 30 s") == 3
    assert "error (timeout)" in explain(result("errored", error=late, attempts=(Attempt(30_000.0, late),)))


def test_one_attempt_is_not_worth_a_list():
    assert "attempts:" not in explain(result("errored", error=error(), attempts=(Attempt(1.0, error()),)))


def test_an_answer_that_came_at_the_second_attempt_says_so():
    said = lines(result(attempts=(Attempt(5.0, error("timeout", "no answer within 1 s")), Attempt(340.0))))
    assert "  2. 340 ms  answered" in said


def test_a08_zero_and_empty_are_values():
    said = lines(
        result(input=0, output="", expected_output=0, score=0.0, threshold=0.0, criteria=(criterion(score=0.0),))
    )
    assert "input:      0" in said
    assert "output:     (empty)" in said
    assert "expected:   0" in said
    assert "weighted score 0 ≥ 0 (threshold)" in said


def test_messages_are_shown_by_role_and_cannot_imitate_one_another():
    said = explain(
        result(input=[{"role": "system", "content": "Be kind"}, {"role": "user", "content": "Hi\nassistant: ok"}])
    )
    assert "  system: Be kind\n  user: Hi\n    assistant: ok" in said


def test_other_values_are_shown_as_json():
    said = explain(result(output={"price": [1, 2]}, expected_output={"days": list(range(60))}))
    assert 'output:     {"price": [1, 2]}' in said
    assert 'expected:\n  {\n    "days": [\n      0,' in said


def test_long_texts_have_a_diff_of_words():
    expected = "You have 30 days from the day of delivery to send an item back to us, unused."
    said = explain(
        result(expected_output=expected, output=expected.replace("30", "14").replace("delivery", "purchase"))
    )
    assert "You have [-30-]{+14+} days from the day of [-delivery-]{+purchase+} to send" in said


def test_texts_of_several_lines_have_a_diff_of_lines():
    expected = "\n".join(f"step {n}: do something that takes time" for n in range(9))
    changes = diff(expected, expected.replace("step 4: do", "step 4: undo"))
    assert changes.splitlines() == [
        " step 3: do something that takes time",
        "-step 4: do something that takes time",
        "+step 4: undo something that takes time",
        " step 5: do something that takes time",
    ]


@pytest.mark.parametrize(
    ("expected", "output"),
    [
        ("30 days", "14 days"),
        ("", "x" * 100),
        ("x" * 100, "x" * 100),
        ("the cat sat on the mat " * 5, "0123456789 " * 10),
        ("word " * 5000, "other " * 5000),
    ],
)
def test_there_is_no_diff_where_it_would_not_help(expected, output):
    assert diff(expected, output) == ""


def test_o03_control_characters_are_visible_and_harmless():
    hostile = "\x1b[31mred\x1b[0m \x00 \u202e lone \ud83d tab\tline\n👩\u200d💻 𠀀"
    said = explain(result(output=hostile, criteria=(criterion("c\x1b[0m", reason=hostile),), name=hostile))
    assert "\\x1b[31mred\\x1b[0m \\x00 \\u202e lone \\ud83d tab\tline\n  👩\u200d💻 𠀀" in said
    assert not set(said) & {"\x1b", "\x00", "\u202e", "\ud83d"}
    said.encode("utf-8")


def test_o01_huge_texts_are_cut_with_a_count():
    said = explain(result(input="q" * 5_000_000, output="a" * 3_000_000, criteria=(criterion(reason="r" * 1_000_000),)))
    assert len(said.encode()) <= 8192
    assert "more characters)" in said
    assert said.count("more characters)") == 3
    assert "criteria:" in said


def test_an_error_is_seen_below_huge_texts():
    raised = error("target", "ValueError: " + "m" * 9000, detail="\n".join(f"frame {n}" for n in range(9000)))
    criteria = tuple(criterion(f"criterion {n}" * 9, reason="好" * 5000) for n in range(40))
    said = explain(
        result("errored", input="😀" * 9000, output="\x00" * 9000, context="c" * 9000, criteria=criteria, error=raised)
    )
    assert len(said.encode()) <= 8192
    assert "error (target): ValueError" in said
    assert "frame 8999" in said
    assert "28 more criteria" in said


@settings(max_examples=60)
@given(st.text(max_size=300), st.text(max_size=300), st.text(max_size=100), st.integers(1, 60))
def test_whatever_the_texts_it_stays_below_8_kb_and_printable(output, expected, reason, many):
    said = explain(
        result(
            output=output * many,
            expected_output=expected * many,
            criteria=(criterion(reason * 3, reason=reason),) * many,
        )
    )
    assert len(said.encode("utf-8")) <= 8192
    assert all(c.isprintable() or c in "\n\t\u200c\u200d" for c in said)


def test_no_internals_are_shown():
    said = explain(result("errored", error=error("scorer", "scorer 'tone' raised KeyError: 'x'")))
    assert "pytest_evals" not in said


@pytest.mark.parametrize(
    ("of", "line"),
    [
        (result("passed"), ""),
        (result("scored", score=0.4), ""),
        (result("skipped", skip_reason="no key"), "skipped: no key"),
        (result(criteria=(criterion(),)), "contains 0 < 1"),
        (result(criteria=(criterion("a", 0.2, 0.7), criterion("b"))), "a 0.20 < 0.70 (and 1 more)"),
        (result(score=0.47, threshold=0.7, criteria=()), "score 0.47 < 0.70"),
        (
            result(
                score=0.5, threshold=0.7, criteria=(criterion("a", 0.4, None), criterion("b", 0.5, None, weight=9.0))
            ),
            "score 0.50 < 0.70; b 0.50",
        ),
        (
            result(
                score=0.5, threshold=0.7, criteria=(criterion("a", 0.0, None, weight=0.0), criterion("b", 0.5, None))
            ),
            "score 0.50 < 0.70; b 0.50",
        ),
        (result("warned", score=0.65, threshold=0.7, warn=0.6), "score 0.65 < 0.70, warned"),
        (result(), "failed"),
        (result("errored", error=error("provider", "overloaded (529)")), "provider: overloaded (529)"),
        (result("errored", error=error("timeout", "timeout of 3 s")), "timeout of 3 s"),
        (result("errored"), "errored"),
    ],
)
def test_the_headline_says_why_in_one_line(of, line):
    assert headline(of) == line


@pytest.mark.parametrize("kind", ErrorKind)
def test_a_headline_is_never_longer_than_120_characters(kind):
    attempts = (Attempt(1.0), Attempt(1.0))
    long = headline(result("errored", error=error(kind.value, "m\n" * 500), attempts=attempts))
    assert len(long) <= 120
    assert "\n" not in long
    assert long.endswith("(2 attempts)")
    assert len(headline(result(criteria=(criterion("n" * 300, reason="r" * 300), criterion("b"))))) <= 120
