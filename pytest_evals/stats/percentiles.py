"""Percentiles by nearest rank: a value that was really observed, never one in between."""

from __future__ import annotations

from collections.abc import Sequence


def nearest_rank(ordered: Sequence[float], percent: int) -> float | None:
    """The least value that at least ``percent`` % of the values do not exceed; ``None`` when there are none.

    ``ordered`` is sorted. The rank is ceil(percent · n / 100), in whole numbers: 0.95 · 20 in floats may be above 19.
    """
    if not ordered:
        return None
    rank = -(-percent * len(ordered) // 100)
    return ordered[max(rank, 1) - 1]
