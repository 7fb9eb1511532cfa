"""How far a judge agrees with people who labelled the same answers, and how far with itself."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ..model.score import TOLERANCE
from .agreement import Kappa, Share, Table, cross, kappa, true_negatives, true_positives
from .values import mean, ordered

VERDICTS = (True, False)


@dataclass(frozen=True, slots=True)
class Rated:
    """An answer with what a person and a judge say of it."""

    id: str
    human: bool
    """Whether the person lets it pass."""
    score: float
    """The judge's, from 0 to 1."""
    label: float | None = None
    """The person's score from 0 to 1; ``None`` for a bare verdict."""
    category: str = ""
    reason: str = ""
    """The judge's."""

    def passes(self, mark: float) -> bool:
        """Whether the judge lets it pass."""
        return passes(self.score, mark)

    @property
    def distance(self) -> float:
        """How far apart the two are; a verdict counts as 1 or 0."""
        return abs(self.score - (float(self.human) if self.label is None else self.label))


def passes(score: float, mark: float) -> bool:
    """Whether a score reaches a mark."""
    return score >= mark - TOLERANCE


@dataclass(frozen=True, slots=True)
class Agreement:
    """A judge against people, by their verdicts."""

    table: Table[bool]
    """Rows: the people's verdicts; columns: the judge's; pass before fail."""
    share: Share
    """Of answers with the same verdict."""
    kappa: Kappa | None
    true_positives: Share
    true_negatives: Share


def agreement_of(rated: Iterable[Rated], mark: float) -> Agreement:
    """The agreement of verdicts; the judge's are by the mark."""
    table = cross([(each.human, each.passes(mark)) for each in rated], VERDICTS)
    share = Share(table.agreed, table.total)
    return Agreement(table, share, kappa(table), true_positives(table), true_negatives(table))


@dataclass(frozen=True, slots=True)
class Ordinal:
    """A judge against people, by their scores on a scale of a few levels."""

    table: Table[int]
    """Levels from 0, the worst; rows: the people's scores."""
    kappa: Kappa | None
    """Weighted by the square of the distance."""
    mean_distance: float
    """Of the scores, 0 to 1."""


def ordinal_of(rated: Sequence[Rated], levels: int) -> Ordinal | None:
    """The agreement of scores on a scale of ``levels``; ``None`` when not every label is a score, or of two levels.

    A judge may score between two levels; the nearest one counts, the upper one of two.
    """
    labels = [each.label for each in rated]
    if levels < 3 or not labels or None in labels:
        return None
    pairs = [(_level(each.label or 0.0, levels), _level(each.score, levels)) for each in rated]
    table = cross(pairs, range(levels))
    return Ordinal(table, kappa(table, "quadratic"), mean(ordered(each.distance for each in rated)) or 0.0)


def _level(value: float, levels: int) -> int:
    return int(value * (levels - 1) + 0.5 + TOLERANCE)


def disagreements(rated: Iterable[Rated], mark: float) -> list[Rated]:
    """The answers with different verdicts, those first that are furthest apart."""
    return sorted((each for each in rated if each.human != each.passes(mark)), key=lambda each: -each.distance)


def by_category(rated: Iterable[Rated], mark: float) -> dict[str, Agreement]:
    """The agreement within each category, by its name; of those without one under an empty text."""
    groups: dict[str, list[Rated]] = {}
    for each in rated:
        groups.setdefault(each.category, []).append(each)
    return {name: agreement_of(groups[name], mark) for name in sorted(groups)}


@dataclass(frozen=True, slots=True)
class Calibration:
    """A judge, asked by one criterion, held against people."""

    judge: str
    """``provider/name``."""
    prompt: str
    """What it is filed under; empty when its criterion differs from answer to answer in more than its words."""
    criterion: str
    mark: float
    """The score from which on the judge lets an answer pass."""
    rated: tuple[Rated, ...]
    levels: int = 0
    """Of the scale that judge and people score on; 0 where it has no levels."""
    unjudged: tuple[tuple[str, str], ...] = ()
    """The answers without a verdict of the judge, and why."""
    took: Mapping[str, Any] = field(default_factory=dict)
    """What judging took."""

    @property
    def agreement(self) -> Agreement:
        """How far the verdicts agree."""
        return agreement_of(self.rated, self.mark)

    @property
    def ordinal(self) -> Ordinal | None:
        """How far the scores agree, where people gave some on a scale of levels."""
        return ordinal_of(self.rated, self.levels)


@dataclass(frozen=True, slots=True)
class Steadiness:
    """What a judge said of one answer, asked several times."""

    scores: tuple[float, ...]
    mark: float
    id: str = ""
    unjudged: int = 0
    """How often it gave no verdict."""

    @property
    def passed(self) -> int:
        """How often it let the answer pass."""
        return sum(passes(score, self.mark) for score in self.scores)

    @property
    def flip_rate(self) -> float | None:
        """The share of verdicts that are not those of the majority: 0 to 0.5. ``None`` of fewer than two."""
        n = len(self.scores)
        return min(self.passed, n - self.passed) / n if n > 1 else None

    @property
    def mean(self) -> float | None:
        return mean(ordered(self.scores))

    @property
    def spread(self) -> float | None:
        """From the least score to the greatest."""
        return max(self.scores) - min(self.scores) if self.scores else None


def borderline(answers: Iterable[Steadiness]) -> tuple[float, float] | None:
    """Between which mean scores the verdict changed from one call to the next; ``None`` when it never did."""
    means = [each.mean for each in answers if each.flip_rate]
    known = [value for value in means if value is not None]
    return (min(known), max(known)) if known else None


@dataclass(frozen=True, slots=True)
class Stability:
    """A judge, asked by one criterion about the same answers several times."""

    judge: str
    prompt: str
    """As of a ``Calibration``."""
    criterion: str
    mark: float
    times: int
    """How often it was asked about each."""
    answers: tuple[Steadiness, ...]
    first_error: str = ""
    took: Mapping[str, Any] = field(default_factory=dict)

    @property
    def known(self) -> list[Steadiness]:
        """The answers that have two verdicts at least."""
        return [each for each in self.answers if each.flip_rate is not None]

    @property
    def flipped(self) -> list[Steadiness]:
        """Those whose verdict was not always the same, the most unsteady first."""
        found = [each for each in self.known if each.flip_rate]
        return sorted(found, key=lambda each: (-(each.flip_rate or 0.0), -(each.spread or 0.0)))

    @property
    def flip_rate(self) -> float | None:
        """The mean over the answers; ``None`` when none has two verdicts."""
        return mean(ordered(each.flip_rate or 0.0 for each in self.known))

    @property
    def band(self) -> tuple[float, float] | None:
        """Between which mean scores verdicts changed."""
        return borderline(self.known)
