"""How sure a figure is: 95 % intervals of rates and means."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import fsum, sqrt

from .distributions import normal_quantile, t_quantile

LEVEL = 0.95


@dataclass(frozen=True, slots=True)
class Interval:
    """From ``low`` to ``high``, in the unit of the figure."""

    low: float
    high: float

    def holds(self, value: float) -> bool:
        """Whether the value lies in it, ends included."""
        return self.low <= value <= self.high


def wilson(passed: int, rated: int, level: float = LEVEL) -> Interval | None:
    """The interval of a rate of ``passed`` among ``rated``, by Wilson's score; ``None`` of nothing.

    Unlike the textbook's it stays within 0 and 1 and is right for few cases and for rates near the ends.
    Source: E. B. Wilson, *Probable inference, the law of succession, and statistical inference*, 1927.
    """
    if rated < 1:
        return None
    z = normal_quantile((1 + level) / 2)
    rate = passed / rated
    scale = 1 + z * z / rated
    middle = (rate + z * z / (2 * rated)) / scale
    half = z / scale * sqrt(rate * (1 - rate) / rated + z * z / (4 * rated * rated))
    # at the ends the two terms are equal, but for their rounding
    low = 0.0 if passed == 0 else max(0.0, middle - half)
    high = 1.0 if passed == rated else min(1.0, middle + half)
    return Interval(low, high)


def mean_and_error(values: Sequence[float]) -> tuple[float, float]:
    """The mean of at least two values, and its standard error."""
    n = len(values)
    mean = fsum(values) / n
    return mean, sqrt(fsum((value - mean) ** 2 for value in values) / (n - 1) / n)


def t_interval(values: Sequence[float], level: float = LEVEL) -> Interval | None:
    """The interval of a mean, by Student's t; ``None`` of fewer than two values."""
    if len(values) < 2:
        return None
    mean, error = mean_and_error(values)
    half = t_quantile((1 + level) / 2, len(values) - 1) * error
    return Interval(mean - half, mean + half)
