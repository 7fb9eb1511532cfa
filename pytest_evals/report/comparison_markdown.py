"""A comparison for a pull request: verdict first, then what broke, then the figures."""

from __future__ import annotations

from collections.abc import Iterable

from ..model.comparison import CaseChange, Change, Comparison
from . import format as f
from .comparison import (
    LISTED,
    SINGULAR,
    change,
    counts,
    explanations,
    interval,
    label,
    name_of,
    outcome,
    relative,
    standing,
    value,
    verdict,
)
from .markdown import inline, row

MOST_LISTED = 50
"""Cases listed of each change; the others are counted."""

_OPEN = frozenset({Change.BROKEN, Change.ERRORED})
"""Changes whose cases are shown without a click."""

_SIGNS = {"regressed": "🔴", "improved": "🟢", "mixed": "🟡", "no change shown": "⚪"}


def comparison_markdown(comparison: Comparison) -> str:
    """The comparison as Markdown that GitHub and GitLab show."""
    word, _ = verdict(comparison)
    lines = [f"### {_SIGNS[word]} {word}", "", ", ".join(counts(comparison)) or "no case", ""]
    for side, name in ((comparison.before, "before"), (comparison.after, "after")):
        incomplete = f" **incomplete: {inline(side.incomplete)}**" if side.incomplete else ""
        lines.append(f"- {name}: {inline(side.label)}, {f.counted(len(side.rows), 'case')}{incomplete}")
    lines += [f"- shared: {f.counted(comparison.shared, 'case')}", ""]
    for kind in LISTED:
        if kind in _OPEN:
            lines += _cases(comparison, kind)
    lines += metric_lines(comparison)
    for kind in LISTED:
        if kind not in _OPEN:
            lines += _cases(comparison, kind)
    return "\n".join(lines).rstrip() + "\n"


def metric_lines(comparison: Comparison) -> list[str]:
    """The figures of both sides as a table, and how they were tested."""
    if not comparison.metrics:
        return ["The runs share no case: nothing can be compared.", ""]
    lines = [
        row("", "before", "after", "change", "95% interval", ""),
        row("---", "---:", "---:", "---:", "---:", "---"),
    ]
    for metric in comparison.metrics:
        said = standing(metric)
        lines.append(
            row(
                inline(label(metric.name)),
                inline(value(metric, metric.before)),  # two dollar signs would make a formula
                inline(value(metric, metric.after)),
                inline(change(metric, metric.difference) + relative(metric)),
                inline(interval(metric)),
                f"**{said}**" if metric.standing in ("improved", "regressed") else said,
            )
        )
    notes = [f"{note}." for note in explanations(comparison)]
    return [*lines, "", *(["<sub>" + " ".join(inline(note, 400) for note in notes) + "</sub>", ""] if notes else [])]


def _cases(comparison: Comparison, kind: Change) -> list[str]:
    found = comparison.of(kind)
    if not found:
        return []
    said = LISTED[kind][0] if len(found) > 1 else SINGULAR[kind]
    title = f"{kind.value}: {f.counted(len(found), 'case')} that {said}"
    heads, rows = case_rows(found[:MOST_LISTED])
    body = [*heads, *rows]
    if len(found) > MOST_LISTED:
        body += ["", f"and {f.counted(len(found) - MOST_LISTED, 'more case')}"]
    if kind in _OPEN:
        return [f"**{title}**", "", *body, ""]
    return [f"<details><summary>{title}</summary>", "", *body, "", "</details>", ""]


def case_rows(cases: Iterable[CaseChange]) -> tuple[list[str], list[str]]:
    """A table of cases: the two lines of its head, and a row for each."""
    return [row("case", "before", "after", "why"), row("---", "---", "---", "---")], list(_rows(cases))


def _rows(cases: Iterable[CaseChange]) -> Iterable[str]:
    for case in cases:
        why = "; ".join(
            filter(
                None,
                (
                    case.after.headline if case.after is not None else "",
                    "slower" if case.slower else "",
                    "flaky" if case.flaky else "",
                    "its question changed" if case.question_changed else "",
                ),
            )
        )
        before = "new" if case.change is Change.NEW else outcome(case.before)
        yield row(inline(name_of(case), 80), before, outcome(case.after), inline(why, 160))
