"""The charts of the overview: what to draw, and in words what there is to see."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from ...model.run import SessionResult
from ..format import count, counted, duration, short_score, usd
from .histogram import Bar, bars, score_bars, tallest
from .trend import trends

Chart = dict[str, Any]


def charts(session: SessionResult) -> list[Chart]:
    """Those of which there are values."""
    return [*_charts(session), *trends(session)]


def _charts(session: SessionResult) -> Iterator[Chart]:
    summary = session.summary
    scores, latency, cost = summary.score, summary.latency, summary.cost_usd
    if scores.n > 1:
        yield _histogram("scores", score_bars(scores.values), short_score, "case", [("mean", scores.mean)])
    if latency.n > 1:
        marks = [("p50", latency.p50), ("p95", latency.p95)]
        yield _histogram("latency", bars(latency.values), duration, "answer", marks)
    if cost.known > 1 and cost.values[-1] > 0:
        mean = (cost.value or 0.0) / cost.known
        yield _histogram("cost of a case", bars(cost.values), usd, "case", [("mean", mean)])


def _histogram(
    title: str,
    made: Sequence[Bar],
    said: Callable[[float], str],
    noun: str,
    marks: Sequence[tuple[str, float | None]],
) -> Chart:
    total = sum(bar.n for bar in made)
    known = [(name, at) for name, at in marks if at is not None]
    words = [counted(total, noun), tallest(made, said), *(f"{name} {said(at)}" for name, at in known)]
    return {
        "kind": "histogram",
        "title": title,
        "summary": ", ".join(words),
        "bars": [{"n": bar.n, "said": f"{_range(bar, said)}: {count(bar.n)}"} for bar in made],
        "edges": [said(made[0].low), said(made[-1].high) + ("+" if made[-1].open else "")],
        "marks": [{"label": f"{name} {said(at)}", "at": _along(made, at)} for name, at in known],
    }


def _range(bar: Bar, said: Callable[[float], str]) -> str:
    if bar.open:
        return f"{said(bar.low)} and more"
    return f"{said(bar.low)} to {said(bar.high)}" if bar.high > bar.low else said(bar.low)


def _along(made: Sequence[Bar], value: float) -> float:
    """Where on the axis a value is, from 0 to 1."""
    low, high = made[0].low, made[-1].high
    return min(max((value - low) / (high - low), 0.0), 1.0) if high > low else 0.5
