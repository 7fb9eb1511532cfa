"""Gates: conditions on aggregates. Their grammar, scopes and units.

    METRIC [(SCOPE, …)] OPERATOR BOUND          pass_rate(tag=smoke) >= 95%

The operator is the last one of the line, so that names and scope values may hold anything. A criterion's name is what
stands between ``score.`` and ``.mean``; a name or value that would be read otherwise is put in quotes.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Literal

from ..errors import GateError
from .place import Place, did_you_mean
from .score import TOLERANCE
from .text import one_line

Unit = Literal["share", "score", "ms", "cases"]

METRICS: dict[str, Unit] = {
    "pass_rate": "share",
    "score.mean": "score",
    "score.<criterion>.mean": "score",
    "latency.mean": "ms",
    "latency.p50": "ms",
    "latency.p95": "ms",
    "latency.p99": "ms",
    "errors": "cases",
}
"""What a gate can ask about, and the unit of its bound."""

OPERATORS = (">=", "<=", ">", "<", "==")
SCOPES = ("tag", "category", "suite")

_SHAPE = "a gate reads METRIC OPERATOR BOUND, such as 'pass_rate >= 95%'"
_MILLISECONDS = {"ms": 1.0, "s": 1000.0, "m": 60_000.0, "": 1000.0}


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

    @property
    def unit(self) -> Unit:
        """The unit of the bound, of what is observed and of the margin."""
        return "share" if self.relative else METRICS[self.metric]

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


def covers(gate: Gate, *, suite: str, tags: Collection[str] = (), category: str | None = None) -> bool:
    """Whether a case of this suite, with these tags and category, is one the gate is about."""
    if gate.suite is not None and gate.suite != suite:
        return False
    for kind, value in gate.scope:
        found = value in tags if kind == "tag" else value == (category if kind == "category" else suite)
        if not found:
            return False
    return True


def is_absolute_pass_rate(gate: Gate) -> bool:
    """Whether the gate asks for a pass rate of at least so much: misses in its scope are then the gate's to judge."""
    return gate.metric == "pass_rate" and gate.op in {">=", ">"}


def parse_gate(text: str, *, suite: str | None = None, place: Place | None = None) -> Gate:
    """Read a gate as a person wrote it. Raises ``GateError``, whose one line says what to write instead."""
    try:
        return _parse(text.strip(), suite, place)
    except GateError as error:
        raise GateError(f"gate '{one_line(text, 120)}': {error}") from None


# the operator is a whole run of operator characters, so that `=>` and `!=` are named as they stand
_LINE = re.compile(r"""^(?P<left>.*?[^<>=!≥≤~\s])\s*(?P<op>[<>=!≥≤~]+)\s*(?P<bound>[^<>=!≥≤~()"']*)$""", re.DOTALL)
_SCOPE_ITEM = re.compile(
    r"""\s*(?P<key>\w+)\s*=\s*(?:"(?P<double>[^"]*)"|'(?P<single>[^']*)'|(?P<bare>[^,"'\s][^,]*?))\s*(?:,|$)""",
    re.DOTALL,
)
_QUOTED_NAME = re.compile(r"""^score\.(["'])(?P<name>.+?)\1\.mean\s*(?P<scope>\(.*\))?$""", re.DOTALL)
_NUMBER = re.compile(r"^(?P<number>[-+]?(?:\d+\.?\d*|\.\d+))\s*(?P<unit>\D*)$")


def _parse(text: str, suite: str | None, place: Place | None) -> Gate:
    line = _LINE.match(text)
    if line is None:
        raise GateError(_SHAPE)
    metric, criterion, scope_text = _metric(line["left"])
    op = line["op"]
    if op not in OPERATORS:
        meant = {"=>": ">=", "=<": "<=", "≥": ">=", "≤": "<=", "=": "=="}.get(op)
        hint = f"; did you mean '{meant}'?" if meant else ""
        raise GateError(f"unknown operator '{op}'; the operators are {' '.join(OPERATORS)}{hint}")
    scope = _scope(scope_text, suite) if scope_text else ()
    bound, relative = _bound(metric, line["bound"].strip())
    gate = Gate(text, metric, op, bound, criterion, scope, relative, suite, place)
    if (op == ">" and gate.unit in {"share", "score"} and bound >= 1) or (op == "<" and bound <= 0):
        end = "below 0" if op == "<" else "above 100%" if gate.unit == "share" else "above 1"
        raise GateError(f"it can never hold, {metric} is never {end}; did you mean '{op}='?")
    return gate


