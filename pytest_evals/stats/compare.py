"""Whether the second of two runs is better or worse than the first."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from math import fsum, isfinite

from ..errors import UsageError
from ..model.comparison import CaseChange, Change, Comparison, Direction, Key, MetricChange, Side, Standing
from ..model.outcome import Outcome
from ..model.result import CaseRow
from ..model.score import TOLERANCE
from .intervals import LEVEL
from .paired import difference, holm, mcnemar, pairs_needed
from .percentiles import nearest_rank

SLOWER_FACTOR = 2.0
SLOWER_MS = 100.0

Pair = tuple[CaseRow, CaseRow]

_PASSING = frozenset({Outcome.PASSED, Outcome.WARNED})
_RATED = frozenset({Outcome.PASSED, Outcome.WARNED, Outcome.FAILED, Outcome.ERRORED})


def compare(before: Side, after: Side, *, allow_missing: bool = False) -> Comparison:
    """Pair the cases of two runs by suite, id and bracket, and ask of each what it became.

    ``allow_missing``: a case that passed before and is gone from its suite is no regression. Raises ``UsageError`` when
    a side holds a case twice or a figure that is no number: neither can be compared honestly.
    """
    first, second = _by_key(before), _by_key(after)
    out = set(before.left_out), set(after.left_out)
    cases = [
        _case(key, first.get(key), second.get(key), before, after, out, allow_missing)
        for key in dict.fromkeys((*second, *first))
    ]
    rank = {change: number for number, change in enumerate(Change)}
    pairs = [
        (case.before, case.after)
        for case in cases
        if case.change.paired and case.before is not None and case.after is not None
    ]
    return Comparison(before, after, sorted(cases, key=lambda case: rank[case.change]), _metrics(pairs))


def _by_key(side: Side) -> dict[Key, CaseRow]:
    rows: dict[Key, CaseRow] = {}
    for row in side.rows:
        if row.key in rows:
            raise UsageError(f"{side.label} holds case {row.case_id!r} of suite {row.suite!r} more than once")
        for value in (row.score, row.cost_usd, *row.latencies_ms, *(c.score for c in row.criteria)):
            if value is not None and not isfinite(value):
                raise UsageError(f"{side.label}: case {row.case_id!r} of suite {row.suite!r} has {value} as a figure")
        rows[row.key] = row
    return rows


# -- cases ------------------------------------------------------------------------------------------------------------


def _case(
    key: Key,
    old: CaseRow | None,
    new: CaseRow | None,
    before: Side,
    after: Side,
    out: tuple[set[Key], set[Key]],
    allow_missing: bool,
) -> CaseChange:
    change = _change(key, old, new, out, allow_missing, TOLERANCE + before.rounded + after.rounded)
    if old is None or new is None or not change.paired:
        return CaseChange(key, change, old, new, scopes_known=before.scopes_known)
    was, now = _mean(old.latencies_ms), _mean(new.latencies_ms)
    return CaseChange(
        key,
        change,
        old,
        new,
        score=None if old.score is None or new.score is None else new.score - old.score,
        latency_ms=None if was is None or now is None else now - was,
        slower=was is not None and now is not None and now >= was * SLOWER_FACTOR and now - was >= SLOWER_MS,
        question_changed=_differ(before.definitions.get(key), after.definitions.get(key)),
        flaky=old.flaky or new.flaky,
    )


def _change(
    key: Key,
    old: CaseRow | None,
    new: CaseRow | None,
    out: tuple[set[Key], set[Key]],
    allow_missing: bool,
    tolerance: float,
) -> Change:
    was, now = _verdict(old), _verdict(new)
    if new is None:
        if key in out[1] or (old is not None and old.outcome is Outcome.SKIPPED):
            return Change.LEFT_OUT
        return Change.BROKEN if was is True and not allow_missing else Change.GONE
    if old is None:
        return Change.LEFT_OUT if key in out[0] or new.outcome is Outcome.SKIPPED else Change.NEW
    if Outcome.SKIPPED in (old.outcome, new.outcome):
        return Change.LEFT_OUT
    if was is True and (now is False or new.outcome is Outcome.ERRORED):
        return Change.BROKEN
    if now is True and was is False:
        return Change.FIXED
    errored = old.outcome is Outcome.ERRORED, new.outcome is Outcome.ERRORED
    if errored[0] is not errored[1]:
        return Change.ERRORED if errored[1] else Change.ANSWERED
    if old.score is None or new.score is None or abs(new.score - old.score) <= tolerance:
        return Change.SAME
    return Change.BETTER if new.score > old.score else Change.WORSE


def _verdict(row: CaseRow | None) -> bool | None:
    """Whether the case passed; ``None`` for one that is outside the pass rate."""
    if row is None or row.xfail or row.outcome not in _RATED:
        return None
    return row.outcome in _PASSING


def _differ(one: str | None, other: str | None) -> bool:
    if not one or not other:
        return False
    return not (one.startswith(other) or other.startswith(one))


def _mean(values: Sequence[float]) -> float | None:
    return fsum(values) / len(values) if values else None


# -- figures ----------------------------------------------------------------------------------------------------------


def _metrics(pairs: Sequence[Pair]) -> list[MetricChange]:
    found = [
        _shares("pass_rate", "higher", pairs, _rated),
        _means("score.mean", "score", "higher", pairs, lambda row: row.score),
        *_criteria(pairs),
        _shares("errors", "lower", [p for p in pairs if Outcome.SCORED not in (p[0].outcome, p[1].outcome)], _error),
        _means("latency.mean", "ms", "lower", pairs, lambda row: _mean(row.latencies_ms)),
        *(_percentile(percent, pairs) for percent in (50, 95)),
        _means("cost.mean", "usd", "lower", pairs, lambda row: row.cost_usd),
        _means("tokens.mean", "tokens", "lower", pairs, lambda row: row.tokens),
    ]
    # no error on either side says nothing
    return [metric for metric in found if metric.pairs and (metric.name != "errors" or metric.before or metric.after)]


def _rated(row: CaseRow) -> float | None:
    # a warned case is no broken one, and yet it is not in the pass rate
    return None if _verdict(row) is None else float(row.outcome is Outcome.PASSED)


def _error(row: CaseRow) -> float | None:
    return float(row.outcome is Outcome.ERRORED)


def _both(pairs: Iterable[Pair], figure: Callable[[CaseRow], float | None]) -> tuple[list[float], list[float]]:
    known = [(a, b) for a, b in ((figure(old), figure(new)) for old, new in pairs) if a is not None and b is not None]
    return [a for a, _ in known], [b for _, b in known]


def _shares(
    name: str, better: Direction, pairs: Sequence[Pair], figure: Callable[[CaseRow], float | None]
) -> MetricChange:
    """A rate: tested by what changed in either direction."""
    metric = _means(name, "share", better, pairs, figure)
    if metric.p is None:
        return metric
    old, new = _both(pairs, figure)
    steps = [b - a for a, b in zip(old, new, strict=True)]
    up, down = steps.count(1.0), steps.count(-1.0)
    p = mcnemar(down, up)
    standing = _standing(p, up - down, better)
    needed = pairs_needed(steps) if standing == "no change shown" else None
    return replace(metric, p=p, method="mcnemar", standing=standing, needed=needed)


def _means(
    name: str,
    unit: str,
    better: Direction,
    pairs: Sequence[Pair],
    figure: Callable[[CaseRow], float | None],
) -> MetricChange:
    old, new = _both(pairs, figure)
    steps = [b - a for a, b in zip(old, new, strict=True)]
    shown = difference(steps)
    metric = MetricChange(name, unit, better, _mean(old), _mean(new), len(old))  # type: ignore[arg-type]
    if shown.interval is None or shown.p is None or shown.mean is None:
        return replace(metric, standing="not enough data" if old else "not tested")
    standing = _standing(shown.p, shown.mean, better)
    return replace(
        metric,
        low=shown.interval.low,
        high=shown.interval.high,
        p=shown.p,
        method=shown.method,
        standing=standing,
        needed=pairs_needed(steps) if standing == "no change shown" else None,
    )


def _criteria(pairs: Sequence[Pair]) -> list[MetricChange]:
    """The criteria that both sides asked, their p-values adjusted for how many there are."""
    names = dict.fromkeys(criterion.name for _, new in pairs for criterion in new.criteria)
    found = [
        _means(f"score.{name}.mean", "score", "higher", pairs, lambda row, name=name: _scores(row).get(name))  # type: ignore[misc]
        for name in names
    ]
    tested = [metric for metric in found if metric.p is not None]
    adjusted = iter(holm([metric.p for metric in tested if metric.p is not None]))
    out = []
    for metric in found:
        if metric.p is not None:
            p = next(adjusted)
            standing = _standing(p, metric.difference or 0.0, metric.better)
            metric = replace(metric, p=p, standing=standing)  # noqa: PLW2901
        out.append(metric)
    return out


def _scores(row: CaseRow) -> Mapping[str, float | None]:
    return {criterion.name: criterion.score for criterion in row.criteria}


def _percentile(percent: int, pairs: Iterable[Pair]) -> MetricChange:
    """A percentile of the latencies; it has no pairs to test."""
    known = [(old, new) for old, new in pairs if old.latencies_ms and new.latencies_ms]
    sides = [sorted(value for pair in known for value in pair[side].latencies_ms) for side in (0, 1)]
    before, after = (nearest_rank(values, percent) for values in sides)
    return MetricChange(f"latency.p{percent}", "ms", "lower", before, after, len(known))


def _standing(p: float, step: float, better: Direction) -> Standing:
    if p > 1 - LEVEL + TOLERANCE or step == 0:
        return "no change shown"
    return "improved" if (step > 0) is (better == "higher") else "regressed"
