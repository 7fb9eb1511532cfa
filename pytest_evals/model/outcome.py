"""What became of a case, and why a case could not be answered."""

from __future__ import annotations

from enum import StrEnum


class Outcome(StrEnum):
    """The outcome of a case (or of one of its trials)."""

    PASSED = "passed"
    """Every mark, or the threshold, was reached."""
    WARNED = "warned"
    """Every stated threshold of a criterion was met and ``warn <= score < threshold``."""
    FAILED = "failed"
    """Answered and scored, but not well enough. Under a pass-rate gate pytest shows it as *missed*."""
    ERRORED = "errored"
    """The target or a scorer could not answer. Never a score."""
    SCORED = "scored"
    """A score without a verdict (``threshold: unset``, or recorded without a mark)."""
    SKIPPED = "skipped"
    """Not run on purpose."""


class ErrorKind(StrEnum):
    """Why a case is *errored*."""

    TARGET = "target"
    """The target raised."""
    SCORER = "scorer"
    """A scorer raised, or returned something that is not a score from 0 to 1."""
    TIMEOUT = "timeout"
    """The target did not answer within the case's timeout."""
    PROVIDER = "provider"
    """A model provider refused or was not there."""
    JUDGE = "judge"
    """A judge's reply could not be read."""
    CRASH = "crash"
    """The worker process died while it ran the case."""
    FIXTURE = "fixture"
    """A fixture of the case failed in set-up or teardown."""

    @property
    def outside(self) -> bool:
        """Whether the reason lies outside the application: running again may help."""
        return self in _OUTSIDE


_OUTSIDE = frozenset({ErrorKind.PROVIDER, ErrorKind.TIMEOUT, ErrorKind.JUDGE})
