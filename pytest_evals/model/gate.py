"""Gates: conditions on aggregates. What they say and what became of them; ``gate_grammar`` reads them."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Literal

from .place import Place
from .score import TOLERANCE

Unit = Literal["share", "points", "score", "kappa", "ms", "usd", "tokens", "cases"]
"""``points`` are percentage points: the difference of two shares."""

METRICS: dict[str, Unit] = {
    "pass_rate": "share",
    "score.mean": "score",
    "score.<criterion>.mean": "score",
    "latency.mean": "ms",
    "latency.p50": "ms",
    "latency.p95": "ms",
    "latency.p99": "ms",
    "cost.total": "usd",
    "tokens.total": "tokens",
    "errors": "cases",
    "flaky": "cases",
    "regressions": "cases",
    "judge.kappa": "kappa",
}
"""What a gate can ask about, and the unit of its bound."""

OPERATORS = (">=", "<=", ">", "<", "==")
SCOPES = ("tag", "category", "suite", "variant", "criterion")
CHANGES = ("drop", "rise")
"""How much a figure fell, or rose, since the baseline."""

KAPPA = "judge.kappa"
"""The metric that is about judges and not about the run."""

LOWER = ("pass_rate", "score.mean", "score.<criterion>.mean", KAPPA)
"""Metrics whose interval has a lower bound to ask about."""


@dataclass(frozen=True, slots=True)
class Gate:
    """One condition, such as ``pass_rate(tag=smoke) >= 95%``."""

    text: str
    """As written."""
    metric: str
    """Its canonical name: ``pass_rate``, ``score.mean``, ``score.<criterion>.mean``, ``latency.p95``, ``errors`` …"""
    op: str
    """``>=``, ``<=``, ``>``, ``<`` or ``==``."""
    bound: float
    """In the metric's own unit: a fraction, a score, milliseconds, dollars, tokens, a number of cases."""
    criterion: str | None = None
    """For ``score.<criterion>.…``, ``pass_rate(criterion=…)`` and ``judge.kappa(criterion=…)``."""
    scope: tuple[tuple[str, str], ...] = ()
    """``(("tag", "smoke"),)``: only the cases it holds for count."""
    relative: bool = False
    """The bound is a share: for counts one of the cases, for a drop or rise one of the baseline's value."""
    suite: str | None = None
    """The suite it was written in, whose cases it is about; ``None``: all cases of the session."""
    place: Place | None = field(default=None, compare=False)
    change: Literal["", "drop", "rise"] = ""
    """It asks how much the metric fell or rose since the baseline."""
    lower: bool = False
    """It asks for the lower bound of the metric's 95 % interval."""

    @property
    def unit(self) -> Unit:
        """The unit of the bound, of what is observed and of the margin."""
        if self.relative:
            return "share"
        unit = METRICS[self.metric]
        return "points" if self.change and unit == "share" else unit

    @property
    def needs_baseline(self) -> bool:
        """Whether it is about a comparison: not asked when no baseline was named."""
        return bool(self.change) or self.metric == "regressions"

    def holds(self, observed: float) -> bool:
        """Whether an observed value is on the right side of the bound, within a tolerance of 1e-9.

        ``>`` and ``<`` ask for a difference above the tolerance: 0.7000000001 is not above 0.7.
        """
        slack = TOLERANCE * max(1.0, abs(self.bound))
        difference = observed - self.bound
        match self.op:
            case ">=":
                return difference >= -slack
            case "<=":
                return difference <= slack
            case ">":
                return difference > slack
            case "<":
                return difference < -slack
        return abs(difference) <= slack


class Verdict(StrEnum):
    """What became of a gate."""

    HELD = "held"
    BROKEN = "broken"
    UNDECIDED = "undecided"
    """It was asked for, but what it asks about is unknown."""
    NOT_ASKED = "not asked"


@dataclass(frozen=True, slots=True)
class GateVerdict:
    """A gate with what was observed."""

    gate: Gate
    verdict: Verdict
    observed: float | None = None
    """In the unit of the bound."""
    margin: float | None = None
    """How far on the right side (positive) or wrong side (negative) of the bound, in the unit of the bound."""
    cases: int = 0
    """How many cases the observation is over."""
    reason: str = ""
    """Why it is undecided or not asked."""
    left_out: int = 0
    """Cases of its scope that were not selected, so that it is decided over a part of them."""


def covers(
    gate: Gate, *, suite: str, tags: Collection[str] = (), category: str | None = None, variant: str = ""
) -> bool:
    """Whether a case of this suite, with these tags, category and variant, is one the gate is about."""
    if gate.suite is not None and gate.suite != suite:
        return False
    of_case = {"category": category, "suite": suite, "variant": variant}
    return all(value in tags if kind == "tag" else value == of_case[kind] for kind, value in gate.scope)


def is_absolute_pass_rate(gate: Gate) -> bool:
    """Whether the gate asks for a pass rate of at least so much: misses in its scope are then the gate's to judge."""
    return gate.metric == "pass_rate" and gate.op in {">=", ">"} and not gate.change and gate.criterion is None
