"""Gates as people read them."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import wrap

from ..model.gate import GateVerdict, Verdict
from ..model.text import one_line
from .format import count, counted, margin, observed
from .lines import Line, Span, line, table
from .text import cells, fit

STYLES = {Verdict.HELD: "green", Verdict.BROKEN: "red", Verdict.UNDECIDED: "yellow", Verdict.NOT_ASKED: "dim"}
MAX_HELD = 10
"""So many held gates are listed; broken and undecided ones all are."""


def gate_line(verdict: GateVerdict) -> str:
    """A gate in one line: ``pass_rate >= 95%: broken, 91.0% of 200 cases, 4.0 pp too little``."""
    parts = [f"{one_line(verdict.gate.text, 120)}: {verdict.verdict.value}"]
    if verdict.observed is not None:
        parts.append(f"{observed(verdict)} over {counted(verdict.cases, 'case')}")
    if verdict.reason:
        parts.append(verdict.reason)
    elif words := margin(verdict):
        parts.append(words)
    if _selected(verdict):
        parts.append(f"{count(verdict.left_out)} more not selected")
    return ", ".join(parts)


def gate_lines(verdicts: Sequence[GateVerdict], width: int, verbose: int) -> list[Line]:
    """A table of the gates: verdict, bound, observed, margin or reason. Broken ones first."""
    ranked = ranked_gates(verdicts)
    calm = [v for v in ranked if v.verdict in {Verdict.HELD, Verdict.NOT_ASKED}]
    left = [] if verbose > 0 else calm[MAX_HELD:]
    several = len({v.gate.suite for v in verdicts}) > 1
    shown = [gate_row(v, several) for v in ranked if not any(v is other for other in left)]
    lines = _table(shown, width)
    if any(_selected(v) for v in verdicts):
        lines.append(line(("  the other cases of these gates were not selected", "dim")))
    if left:
        held = sum(v.verdict is Verdict.HELD for v in left)
        lines.append(line((f"  and {counted(held, 'gate')} held, {count(len(left) - held)} not asked", "dim")))
    return lines


_Row = tuple[str, str, str, Span]


def _table(shown: Sequence[_Row], width: int) -> list[Line]:
    """The table. Where it is too wide, long names and reasons have lines of their own, so that they are not cut."""
    names = max(cells(name) for name in ("gate", *(row[0] for row in shown)))
    numbers = 8 + max(cells(seen) for seen in ("observed", *(row[1] for row in shown)))
    numbers += max(cells(cases) for cases in ("cases", *(row[2] for row in shown)))
    verdicts = [verdict for *_, verdict in shown]
    if numbers + names + max(cells(text) for text, _ in verdicts) > width:
        spare = width - numbers - min(names, max(24, width // 3))
        verdicts = [verdict if cells(verdict[0]) <= spare else _word(verdict) for verdict in verdicts]
        names = max(width - numbers - max(cells(text) for text, _ in [*verdicts, ("verdict", "")]), 16)
    rows: list[Sequence[str | Span]] = [("gate", "observed", "cases", "verdict")]
    for (name, seen, cases, _), verdict in zip(shown, verdicts, strict=True):
        rows.append((name if cells(name) <= names else "", seen, cases, verdict))
    first, *others = table(rows, width, "lrrl")
    lines = [first]
    for (name, *_, whole), verdict, made in zip(shown, verdicts, others, strict=True):
        if cells(name) > names:
            lines += [line(f"  {fit(part, width - 2)}") for part in _wrapped(name, width - 2)]
        lines.append(made)
        if whole != verdict:
            reason = whole[0].partition(", ")[2]
            lines += [line((f"    {fit(part, width - 4)}", whole[1])) for part in _wrapped(reason, width - 4)]
    return lines


def _wrapped(text: str, width: int) -> list[str]:
    return wrap(text, width, break_on_hyphens=False)


def _word(verdict: Span) -> Span:
    """The verdict without its reason."""
    return verdict[0].partition(", ")[0], verdict[1]


def ranked_gates(verdicts: Sequence[GateVerdict]) -> list[GateVerdict]:
    """Broken ones first."""
    order = (Verdict.BROKEN, Verdict.UNDECIDED, Verdict.HELD, Verdict.NOT_ASKED)
    return sorted(verdicts, key=lambda v: order.index(v.verdict))


def _selected(verdict: GateVerdict) -> bool:
    """Whether a gate was decided over a part of its cases; of one that was not asked the reason says it."""
    return verdict.left_out > 0 and verdict.verdict is not Verdict.NOT_ASKED


def _cases(verdict: GateVerdict) -> str:
    if not _selected(verdict):
        return count(verdict.cases)
    return f"{count(verdict.cases)} of {count(verdict.cases + verdict.left_out)}"


def gate_row(verdict: GateVerdict, several: bool) -> _Row:
    """Gate, observed value, cases, verdict with margin or reason; the suite's name before the gate of ``several``."""
    gate = verdict.gate
    name = f"{gate.suite}: {gate.text}" if several and gate.suite else gate.text
    words = verdict.reason or margin(verdict)
    said = f"{verdict.verdict.value}, {words}" if words else verdict.verdict.value
    return (
        one_line(name, 120),
        observed(verdict),
        _cases(verdict),
        (said, STYLES[verdict.verdict]),
    )
