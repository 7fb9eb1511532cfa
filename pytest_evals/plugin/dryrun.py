"""The dry run: how many calls there would be, to what, at what known price."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ..model.criterion import FUNCTION
from ..model.text import one_line
from ..report.format import count, counted
from ..report.lines import INDENT, Line, Span, line, table
from ..report.text import fit
from ..scoring import names

if TYPE_CHECKING:
    from ..engine.target import Target
    from ..model.case import TargetSpec
    from .items import CaseItem


@dataclass(slots=True)
class _Calls:
    """What one target would be asked."""

    label: str
    suites: dict[str, None] = field(default_factory=dict)
    cases: int = 0
    skipped: int = 0
    least: int = 0
    """When every first attempt answers."""
    most: int = 0
    """When every case needs all its attempts."""
    at_once: bool = False
    """Answers are there already: nothing is called."""


def plan(items: Sequence[CaseItem], others: int, width: int) -> list[Line]:
    """What a run of these cases would call. ``others`` is the number of ordinary tests beside them."""
    if not items:
        return [line("no case was selected"), *_ordinary(others)]
    targets = list(_by_target(items).values())
    asked = sum(target.least for target in targets)
    most = sum(target.most for target in targets)
    said = counted(asked, "call") + (f", up to {count(most)} with retries" if most > asked else "")
    unknown = any(not target.at_once and target.least for target in targets)
    price = "at a price that is not known" if unknown else "nothing to pay"
    lines = [line((f"{said}, {price}", "bold")), line("")]
    lines += table([("target", "cases", "calls", "with retries", "price"), *map(_row, targets)], width, "lrrrl")
    lines += [line(""), *_left_out(targets), *_scorers(items, width), *_ordinary(others)]
    return lines if lines[-1] != line("") else lines[:-1]


def _row(calls: _Calls) -> Sequence[str | Span]:
    if calls.at_once:
        return (calls.label, count(calls.cases), "0", "0", "nothing: it answers at once")
    price = "unknown" if calls.least else "nothing"
    return (calls.label, count(calls.cases), count(calls.least), count(calls.most), price)


def _by_target(items: Sequence[CaseItem]) -> dict[tuple[str, ...], _Calls]:
    found: dict[tuple[str, ...], _Calls] = {}
    for item in items:
        spec = item.suite.target
        calls = found.setdefault(_identity(spec), _Calls(one_line(str(spec))))
        calls.suites[item.suite.name] = None
        calls.cases += 1
        calls.at_once = _at_once(item.target)
        if item.get_closest_marker("skip") is not None:
            calls.skipped += 1
        elif not calls.at_once:
            calls.least += 1
            calls.most += 1 + item.case.retries
    labels = [calls.label for calls in found.values()]
    for calls in found.values():
        if labels.count(calls.label) > 1:  # files of one name in two folders
            calls.label = f"{calls.label} ({', '.join(calls.suites)})"
    return found


def _identity(spec: TargetSpec) -> tuple[str, ...]:
    """What tells one target from another: a file's name alone does not."""
    in_folder = spec.kind in ("responses", "command") or (spec.kind == "callable" and ".py:" in spec.value)
    return (spec.kind, spec.value, str(spec.base) if in_folder else "")


def _at_once(target: Target | None) -> bool:
    return target is not None and target.inline


def _left_out(targets: Sequence[_Calls]) -> Iterator[Line]:
    if skipped := sum(calls.skipped for calls in targets):
        yield line(INDENT, f"{counted(skipped, 'case is', 'cases are')} skipped and not called")


def _scorers(items: Sequence[CaseItem], width: int) -> Iterator[Line]:
    """Scorers of the project may call models themselves, nobody knows how often."""
    known = names()
    own: dict[str, None] = {}
    for item in items:
        own.update(dict.fromkeys(name for name in item.scorers if name not in known))
        own.update(dict.fromkeys(_functions(item)))
    if own:
        yield line(
            INDENT, fit(f"not counted: what scorers of the project call ({', '.join(own)})", width - len(INDENT))
        )


def _functions(item: CaseItem) -> Iterator[str]:
    from ..engine.criteria import leaves

    for criterion in leaves(item.case.criteria):
        if criterion.scorer.startswith(FUNCTION):
            yield criterion.scorer


def _ordinary(others: int) -> Iterator[Line]:
    if others:
        yield line(INDENT, f"{counted(others, 'ordinary test is', 'ordinary tests are')} not run either")
