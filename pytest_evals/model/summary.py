"""What many results come to: counts, rates, scores, latencies, tokens, costs. Values only; ``stats`` computes them."""

from __future__ import annotations

from array import array
from collections.abc import Mapping
from dataclasses import dataclass, field

from .outcome import ErrorKind
from .trials import TrialCounts
from .words import WordErrors


@dataclass(frozen=True, slots=True)
class Counts:
    """How many cases had which outcome. The fields are disjoint, and their sum is ``Summary.cases``."""

    passed: int = 0
    warned: int = 0
    failed: int = 0
    """Missed ones included."""
    errored: int = 0
    """Without those marked xfail."""
    scored: int = 0
    skipped: int = 0
    xfailed: int = 0
    """Marked xfail, and did not pass."""
    xpassed: int = 0
    """Marked xfail, and passed (or was warned)."""
    xerrored: int = 0
    """Marked xfail, and errored: an xfail forgives a miss, not an error."""

    @property
    def rated(self) -> int:
        """The cases that the pass rate is over: passed, warned, failed and errored ones."""
        return self.passed + self.warned + self.failed + self.errored

    @property
    def answered(self) -> int:
        """The rated cases that could be scored."""
        return self.passed + self.warned + self.failed

    @property
    def errors(self) -> int:
        """All errored cases, those marked xfail included."""
        return self.errored + self.xerrored

    @property
    def ran(self) -> int:
        """All cases but the skipped ones: what a share of errors is a share of."""
        return self.answered + self.errors + self.scored + self.xfailed + self.xpassed

    @property
    def cases(self) -> int:
        return self.ran + self.skipped

    @property
    def pass_rate(self) -> float | None:
        """Passed among the rated cases; ``None`` when there is none."""
        return self.passed / self.rated if self.rated else None

    @property
    def pass_rate_answered(self) -> float | None:
        """Passed among the cases that could be scored; ``None`` when there is none."""
        return self.passed / self.answered if self.answered else None


def _no_values() -> array[float]:
    return array("d")


@dataclass(frozen=True, slots=True)
class Spread:
    """Scores, over the cases that have one."""

    n: int = 0
    mean: float | None = None
    sd: float | None = None
    """Population standard deviation."""
    minimum: float | None = None
    maximum: float | None = None
    values: array[float] = field(default_factory=_no_values, repr=False)
    """All of them, sorted: what makes summaries add up exactly."""


@dataclass(frozen=True, slots=True)
class Transcripts:
    """Word errors over cases: long transcripts count for more in the rate of the whole, all alike in the mean."""

    errors: WordErrors
    """Added up; ``errors.rate`` is that of the whole corpus."""
    rates: Spread
    """The rates of the cases. They may be above 1."""


@dataclass(frozen=True, slots=True)
class CriterionSummary:
    """One criterion, over the cases that ask it."""

    score: Spread = Spread()
    unscored: int = 0
    """Cases in which its scorer could not answer."""
    passed: int = 0
    judged: int = 0
    """Cases in which it was scored against a mark; those marked xfail are left out."""
    transcripts: Transcripts | None = None
    """For word error rates."""
    ratings: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    """Where a judge rates in words: by what it judged by, how often each word was given, the best first."""

    @property
    def pass_rate(self) -> float | None:
        """Passed among the judged; ``None`` when there is none."""
        return self.passed / self.judged if self.judged else None


@dataclass(frozen=True, slots=True)
class Latency:
    """Time in the target, in milliseconds, over the trials that answered. Percentiles by nearest rank."""

    n: int = 0
    mean: float | None = None
    p50: float | None = None
    p95: float | None = None
    p99: float | None = None
    maximum: float | None = None
    values: array[float] = field(default_factory=_no_values, repr=False)
    """All of them, sorted."""


@dataclass(frozen=True, slots=True)
class Total:
    """A sum over the cases that know their part of it."""

    value: float | None = None
    """``None`` when no case knows: unknown is not 0."""
    known: int = 0
    unknown: int = 0
    """Cases that ran and do not know: above 0 the sum is partial."""
    values: array[float] = field(default_factory=_no_values, repr=False)
    """All known parts, sorted."""

    @property
    def partial(self) -> bool:
        return self.known > 0 and self.unknown > 0


@dataclass(frozen=True, slots=True)
class PassAt:
    """How likely k trials of a case pass, on average over cases.

    The two bounds of an estimate are equal when every trial answered; a trial that was not asked, or errored, could
    have passed or not.
    """

    k: int
    cases: int
    """Those that have at least k trials."""
    any_low: float
    any_high: float
    """pass@k: at least one of k trials passes."""
    all_low: float
    all_high: float
    """pass^k: all of k trials pass."""


@dataclass(frozen=True, slots=True)
class TrialSummary:
    """What the trials of the cases with several of them come to."""

    cases: int
    planned: int
    ran: int
    errored: int
    flaky: int
    """Cases whose trials disagree."""
    maybe_flaky: int
    """Cases whose trials agree, and which have others that were not asked or errored."""
    pass_at: tuple[PassAt, ...] = ()
    """Over the cases in the pass rate; errored trials are among those of which nothing is known."""
    kinds: Mapping[tuple[TrialCounts, bool], int] = field(default_factory=dict, repr=False)
    """How many cases have these counts (and are in the pass rate): what makes summaries add up exactly."""

    @property
    def saved(self) -> int:
        """Trials that were not asked, because the decision could not change any more."""
        return self.planned - self.ran


@dataclass(frozen=True, slots=True)
class Summary:
    """What the results of some cases come to."""

    counts: Counts = Counts()
    missed: int = 0
    """The failed cases that a pass-rate gate of their suite tolerates here."""
    score: Spread = Spread()
    unscored: int = 0
    """Cases that ran and have no score."""
    criteria: Mapping[str, CriterionSummary] = field(default_factory=dict)
    """By name, in the order of first appearance."""
    latency: Latency = Latency()
    input_tokens: Total = Total()
    output_tokens: Total = Total()
    cost_usd: Total = Total()
    unpriced: tuple[str, ...] = ()
    """Models whose price is not known, sorted."""
    judge_calls: int = 0
    """How often judges were asked. What they took is in no other figure."""
    judge_tokens: Total = Total()
    judge_cost_usd: Total = Total()
    """Over the cases that were judged."""
    cached: int = 0
    """Answers kept from earlier calls: they have no latency, and cost nothing."""
    error_kinds: Mapping[ErrorKind, int] = field(default_factory=dict)
    """How many cases errored for which reason, in the order of ``ErrorKind``."""
    trials: TrialSummary | None = None
    """``None`` when every case is asked once."""
    by_suite: Mapping[str, Summary] = field(default_factory=dict)
    """Groups have no groups of their own."""
    by_category: Mapping[str, Summary] = field(default_factory=dict)
    by_tag: Mapping[str, Summary] = field(default_factory=dict)
    by_variant: Mapping[tuple[str, str], Summary] = field(default_factory=dict)
    """By suite and variant, of suites that have variants."""

    @property
    def cases(self) -> int:
        return self.counts.cases

    @property
    def pass_rate(self) -> float | None:
        return self.counts.pass_rate

    @property
    def pass_rate_answered(self) -> float | None:
        return self.counts.pass_rate_answered
