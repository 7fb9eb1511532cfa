"""Deciding the gates of a stored run again, with no call to any model."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..errors import GateError, UsageError
from ..model.gate import Gate, GateVerdict, Verdict
from ..model.gate_grammar import parse_gate
from ..model.outcome import Outcome
from ..model.result import CaseRow
from ..stats.decide import decide
from ..stats.status import errors_of, exit_status

if TYPE_CHECKING:
    from ..model.comparison import Comparison
    from ..model.judge import Calibrations
    from ..store.values import StoredRun


@dataclass(frozen=True, slots=True)
class Decided:
    """The gates of a run, and the exit status they make."""

    verdicts: Sequence[GateVerdict]
    exit_status: int


def stored_gates(run: StoredRun) -> list[Gate]:
    """The gates that were part of the run. Raises ``UsageError`` for one of a later version."""
    gates = []
    for facts in run.gates:
        try:
            gates.append(parse_gate(str(facts.get("gate", "")), suite=facts.get("suite")))
        except GateError as error:
            raise UsageError(f"run {run.uid}: {error}") from None
    return gates


def named_gates(texts: Sequence[str], rows: Collection[CaseRow]) -> list[Gate]:
    """Gates a person wrote, about all cases of the run. Raises ``UsageError`` for one about cases it does not have."""
    gates = [parse_gate(text) for text in texts]
    known: dict[str, set[str | None]] = {
        "tag": {tag for row in rows for tag in row.tags},
        "category": {row.category for row in rows},
        "suite": {row.suite for row in rows},
        "variant": {row.variant_id for row in rows},
        "criterion": {criterion.name for row in rows for criterion in row.criteria},
    }
    for gate in gates:
        named = [*gate.scope, *([("criterion", gate.criterion)] if gate.criterion is not None else [])]
        for kind, value in named:
            if value not in known[kind]:
                raise UsageError(f"gate '{gate.text}': no case of the run has the {kind} {value!r}")
    return gates


def decide_run(
    run: StoredRun,
    rows: Sequence[CaseRow],
    gates: Sequence[Gate],
    *,
    alone: bool,
    comparison: Comparison | None = None,
    calibrations: Calibrations | None = None,
) -> Decided:
    """Decide gates over a stored run.

    ``alone``: the gates alone make the exit status; otherwise it is what a session with these results and gates has.
    """
    stopped = run.stopped or ("" if run.core_status not in ("running", "cancelled") else run.status)
    never = run.n_cancelled + run.n_pending
    if not stopped and never:
        stopped = f"{never:,} cases never ran"
    verdicts = decide(gates, rows, stopped=stopped, comparison=comparison, calibrations=calibrations)
    share = _tolerated(run)
    errors = errors_of(rows, share)
    missed = any(row.outcome is Outcome.FAILED and not row.gated and not row.xfail for row in rows)
    status = exit_status(
        0,
        failed_outright=not alone and (missed or errors.inside),
        broken_gates=sum(verdict.verdict is Verdict.BROKEN for verdict in verdicts),
        undecided_gates=sum(verdict.verdict is Verdict.UNDECIDED for verdict in verdicts),
        outside_errors=0 if alone else errors.beyond,
        cases=errors.ran,
        tolerated_share=share,
        not_run=0 if alone else never,
    )
    return Decided(verdicts, status)


def _tolerated(run: StoredRun) -> float:
    settings: Any = run.params.get("settings")
    value = settings.get("max_error_share") if isinstance(settings, dict) else None
    return float(value) if isinstance(value, (int, float)) else 0.0
