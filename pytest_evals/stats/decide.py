"""Whether gates hold."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Protocol

from ..model.gate import Gate, GateVerdict, Verdict, covers
from ..model.outcome import Outcome
from ..model.result import CaseRow
from ..model.summary import Latency
from .summarize import count
from .values import latency, mean, ordered


class InScope(Protocol):
    """What places a case inside or outside the scope of a gate: a ``Case``, a ``CaseRow``."""

    @property
    def suite(self) -> str: ...
    @property
    def tags(self) -> Collection[str]: ...
    @property
    def category(self) -> str | None: ...


def decide(
    gates: Iterable[Gate],
    rows: Iterable[CaseRow],
    *,
    not_run: Iterable[InScope] = (),
    deselected: Iterable[InScope] = (),
    stopped: str = "",
) -> tuple[GateVerdict, ...]:
    """Compare each gate with what the cases in its scope came to.

    ``not_run`` are selected cases without a result (once per variant): a gate that is about one of them is undecided.
    ``deselected`` are cases that ``-k``, ``-m`` and the like left out: a gate that is about nothing else is not asked.
    ``stopped`` says why the session ended early, which leaves every gate undecided.
    """
    rows, not_run, deselected = list(rows), list(not_run), list(deselected)
    return tuple(
        _decide(gate, [row for row in rows if _covers(gate, row)], not_run, deselected, stopped) for gate in gates
    )


def _decide(
    gate: Gate, rows: Sequence[CaseRow], not_run: Iterable[InScope], deselected: Iterable[InScope], stopped: str
) -> GateVerdict:
    missing = sum(_covers(gate, case) for case in not_run)
    if not rows and not missing and any(_covers(gate, case) for case in deselected):
        return GateVerdict(gate, Verdict.NOT_ASKED, reason="no case in scope was selected")
    observed, cases = observe(gate, rows)
    margin = None if observed is None else _margin(gate, observed)
    reason = _open(observed, rows, missing, stopped)
    if reason or observed is None:
        verdict = Verdict.UNDECIDED
    else:
        verdict = Verdict.HELD if gate.holds(observed) else Verdict.BROKEN
    return GateVerdict(gate, verdict, observed, margin, cases, reason)


def _covers(gate: Gate, case: InScope) -> bool:
    return covers(gate, suite=case.suite, tags=case.tags, category=case.category)


def _open(observed: float | None, rows: Sequence[CaseRow], missing: int, stopped: str) -> str:
    if stopped:
        return f"stopped early: {stopped}"
    if missing:
        return f"{missing} case{'s' if missing > 1 else ''} never ran"
    if observed is not None:
        return ""
    return "no case in scope has the value" if rows else "no case in scope"


def observe(gate: Gate, rows: Sequence[CaseRow]) -> tuple[float | None, int]:
    """What the gate's metric is over these rows, all of its scope, and how many cases that is over."""
    if gate.metric == "pass_rate":
        counts = count(rows)
        return counts.pass_rate, counts.rated
    if gate.metric == "errors":
        counts = count(rows)
        if not counts.ran:
            return None, 0
        return (counts.errors / counts.ran if gate.relative else float(counts.errors)), counts.ran
    ran = [row for row in rows if row.outcome is not Outcome.SKIPPED]
    if gate.metric.startswith("latency."):
        return _latency(gate, ran)
    if gate.criterion is not None:
        scores = ordered(c.score for row in ran for c in row.criteria if c.name == gate.criterion)
    else:
        scores = ordered(row.score for row in ran)
    return mean(scores), len(scores)


def _latency(gate: Gate, ran: Iterable[CaseRow]) -> tuple[float | None, int]:
    answered = [row for row in ran if row.latencies_ms]
    figures: Latency = latency(ordered(value for row in answered for value in row.latencies_ms))
    value: float | None = getattr(figures, gate.metric.removeprefix("latency."))
    return value, len(answered)


def _margin(gate: Gate, observed: float) -> float:
    difference = observed - gate.bound
    margin = -abs(difference) if gate.op == "==" else difference if gate.op in {">=", ">"} else -difference
    # within the tolerance the gate holds: no negative margin beside "held"
    return max(margin, 0.0) if gate.holds(observed) else margin
