"""Means, deviations, percentiles and sums of sorted values, the same whatever order the values came in."""

from __future__ import annotations

from array import array
from collections.abc import Iterable
from math import fsum, isfinite, sqrt

from ..model.summary import Latency, Spread, Total
from .percentiles import nearest_rank


def ordered(values: Iterable[float | None]) -> array[float]:
    """The finite values, sorted. Unknown ones, NaN and infinities are no values."""
    return array("d", sorted(v for v in values if v is not None and isfinite(v)))


def mean(values: array[float]) -> float | None:
    """The mean of sorted values, exactly rounded; ``None`` of nothing."""
    if not values:
        return None
    # the quotient of two roundings can fall a hair outside the values: three times 0.7 has the mean 0.7
    return min(max(fsum(values) / len(values), values[0]), values[-1])


def spread(values: array[float]) -> Spread:
    """Mean, population standard deviation and range of sorted values."""
    middle = mean(values)
    if middle is None:
        return Spread()
    deviation = sqrt(fsum((value - middle) ** 2 for value in values) / len(values))
    return Spread(len(values), middle, deviation, values[0], values[-1], values)


def latency(values: array[float]) -> Latency:
    """Mean, percentiles and maximum of sorted latencies in milliseconds."""
    if not values:
        return Latency()
    p50, p95, p99 = (nearest_rank(values, percent) for percent in (50, 95, 99))
    return Latency(len(values), mean(values), p50, p95, p99, values[-1], values)


def total(values: array[float], unknown: int) -> Total:
    """The sum of sorted values beside ``unknown`` further ones."""
    return Total(fsum(values) if values else None, len(values), unknown, values)
