"""How a case will run, without running it."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from difflib import get_close_matches
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Any, NamedTuple

from ..errors import UsageError
from ..model.criterion import FUNCTION, Criterion
from ..model.score import GRADED_MARK, YES_NO_MARK
from ..model.text import one_line
from ..report.format import count, counted, duration, short_score
from ..report.lines import INDENT, Line, line
from ..report.text import escape, fit, pad

if TYPE_CHECKING:
    from pathlib import Path

    import pytest

    from ..model.case import Case
    from ..model.criterion import ScorerSpec
    from .items import CaseItem

_COLUMN = len("threshold")

MAX_NEAR = 3
"""Near matches that are offered for a case nobody knows."""


class Fact(NamedTuple):
    """One thing that holds for a case."""

    label: str
    """Empty where it continues the fact above it."""
    value: str


def explanation(items: Sequence[CaseItem], wanted: str, config: pytest.Config, width: int) -> list[Line]:
    """How each case that ``wanted`` names will run.

    ``wanted`` is a case's id, its node id, or a glob over both. Raises ``UsageError`` when it names none.
    """
    lines: list[Line] = []
    for item in matching(items, wanted, config.invocation_params.dir):
        place = f"{item.case.place.path}:{item.case.place.line}" if item.case.place else ""
        lines += [line("")] if lines else []
        lines.append(line((escape(item.nodeid), "bold")))
        for label, value in facts(item, place):
            shown = fit(value, max(width, 60) - _COLUMN - 2 * len(INDENT))
            lines.append(line((INDENT + pad(label, _COLUMN), "dim"), INDENT, shown))
    return lines


def matching(items: Sequence[CaseItem], wanted: str, start: Path) -> list[CaseItem]:
    """The cases of this id or node id, else those that the glob fits. Paths begin at the rootdir or at ``start``."""
    names = [(item, (item.case.id, item.name, item.nodeid, _from(start, item))) for item in items]
    found = [item for item, known in names if wanted in known]
    # ids may hold brackets, so that the name as it is written goes first
    found = found or [item for item, known in names if any(fnmatchcase(name, wanted) for name in known)]
    if not found:
        raise UsageError(f"--evals-explain: {_unknown(items, wanted)}")
    return found


def _from(start: Path, item: CaseItem) -> str:
    """The node id as a person would type it in a folder."""
    return f"{os.path.relpath(item.path, start)}::{item.nodeid.partition('::')[2]}"


def _unknown(items: Sequence[CaseItem], wanted: str) -> str:
    if not items:
        return "no case was selected"
    near = get_close_matches(wanted, {item.case.id: None for item in items}, n=MAX_NEAR, cutoff=0.6)
    # node ids of a file are all alike
    near = near or get_close_matches(wanted, {item.nodeid: None for item in items}, n=MAX_NEAR, cutoff=0.9)
    hint = f"; did you mean {' or '.join(repr(one_line(name)) for name in near)}?" if near else ""
    return f"no selected case is {one_line(wanted)!r}{hint}"


def facts(item: CaseItem, place: str) -> Iterator[Fact]:
    """What holds for one case, from its place in the suite to its criteria."""
    case = item.case
    if place:
        yield Fact("defined", place)
    if case.name and case.name != case.id:
        yield Fact("name", case.name)
    yield Fact("target", str(item.suite.target))
    yield Fact("runs", _runs(item))
    if item.target is None or not item.target.inline:
        limit = f"{duration(case.timeout_s * 1000)} an attempt" if case.timeout_s else "none"
        yield Fact("timeout", limit)
        yield Fact("retries", f"{count(case.retries)}, after an error or a timeout" if case.retries else "none")
    yield Fact("threshold", _threshold(case))
    if item.gated and case.threshold != "unset":
        yield Fact("a miss", "does not fail the session: a pass_rate gate of the suite decides")
    for label, value in zip(("criteria", *[""] * len(case.criteria)), _criteria(item), strict=False):
        yield Fact(label, value)
    if case.xfail is not None:
        yield Fact("xfail", case.xfail or "yes")


def _runs(item: CaseItem) -> str:
    skip = item.get_closest_marker("skip")
    if skip is not None:
        reason = item.case.skip or skip.kwargs.get("reason") or next(iter(skip.args), "")
        return f"not at all: it is skipped{f' ({reason})' if reason else ''}"
    state = item.state
    if state.concurrency == 1:
        return "in its turn: one call at a time was asked for"
    if why := state.ahead.why_in_turn(item):
        return f"in its turn: {why}"
    return f"ahead of its turn, with at most {counted(state.concurrency, 'call')} in flight in a process"


def _threshold(case: Case) -> str:
    if case.threshold is None:
        return "none: every criterion must reach its mark"
    if case.threshold == "unset":
        return "unset: a score without a verdict"
    said = f"{short_score(case.threshold)}, to be reached by the weighted mean"
    return said if case.warn is None else f"{said}; warned from {short_score(case.warn)} on"


def _criteria(item: CaseItem) -> Iterator[str]:
    from ..scoring import specs

    known = specs()
    weighted = len({criterion.weight for criterion in item.case.criteria}) > 1
    for criterion in item.case.criteria:
        parts = [_written(criterion), _mark(criterion, item, known)]
        if weighted:
            parts.append(f"weight {criterion.weight:g}")
        yield ", ".join(part for part in parts if part)


def _written(criterion: Criterion) -> str:
    """``levenshtein``, ``tone (llm_judge)``, ``not (contains)``."""
    if criterion.parts:
        inner = f"{criterion.scorer} ({', '.join(map(_written, criterion.parts))})"
        return inner if criterion.name == criterion.scorer else f"{criterion.name}: {inner}"
    return criterion.name if criterion.name == criterion.scorer else f"{criterion.name} ({criterion.scorer})"


def _mark(criterion: Criterion, item: CaseItem, known: Any) -> str:
    threshold = item.case.threshold
    if threshold == "unset" and criterion.threshold is None:
        return ""
    if criterion.threshold is not None:
        return f"mark {short_score(criterion.threshold)}"
    if threshold is not None:
        return "no mark of its own"
    graded = _graded(criterion, known)
    if graded is None:
        return f"mark {short_score(YES_NO_MARK)} if it answers yes or no, {short_score(GRADED_MARK)} if it grades"
    return f"mark {short_score(GRADED_MARK if graded else YES_NO_MARK)}"


def _graded(criterion: Criterion, known: dict[str, ScorerSpec]) -> bool | None:
    """Whether the criterion is graded; ``None`` when only its answer will tell."""
    if criterion.parts:
        inner = [_graded(part, known) for part in criterion.parts]
        return True if True in inner else None if None in inner else False
    if criterion.scorer.startswith(FUNCTION) or criterion.scorer not in known:
        return None
    return known[criterion.scorer].graded
