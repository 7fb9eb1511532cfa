"""The exit status as a truth table."""

from __future__ import annotations

from itertools import product

import pytest
from factories import row, rows

from pytest_evals.model.outcome import ErrorKind
from pytest_evals.stats import exit_status
from pytest_evals.stats.status import errors_of

FLAGS = ("failed_outright", "broken_gates", "undecided_gates", "not_run", "unreadable_suite", "stopped_at_failures")
ERRORS = ((0, 10, 0.0), (1, 10, 0.0), (1, 10, 0.1), (2, 10, 0.1), (0, 0, 0.0))
"""Outside errors, cases, tolerated share."""


def expected(status, failed, broken, undecided, not_run, unreadable, at_failures, beyond):
    """design: the rules in words, written down a second time."""
    if status not in (0, 1, 2):
        return status
    if unreadable:
        return 2
    if status == 2 and not at_failures:
        return 2
    if failed or broken:
        return 1
    if beyond or undecided or not_run:
        return 75
    return 1 if status == 2 else status


@pytest.mark.parametrize("status", range(7))
def test_every_combination_ends_as_the_rules_say(status):
    for values in product((0, 2), repeat=len(FLAGS)):
        for outside, cases, share in ERRORS:
            arguments = dict(zip(FLAGS, values, strict=True))
            arguments["failed_outright"] = bool(arguments["failed_outright"])
            arguments["unreadable_suite"] = bool(arguments["unreadable_suite"])
            arguments["stopped_at_failures"] = bool(arguments["stopped_at_failures"])
            got = exit_status(status, outside_errors=outside, cases=cases, tolerated_share=share, **arguments)
            beyond = outside * 10 > share * cases * 10
            assert got == expected(status, *values, beyond), (status, arguments, outside, share)


@pytest.mark.parametrize(
    ("status", "facts", "final"),
    [
        (0, {}, 0),
        (1, {"failed_outright": True}, 1),
        (0, {"broken_gates": 1}, 1),
        (1, {"broken_gates": 1}, 1),
        (1, {"outside_errors": 1, "cases": 9}, 75),
        (1, {"outside_errors": 1, "cases": 9, "failed_outright": True}, 1),
        (1, {"outside_errors": 1, "cases": 9, "broken_gates": 1}, 1),
        (0, {"outside_errors": 1, "cases": 100, "tolerated_share": 0.01}, 0),
        (0, {"outside_errors": 2, "cases": 100, "tolerated_share": 0.01}, 75),
        (0, {"undecided_gates": 1}, 75),
        (1, {"undecided_gates": 1}, 75),
        (0, {"not_run": 1}, 75),
        (0, {"budget_spent": True}, 75),
        (1, {"budget_spent": True}, 75),
        (1, {"budget_spent": True, "failed_outright": True}, 1),
        (2, {"budget_spent": True}, 2),
        (1, {}, 1),
        (1, {"unreadable_suite": True, "failed_outright": True}, 2),
        (2, {"unreadable_suite": True}, 2),
        (2, {}, 2),
        (2, {"broken_gates": 1, "undecided_gates": 1, "failed_outright": True}, 2),
        (2, {"stopped_at_failures": True, "failed_outright": True, "undecided_gates": 1}, 1),
        (2, {"stopped_at_failures": True, "outside_errors": 1, "cases": 1}, 75),
        (3, {"broken_gates": 1}, 3),
        (4, {"unreadable_suite": True}, 4),
        (5, {"undecided_gates": 1}, 5),
    ],
)
def test_the_cases_people_meet(status, facts, final):
    assert exit_status(status, **facts) == final


def test_p09_an_empty_run_stays_pytests_no_tests():
    assert exit_status(5, undecided_gates=1) == 5


def test_a_share_that_is_met_exactly_is_tolerated():
    assert exit_status(0, outside_errors=3, cases=10, tolerated_share=0.1 + 0.2) == 0
    assert exit_status(0, outside_errors=3, cases=10, tolerated_share=0.3) == 0


def test_errors_count_when_they_are_more_than_the_tolerated_share():
    cases = [*rows(passed=8, skipped=5), row("errored", "a", error_kind=ErrorKind.PROVIDER)]
    assert errors_of(cases, 0.0) == (9, 1, False)
    assert errors_of(cases, 0.12) == (9, 0, False)
    assert errors_of([*cases, row("errored", "b", error_kind=ErrorKind.TARGET)], 0.0) == (10, 2, True)
