"""Gates as people read them."""

from __future__ import annotations

from collections.abc import Sequence

from ..model.gate import GateVerdict, Verdict
from ..model.text import one_line
from .format import count, counted, margin, observed
from .lines import Line, Span, line, table

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
    order = (Verdict.BROKEN, Verdict.UNDECIDED, Verdict.HELD, Verdict.NOT_ASKED)
    ranked = sorted(verdicts, key=lambda v: order.index(v.verdict))
    calm = [v for v in ranked if v.verdict in {Verdict.HELD, Verdict.NOT_ASKED}]
    left = [] if verbose > 0 else calm[MAX_HELD:]
    several = len({v.gate.suite for v in verdicts}) > 1
    rows: list[Sequence[str | Span]] = [("gate", "observed", "cases", "verdict")]
    rows += [_row(v, several) for v in ranked if not any(v is other for other in left)]
    lines = table(rows, width, "lrrl")
    if any(_selected(v) for v in verdicts):
        lines.append(line(("  the other cases of these gates were not selected", "dim")))
    if left:
        held = sum(v.verdict is Verdict.HELD for v in left)
        lines.append(line((f"  and {counted(held, 'gate')} held, {count(len(left) - held)} not asked", "dim")))
    return lines


def _selected(verdict: GateVerdict) -> bool:
    """Whether a gate was decided over a part of its cases; of one that was not asked the reason says it."""
    return verdict.left_out > 0 and verdict.verdict is not Verdict.NOT_ASKED


def _cases(verdict: GateVerdict) -> str:
    if not _selected(verdict):
        return count(verdict.cases)
    return f"{count(verdict.cases)} of {count(verdict.cases + verdict.left_out)}"


def _row(verdict: GateVerdict, several: bool) -> Sequence[str | Span]:
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
