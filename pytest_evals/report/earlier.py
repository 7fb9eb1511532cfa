"""What a session took over from an earlier run, and why it did not take over the rest."""

from __future__ import annotations

from ..model.run import Earlier, SessionResult
from .format import counted, usd
from .lines import Line, Span, line, wrapped
from .text import fit

_LABELS = {"resumed": "resumed", "errors retried": "retried", "scored again": "scored"}
_COLUMN = len("pass rate")


def earlier_lines(session: SessionResult, width: int, verbose: int) -> list[Line]:
    """One line for what was taken over, one for what was not with its reasons; each case of these with ``-v``."""
    earlier = session.earlier
    if earlier is None:
        return []
    lines = wrapped(_LABELS[earlier.how], _taken(earlier), width, _COLUMN)
    others = sum(map(len, earlier.others.values()))
    if others:
        label = "left out" if earlier.how == "scored again" else "asked"
        reasons: list[Span] = [(f"{counted(others, 'case')}", "")]
        reasons += [(f"{len(nodes)}: {why}", "") for why, nodes in _most_first(earlier)]
        lines += wrapped(label, reasons, width, _COLUMN)
        if verbose > 0:
            for why, nodes in _most_first(earlier):
                lines += [line(f"    {fit(f'{node}: {why}', width - 4)}") for node in nodes]
    return lines


def _taken(earlier: Earlier) -> list[Span]:
    answers: list[Span] = [(f"{counted(earlier.answers, 'case')} answered when it was stopped", "")]
    if not earlier.run:
        return answers if earlier.answers else [(f"nothing: {earlier.note}", "yellow")]
    parts: list[Span] = [(f"{counted(earlier.cases, 'case')} of run {earlier.run}", "")]
    if earlier.answers:
        parts += answers
    if earlier.cost_usd is not None:
        parts.append((f"{usd(earlier.cost_usd)} of the cost was paid there", ""))
    if earlier.note:
        parts.append((earlier.note, "yellow"))
    return parts


def _most_first(earlier: Earlier) -> list[tuple[str, list[str]]]:
    return sorted(((why, [*nodes]) for why, nodes in earlier.others.items()), key=lambda pair: -len(pair[1]))
