"""The list of cases whose trials disagree."""

from __future__ import annotations

from collections.abc import Sequence

from ..model.result import CaseRow
from ..model.trials import TrialCounts
from .cases import name_of, path_of
from .format import count, counted
from .lines import Line, line
from .text import cells, fit, pad


def flaky_lines(rows: Sequence[CaseRow], width: int, limit: int | None) -> list[Line]:
    """The flaky cases with how many of their trials passed, the most divided ones first when there is a ``limit``."""
    found = [(row, row.trials) for row in rows if row.trials is not None and row.flaky]
    if not found:
        return []
    listed = found
    if limit is not None and len(found) > limit:
        listed = sorted(found, key=lambda item: abs(item[1].passed / item[1].ran - 0.5))[:limit]
    whose = "its" if len(found) == 1 else "their"
    title = f"  {counted(len(found), 'case is', 'cases are')} flaky: {whose} trials disagree"
    if len(listed) < len(found):
        title += f"; {count(len(listed))} of them, all with -v"
    column = min(max(cells(_place(row)) for row, _ in listed), max(24, width // 2))
    lines = [line((title, "yellow"))]
    for row, trials in listed:
        said = f"{trials_line(trials)}; {row.outcome.value}"
        lines.append(line("    ", pad(fit(_place(row), column), column), (f"  {fit(said, width - column - 6)}", "dim")))
    return lines


def _place(row: CaseRow) -> str:
    return f"{path_of(row)}::{name_of(row)}"


def trials_line(trials: TrialCounts) -> str:
    """``3 of 5 trials passed, 1 warned, 1 errored``."""
    others = ((trials.warned, "warned"), (trials.errored, "errored"))
    more = "".join(f", {count(number)} {word}" for number, word in others if number)
    return f"{count(trials.passed)} of {counted(trials.ran, 'trial')} passed{more}"
