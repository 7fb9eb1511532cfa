"""Two runs side by side as text: verdicts of the figures first, then the cases, those that broke before all others."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ..model.comparison import CaseChange, Change, Comparison, MetricChange, Side
from ..model.result import CaseRow
from ..stats.paired import FEWEST_PAIRS
from . import format as f
from .lines import Line, Span, line, table
from .text import cells, fit, pad

WITH_INTERVALS = 100
"""Columns from which the table has room for intervals."""

MAX_LISTED = 10
"""Cases listed of each change; all of them with ``-v``."""

SHOWN_ANSWERS = 10
"""So many broken cases are listed with what they answered before and now."""

LABELS = {
    "pass_rate": "pass rate",
    "score.mean": "score",
    "errors": "errors",
    "latency.mean": "latency mean",
    "latency.p50": "latency p50",
    "latency.p95": "latency p95",
    "cost.mean": "cost per case",
    "tokens.mean": "tokens per case",
}

STYLES = {"improved": "green", "regressed": "red"}

LISTED: dict[Change, tuple[str, str]] = {
    Change.BROKEN: ("passed before and do not any more", "red"),
    Change.ERRORED: ("have an error now", "red"),
    Change.WORSE: ("score lower, with the same verdict", "yellow"),
    Change.FIXED: ("pass now and did not before", "green"),
    Change.ANSWERED: ("have no error any more", "green"),
    Change.BETTER: ("score higher, with the same verdict", "green"),
    Change.GONE: ("are gone", "yellow"),
    Change.NEW: ("are new", ""),
}
"""The changes whose cases are listed, in this order, with what is said of them."""

SINGULAR = {
    Change.BROKEN: "passed before and does not any more",
    Change.ERRORED: "has an error now",
    Change.WORSE: "scores lower, with the same verdict",
    Change.FIXED: "passes now and did not before",
    Change.ANSWERED: "has no error any more",
    Change.BETTER: "scores higher, with the same verdict",
    Change.GONE: "is gone",
    Change.NEW: "is new",
}

METHODS = {
    "mcnemar": "pass rate and errors: exact McNemar test of the cases whose verdict changed",
    "bootstrap": "means: paired bootstrap (BCa) over the shared cases",
    "t": "means: paired t test over the shared cases",
}


def label(metric: str) -> str:
    """A figure's name for people: ``tone`` for ``score.tone.mean``."""
    return LABELS.get(metric, metric.removeprefix("score.").removesuffix(".mean"))


def value(metric: MetricChange, number: float | None) -> str:
    """A figure in its own unit."""
    shown: Callable[[float | None], str] = {
        "share": f.percent,
        "score": lambda v: f.score(v, 3),
        "ms": f.duration,
        "usd": f.usd,
        "tokens": f.count,
    }[metric.unit]
    return shown(number)


def change(metric: MetricChange, number: float | None) -> str:
    """A difference in the figure's own unit, with its sign: ``+4.9 pp``, ``-0.012``, ``+340 ms``."""
    if number is None:
        return f.UNKNOWN
    size = abs(number)
    shown = {
        "share": lambda: f"{size * 100:.1f} pp",
        "score": lambda: f"{size:.3f}",
        "ms": lambda: f.duration(size),
        "usd": lambda: f.usd(size),
        "tokens": lambda: f.count(size),
    }[metric.unit]()
    return shown if number == 0 else f"{'+' if number > 0 else '-'}{shown}"


def relative(metric: MetricChange) -> str:
    """The difference as a share of the first value, in brackets; empty for rates, and where there is none."""
    share = metric.relative
    if not share or metric.unit == "share":
        return ""
    digits = 0 if abs(share) >= 0.1 else 1
    return f" ({share * 100:+.{digits}f}%)"


def standing(metric: MetricChange) -> str:
    """What a figure's change comes to, with p."""
    if metric.standing == "not tested":
        return ""
    if metric.standing == "not enough data":
        return f"not enough data, {f.counted(max(FEWEST_PAIRS - metric.pairs, 1), 'more case')} needed"
    p = "" if metric.p is None else " (p < 0.001)" if metric.p < 0.001 else f" (p = {metric.p:.2g})"
    return f"{metric.standing}{p}"


