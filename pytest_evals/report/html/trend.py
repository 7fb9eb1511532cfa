"""The charts of the last runs: how each figure went, oldest run first."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import groupby
from typing import Any

from ...model.run import SessionResult, TrendPoint
from ..format import counted, duration, percent, score, usd
from ..text import escape

MOST_EXPERIMENTS = 3
"""A session of more experiments shows the first ones."""

Said = Callable[[float], str]


def trends(session: SessionResult) -> Iterator[dict[str, Any]]:
    """For each experiment the pass rate (of a judged one the mean score) over its runs, then latency and cost."""
    groups = [(name, list(points)) for name, points in groupby(session.trend, key=lambda point: point.experiment)]
    for name, points in groups[:MOST_EXPERIMENTS]:
        of = f" of {escape(name)}" if len(groups) > 1 else ""
        if points[-1].type == "checked":
            yield from _trend(f"pass rate{of}, last runs", points, [p.pass_rate for p in points], percent, top=1.0)
        else:
            yield from _trend(f"mean score{of}, last runs", points, [p.score for p in points], _three, top=1.0)
        if len(groups) == 1:
            yield from _trend("latency (p50), last runs", points, [p.latency_p50_ms for p in points], duration)
            yield from _trend("cost, last runs", points, [p.cost_usd for p in points], usd)


def _three(value: float) -> str:
    return score(value, 3)


def _trend(
    title: str, points: Sequence[TrendPoint], values: Sequence[float | None], said: Said, top: float | None = None
) -> Iterator[dict[str, Any]]:
    """Nothing for less than two runs that have the figure, or one that is always 0. ``top`` is the end of the axis."""
    known = [value for value in values if value is not None]
    high = max(known, default=0.0) if top is None else top
    if len(known) < 2 or not high:
        return
    # runs of one day are told apart by their time
    place = slice(11, 16) if points[0].started_at[:10] == points[-1].started_at[:10] else slice(10)
    yield {
        "kind": "trend",
        "title": title,
        "summary": f"{counted(len(known), 'run')}, {said(known[0])} at first, {said(known[-1])} at last",
        "points": [
            {
                "value": None if value is None else value / high,
                "said": f"{_label(point)}: {'unknown' if value is None else said(value)}",
                "label": point.started_at[place],
                "current": point.current,
            }
            for point, value in zip(points, values, strict=True)
        ],
        "levels": [said(0.0), said(high)],
    }


def _label(point: TrendPoint) -> str:
    parts = [point.started_at[:16].replace("T", " "), escape(point.name), escape(point.branch)]
    return ", ".join(part for part in (*parts, "this run" if point.current else "") if part)
