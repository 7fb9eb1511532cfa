"""A comparison for programs."""

from __future__ import annotations

from typing import Any

from ..model.comparison import CaseChange, Change, Comparison, MetricChange, Side
from ..model.result import CaseRow
from .comparison import explanations, label, verdict


def comparison_plain(comparison: Comparison) -> dict[str, Any]:
    """The comparison as plain JSON values; unknown is ``None``, cases that stayed the same are only counted."""
    return {
        "verdict": verdict(comparison)[0],
        "before": _side(comparison.before),
        "after": _side(comparison.after),
        "shared_cases": comparison.shared,
        "regressions": comparison.regressions,
        "counts": {change.value: len(comparison.of(change)) for change in Change},
        "metrics": [_metric(metric) for metric in comparison.metrics],
        "explanations": explanations(comparison),
        "cases": [_case(case) for case in comparison.cases if _told(case)],
    }


def _told(case: CaseChange) -> bool:
    return case.change is not Change.SAME or case.slower or case.flaky or case.question_changed


def _side(side: Side) -> dict[str, Any]:
    return {"label": side.label, "cases": len(side.rows), "incomplete": side.incomplete or None}


def _metric(metric: MetricChange) -> dict[str, Any]:
    return {
        "name": metric.name,
        "label": label(metric.name),
        "unit": metric.unit,
        "better": metric.better,
        "before": metric.before,
        "after": metric.after,
        "difference": metric.difference,
        "relative_difference": metric.relative,
        "pairs": metric.pairs,
        "interval": None if metric.low is None else [metric.low, metric.high],
        "p": metric.p,
        "method": metric.method or None,
        "standing": metric.standing,
        "pairs_needed": metric.needed,
    }


def _case(case: CaseChange) -> dict[str, Any]:
    suite, case_id, bracket = case.key
    return {
        "suite": suite,
        "id": case_id,
        "variant": bracket,
        "change": case.change.value,
        "before": _row(case.before),
        "after": _row(case.after),
        "score_difference": case.score,
        "latency_difference_ms": case.latency_ms,
        "slower": case.slower,
        "flaky": case.flaky,
        "question_changed": case.question_changed,
    }


def _row(row: CaseRow | None) -> dict[str, Any] | None:
    if row is None:
        return None
    return {"outcome": row.outcome.value, "score": row.score, "headline": row.headline, "source": row.source}
