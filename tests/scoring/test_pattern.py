"""Regular expressions: Python's syntax, and an end to every search."""

from __future__ import annotations

import threading
import time

import pytest

from pytest_evals.errors import ScorerError
from pytest_evals.scoring import score, scorer


@pytest.mark.parametrize(
    ("actual", "pattern", "options", "matches"),
    [
        ("It takes 30 days", "(30|thirty) days", {}, True),
        ("It takes 3 days", "(30|thirty) days", {}, False),
        ("OK", "ok", {}, False),
        ("OK", "ok", {"flags": "i"}, True),
        ("a\nb", "^b$", {}, False),
        ("a\nb", "^b$", {"flags": "m"}, True),
        ("a\nb", "a.b", {}, False),
        ("a\nb", "a.b", {"flags": "s"}, True),
        ("ab", "a  b # comment", {"flags": "x"}, True),
        ("ok\n", "^ok$", {}, True),
        ("ok\n", r"^ok\Z", {}, False),
        ("order 66", r"\d+", {"full": True}, False),
        ("66", r"\d+", {"full": True}, True),
        ("cafe\u0301", "caf\u00e9$", {}, True),
        ("caf\u00e9", "cafe\u0301", {}, True),
        ("aa", r"(?P<x>a)(?P=x)", {}, True),
        ("room 42", 42, {}, True),
        ({"a": 1}, r'"a": 1', {}, True),
    ],
)
def test_regex(actual, pattern, options, matches):
    assert score("regex", actual, pattern=pattern, **options).value is matches


def test_in_python_the_pattern_may_stand_where_an_expectation_does():
    assert score("regex", "order 66", r"\d+").value is True
    assert score("regex", "order 66", "ignored", pattern="x").value is False


def test_what_matched_is_in_the_detail_cut():
    found = score("regex", "x" * 10_000, pattern="x+")
    assert (found.detail["start"], found.detail["end"]) == (0, 10_000)
    assert len(found.detail["match"]) == 100
    assert len(found.reason) < 120


@pytest.mark.parametrize(
    ("pattern", "flags", "problem"),
    [
        (
            "(",
            "",
            "the pattern is not a regular expression: missing ), unterminated subpattern at column 1 of the pattern",
        ),
        (
            "a(b",
            "",
            "the pattern is not a regular expression: missing ), unterminated subpattern at column 2 of the pattern",
        ),
        ("[a", "", "the pattern is not a regular expression: unterminated character set at column 1 of the pattern"),
        ("ab*+?*", "", "the pattern is not a regular expression: multiple repeat at column"),
        (
            "a\n  (b",
            "x",
            "the pattern is not a regular expression: missing ), unterminated subpattern at line 2, column 3",
        ),
        ("a", "iq", "flags may hold the letters i, m, s, x, not 'q'"),
        ("", "", "the pattern is empty: every answer matches it"),
    ],
)
def test_a_mistake_in_the_pattern_is_found_before_anything_runs(pattern, flags, problem):
    [found] = scorer("regex").spec.check({"pattern": pattern, "flags": flags})
    assert found.startswith(problem)


def test_a_pattern_without_mistakes_has_none():
    assert scorer("regex").spec.check({"pattern": r"[[a]\d+(?i:x)"}) == []
    assert scorer("regex").spec.check({}) == []


# each of these keeps Python's own re busy for longer than anyone waits
ENDLESS = [
    (r"^(a|aa)+$", "a" * 40 + "b"),
    (r"(.*?,){25}P", "1," * 60),
    (r"(?i)(ß|ss|s)+$", "s" * 60 + "x"),
    (r"(a+)\1+\1+\1+$", "a" * 3000 + "b"),
]


@pytest.mark.parametrize(("pattern", "answer"), ENDLESS, ids=[pattern for pattern, _ in ENDLESS])
def test_a_pattern_that_never_ends_is_an_error_within_its_limit(pattern, answer):
    started = time.perf_counter()
    with pytest.raises(ScorerError, match=r"took longer than 0\.1 s on an answer of \d+ characters; it backtracks"):
        score("regex", answer, pattern=pattern, time_limit=0.1)
    assert time.perf_counter() - started < 5


def test_the_limit_is_a_second_unless_told_otherwise():
    started = time.perf_counter()
    with pytest.raises(ScorerError, match="took longer than 1 s"):
        score("regex", "a" * 40 + "b", pattern=r"^(a|aa)+$")
    assert 0.9 < time.perf_counter() - started < 10


def test_other_threads_run_on_while_a_pattern_searches():
    ticks = []
    done = threading.Event()

    def tick():
        while not done.wait(0.01):
            ticks.append(time.perf_counter())

    thread = threading.Thread(target=tick)
    thread.start()
    with pytest.raises(ScorerError):
        score("regex", "a" * 40 + "b", pattern=r"^(a|aa)+$", time_limit=0.5)
    done.set()
    thread.join()
    assert len(ticks) > 5
