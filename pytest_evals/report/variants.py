"""The variants of a suite side by side, and each pair of them case by case."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import groupby

from ..model.pair import VariantPair
from ..model.run import SessionResult
from ..model.summary import Summary
from .format import UNKNOWN, count, counted, duration, percent, score, usd
from .lines import Line, Span, line, table
from .text import cells, fit

MAX_PAIRS = 10
"""Pairs that are listed; all of them with ``-v``."""

_LONGEST = 16
"""Columns of a criterion's name above its means."""

_FIGURES = 45
"""Columns that the figures of a pair take."""

_Column = tuple[str, Callable[[Summary], str | Span]]


def variant_lines(session: SessionResult, width: int, verbose: int = 0) -> list[Line]:
    """For each suite with variants: a row a variant with its figures and the means of its criteria, then the pairs."""
    lines: list[Line] = []
    groups = groupby(session.summary.by_variant.items(), key=lambda item: item[0][0])
    suites = [(suite, {key[1]: part for key, part in group}) for suite, group in groups]
    for suite, parts in suites:
        lines += [line("")] if lines else []
        lines += _figures(fit(f"variant of {suite}", 60) if len(suites) > 1 else "variant", parts, width)
        lines += _pairs([pair for pair in session.pairs if pair.suite == suite], width, verbose)
    return lines


def _figures(head: str, parts: dict[str, Summary], width: int) -> list[Line]:
    best = max((part.pass_rate for part in parts.values() if part.pass_rate is not None), default=None)

    def rate(part: Summary) -> Span:
        return (percent(part.pass_rate), "bold" if best is not None and part.pass_rate == best else "")

    everyone = parts.values()
    columns: list[_Column] = [("cases", lambda part: count(part.cases)), ("pass rate", rate)]
    if any(part.counts.errors for part in everyone):
        columns.append(("errored", lambda part: (count(part.counts.errors), "red" if part.counts.errors else "dim")))
    columns.append(("score", lambda part: score(part.score.mean, 3)))
    if any(part.latency.n for part in everyone):
        columns.append(("p50", lambda part: duration(part.latency.p50)))
        columns.append(("p95", lambda part: duration(part.latency.p95)))
    if any(part.cost_usd.known for part in everyone):
        columns.append(("cost", cost_of))
    criteria = list(dict.fromkeys(name for part in everyone for name in part.criteria))
    if len(criteria) > 1:  # the mean of a single one is the score
        columns += [(fit(name, _LONGEST), _mean_of(name)) for name in criteria]
    lines: list[Line] = []
    while columns:
        fitting = _fitting(columns, parts, width)
        rows: list[Sequence[str | Span]] = [(head, *(name for name, _ in columns[:fitting]))]
        rows += [(fit(name, 60), *(cell(part) for _, cell in columns[:fitting])) for name, part in parts.items()]
        lines += ([line("")] if lines else []) + table(rows, width, "l" + "r" * fitting)
        columns = columns[fitting:]
    return lines


def cost_of(part: Summary) -> str:
    """The cost; with ``+`` where it is not known of some cases."""
    return usd(part.cost_usd.value) + ("+" if part.cost_usd.partial else "")


def _mean_of(name: str) -> Callable[[Summary], str]:
    def mean(part: Summary) -> str:
        return score(part.criteria[name].score.mean, 3) if name in part.criteria else UNKNOWN

    return mean


def _fitting(columns: Sequence[_Column], parts: dict[str, Summary], width: int) -> int:
    """How many columns have room beside the names of the variants; the others get a table of their own."""
    room = width - 2 - min(max(map(cells, parts)), max(24, width // 3))
    for number, (name, cell) in enumerate(columns):
        shown = [cell(part) for part in parts.values()]
        room -= 2 + max(cells(name), *(cells(text if isinstance(text, str) else text[0]) for text in shown))
        if room < 0:
            return max(1, number)
    return len(columns)


def _pairs(pairs: Sequence[VariantPair], width: int, verbose: int) -> list[Line]:
    known = [pair for pair in pairs if pair.cases]
    if not known:
        return []
    shown = known if verbose > 0 else known[:MAX_PAIRS]
    judged = any(pair.pass_rate_difference is not None for pair in shown)
    p = "p" if len(known) == 1 else "p (Holm)"
    rows: list[Sequence[str | Span]] = [("pair", "cases", "better", "worse", "pass rate" if judged else "score", p)]
    room = max(width - _FIGURES, 24)
    for pair in shown:
        change = pair.pass_rate_difference if judged else pair.score_difference
        rows.append(
            (
                _names(pair, room),
                count(pair.cases),
                count(pair.better),
                count(pair.worse),
                (pair_change(change, judged), "" if change in (None, 0) else "green" if change > 0 else "red"),
                p_value(pair.p_adjusted),
            )
        )
    lines = [line(""), *table(rows, width, "lrrrrr")]
    if len(shown) < len(known):
        rest = counted(len(known) - len(shown), "more pair")
        lines.append(line((f"  and {rest}, all with -v", "dim")))
    return lines


def _names(pair: VariantPair, room: int) -> str:
    """``small → large``, both cut where there is no room for the whole."""
    half = (room - 3) // 2
    longest = max(half, room - 3 - cells(pair.second)), max(half, room - 3 - cells(pair.first))
    return f"{fit(pair.first, longest[0])} → {fit(pair.second, longest[1])}"


def pair_change(change: float | None, judged: bool) -> str:
    if change is None:
        return UNKNOWN
    sign = "+" if change > 0 else "-" if change < 0 else ""
    return f"{sign}{abs(change) * 100:.1f} pp" if judged else f"{sign}{abs(change):.3f}"


def p_value(p: float | None) -> str:
    """``0.032``; below a thousandth ``<0.001``, above 0.999 ``1``."""
    if p is None:
        return UNKNOWN
    return "<0.001" if p < 0.001 else "1" if p > 0.9995 else f"{p:.3f}"
