"""Charts of figures over runs: SVG with a point for each run that can be followed, and in words what is to be seen."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from html import escape as html

from markupsafe import Markup

WIDTH, HEIGHT = 560, 150
_LEFT, _RIGHT, _TOP, _BOTTOM = 58, 12, 12, 24


@dataclass(frozen=True, slots=True)
class Point:
    """A run in a trend."""

    label: str
    """When it was, or what it is called."""
    value: float | None
    href: str
    style: str = ""
    """``good``, ``bad`` or empty: also said in words, in the label."""


def trend(title: str, points: Sequence[Point], said: Callable[[float], str], *, top: float | None = None) -> Markup:
    """A line through the known values, the oldest left. ``top``: the end of the axis, where the figure has one."""
    known = [(place, point, point.value) for place, point in enumerate(points) if point.value is not None]
    if not known:
        return Markup("")
    values = [value for _, _, value in known]
    high = top if top is not None else max(values) * 1.1 or 1.0
    step = (WIDTH - _LEFT - _RIGHT) / max(len(points) - 1, 1)

    def at(place: int, value: float) -> tuple[float, float]:
        x = _LEFT + (step * place if len(points) > 1 else (WIDTH - _LEFT - _RIGHT) / 2)
        return round(x, 1), round(_TOP + (HEIGHT - _TOP - _BOTTOM) * (1 - value / high), 1)

    words = (
        f"{title} of {len(known)} runs: {said(values[0])} at first, {said(values[-1])} at last"
        if len(known) > 1
        else (f"{title} of one run: {said(values[0])}")
    )
    parts = [
        f'<svg class="trend" viewBox="0 0 {WIDTH} {HEIGHT}" role="group" aria-label="{html(words)}">',
        *(_axis(value, at(0, value)[1], said) for value in (0.0, high)),
    ]
    runs: list[list[tuple[float, float]]] = [[]]
    for before, (place, _, value) in zip([None, *known], known, strict=False):
        if before is not None and place - before[0] > 1:
            runs.append([])  # a run without the figure is a gap, not a straight line
        runs[-1].append(at(place, value))
    parts += [f'<polyline points="{" ".join(f"{x},{y}" for x, y in line)}"/>' for line in runs if len(line) > 1]
    for place, point, value in known:
        x, y = at(place, value)
        text = html(f"{point.label}: {said(value)}")
        circle = f'<circle class="{html(point.style)}" cx="{x}" cy="{y}" r="4"><title>{text}</title></circle>'
        parts.append(f'<a href="{html(point.href)}" aria-label="{text}">{circle}</a>')
    first, last = html(points[0].label), html(points[-1].label)
    foot = HEIGHT - 6
    parts.append(f'<text x="{_LEFT}" y="{foot}">{first}</text>')
    if len(points) > 1:
        parts.append(f'<text x="{WIDTH - _RIGHT}" y="{foot}" text-anchor="end">{last}</text>')
    return Markup("".join([*parts, "</svg>"]))  # every text in it is escaped above


def spark(title: str, points: Sequence[Point]) -> Markup:
    """A small line of values from 0 to 1, without axes, and its course in words; nothing for less than two."""
    known = [point.value for point in points if point.value is not None]
    if len(known) < 2:
        return Markup("")
    words = html(f"{title} of the last {len(known)} runs: from {known[0]:.0%} to {known[-1]:.0%}")
    places = [(round(2 + 96 * n / (len(known) - 1), 1), round(22 - 20 * value, 1)) for n, value in enumerate(known)]
    line = " ".join(f"{x},{y}" for x, y in places)
    drawn = f'<svg class="spark" viewBox="0 0 100 24" role="img" aria-label="{words}"><polyline points="{line}"/></svg>'
    return Markup(drawn)


def _axis(value: float, y: float, said: Callable[[float], str]) -> str:
    return (
        f'<line x1="{_LEFT}" x2="{WIDTH - _RIGHT}" y1="{y}" y2="{y}"/>'
        f'<text x="{_LEFT - 8}" y="{y + 4}" text-anchor="end">{html(said(value))}</text>'
    )
