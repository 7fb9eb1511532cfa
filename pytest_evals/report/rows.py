"""From a result to the row that aggregates and lists need."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from math import isfinite
from typing import Any

from ..model.case import DRAFT
from ..model.judge import JudgeKey, add_up, judging, keys_in
from ..model.outcome import Outcome
from ..model.rating import ratings_in
from ..model.response import CACHED, UNPRICED
from ..model.result import CaseResult, CaseRow, CriterionResult, CriterionRow
from ..model.words import SCORER, WordErrors, word_errors_in
from .headline import headline
from .repeats import joined_criteria


def row_of(result: CaseResult) -> CaseRow:
    """The result without its texts. Tokens and cost are those of all trials; unknown as soon as one is unknown."""
    usages = [trial.usage for trial in result.trials]
    trials = result.trial_counts
    return CaseRow(
        suite=result.suite,
        case_id=result.case_id,
        outcome=result.outcome,
        variant=result.variant,
        variant_id=result.variant_id,
        node_id=result.node_id,
        source=result.source,
        experiment=result.experiment,
        category=result.category,
        tags=result.tags,
        error_kind=result.error.kind if result.error and result.outcome is Outcome.ERRORED else None,
        xfail=result.xfail is not None,
        draft=result.xfail == DRAFT,
        gated=result.gated,
        score=_finite(result.score),
        criteria=tuple(_criterion(criterion) for criterion in result.criteria) if trials is None else _joined(result),
        latencies_ms=tuple(
            trial.latency_ms for trial in result.trials if trial.latency_ms is not None and isfinite(trial.latency_ms)
        ),
        input_tokens=_sum(usage.input_tokens if usage else None for usage in usages),
        output_tokens=_sum(usage.output_tokens if usage else None for usage in usages),
        cost_usd=_finite(result.cost_usd),
        unpriced=tuple(sorted({str(t.metadata[UNPRICED]) for t in result.trials if t.metadata.get(UNPRICED)})),
        **_judging(result),
        cached=sum(bool(trial.metadata.get(CACHED)) for trial in result.trials),
        headline=headline(result),
        trials=trials,
    )


def _judging(result: CaseResult) -> dict[str, Any]:
    """What judging took over all trials; a number that one of them does not tell is not known."""
    found = [judging(trial.criteria) for trial in result.trials]
    took = add_up(part for part in found if part) if any(found) else {}
    tokens = [took.get("input_tokens"), took.get("output_tokens")]
    return {
        "judge_calls": took.get("calls") or 0,
        "judge_tokens": _sum(tokens) if took else None,
        "judge_cost_usd": _finite(took.get("cost_usd")),
    }


def _joined(result: CaseResult) -> tuple[CriterionRow, ...]:
    """Each criterion over all trials; the words of all transcripts together."""
    words: dict[str, WordErrors] = {}
    judges: dict[str, dict[JudgeKey, None]] = {}
    ratings: dict[str, tuple[tuple[str, str], ...]] = {}
    for trial in result.trials:
        for row in map(_criterion, trial.criteria):
            if row.words is not None:
                words[row.name] = words.get(row.name, WordErrors()) + row.words
            judges.setdefault(row.name, {}).update(dict.fromkeys(row.judges))
            ratings[row.name] = (*ratings.get(row.name, ()), *row.ratings)
    return tuple(
        replace(
            row,
            words=words.get(row.name),
            judges=tuple(judges.get(row.name, ())),
            ratings=ratings.get(row.name, ()),
        )
        for row in map(_criterion, joined_criteria(result))
    )


def _criterion(criterion: CriterionResult) -> CriterionRow:
    words = word_errors_in(criterion.detail) if criterion.scorer == SCORER and criterion.score is not None else None
    judges = keys_in(criterion.detail) if criterion.detail else ()
    mark = criterion.mark if judges else None
    ratings = ratings_in(criterion.detail) if judges else ()
    return CriterionRow(
        criterion.name, _finite(criterion.score), criterion.passed, criterion.weight, words, judges, mark, ratings
    )


def _finite(value: float | None) -> float | None:
    return value if value is not None and isfinite(value) else None


def _sum(numbers: Iterable[int | None]) -> int | None:
    known = list(numbers)
    return None if not known or None in known else sum(n for n in known if n is not None)
