"""What is known of a case before it ran, as its result."""

from __future__ import annotations

from typing import Any

from ..model.case import Case
from ..model.outcome import Outcome
from ..model.result import CaseResult
from .call import Identity


def blank_result(
    case: Case, target: str, identity: Identity, outcome: Outcome = Outcome.ERRORED, **more: Any
) -> CaseResult:
    """A result that carries what is known of the case before it ran, and ``more`` fields of a result."""
    return CaseResult(
        suite=case.suite,
        case_id=case.id,
        outcome=outcome,
        variant=identity.variant,
        variant_id=identity.variant_id,
        name=case.name,
        node_id=identity.node_id,
        source=f"{case.place.path}:{case.place.line}" if case.place else "",
        experiment=identity.experiment,
        category=case.category,
        tags=case.tags,
        metadata=case.metadata,
        planned_trials=case.trials,
        pass_if=case.pass_if if case.trials > 1 else "",
        input=case.input,
        context=case.context,
        expected_output=case.expected_output,
        reference_outputs=case.reference_outputs,
        definition_sha256=case.definition_sha256(),
        threshold=case.threshold,
        warn=case.warn,
        xfail=case.xfail,
        gated=identity.gated,
        target=target,
        **more,
    )
