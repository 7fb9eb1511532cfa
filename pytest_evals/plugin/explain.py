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
from ..model.text import one_line, text_of
from ..report.format import count, counted, duration, short_score
from ..report.lines import INDENT, Line, line
from ..report.text import cells, escape, fit, pad
from ..workflow.settings import BY_NAME

if TYPE_CHECKING:
    from pathlib import Path

    import pytest

    from ..model.case import Case, Variant
    from ..model.criterion import ScorerSpec
    from ..model.place import Place
    from .items import CaseItem

_COLUMN = len("threshold")

ADDED = ("tags", "metadata", "vars")
"""Keys of which what the case says is added to the defaults."""

MAX_NEAR = 3
"""Near matches that are offered for a case nobody knows."""


class Fact(NamedTuple):
    """One thing that holds for a case."""

    label: str
    """Empty where it continues the fact above it."""
    value: str
    origin: str = ""
    """Where it comes from: the case, the defaults of a file, a setting and how it was said, or the default."""


def explanation(items: Sequence[CaseItem], wanted: str, config: pytest.Config, width: int) -> list[Line]:
    """How each case that ``wanted`` names will run.

    ``wanted`` is a case's id, its node id, or a glob over both. Raises ``UsageError`` when it names none.
    """
    lines: list[Line] = []
    for item in matching(items, wanted, config.invocation_params.dir):
        place = f"{item.case.place.path}:{item.case.place.line}" if item.case.place else ""
        lines += [line("")] if lines else []
        lines.append(line((escape(item.nodeid), "bold")))
        for label, value, origin in facts(item, place):
            room = max(width, 60) - _COLUMN - 2 * len(INDENT)
            shown, source = fit(value, room), f"← {escape(origin)}" if origin else ""
            beside = cells(shown) + 2 + cells(source) <= room
            said = line((INDENT + pad(label, _COLUMN), "dim"), INDENT, shown)
            lines.append((*said, (f"  {source}", "dim")) if source and beside else said)
            if source and not beside:
                lines.append(line(INDENT + pad("", _COLUMN) + INDENT, (fit(source, room), "dim")))
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
    yield Fact("target", str(item.spec), _at(item.spec.place))
    if item.configuration is not None:
        yield Fact("variant", _variant(item.configuration))
    yield Fact("runs", _runs(item))
    if item.target is None or not item.target.inline:
        limit = f"{duration(case.timeout_s * 1000)} an attempt" if case.timeout_s else "none"
        yield Fact("timeout", limit, _origin(item, "timeout"))
        again = f"{count(case.retries)}, after an error or a timeout" if case.retries else "none"
        yield Fact("retries", again, _origin(item, "retries"))
    if case.trials > 1:
        yield Fact("trials", f"{count(case.trials)}, of which {_needed(case)}", _origin(item, "trials"))
    yield Fact("threshold", _threshold(case), _origin(item, "threshold"))
    if case.warn is not None:
        yield Fact("warn", f"from {short_score(case.warn)} on", _origin(item, "warn"))
    if item.gated and case.threshold != "unset":
        yield Fact("a miss", "does not fail the session: a pass_rate gate of the suite decides")
    labels = ("criteria", *[""] * len(case.criteria))
    for label, value, criterion in zip(labels, _criteria(item), case.criteria, strict=False):
        yield Fact(label, value, _at(criterion.place))
    yield from _descriptions(item)
    if case.xfail is not None:
        yield Fact("xfail", case.xfail or "yes", _origin(item, "xfail"))


def _descriptions(item: CaseItem) -> Iterator[Fact]:
    """What the case says of itself besides what it asks, as far as it says it."""
    case = item.case
    for key, label in (("category", "category"), ("tags", "tags"), ("metadata", "metadata"), ("vars", "vars")):
        value = getattr(case, key)
        if value:
            text = ", ".join(value) if key == "tags" else text_of(value)
            yield Fact(label, one_line(text, 200), _origin(item, key))


def _origin(item: CaseItem, key: str) -> str:
    """Where the value of a key of the case comes from."""
    settings = item.state.settings
    said = settings.origin(key)[1] if key in BY_NAME else ""
    if key == "trials" and said.startswith("--"):
        return said  # it is stronger than any file
    stated = item.suite.origin(item.case, key)
    files = [] if stated in ("", "case") else stated.split(", ")
    if stated == "case":
        others = item.suite.origins.get(key, "") if key in ADDED else ""
        return "the case" + (f", defaults of {others}" if others else "")
    return f"defaults of {', '.join(files)}" if files else said


def _at(place: Place | None) -> str:
    return f"{place.path}:{place.line}" if place is not None else ""


def _needed(case: Case) -> str:
    return {"all": "all must pass", "any": "one must pass", "majority": "more than half must pass"}.get(
        case.pass_if, "the mean decides" if case.pass_if == "mean" else f"{case.pass_if.partition(' ')[0]} must pass"
    )


def _variant(variant: Variant) -> str:
    """``local: model lemonade/qwen3-4b, temperature 0``, without what may be secret."""
    from ..model.redaction import Redactor

    values = Redactor(os.environ).value(dict(variant.values))
    stated = ", ".join(f"{key} {one_line(text_of(value), 60)}" for key, value in values.items())
    return f"{variant.id}: {stated}" if stated else variant.id


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
    return f"{short_score(case.threshold)}, to be reached by the weighted mean"


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
    graded = list(_graded_marks(criterion, known))
    if None in graded and len(graded) == 1:
        return f"mark {short_score(YES_NO_MARK)} if it answers yes or no, {short_score(GRADED_MARK)} if it grades"
    return f"mark {short_score(max((mark for mark in graded if mark is not None), default=YES_NO_MARK))}"


def _graded_marks(criterion: Criterion, known: dict[str, ScorerSpec]) -> Iterator[float | None]:
    """The marks of the scorers that grade; ``None`` for one of which only its answer will tell."""
    if criterion.parts:
        yield from dict.fromkeys(mark for part in criterion.parts for mark in _graded_marks(part, known))
    elif criterion.scorer.startswith(FUNCTION) or criterion.scorer not in known:
        yield None
    elif known[criterion.scorer].graded:
        yield known[criterion.scorer].mark
