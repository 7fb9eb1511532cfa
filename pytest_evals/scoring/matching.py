"""Pairing two lists whose order does not count."""

from __future__ import annotations

from collections.abc import Callable


def pair(left: int, right: int, fits: Callable[[int, int], bool]) -> dict[int, int]:
    """The largest pairing of ``left`` things with ``right`` others that fit: left number -> right number.

    The first that fits is not always the right one: ``a`` may fit both of two, ``b`` only the one ``a`` took.
    Kuhn's algorithm; each pair is asked about once.
    """
    options = [[j for j in range(right) if fits(i, j)] for i in range(left)]
    taken: dict[int, int] = {}
    for i in range(left):
        _place(i, options, taken)
    return {i: j for j, i in sorted(taken.items(), key=lambda item: item[1])}


def _place(start: int, options: list[list[int]], taken: dict[int, int]) -> None:
    """Find a partner for one more, moving others to another one of theirs if need be. Without recursion."""
    came_from: dict[int, int] = {}  # right number -> left number it was reached from
    queue = [start]
    for i in queue:
        for j in options[i]:
            if j in came_from:
                continue
            came_from[j] = i
            if j in taken:
                queue.append(taken[j])
                continue
            _turn(j, came_from, taken)
            return


def _turn(free: int, came_from: dict[int, int], taken: dict[int, int]) -> None:
    """Turn the way that leads to a free one around: everybody on it moves on to the next."""
    partner_of = {left: right for right, left in taken.items()}
    at: int | None = free
    while at is not None:
        left = came_from[at]
        taken[at] = left
        at = partner_of.get(left)
