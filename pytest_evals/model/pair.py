"""Two variants of a suite, compared case by case."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class VariantPair:
    """How a second variant does against a first one, over the cases that both answered.

    With verdicts a case is better where the second passed and the first did not; without, where its score is higher.
    """

    suite: str
    first: str
    second: str
    cases: int
    """Those that both answered; cases marked xfail are left out, as of the pass rate."""
    better: int
    """In how many of them the second is better."""
    worse: int
    left_out: int = 0
    """Cases that one of the two could not answer, or did not run."""
    pass_rate_difference: float | None = None
    """Second minus first; ``None`` when no case has a verdict."""
    score_difference: float | None = None
    """The mean of second minus first; ``None`` when no case has a score with both."""
    p: float | None = None
    """Exact McNemar test, two-sided: how often chance alone makes better and worse so unequal. ``None`` of no case."""
    p_adjusted: float | None = None
    """Of all pairs of the suite together, by Holm's method: what to look at when there are several pairs."""
