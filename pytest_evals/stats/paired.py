"""Whether two runs differ, asked of the cases that both have: paired tests."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, comb, fsum

from .bootstrap import bootstrap
from .distributions import normal_quantile, t_tail
from .intervals import LEVEL, Interval, mean_and_error, t_interval

MOST_RESAMPLED = 1_000
"""Pairs up to which the bootstrap is used; above, Student's t says the same and is a thousand times faster."""

FEWEST_PAIRS = 10
"""Below, no interval of a mean difference is worth showing."""


@dataclass(frozen=True, slots=True)
class Difference:
    """The mean of paired differences (second minus first)."""

    pairs: int
    mean: float | None
    """``None`` of no pair."""
    interval: Interval | None = None
    p: float | None = None
    """Two-sided; ``None`` when there are not enough pairs."""
    method: str = ""
    """``bootstrap`` or ``t``; empty when there are not enough pairs."""


def mcnemar(broken: int, fixed: int) -> float:
    """The exact McNemar test of paired verdicts: the two-sided p-value.

    If broken and fixed were equally likely, how often would they be at least this unequal? Cases whose verdict did not
    change say nothing. Source: Q. McNemar, 1947, with the binomial distribution in place of its approximation.
    """
    changed, fewer = broken + fixed, min(broken, fixed)
    tail = sum(comb(changed, k) for k in range(fewer + 1))
    return min(1.0, float(Fraction(2 * tail, 2**changed)))


def difference(differences: Sequence[float]) -> Difference:
    """The mean of paired differences with its 95 % interval: BCa bootstrap, for many pairs Student's t."""
    n = len(differences)
    if not n:
        return Difference(0, None)
    mean = fsum(differences) / n
    if n < FEWEST_PAIRS:
        return Difference(n, mean)
    if min(differences) == max(differences):
        # all pairs moved by the same: there is nothing to resample, and nothing that speaks against it
        return Difference(n, mean, Interval(mean, mean), 1.0 if mean == 0 else 2.0 ** (1 - n), "t")
    if n <= MOST_RESAMPLED and (drawn := bootstrap(differences)) is not None:
        return Difference(n, mean, drawn.interval(), drawn.p_value(), "bootstrap")
    return Difference(n, mean, t_interval(differences), t_test(differences), "t")


def t_test(differences: Sequence[float]) -> float | None:
    """The two-sided p-value of Student's paired t test; ``None`` of fewer than two pairs."""
    if len(differences) < 2:
        return None
    mean, error = mean_and_error(differences)
    if error == 0:
        return 1.0 if mean == 0 else 0.0
    return 2 * t_tail(abs(mean / error), len(differences) - 1)


def holm(p_values: Sequence[float]) -> list[float]:
    """The p-values of several questions asked at once, adjusted by Holm's step-down method, in their order.

    Source: S. Holm, *A simple sequentially rejective multiple test procedure*, 1979.
    """
    n = len(p_values)
    adjusted = [0.0] * n
    least = 0.0
    for rank, index in enumerate(sorted(range(n), key=lambda i: p_values[i])):
        least = max(least, min(1.0, (n - rank) * p_values[index]))
        adjusted[index] = least
    return adjusted


def pairs_needed(differences: Sequence[float], power: float = 0.8, level: float = LEVEL) -> int | None:
    """How many pairs would show a difference of this size, spread like these, four times in five.

    ``None`` when it cannot be told: of fewer than two pairs, or when their mean is 0. By the normal approximation.
    """
    if len(differences) < 2:
        return None
    mean, error = mean_and_error(differences)
    if mean == 0:
        return None
    z = normal_quantile((1 + level) / 2) + normal_quantile(power)
    variance = error**2 * len(differences)
    return max(FEWEST_PAIRS, ceil(z * z * variance / mean**2))
