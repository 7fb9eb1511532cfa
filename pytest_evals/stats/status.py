"""The exit status of a session."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple

from ..model.outcome import Outcome
from ..model.score import TOLERANCE

if TYPE_CHECKING:
    from ..model.result import CaseRow

OK = 0
FAILED = 1
INTERRUPTED = 2
INCONCLUSIVE = 75
"""EX_TEMPFAIL: nothing is known to be wrong, but what was asked could not be answered. Run it again."""


class Errors(NamedTuple):
    """The errored cases of a run, as its exit status needs them."""

    ran: int
    """All cases but skipped ones."""
    beyond: int
    """Errored ones, when they are more than the tolerated share; else 0."""
    inside: bool
    """Whether some of those are the application's, a scorer's or a fixture's own."""


def errors_of(rows: Iterable[CaseRow], tolerated_share: float) -> Errors:
    """Count them; drafts apart."""
    ran = [row for row in rows if row.outcome is not Outcome.SKIPPED and not row.draft]
    errored = [row for row in ran if row.outcome is Outcome.ERRORED]
    if len(errored) <= tolerated_share * len(ran) + TOLERANCE:
        return Errors(len(ran), 0, False)
    outside = all(row.error_kind is not None and row.error_kind.outside for row in errored)
    return Errors(len(ran), len(errored), not outside)


def exit_status(
    pytest_status: int,
    *,
    failed_outright: bool = False,
    broken_gates: int = 0,
    undecided_gates: int = 0,
    outside_errors: int = 0,
    cases: int = 0,
    tolerated_share: float = 0.0,
    not_run: int = 0,
    budget_spent: bool = False,
    unreadable_suite: bool = False,
    stopped_at_failures: bool = False,
) -> int:
    """The session's exit status, from pytest's own and what the evaluation says.

    The rules, in order:

    1. Statuses other than 0, 1 and 2 are never touched.
    2. An unreadable suite is 2.
    3. 2 stays 2, except when ``-x`` or ``--maxfail`` stopped the session: with xdist pytest says 2, alone 1.
    4. A failure of the application or of an ordinary test is 1; so is a broken gate.
    5. Cases that errored for reasons outside the application beyond the tolerated share, an undecided gate, selected
       cases that never ran, or that were skipped because the budget was spent: 75.
    6. Otherwise pytest's own.

    ``failed_outright``: an ordinary test failed, a case failed that no gate tolerates, or the application, a scorer or
    a fixture raised, or a worker died. ``outside_errors`` of ``cases`` (all that ran) are those of
    ``ErrorKind.outside``.
    """
    if pytest_status not in {OK, FAILED, INTERRUPTED}:
        return pytest_status
    if unreadable_suite:
        return INTERRUPTED
    if pytest_status == INTERRUPTED:
        if not stopped_at_failures:
            return INTERRUPTED
        pytest_status = FAILED
    if failed_outright or broken_gates:
        return FAILED
    too_many = outside_errors > tolerated_share * cases + TOLERANCE
    if too_many or undecided_gates or not_run or budget_spent:
        return INCONCLUSIVE
    return pytest_status
