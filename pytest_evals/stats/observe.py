"""What a gate's metric is over the cases of its scope."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from ..model.gate import Gate, covers
from ..model.outcome import Outcome
from ..model.result import CaseRow
from .intervals import t_interval, wilson
from .summarize import count
from .values import latency, mean, ordered, total

if TYPE_CHECKING:
    from ..model.comparison import CaseChange, Comparison


@dataclass(frozen=True, slots=True)
class Observation:
    """A value in the unit of the gate's bound."""

    value: float | None
    cases: int
    """How many it is over."""
    unknown: str = ""
    """Why it cannot be known, or is only a part; empty when it is known."""
    at_least: bool = False
    """The value is a part of the real one, which is not smaller."""


def observe(gate: Gate, rows: Sequence[CaseRow]) -> Observation:
    """What the metric is over these rows, all of the gate's scope."""
    ran = [row for row in rows if row.outcome is not Outcome.SKIPPED]
    match gate.metric:
        case "pass_rate":
            passed, rated = _passed(gate, rows)
            if gate.lower:
                interval = wilson(passed, rated)
                return Observation(None if interval is None else interval.low, rated)
            return Observation(passed / rated if rated else None, rated)
        case "errors":
            counts = count(rows)
            return _number(gate, counts.errors, counts.ran)
        case "flaky":
            return _flaky(gate, ran)
        case "cost.total":
            return _total(ran, [row.cost_usd for row in ran], "cost")
        case "tokens.total":
            return _total(ran, [row.tokens for row in ran], "number of tokens")
    if gate.metric.startswith("latency."):
        answered = [row for row in ran if row.latencies_ms]
        figures = latency(ordered(value for row in answered for value in row.latencies_ms))
        value: float | None = getattr(figures, gate.metric.removeprefix("latency."))
        return Observation(value, len(answered))
    if gate.criterion is not None:
        scores = ordered(c.score for row in ran for c in row.criteria if c.name == gate.criterion)
    else:
        scores = ordered(row.score for row in ran)
    if gate.lower:
        bounds = t_interval(scores)
        return Observation(
            None if bounds is None else max(0.0, bounds.low),
            len(scores),
            "" if bounds or not scores else "one score has no interval",
        )
    return Observation(mean(scores), len(scores))


def _passed(gate: Gate, rows: Sequence[CaseRow]) -> tuple[int, int]:
    """How many passed (the criterion, if the gate names one) of how many that are rated."""
    if gate.criterion is None:
        counts = count(rows)
        return counts.passed, counts.rated
    judged = [
        criterion
        for row in rows
        for criterion in row.criteria
        if not row.xfail and criterion.name == gate.criterion and criterion.passed is not None
    ]
    return sum(criterion.passed is True for criterion in judged), len(judged)


def _number(gate: Gate, number: int, ran: int) -> Observation:
    if not ran:
        return Observation(None, 0)
    return Observation(number / ran if gate.relative else float(number), ran)


def _flaky(gate: Gate, ran: Sequence[CaseRow]) -> Observation:
    """Cases that showed it; unknown when those that may be flaky, too, could change the verdict."""
    if ran and all(row.trials is None for row in ran):
        return Observation(None, 0, "no case in scope has several trials")
    found = sum(row.flaky for row in ran)
    maybe = sum(row.trials is not None and row.trials.maybe_flaky for row in ran)
    least, most = _number(gate, found, len(ran)), _number(gate, found + maybe, len(ran))
    if least.value is None or most.value is None or not maybe:
        return least
    open_still = gate.holds(least.value) != gate.holds(most.value)
    if open_still or (gate.op == "==" and least.value <= gate.bound <= most.value):
        cases = "1 case" if maybe == 1 else f"{maybe:,} cases"
        return replace(least, unknown=f"{cases} may be flaky: trials were not asked, or errored", at_least=True)
    return least


def _total(ran: Sequence[CaseRow], parts: Sequence[float | None], what: str) -> Observation:
    known = ordered(parts)
    missing = len(ran) - len(known)
    value = total(known, missing).value
    if not missing:
        return Observation(value, len(known))
    unknown = f"the {what} of {missing:,} of {len(ran):,} cases is not known"
    return Observation(value, len(known), unknown, at_least=value is not None)


def observe_change(gate: Gate, comparison: Comparison) -> Observation:
    """What changed since the baseline, over the cases of the gate's scope that both runs have."""
    changes = [case for case in comparison.cases if _covered(gate, case)]
    if gate.metric == "regressions":
        compared = [case for case in changes if case.change.paired or case.regressed]
        unknown = "" if compared else "the baseline has none of the cases in scope"
        return replace(_number(gate, sum(case.regressed for case in compared), len(compared)), unknown=unknown)
    shared = [case for case in changes if case.change.paired and case.before is not None and case.after is not None]
    plain = replace(gate, change="", relative=False)
    before = observe(plain, [case.before for case in shared if case.before is not None])
    after = observe(plain, [case.after for case in shared if case.after is not None])
    unknown = before.unknown and f"of the baseline {before.unknown}"
    unknown = unknown or after.unknown
    if before.value is None or after.value is None:
        return Observation(None, len(shared), unknown or "the runs share no case in scope that has the value")
    step = after.value - before.value if gate.change == "rise" else before.value - after.value
    if not gate.relative:
        return Observation(step, len(shared), unknown)
    if before.value == 0:
        same = step == 0
        return Observation(0.0 if same else None, len(shared), "" if same else "the baseline's value is 0")
    return Observation(step / before.value, len(shared), unknown)


def _covered(gate: Gate, case: CaseChange) -> bool:
    row = case.after or case.before
    if row is None:
        return False
    scope = gate
    if case.after is None and not case.scopes_known:
        # a case that is gone: a baseline file does not say its tags; it counts rather than being hidden
        scope = replace(gate, scope=tuple(item for item in gate.scope if item[0] == "suite"))
    return covers(scope, suite=row.suite, tags=row.tags, category=row.category, variant=row.variant_id)