def _metric(left: str) -> tuple[str, str | None, str]:
    """Split the left side into the metric's canonical name, the criterion and the scope in its parentheses."""
    if quoted := _QUOTED_NAME.match(left):
        return "score.<criterion>.mean", quoted["name"], quoted["scope"] or ""
    if left.startswith("score."):
        # the first `.mean` after which nothing but a scope follows ends the name: names may hold dots and parentheses
        for end in re.finditer(r"\.mean", left):
            rest = left[end.end() :].lstrip()
            if not rest or (rest.startswith("(") and rest.endswith(")")):
                if end.start() < len("score."):
                    return "score.mean", None, rest
                if name := left[len("score.") : end.start()].strip():
                    return "score.<criterion>.mean", name, rest
        raise GateError(f"a score's gate ends in '.mean': write '{one_line(left.partition('(')[0].strip(), 60)}.mean'")
    name, parenthesis, scope = left.partition("(")
    name = name.strip()
    if name not in METRICS or name == "score.<criterion>.mean":
        names = ", ".join(METRICS)
        raise GateError(f"unknown metric '{one_line(name, 60)}'; the metrics are {names}{did_you_mean(name, METRICS)}")
    if parenthesis and not scope.endswith(")"):
        raise GateError(f"the scope's parenthesis is not closed: write '{name}(tag=smoke)'")
    return name, None, parenthesis + scope


def _scope(text: str, suite: str | None) -> tuple[tuple[str, str], ...]:
    inner = text[1:-1]
    scope: list[tuple[str, str]] = []
    position = 0
    while position < len(inner) or not scope:
        item = _SCOPE_ITEM.match(inner, position)
        if item is None:
            raise GateError(
                f"cannot read the scope '{one_line(text, 60)}'; write (tag=smoke) or (tag=smoke, category=refunds)"
            )
        key = item["key"]
        value = next(v for v in (item["double"], item["single"], item["bare"]) if v is not None)
        if key not in SCOPES:
            raise GateError(f"unknown scope '{key}'; the scopes are {', '.join(SCOPES)}{did_you_mean(key, SCOPES)}")
        if key != "tag" and any(key == other and value != before for other, before in scope):
            raise GateError(f"it covers nothing: a case has one {key}, not two")
        if key == "suite" and suite is not None and value != suite:
            raise GateError(f"it covers nothing: it is written in suite '{suite}', whose cases it is about")
        scope.append((key, value))
        position = item.end()
    return tuple(scope)


def _bound(metric: str, text: str) -> tuple[float, bool]:
    """The bound in the metric's own unit, and whether it is a share where a number could stand."""
    unit = METRICS[metric]
    example = {"share": "95% or 0.95", "score": "0.8 or 80%", "ms": "2s, 500ms or 1m", "cases": "3 or 1%"}[unit]
    if not text:
        raise GateError(f"the bound is missing: write {example}")
    match = _NUMBER.match(text)
    if match is None:
        raise GateError(f"cannot read the bound '{one_line(text, 40)}': write {example}")
    number, suffix = float(match["number"]), match["unit"].strip()
    if number < 0:
        raise GateError(f"{metric} is never negative: write {example}")
    known = {"ms": ("ms", "s", "m", "")}.get(unit, ("%", ""))
    if suffix not in known:
        raise GateError(f"unknown unit '{one_line(suffix, 20)}' for {metric}: write {example}")
    if unit == "ms":
        return number * _MILLISECONDS[suffix], False
    if suffix == "%":
        if number > 100:
            raise GateError(f"{match['number']}% is above 100%: write {example}")
        return number / 100, unit == "cases"
    if unit == "cases":
        if number != int(number):
            raise GateError(f"errors are whole cases or a share of them: write {example}")
        return number, False
    if number > 1:
        percent = f"{number:g}%"
        raise GateError(
            f"pass_rate lies between 0 and 1: write {percent if number <= 100 else example}"
            if unit == "share"
            else f"a score lies between 0 and 1: write {example}"
        )
    return number, False
