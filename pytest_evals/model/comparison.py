"""Two runs side by side: what each case became, and what the figures say. Values only; ``stats`` computes them."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Literal

from .result import CaseRow

Key = tuple[str, str, str]
"""Suite, case id, bracket."""


class Change(StrEnum):
    """What became of a case. Each case has exactly one, and the first that fits, so that no other hides a break."""

    BROKEN = "broken"
    """Passed before; now failed, errored, or gone from its suite."""
    FIXED = "fixed"
    """Failed or errored before; passes now."""
    ERRORED = "errored"
    """It has an error now where it had none, and did not pass before either."""
    ANSWERED = "answered"
    """It had an error before and has none now, but does not pass."""
    WORSE = "worse"
    """The same verdict, with a lower score."""
    BETTER = "better"
    """The same verdict, with a higher score."""
    SAME = "same"
    """The same verdict and the same score."""
    NEW = "new"
    """Only in the second run."""
    GONE = "gone"
    """Only in the first run, where it did not pass."""
    LEFT_OUT = "left out"
    """Not selected (or skipped) on one side: nothing can be said of it."""

    @property
    def paired(self) -> bool:
        """Whether both sides have a result."""
        return self not in (Change.NEW, Change.GONE, Change.LEFT_OUT)


Standing = Literal["improved", "regressed", "no change shown", "not enough data", "not tested"]
"""What a figure's change comes to. *not tested*: the figure is of a whole and has no pairs, such as a percentile."""

Direction = Literal["higher", "lower"]
"""Which way is better."""


@dataclass(frozen=True, slots=True)
class Side:
    """One of the two runs."""

    label: str
    """As the person named it, or what it resolved to."""
    rows: Sequence[CaseRow]
    definitions: Mapping[Key, str] = field(default_factory=dict)
    """Hash of what each case asked, where it is known. One may be the beginning of the other's."""
    left_out: Collection[Key] = ()
    """Cases that are defined and were not selected."""
    incomplete: str = ""
    """Why the run did not come to its end; empty when it did."""
    runs: tuple[str, ...] = ()
    """Ids of the runs of the history it is made of."""
    scopes_known: bool = True
    """Whether its rows say tags, category and variant; a baseline file has verdicts and scores alone."""
    rounded: float = 0.0
    """How far its scores may be off because they were rounded."""


@dataclass(frozen=True, slots=True)
class CaseChange:
    """A case on both sides."""

    key: Key
    change: Change
    before: CaseRow | None
    after: CaseRow | None
    score: float | None = None
    """After minus before, where both have one."""
    latency_ms: float | None = None
    """After minus before, of the means of their trials."""
    slower: bool = False
    """At least twice the time, and 100 ms more."""
    question_changed: bool = False
    """What it asks, or how it is judged, is not what it was."""
    flaky: bool = False
    """Its trials disagreed on either side."""
    scopes_known: bool = True
    """Whether the first run says tags, category and variant of the case."""

    @property
    def regressed(self) -> bool:
        """Whether it passed before and does not any more."""
        return self.change is Change.BROKEN


@dataclass(frozen=True, slots=True)
class MetricChange:
    """A figure on both sides, over the cases that have it on both."""

    name: str
    """As gates name it."""
    unit: Literal["share", "score", "ms", "usd", "tokens"]
    better: Direction
    before: float | None
    after: float | None
    pairs: int
    low: float | None = None
    """The 95 % interval of the difference."""
    high: float | None = None
    p: float | None = None
    """Two-sided; for criteria adjusted for their number by Holm's method."""
    method: str = ""
    """mcnemar, bootstrap or t; "" when nothing was tested."""
    standing: Standing = "not tested"
    needed: int | None = None
    """How many pairs would show a difference of this size, when these do not."""

    @property
    def criterion(self) -> str:
        """The criterion it is the mean of; empty for other figures."""
        return (
            self.name[len("score.") : -len(".mean")]
            if self.name.startswith("score.") and self.name != "score.mean"
            else ""
        )

    @property
    def difference(self) -> float | None:
        """After minus before."""
        return None if self.before is None or self.after is None else self.after - self.before

    @property
    def relative(self) -> float | None:
        """The difference as a share of the first; ``None`` where that is 0."""
        difference = self.difference
        return None if difference is None or not self.before else difference / self.before


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two runs, compared on the cases they share."""

    before: Side
    after: Side
    cases: Sequence[CaseChange]
    """Those of both sides: broken ones first, then in the order of ``Change``, then of the files."""
    metrics: Sequence[MetricChange]
    answers: Mapping[Key, tuple[str | None, str | None]] = field(default_factory=dict)
    """What broken cases answered before and after, of some of them, where it is known."""

    def of(self, *changes: Change) -> list[CaseChange]:
        """The cases that changed so."""
        return [case for case in self.cases if case.change in changes]

    @property
    def regressions(self) -> int:
        """Cases that passed before and now fail, have an error, or are gone."""
        return len(self.of(Change.BROKEN))

    @property
    def shared(self) -> int:
        """How many cases have a result on both sides."""
        return sum(case.before is not None and case.after is not None and case.change.paired for case in self.cases)

    def metric(self, name: str) -> MetricChange | None:
        """A figure by its name."""
        return next((metric for metric in self.metrics if metric.name == name), None)
