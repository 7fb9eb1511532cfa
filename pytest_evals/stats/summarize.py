"""From rows to a summary, and from summaries of parts to the summary of the whole."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields, replace
from math import isfinite
from typing import TypeVar

from ..model.outcome import ErrorKind, Outcome
from ..model.rating import POINTS
from ..model.result import CaseRow, CriterionRow
from ..model.summary import Counts, CriterionSummary, Spread, Summary, Total, Transcripts
from ..model.words import WordErrors
from .trials import merge_trials, summarize_trials
from .values import latency, ordered, spread, total

K = TypeVar("K")
T = TypeVar("T")


def summarize(rows: Iterable[CaseRow]) -> Summary:
    """What the rows come to, altogether and by suite, category, tag and variant.

    Unknown stays unknown: of no rows every rate, mean and percentile is ``None``.
    """
    rows = list(rows)
    suites: dict[str, list[CaseRow]] = {}
    categories: dict[str, list[CaseRow]] = {}
    tags: dict[str, list[CaseRow]] = {}
    variants: dict[tuple[str, str], list[CaseRow]] = {}
    for row in rows:
        suites.setdefault(row.suite, []).append(row)
        if row.category is not None:
            categories.setdefault(row.category, []).append(row)
        for tag in row.tags:
            tags.setdefault(tag, []).append(row)
        if row.variant_id:
            variants.setdefault((row.suite, row.variant_id), []).append(row)
    return replace(
        _summary(rows),
        by_suite=_each(suites),
        by_category=_each(categories),
        by_tag=_each(tags),
        by_variant=_each(variants),
    )


def merge(parts: Iterable[Summary]) -> Summary:
    """The summary of the whole from those of its parts: exactly what ``summarize`` says of all the rows together."""
    parts = list(parts)
    if len(parts) == 1:
        return parts[0]
    kinds = Counter[ErrorKind]()
    for part in parts:
        kinds.update(part.error_kinds)
    return Summary(
        counts=Counts(*(sum(getattr(part.counts, f.name) for part in parts) for f in fields(Counts))),
        missed=sum(part.missed for part in parts),
        score=_merge_spreads([part.score for part in parts]),
        unscored=sum(part.unscored for part in parts),
        criteria=_merge_criteria([part.criteria for part in parts]),
        latency=latency(_joined([part.latency.values for part in parts])),
        input_tokens=_merge_totals([part.input_tokens for part in parts]),
        output_tokens=_merge_totals([part.output_tokens for part in parts]),
        cost_usd=_merge_totals([part.cost_usd for part in parts]),
        unpriced=tuple(sorted({model for part in parts for model in part.unpriced})),
        judge_calls=sum(part.judge_calls for part in parts),
        judge_tokens=_merge_totals([part.judge_tokens for part in parts]),
        judge_cost_usd=_merge_totals([part.judge_cost_usd for part in parts]),
        cached=sum(part.cached for part in parts),
        trials=merge_trials(part.trials for part in parts),
        error_kinds={kind: kinds[kind] for kind in ErrorKind if kinds[kind]},
        by_suite=_merge_groups([part.by_suite for part in parts]),
        by_category=_merge_groups([part.by_category for part in parts]),
        by_tag=_merge_groups([part.by_tag for part in parts]),
        by_variant=_merge_groups([part.by_variant for part in parts]),
    )


def count(rows: Iterable[CaseRow]) -> Counts:
    """How many rows had which outcome."""
    names = Counter(_count_name(row) for row in rows)
    return Counts(**names)


def _count_name(row: CaseRow) -> str:
    if not row.xfail or row.outcome in {Outcome.SCORED, Outcome.SKIPPED}:
        return row.outcome.value
    if row.outcome is Outcome.ERRORED and not row.draft:
        return "xerrored"
    return "xfailed" if row.outcome is Outcome.ERRORED or row.outcome is Outcome.FAILED else "xpassed"


def _summary(rows: Sequence[CaseRow]) -> Summary:
    ran = [row for row in rows if row.outcome is not Outcome.SKIPPED]
    scores = ordered(row.score for row in ran)
    judged = [row for row in ran if row.judge_calls]
    kinds = Counter(row.error_kind for row in ran if row.outcome is Outcome.ERRORED)
    return Summary(
        counts=count(rows),
        missed=sum(row.gated and row.outcome is Outcome.FAILED and not row.xfail for row in ran),
        score=spread(scores),
        unscored=len(ran) - len(scores),
        criteria=_criteria(ran),
        latency=latency(ordered(value for row in ran for value in row.latencies_ms)),
        input_tokens=_total(ran, [row.input_tokens for row in ran]),
        output_tokens=_total(ran, [row.output_tokens for row in ran]),
        cost_usd=_total(ran, [row.cost_usd for row in ran]),
        unpriced=tuple(sorted({model for row in ran for model in row.unpriced})),
        judge_calls=sum(row.judge_calls for row in judged),
        judge_tokens=_total(judged, [row.judge_tokens for row in judged]),
        judge_cost_usd=_total(judged, [row.judge_cost_usd for row in judged]),
        cached=sum(row.cached for row in ran),
        trials=summarize_trials((row.trials, _rated(row)) for row in ran if row.trials is not None),
        error_kinds={kind: kinds[kind] for kind in ErrorKind if kinds[kind]},
    )


def _rated(row: CaseRow) -> bool:
    """Whether the case is in the pass rate."""
    return not row.xfail and row.outcome is not Outcome.SCORED


def _each(groups: Mapping[K, Sequence[CaseRow]]) -> dict[K, Summary]:
    return {name: _summary(rows) for name, rows in groups.items()}


def _total(ran: Sequence[CaseRow], parts: Iterable[float | None]) -> Total:
    known = ordered(parts)
    return total(known, len(ran) - len(known))


def _criteria(ran: Sequence[CaseRow]) -> dict[str, CriterionSummary]:
    asked: dict[str, list[tuple[CriterionRow, bool]]] = {}
    for row in ran:
        for criterion in row.criteria:
            asked.setdefault(criterion.name, []).append((criterion, row.xfail))
    return {name: _criterion(answers) for name, answers in asked.items()}


def _criterion(answers: Sequence[tuple[CriterionRow, bool]]) -> CriterionSummary:
    scores = ordered(criterion.score for criterion, _ in answers)
    judged = [c for c, xfail in answers if not xfail and c.passed is not None and _known(c.score)]
    words = [criterion.words for criterion, _ in answers if criterion.words is not None]
    return CriterionSummary(
        spread(scores),
        len(answers) - len(scores),
        sum(c.passed is True for c in judged),
        len(judged),
        Transcripts(sum(words, WordErrors()), spread(ordered(each.rate for each in words))) if words else None,
        _ratings((name, word, 1) for criterion, _ in answers for name, word in criterion.ratings),
    )


def _ratings(given: Iterable[tuple[str, str, int]]) -> dict[str, dict[str, int]]:
    """By what was judged by, how often each word was given; the best word first, those never given left out."""
    counts: dict[str, Counter[str]] = {}
    for name, word, times in given:
        counts.setdefault(name, Counter())[word] += times
    return {name: {word: found[word] for word in POINTS if found[word]} for name, found in counts.items()}


def _known(value: float | None) -> bool:
    return value is not None and isfinite(value)


def _joined(parts: Iterable[array[float]]) -> array[float]:
    joined = array("d")
    for part in parts:
        joined.extend(part)
    return array("d", sorted(joined))


def _merge_spreads(parts: Iterable[Spread]) -> Spread:
    return spread(_joined(part.values for part in parts))


def _merge_totals(parts: Sequence[Total]) -> Total:
    return total(_joined(part.values for part in parts), sum(part.unknown for part in parts))


def _merge_criteria(parts: Sequence[Mapping[str, CriterionSummary]]) -> dict[str, CriterionSummary]:
    return {
        name: CriterionSummary(
            _merge_spreads([c.score for c in found]),
            sum(c.unscored for c in found),
            sum(c.passed for c in found),
            sum(c.judged for c in found),
            _merge_transcripts([c.transcripts for c in found if c.transcripts is not None]),
            _ratings((by, word, n) for c in found for by, words in c.ratings.items() for word, n in words.items()),
        )
        for name, found in _by_name(parts).items()
    }


def _merge_transcripts(parts: Sequence[Transcripts]) -> Transcripts | None:
    if not parts:
        return None
    return Transcripts(sum((part.errors for part in parts), WordErrors()), _merge_spreads(part.rates for part in parts))


def _merge_groups(parts: Sequence[Mapping[K, Summary]]) -> dict[K, Summary]:
    return {name: merge(found) for name, found in _by_name(parts).items()}


def _by_name(parts: Iterable[Mapping[K, T]]) -> dict[K, list[T]]:
    found: dict[K, list[T]] = {}
    for part in parts:
        for name, value in part.items():
            found.setdefault(name, []).append(value)
    return found
