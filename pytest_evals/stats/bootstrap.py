"""The interval of a mean without an assumption on how the values are spread: the bootstrap, bias-corrected (BCa).

Sources: B. Efron, *Better bootstrap confidence intervals*, 1987; and, since resampling few values understates how far
their mean may be off, the expansion of T. Hesterberg, *What teachers should know about the bootstrap*, 2015: quantiles
of Student's t instead of the normal's, times √(n/(n-1)).
The draws come from a seed of their own, so that the same values always have the same interval.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import floor, fsum, sqrt
from random import Random

from .distributions import NORMAL, normal_quantile, t_quantile, t_tail
from .intervals import LEVEL, Interval

RESAMPLES = 2_000
_SEED = 20_200_229


@dataclass(frozen=True, slots=True)
class Bootstrap:
    """Means of resampled values, and what corrects their bias and skew."""

    values: int
    """How many were resampled."""
    means: Sequence[float]
    """Sorted."""
    bias: float
    acceleration: float

    def interval(self, level: float = LEVEL) -> Interval:
        """The interval of the mean."""
        return Interval(self._bound((1 - level) / 2), self._bound((1 + level) / 2))

    def p_value(self) -> float:
        """How often a mean at least as far from 0 would be seen if there were no difference: two-sided.

        It is the level at which an end of the interval reaches 0, at least 1 in the number of resamples.
        """
        w = normal_quantile(_share(self.means, 0.0)) - self.bias
        z = w / (1 + self.acceleration * w) - self.bias
        p = 2 * t_tail(abs(z) / self._expansion, self.values - 1)
        return min(1.0, max(p, 1 / len(self.means)))

    @property
    def _expansion(self) -> float:
        return sqrt(self.values / (self.values - 1))

    def _bound(self, p: float) -> float:
        z = self.bias + self._expansion * t_quantile(p, self.values - 1)
        share = NORMAL.cdf(self.bias + z / (1 - self.acceleration * z))
        # between neighbours: the rank is a fraction
        at = min(max(share * (len(self.means) + 1) - 1, 0.0), len(self.means) - 1.0)
        low = floor(at)
        high = min(low + 1, len(self.means) - 1)
        return self.means[low] + (self.means[high] - self.means[low]) * (at - low)


def bootstrap(values: Sequence[float], resamples: int = RESAMPLES) -> Bootstrap | None:
    """Resample the values for their mean; ``None`` of fewer than two values, or when all are the same."""
    n = len(values)
    if n < 2 or min(values) == max(values):
        return None
    draw = Random(_SEED).choices
    mean = fsum(values) / n
    means = sorted(sum(draw(values, k=n)) / n for _ in range(resamples))
    # leaving a value out moves the mean by (value - mean) / (n - 1): the jackknife needs no loop over sets
    squares = fsum((value - mean) ** 2 for value in values)
    cubes = fsum((value - mean) ** 3 for value in values)
    return Bootstrap(n, means, normal_quantile(_share(means, mean)), cubes / (6 * squares**1.5))


def _share(means: Sequence[float], value: float) -> float:
    """The share of the means below the value, those equal to it by half; never 0 or 1."""
    n = len(means)
    below = sum(mean < value for mean in means) + sum(mean == value for mean in means) / 2
    return min(max(below / n, 0.5 / n), 1 - 0.5 / n)
