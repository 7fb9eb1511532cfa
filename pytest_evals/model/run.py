"""A session and the runs it stores, as reports and the history see them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from .score import TOLERANCE

if TYPE_CHECKING:
    from .comparison import Comparison
    from .gate import GateVerdict
    from .pair import VariantPair
    from .result import CaseRow
    from .summary import Summary

RunType = Literal["checked", "judged"]
"""*checked*: cases with verdicts; *judged*: cases with scores only."""


@dataclass(frozen=True, slots=True)
class SuiteCount:
    """A suite of a session, and how much of it was to run."""

    name: str
    path: str
    """As shown: relative to the rootdir when below it."""
    defined: int
    """Cases (times variants) in the file."""
    selected: int
    """Those that were left after ``-k``, ``-m``, ``--lf`` and the like."""
    variants: Sequence[Mapping[str, Any]] = ()
    """Of each variant its ``id``, ``target`` and ``settings``."""


@dataclass(frozen=True, slots=True)
class Budget:
    """A limit that a session was given, and what it spent of it."""

    name: Literal["cost_usd", "tokens", "time_s"]
    limit: float
    spent: float
    unknown: int = 0
    """Calls that did not say what they took; they count as 0."""

    @property
    def reached(self) -> bool:
        # ten times 0.1 is 0.9999999999999999
        return self.spent >= self.limit * (1 - TOLERANCE)


@dataclass(frozen=True, slots=True)
class Earlier:
    """What a session took over from an earlier run instead of asking for it, and what it could not."""

    run: str
    """``uid`` of that run; empty when there was none."""
    how: Literal["resumed", "errors retried", "scored again"]
    cases: int = 0
    """Those taken over."""
    cost_usd: float | None = None
    """What their answers cost in that run; ``None`` when no case knows."""
    unknown_cost: int = 0
    """Cases taken over whose cost is not known."""
    answers: int = 0
    """Further cases that were answered when a session was stopped, and are scored, counted and paid for in this one."""
    others: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """Node ids (or names) of the other cases by the reason: asked anew, or left out when answers are scored again."""
    note: str = ""
    """What else a person should know of it: another commit, no run to resume."""


@dataclass(frozen=True, slots=True)
class TrendPoint:
    """A run of the history, as a trend over the runs of its experiment shows it."""

    run: str
    """``uid``."""
    experiment: str
    type: RunType
    started_at: str
    """UTC, ISO 8601."""
    name: str = ""
    """A free name; empty if none."""
    branch: str = ""
    pass_rate: float | None = None
    score: float | None = None
    """The mean of its cases' scores."""
    latency_p50_ms: float | None = None
    cost_usd: float | None = None
    current: bool = False
    """Whether it is a run of the session that is reported."""


@dataclass(frozen=True, slots=True)
class SessionResult:
    """One pytest session, when it has ended."""

    session_id: str
    started_at: str
    """UTC, ISO 8601."""
    finished_at: str
    duration_s: float
    rows: Sequence[CaseRow]
    """In the order of the files; one per case and variant that has a result."""
    suites: Sequence[SuiteCount]
    summary: Summary
    verdicts: Sequence[GateVerdict] = ()
    not_run: Sequence[str] = ()
    """Node ids of selected cases that have no result. They are never a pass."""
    exit_status: int = 0
    stopped: str = ""
    """Why the session ended before its end; empty when it did not."""
    params: Mapping[str, Any] = field(default_factory=dict)
    """How it was invoked."""
    budget: Sequence[Budget] = ()
    """The limits of what it could spend."""
    comparison: Comparison | None = None
    """With the baseline; ``None`` when none was named, or there is none."""
    no_baseline: str = ""
    """Why there is none although one was named."""
    selection: str = ""
    """Which cases were asked for, besides ``-k`` and the like; empty when all were."""
    pairs: Sequence[VariantPair] = ()
    """The variants of each suite against each other."""
    earlier: Earlier | None = None
    """What was taken over from an earlier run; ``None`` when nothing was to be."""
    trend: Sequence[TrendPoint] = ()
    """The last runs of its experiments up to its own, the oldest first; empty without a history."""