def interval(metric: MetricChange) -> str:
    """The 95 % interval of the difference."""
    if metric.low is None or metric.high is None:
        return ""
    return f"{change(metric, metric.low)} to {change(metric, metric.high)}"


def name_of(case: CaseChange) -> str:
    """``suite::case[variant]``."""
    suite, case_id, bracket = case.key
    return f"{suite}::{case_id}" + (f"[{bracket}]" if bracket else "")


def outcome(row: CaseRow | None) -> str:
    """A side's verdict and score in a few words."""
    if row is None:
        return "gone"
    return row.outcome.value + (f" {f.short_score(row.score)}" if row.score is not None else "")


def counts(comparison: Comparison) -> list[str]:
    """How many cases changed in which way: ``5 broken``, ``70 fixed`` …, leaving out what did not happen."""
    said = []
    for kind in Change:
        number = len(comparison.of(kind))
        if number:
            said.append(f"{f.count(number)} {kind.value}")
    for word, test in FLAGS.items():
        number = sum(test(case) for case in comparison.cases)
        if number:
            said.append(f"{f.count(number)} {word}")
    return said


FLAGS: dict[str, Callable[[CaseChange], bool]] = {
    "slower": lambda case: case.slower,
    "flaky": lambda case: case.flaky,
    "with a changed question": lambda case: case.question_changed,
}
"""What may be said of a case besides its change."""


def verdict(comparison: Comparison) -> tuple[str, str]:
    """What the figures say in one word, and its style: regressed, improved, mixed (both), or no change shown."""
    regressed = any(m.standing == "regressed" for m in comparison.metrics)
    improved = any(m.standing == "improved" for m in comparison.metrics)
    if regressed and improved:
        return "mixed", "yellow"
    if regressed:
        return "regressed", "red"
    if improved:
        return "improved", "green"
    # single cases may break where no figure shows it
    return "no change shown", "yellow" if comparison.regressions else ""


def comparison_lines(comparison: Comparison, *, width: int = 80, verbose: int = 0) -> list[Line]:
    """The comparison in lines of at most ``width`` columns (60 at least)."""
    width = max(width, 60)
    word, style = verdict(comparison)
    blocks: list[list[Line]] = [
        [
            line((word, style or "bold"), (fit(f": {', '.join(counts(comparison)) or 'no case'}", width - 20), "bold")),
            *_sides(comparison, width),
        ],
        _metrics(comparison, width),
        *(_cases(comparison, kind, width, verbose) for kind in LISTED),
        _flagged(comparison, width, verbose),
    ]
    lines: list[Line] = []
    for block in blocks:
        if block:
            lines += [*([line("")] if lines else []), *block]
    return lines


