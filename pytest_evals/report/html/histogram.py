"""How values are spread, in steps that people can read off an axis."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import floor, log10

from ...stats.percentiles import nearest_rank

MOST_STEPS = 24


@dataclass(frozen=True, slots=True)
class Bar:
    """How many values lie from ``low`` to below ``high``; the last bar holds what is above, too."""

    low: float
    high: float
    n: int
    open: bool = False
    """Whether values above ``high`` are in it."""


def score_bars(values: Sequence[float]) -> list[Bar]:
    """Tenths from 0 to 1; a score of 1 is in the last. ``values`` are sorted."""
    edges = [tenth / 10 for tenth in range(11)]
    return _bars(values, edges, last_open=False)


def bars(values: Sequence[float]) -> list[Bar]:
    """Round steps over sorted values; a long tail beyond the 99th percentile shares the last bar."""
    if not values:
        return []
    top = nearest_rank(values, 99) or values[-1]
    low = values[0]
    if top <= low:
        return [Bar(low, top, len(values), open=values[-1] > top)]
    step = _round_step((top - low) / (MOST_STEPS - 2))
    first = floor(low / step)
    number = floor(top / step) - first + 1
    # a multiple of the step, not a sum: 0.1 added ten times is not 1
    edges = [(first + n) * step for n in range(number + 1)]
    return _bars(values, edges, last_open=True)


def _bars(values: Sequence[float], edges: Sequence[float], last_open: bool) -> list[Bar]:
    at = [bisect_left(values, edge - abs(edge) * 1e-12) for edge in edges[:-1]] + [len(values)]
    beyond = len(values) - bisect_right(values, edges[-1])
    return [
        Bar(edges[n], edges[n + 1], at[n + 1] - at[n], open=last_open and beyond > 0 and n == len(edges) - 2)
        for n in range(len(edges) - 1)
    ]


def _round_step(least: float) -> float:
    """The next of 1, 2, 5, 10, 20 and so on."""
    size = 10.0 ** floor(log10(least))
    return next(factor * size for factor in (1, 2, 5, 10) if factor * size >= least * (1 - 1e-9))


def tallest(made: Sequence[Bar], said: Callable[[float], str]) -> str:
    """``most from 0.9 to 1.0``: where most values are, for those who do not see the bars."""
    most = max(made, key=lambda bar: bar.n)
    return f"most from {said(most.low)} to {said(most.high)}"
