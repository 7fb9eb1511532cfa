"""Gates: conditions on aggregates. Their grammar, scopes and units."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from .place import Place


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
    """In the metric's own unit: a fraction, a score, milliseconds, a number of cases."""
    criterion: str | None = None
    """For ``score.<criterion>.…``."""
    scope: tuple[tuple[str, str], ...] = ()
    """``(("tag", "smoke"),)``: only the cases it holds for count."""
    relative: bool = False
    """For ``errors``: the bound is a share of the cases, not a number of them."""
    suite: str | None = None
    """The suite it was written in, whose cases it is about; ``None``: all cases of the session."""
    place: Place | None = field(default=None, compare=False)


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
