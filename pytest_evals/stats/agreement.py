"""How far two raters agree: a person and a judge, say.

Formulas: J. Cohen, *A coefficient of agreement for nominal scales*, 1960, and *Weighted kappa*, 1968; standard errors
by J. L. Fleiss, J. Cohen and B. S. Everitt, *Large sample standard errors of kappa and weighted kappa*, 1969.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from math import fsum, sqrt
from typing import Generic, Literal, TypeVar

from .distributions import normal_quantile
from .intervals import LEVEL, Interval, wilson

T = TypeVar("T", bound=Hashable)

Weights = Literal["none", "linear", "quadratic"]
"""How much of a disagreement a step on an ordinal scale is: all of it, its distance, or its distance squared."""


@dataclass(frozen=True, slots=True)
class Table(Generic[T]):
    """How often which two ratings met."""

    levels: tuple[T, ...]
    """What can be said, in its order."""
    counts: tuple[tuple[int, ...], ...]
    """A row for each rating of the first rater, a column for each of the second."""

    @property
    def total(self) -> int:
        """How many pairs of ratings there are."""
        return sum(map(sum, self.counts))

    @property
    def agreed(self) -> int:
        """In how many of them both said the same."""
        return sum(row[n] for n, row in enumerate(self.counts))

    @property
    def agreement(self) -> float | None:
        """The share of the pairs in which both said the same; ``None`` of nothing."""
        return self.agreed / self.total if self.total else None


def cross(pairs: Iterable[tuple[T, T]], levels: Sequence[T]) -> Table[T]:
    """The table of pairs of ratings; a rating that is no level is a ``KeyError``."""
    places = {level: n for n, level in enumerate(levels)}
    found = Counter((places[first], places[second]) for first, second in pairs)
    size = range(len(places))
    return Table(tuple(places), tuple(tuple(found[row, column] for column in size) for row in size))


@dataclass(frozen=True, slots=True)
class Kappa:
    """Agreement beyond what chance alone would give: 1 is perfect, 0 is chance, below 0 is worse than chance."""

    value: float
    interval: Interval
    """Of 95 %, within -1 and 1."""
    error: float
    """The standard error."""


def kappa(table: Table[T], weights: Weights = "none", level: float = LEVEL) -> Kappa | None:
    """Cohen's kappa of the two raters; ``None`` where it is not defined.

    That is of nothing, and where both always said the same one thing: then nobody can tell agreement from habit.
    The interval is the one of large samples. Where every pair agrees it would have no width at all; there its lower end
    is that of Wilson's interval of the agreement, which is right for few pairs as well.
    """
    n = table.total
    if not n:
        return None
    size = range(len(table.levels))
    shares = [[count / n for count in row] for row in table.counts]
    rows = [fsum(row) for row in shares]
    columns = [fsum(shares[i][j] for i in size) for j in size]
    worth = [[_worth(i, j, len(table.levels), weights) for j in size] for i in size]
    observed = fsum(worth[i][j] * shares[i][j] for i in size for j in size)
    chance = fsum(worth[i][j] * rows[i] * columns[j] for i in size for j in size)
    if 1 - chance < 1e-12:
        return None
    value = (observed - chance) / (1 - chance)
    of_row = [fsum(worth[i][j] * columns[j] for j in size) for i in size]
    of_column = [fsum(worth[i][j] * rows[i] for i in size) for j in size]
    spread = fsum(
        shares[i][j] * (worth[i][j] - (of_row[i] + of_column[j]) * (1 - value)) ** 2 for i in size for j in size
    )
    variance = (spread - (value - chance * (1 - value)) ** 2) / (n * (1 - chance) ** 2)
    error = sqrt(max(0.0, variance))
    half = normal_quantile((1 + level) / 2) * error
    low = value - half
    if table.agreed == n:
        agreement = wilson(n, n, level)
        assert agreement is not None
        low = (agreement.low - chance) / (1 - chance)
    return Kappa(value, Interval(max(-1.0, low), min(1.0, value + half)), error)


def _worth(i: int, j: int, levels: int, weights: Weights) -> float:
    """How much of an agreement it is: 1 for the same, 0 for the greatest distance."""
    if weights == "none":
        return float(i == j)
    distance = abs(i - j) / max(1, levels - 1)
    return 1 - (distance if weights == "linear" else distance * distance)


@dataclass(frozen=True, slots=True)
class Share:
    """A share of some cases, with what it is made of."""

    hits: int
    of: int

    @property
    def value(self) -> float | None:
        """``None`` of nothing."""
        return self.hits / self.of if self.of else None

    @property
    def interval(self) -> Interval | None:
        """Of 95 %, by Wilson's score."""
        return wilson(self.hits, self.of)


def true_positives(table: Table[bool]) -> Share:
    """Of what the first rater lets pass, the share that the second lets pass, too (TPR, sensitivity, recall)."""
    return _hits(table, True)


def true_negatives(table: Table[bool]) -> Share:
    """Of what the first rater lets fail, the share that the second lets fail, too (TNR, specificity)."""
    return _hits(table, False)


def _hits(table: Table[bool], said: bool) -> Share:
    at = table.levels.index(said)
    return Share(table.counts[at][at], sum(table.counts[at]))
