"""Whether gates hold."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple, Protocol

from ..model.gate import KAPPA, Gate, GateVerdict, Verdict, covers
from ..model.result import CaseRow
from .observe import Observation, observe, observe_change
from .trust import observe_kappa

if TYPE_CHECKING:
    from ..model.case import Case
    from ..model.comparison import Comparison
    from ..model.judge import Calibrations


class InScope(Protocol):
    """What places a case inside or outside the scope of a gate: a ``CaseRow``, a ``ScopedCase``."""

    @property
    def suite(self) -> str: ...
    @property
    def tags(self) -> Collection[str]: ...
    @property
    def category(self) -> str | None: ...
    @property
    def variant_id(self) -> str: ...


class ScopedCase(NamedTuple):
    """A case (of one variant) that has no result, as far as gates ask about it."""

    suite: str
    tags: Collection[str] = ()
    category: str | None = None
    variant_id: str = ""

    @classmethod
    def of(cls, case: Case, variant_id: str = "") -> ScopedCase:
        return cls(case.suite, case.tags, case.category, variant_id)


def decide(
    gates: Iterable[Gate],
    rows: Iterable[CaseRow],
    *,
    not_run: Iterable[InScope] = (),
    deselected: Iterable[InScope] = (),
    stopped: str = "",
    comparison: Comparison | None = None,
    no_baseline: str = "",
    calibrations: Calibrations | None = None,
) -> tuple[GateVerdict, ...]:
    """Compare each gate with what the cases in its scope came to.

    ``not_run`` are selected cases without a result (once per variant): a gate that is about one of them is undecided.
    ``deselected`` are cases (once per variant) that ``-k``, ``-m``, ``--evals-sample`` and the like left out: a gate
    that is about nothing else is not asked, and one that is about some of them is decided over the others, and says so.
    ``stopped`` says why the session ended early, which leaves every gate undecided.
    ``comparison`` is the one with the baseline. Without one, gates about it are not asked, unless a baseline was asked
    for and ``no_baseline`` says why there is none: that leaves them undecided.
    ``calibrations`` are those of judges, by model and prompt. Drafts count in no gate.
    """
    rows = [row for row in rows if not row.draft]
    not_run, deselected = list(not_run), list(deselected)

    def seen(gate: Gate, covered: Sequence[CaseRow]) -> Observation:
        if gate.metric == KAPPA:
            return observe_kappa(gate, covered, calibrations or {})
        if gate.needs_baseline and comparison is not None:
            return observe_change(gate, comparison)
        return observe(gate, covered)

    return tuple(
        _decide(
            gate,
            [row for row in rows if _covers(gate, row)],
            not_run,
            deselected,
            stopped,
            comparison,
            no_baseline,
            seen,
        )
        for gate in gates
    )


def _decide(
    gate: Gate,
    rows: Sequence[CaseRow],
    not_run: Iterable[InScope],
    deselected: Iterable[InScope],
    stopped: str,
    comparison: Comparison | None,
    no_baseline: str,
    look: Callable[[Gate, Sequence[CaseRow]], Observation],
) -> GateVerdict:
    missing = sum(_covers(gate, case) for case in not_run)
    left_out = sum(_covers(gate, case) for case in deselected)
    if gate.needs_baseline and comparison is None:
        asked = Verdict.UNDECIDED if no_baseline else Verdict.NOT_ASKED
        return GateVerdict(gate, asked, reason=no_baseline or "no baseline was named", left_out=left_out)
    if not rows and not missing and left_out:
        return GateVerdict(gate, Verdict.NOT_ASKED, reason="no case in scope was selected", left_out=left_out)
    seen = look(gate, rows)
    margin = None if seen.value is None else _margin(gate, seen.value)
    reason = _open(seen, rows, missing, stopped)
    if reason or seen.value is None:
        verdict = Verdict.UNDECIDED
    else:
        verdict = Verdict.HELD if gate.holds(seen.value) else Verdict.BROKEN
    if seen.at_least and not stopped and not missing and verdict is Verdict.UNDECIDED and _beyond(gate, seen):
        # what is known is too much already, whatever the rest is
        verdict, reason = Verdict.BROKEN, ""
    return GateVerdict(gate, verdict, seen.value, margin, seen.cases, reason, left_out)


def _beyond(gate: Gate, seen: Observation) -> bool:
    return seen.value is not None and gate.op in ("<=", "<") and not gate.holds(seen.value)


def _covers(gate: Gate, case: InScope) -> bool:
    return covers(gate, suite=case.suite, tags=case.tags, category=case.category, variant=case.variant_id)


def _open(seen: Observation, rows: Sequence[CaseRow], missing: int, stopped: str) -> str:
    if stopped:
        return f"stopped early: {stopped}"
    if missing:
        return f"{missing} case{'s' if missing > 1 else ''} never ran"
    if seen.unknown:
        return seen.unknown
    if seen.value is not None:
        return ""
    return "no case in scope has the value" if rows else "no case in scope"


def _margin(gate: Gate, observed: float) -> float:
    difference = observed - gate.bound
    margin = -abs(difference) if gate.op == "==" else difference if gate.op in {">=", ">"} else -difference
    # within the tolerance the gate holds: no negative margin beside "held"
    return max(margin, 0.0) if gate.holds(observed) else margin