def baseline_lines(comparison: Comparison, width: int, verbose: int) -> list[Line]:
    """The comparison within a session's section: figures, and what broke with its answer before and now."""
    said = ", ".join(counts(comparison)) or "no case in common"
    _, style = verdict(comparison)
    lines = [
        line(
            (f"  since {fit(comparison.before.label, max(width // 2, 30))}: ", "dim"),
            (fit(said, max(width // 2 - 14, 24)), "red" if comparison.regressions else style or "bold"),
        )
    ]
    if comparison.before.incomplete:
        lines.append(
            line("  ", (fit(f"the baseline is incomplete: {comparison.before.incomplete}", width - 2), "yellow"))
        )
    lines += _metrics(comparison, width, notes=verbose > 0)
    lines += _cases(comparison, Change.BROKEN, width, verbose)
    if verbose > 0:
        lines += [
            each for kind in LISTED if kind is not Change.BROKEN for each in _cases(comparison, kind, width, verbose)
        ]
    return lines


def _sides(comparison: Comparison, width: int) -> list[Line]:
    return [
        *(_side(word, side, width) for word, side in (("before", comparison.before), ("after", comparison.after))),
        line((f"  {'shared':<7} {f.counted(comparison.shared, 'case')}", "dim")),
    ]


def _side(word: str, side: Side, width: int) -> Line:
    incomplete = f", incomplete: {side.incomplete}" if side.incomplete else ""
    style = "yellow" if incomplete else "dim"
    said = fit(f"{side.label}, {f.counted(len(side.rows), 'case')}{incomplete}", width - 10)
    return line("  ", (f"{word:<7} ", style), (said, style))


def _metrics(comparison: Comparison, width: int, notes: bool = True) -> list[Line]:
    if not comparison.metrics:
        return [line(("  the runs share no case: nothing can be compared", "yellow"))]
    wide = width >= WITH_INTERVALS
    rows: list[Sequence[str | Span]] = [("", "before", "after", "change", *(["95% interval"] if wide else []), "")]
    rows += [
        (
            label(metric.name),
            value(metric, metric.before),
            value(metric, metric.after),
            change(metric, metric.difference) + (relative(metric) if wide else ""),
            *([interval(metric)] if wide else []),
            (standing(metric), STYLES.get(metric.standing, "dim")),
        )
        for metric in comparison.metrics
    ]
    said = explanations(comparison) if notes else []
    return table(rows, width, "lrrrrl" if wide else "lrrrl") + [
        line("  ", (fit(note, width - 2), "dim")) for note in said
    ]


def explanations(comparison: Comparison) -> list[str]:
    """How the figures were tested, a sentence each, and how many cases would show what these do not."""
    said = list(dict.fromkeys(METHODS[metric.method] for metric in comparison.metrics if metric.method))
    lower = dict.fromkeys(label(m.name).partition(" ")[0] for m in comparison.metrics if m.better == "lower")
    if lower:
        said.append(f"lower is better: {', '.join(lower)}")
    criteria = [m for m in comparison.metrics if m.criterion and m.p is not None]
    if len(criteria) > 1:
        said.append(f"p of {len(criteria)} criteria: adjusted for their number by Holm's method")
    needed = [
        f"{f.count(metric.needed)} for {label(metric.name)}"
        for metric in comparison.metrics
        if metric.needed is not None and metric.needed > metric.pairs and metric.unit in ("share", "score")
    ]
    if needed:
        said.append(f"cases that would show a difference of this size: {', '.join(needed)}")
    return said


def _cases(comparison: Comparison, kind: Change, width: int, verbose: int) -> list[Line]:
    found = comparison.of(kind)
    if not found:
        return []
    what, style = LISTED[kind]
    limit = len(found) if verbose > 0 or (kind is Change.BROKEN and len(found) <= 3 * MAX_LISTED) else MAX_LISTED
    shown = found[:limit]
    lines = [
        line(
            (f"  {kind.value}", style or "bold"),
            (f": {f.counted(len(found), 'case')} that {what if len(found) > 1 else SINGULAR.get(kind, what)}", "dim"),
        )
    ]
    column = min(max(cells(name_of(case)) for case in shown), max(24, width // 2))
    for number, case in enumerate(shown):
        lines.append(_case(case, column, width))
        answers = comparison.answers.get(case.key, ()) if kind is Change.BROKEN and number < SHOWN_ANSWERS else ()
        for word, text in zip(("before", "now"), answers, strict=False):
            if text is not None:
                lines.append(line(f"      {word:<6} ", (fit(text, width - 13), "")))
    if len(found) > len(shown):
        lines.append(line((f"    and {f.counted(len(found) - len(shown), 'more case')}, all with -v", "dim")))
    return lines


def _case(case: CaseChange, column: int, width: int) -> Line:
    said = outcome(case.after) if case.change is Change.NEW else f"{outcome(case.before)} → {outcome(case.after)}"
    flags = [word for word, test in FLAGS.items() if test(case)]
    why = [case.after.headline] if case.after is not None and case.after.headline else []
    room = width - 6 - column
    return line(f"    {pad(fit(name_of(case), column), column)}  ", (fit("; ".join([said, *flags, *why]), room), "dim"))


def _flagged(comparison: Comparison, width: int, verbose: int) -> list[Line]:
    lines = []
    for word, test in FLAGS.items():
        found = [case for case in comparison.cases if test(case)]
        if found:
            shown = found if verbose > 0 else found[: MAX_LISTED // 2]
            names = ", ".join(name_of(case) for case in shown)
            more = f" and {f.count(len(found) - len(shown))} more" if len(found) > len(shown) else ""
            lines.append(line("  ", (fit(f"{word}: {names}{more}", width - 2), "dim")))
    return lines
