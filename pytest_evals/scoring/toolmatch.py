"""Tool calls paired with those that were expected: which expected call is which call that was made."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from ..errors import ScorerError
from .matching import pair

Order = Literal["any", "in_order", "exact"]

Fits = Callable[[int, int], bool]
"""Whether an expected call (by number) is a call that was made (by number)."""

MOST_PAIRS = 250_000
"""Each expected call is compared with each that was made, and an agent in a loop makes any number of them."""


def align(expected: int, made: int, fits: Fits, order: Order) -> dict[int, int]:
    """As many pairs as the order allows: number of the expected call -> number of the call that was made.

    ``exact``: the same place in both lists; ``in_order``: one after the other, others may stand between.
    """
    if order == "exact":
        return {i: i for i in range(min(expected, made)) if fits(i, i)}
    if expected * made > MOST_PAIRS:
        raise ScorerError(f"{made} tool calls are too many to be compared with {expected} without `order: exact`")
    if order == "any":
        return pair(expected, made, fits)
    return _in_order(expected, made, fits)


def _in_order(expected: int, made: int, fits: Fits) -> dict[int, int]:
    """The longest common subsequence."""
    matrix = [[fits(i, j) for j in range(made)] for i in range(expected)]
    best = [[0] * (made + 1) for _ in range(expected + 1)]
    for i in reversed(range(expected)):
        for j in reversed(range(made)):
            taken = best[i + 1][j + 1] + 1 if matrix[i][j] else 0
            best[i][j] = max(taken, best[i + 1][j], best[i][j + 1])
    pairs, i, j = {}, 0, 0
    while i < expected and j < made:
        if matrix[i][j] and best[i][j] == best[i + 1][j + 1] + 1:
            pairs[i] = j
            i, j = i + 1, j + 1
        elif best[i][j] == best[i][j + 1]:
            j += 1
        else:
            i += 1
    return pairs
