"""Pairing things whose order does not count."""

from __future__ import annotations

from itertools import permutations

from hypothesis import given
from hypothesis import strategies as st

from pytest_evals.scoring.matching import pair
from pytest_evals.scoring.toolmatch import align

TABLES = st.integers(0, 5).flatmap(
    lambda width: st.lists(st.lists(st.booleans(), min_size=width, max_size=width), max_size=5)
)


def most(table):
    """The size of the largest pairing, by trying all."""
    if not table or not table[0]:
        return 0
    rows, columns = len(table), len(table[0])
    places = [*range(columns), *[None] * rows]
    tries = set(permutations(places, rows))
    return max(sum(j is not None and table[i][j] for i, j in enumerate(way)) for way in tries)


@given(TABLES)
def test_as_many_are_paired_as_can_be(table):
    width = len(table[0]) if table else 0
    found = pair(len(table), width, lambda i, j: table[i][j])
    assert all(table[i][j] for i, j in found.items())
    assert len(set(found.values())) == len(found)
    assert len(found) == most(table)


def test_each_pair_is_asked_about_once():
    asked = []
    pair(20, 20, lambda i, j: not asked.append((i, j)))
    assert len(asked) == len(set(asked)) == 400


@given(TABLES)
def test_pairs_in_order_are_in_order_and_no_more_than_without(table):
    width = len(table[0]) if table else 0

    def fits(i, j):
        return table[i][j]

    ordered = align(len(table), width, fits, "in_order")
    assert list(ordered.values()) == sorted(ordered.values())
    assert list(ordered) == sorted(ordered)
    assert all(table[i][j] for i, j in ordered.items())
    exact = align(len(table), width, fits, "exact")
    assert len(exact) <= len(ordered) <= len(align(len(table), width, fits, "any"))


def test_a_long_chain_of_moves_needs_no_recursion():
    # i fits i and i + 1; the last fits only 0: everybody must move on
    size = 3000
    found = pair(size, size, lambda i, j: j in (i, i + 1) if i < size - 1 else j == 0)
    assert len(found) == size
