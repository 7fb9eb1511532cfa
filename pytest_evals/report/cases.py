"""The list of cases that did not pass, grouped by suite file."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from ..model.outcome import Outcome
from ..model.result import CaseRow
from .format import count, counted
from .lines import Line, Span, line
from .text import cells, fit, pad

_RANK = {"failed": 0, "errored": 1, "missed": 2, "warned": 3}
_STYLES = {"failed": "red", "errored": "red", "missed": "yellow", "warned": "yellow"}
_WORD = len("errored")


def shown_as(row: CaseRow) -> str:
    """``failed``, ``missed``, ``errored`` or ``warned``; empty for a row that the list leaves out."""
    if row.outcome is Outcome.ERRORED and not row.draft:
        return "errored"
    if row.xfail:
        return ""
    if row.outcome is Outcome.FAILED:
        return "missed" if row.gated else "failed"
    return "warned" if row.outcome is Outcome.WARNED else ""


def remembered(rows: Sequence[CaseRow]) -> bool:
    """Whether ``--lf`` would have something to run."""
    return any(shown_as(row) not in {"", "warned"} for row in rows)


def first_case(rows: Sequence[CaseRow]) -> CaseRow | None:
    """The first case of the list that can be run alone."""
    listed = _listed(rows, 1)
    # a path with control characters cannot be typed
    return listed[0] if listed and listed[0].node_id and listed[0].node_id.isprintable() else None


def case_lines(rows: Sequence[CaseRow], width: int, limit: int | None) -> list[Line]:
    """The failed, errored, missed and warned cases with why, in the order of the files.

    With a ``limit`` failed ones come before errored, errored before missed ones when choosing what is shown.
    """
    total = sum(bool(shown_as(row)) for row in rows)
    if not total:
        return []
    listed = _listed(rows, limit)
    title = f"  {counted(total, 'case')} did not pass"
    if len(listed) < total:
        title += f"; {count(len(listed))} of them, all with -v"
    lines = [line((title, "dim"))]
    width_of_name = min(max(cells(name_of(row)) for row in listed), max(24, width // 4))
    for path, group in groupby(listed, path_of):
        lines.append(line(f"    {fit(path, width - 4)}"))
        for row in group:
            lines += _case(row, width_of_name, width)
    return lines


def ranked(rows: Sequence[CaseRow]) -> list[CaseRow]:
    """The cases that the list is of: failed ones first, then errored, missed and warned ones."""
    return sorted((row for row in rows if shown_as(row)), key=lambda row: _RANK[shown_as(row)])


def _listed(rows: Sequence[CaseRow], limit: int | None) -> list[CaseRow]:
    found = [(number, row) for number, row in enumerate(rows) if shown_as(row)]
    if limit is not None and len(found) > limit:
        found.sort(key=lambda item: (_RANK[shown_as(item[1])], item[0]))
        found = sorted(found[:limit], key=lambda item: item[0])
    return [row for _, row in found]


def path_of(row: CaseRow) -> str:
    """The suite file of a case, or the name of its suite."""
    return row.node_id.partition("::")[0] or row.suite


def name_of(row: CaseRow) -> str:
    """The name of a case within its file."""
    name = row.node_id.partition("::")[2]
    return name or (f"{row.case_id}[{row.variant}]" if row.variant else row.case_id)


def _case(row: CaseRow, width_of_name: int, width: int) -> list[Line]:
    word = shown_as(row)
    start: tuple[Span, ...] = (("      ", ""), (pad(word, _WORD), _STYLES[word]), ("  ", ""))
    room = width - 6 - _WORD - 2
    name = fit(name_of(row), room)
    if not row.headline:
        return [(*start, (name, ""))]
    if cells(name) > width_of_name:
        return [(*start, (name, "")), line((" " * (8 + _WORD) + fit(row.headline, room), "dim"))]
    return [(*start, (pad(name, width_of_name), ""), ("  " + fit(row.headline, room - width_of_name - 2), "dim"))]
