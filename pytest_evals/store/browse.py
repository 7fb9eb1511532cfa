"""Looking through the results of a run a page at a time, narrowed and sorted, without reading the others."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from sqlalchemy import ColumnElement, Connection, Select, Text, and_, cast, exists, func, or_, select

from ..model.result import CaseResult
from . import tables as t
from .results import case_results
from .rows import clean, key_text
from .runs import run_by_number
from .values import StoredRun

_CASE = t.v_case_runs.c
_SCORE = t.case_scores.c

SORTS = {
    "file": _CASE.seq,
    "case": _CASE.case_name,
    "outcome": _CASE.outcome,
    "score": _CASE.score,
    "latency": _CASE.latency_ms,
    "cost": _CASE.cost_usd,
    "tokens": _CASE.output_tokens,
}
"""What a list can be sorted by; ``file`` is the order of the files. A minus before the name turns it round."""

CaseKey = tuple[str, str, str]
"""Suite, case id, bracket."""


@dataclass(frozen=True, slots=True)
class CaseFilter:
    """Which results of a run; everything that is stated must hold."""

    outcomes: frozenset[str] = frozenset()
    suite: str = ""
    tag: str = ""
    category: str = ""
    variant: str = ""
    """The id of a variant."""
    criterion: str = ""
    """One that was not passed, or could not be scored."""
    text: str = ""
    """In the id, title, headline, input, or answer; capitals do not matter."""
    flaky: bool = False
    among: Collection[CaseKey] | None = None
    """Only these."""


@dataclass(frozen=True, slots=True)
class ListedCase:
    """A result as lists show it: no long texts."""

    id: int
    """Number of the result within its database."""
    suite: str
    case_id: str
    title: str
    variant: str
    repeat: int
    outcome: str
    status: str | None
    core_status: str
    verdict: str | None
    score: float | None
    latency_ms: float | None
    cost_usd: float | None
    input_tokens: int | None
    output_tokens: int | None
    attempts: int
    headline: str
    category: str | None
    tags: Sequence[str]
    flaky: bool
    source: str
    error_kind: str | None

    @property
    def key(self) -> CaseKey:
        return (self.suite, self.case_id, self.variant)

    def plain(self) -> dict[str, Any]:
        """As JSON shows it."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Facets:
    """How many results of a run have which outcome, suite, tag, category, variant; and which criteria were missed."""

    outcomes: Mapping[str, int] = field(default_factory=dict)
    suites: Mapping[str, int] = field(default_factory=dict)
    tags: Mapping[str, int] = field(default_factory=dict)
    categories: Mapping[str, int] = field(default_factory=dict)
    variants: Mapping[str, int] = field(default_factory=dict)
    criteria: Mapping[str, int] = field(default_factory=dict)
    """Results that missed the criterion, or where it could not be scored."""
    error_kinds: Mapping[str, int] = field(default_factory=dict)
    flaky: int = 0

    def plain(self) -> dict[str, Any]:
        """As JSON shows it."""
        return asdict(self)


def case_page(
    connection: Connection,
    run: StoredRun,
    chosen: CaseFilter | None = None,
    *,
    sort: str = "file",
    offset: int = 0,
    limit: int = 100,
) -> tuple[int, list[ListedCase]]:
    """How many results are meant, and those from ``offset`` on. Unknown values come last, whichever way it is sorted.

    Raises ``KeyError`` for a sort that is none of ``SORTS``.
    """
    condition = _condition(connection, run, chosen or CaseFilter())
    column = SORTS[sort.removeprefix("-")]
    order = (column.is_(None), column.desc() if sort.startswith("-") else column.asc(), _CASE.seq)
    if chosen is None or chosen.among is None:
        total = connection.execute(select(func.count()).select_from(t.v_case_runs).where(condition)).scalar_one()
        rows = connection.execute(_listed().where(condition).order_by(*order).offset(offset).limit(limit))
        return total, [_case(row) for row in rows.mappings()]
    # keys of three columns are no condition that every database takes: they are compared here
    meant = set(chosen.among)
    numbers = select(_CASE.id, _CASE.eval, _CASE.case_name, _CASE.variant).where(condition).order_by(*order)
    found = [row.id for row in connection.execute(numbers) if (row.eval, row.case_name, row.variant) in meant]
    shown = connection.execute(_listed().where(_CASE.id.in_(found[offset : offset + limit])).order_by(*order))
    return len(found), [_case(row) for row in shown.mappings()]


def listed_cases(connection: Connection, run: StoredRun) -> list[ListedCase]:
    """All results of a run, in the order of the files."""
    rows = connection.execute(_listed().where(_CASE.run_id == run.id).order_by(_CASE.seq))
    return [_case(row) for row in rows.mappings()]


def facets(connection: Connection, run: StoredRun) -> Facets:
    """What the results of a run can be narrowed by."""
    outcomes, suites, tags, categories, variants, kinds = (Counter[str]() for _ in range(6))
    flaky = 0
    columns = (_CASE.outcome, _CASE.eval, _CASE.tags, _CASE.category, _CASE.variant_id, _CASE.flaky, _CASE.error_kind)
    for row in connection.execute(select(*columns).where(_CASE.run_id == run.id).order_by(_CASE.seq)):
        outcomes[row.outcome] += 1
        suites[row.eval] += 1
        tags.update(row.tags)
        if row.category:
            categories[row.category] += 1
        if row.variant_id:
            variants[row.variant_id] += 1
        if row.error_kind:
            kinds[row.error_kind] += 1
        flaky += bool(row.flaky)
    missed = (
        select(_SCORE.name, func.count())
        .join(t.case_runs, t.case_runs.c.id == _SCORE.case_run_id)
        .where(t.case_runs.c.run_id == run.id, _missed())
        .group_by(_SCORE.name)
        .order_by(func.count().desc(), _SCORE.name)
    )
    criteria: dict[str, int] = dict(connection.execute(missed).all())
    return Facets(
        dict(outcomes), dict(suites), dict(tags), dict(categories), dict(variants), criteria, dict(kinds), flaky
    )


def find_result(connection: Connection, number: int) -> tuple[StoredRun, ListedCase, CaseResult] | None:
    """One result with its run, by its number; ``None`` when there is none."""
    row = (
        connection.execute(_listed().add_columns(_CASE.run_id, _CASE.seq).where(_CASE.id == number)).mappings().first()
    )
    run = None if row is None else run_by_number(connection, row["run_id"])
    if row is None or run is None:
        return None
    result = next(case_results(connection, run, seq=row["seq"]), None)
    return None if result is None else (run, _case(row), result)


def neighbours(connection: Connection, run: StoredRun, number: int) -> tuple[int | None, int | None]:
    """The numbers of the results before and after one, in the order of the files."""
    seq = select(_CASE.seq).where(_CASE.id == number).scalar_subquery()
    of_run = select(_CASE.id).where(_CASE.run_id == run.id)
    before = connection.execute(of_run.where(_CASE.seq < seq).order_by(_CASE.seq.desc()).limit(1)).scalar()
    after = connection.execute(of_run.where(_CASE.seq > seq).order_by(_CASE.seq).limit(1)).scalar()
    return before, after


def count_results(connection: Connection) -> dict[str, int]:
    """How many results the history holds, by status; skipped ones under ``skipped``."""
    r = t.experiment_runs.c
    sums = {
        "passed": r.passed_cases,
        "failed": r.failed_cases,
        "error": r.error_cases,
        "judged": r.judged_cases,
        "skipped": r.skipped_cases,
    }
    row = (
        connection.execute(select(*(func.coalesce(func.sum(c), 0).label(n) for n, c in sums.items()))).mappings().one()
    )
    return {name: int(row[name]) for name in sums}


def count_cases(connection: Connection) -> int:
    """How many different cases all experiments have recorded."""
    return connection.execute(select(func.count()).select_from(t.experiment_cases)).scalar_one()


def _listed() -> Select[Any]:
    names = ("id", "variant", "outcome", "status", "core_status", "verdict", "score", "latency_ms", "cost_usd")
    more = ("input_tokens", "output_tokens", "attempts", "headline", "category", "tags", "flaky", "source", "title")
    return select(
        *(_CASE[name] for name in (*names, *more, "error_kind")),
        _CASE.eval.label("suite"),
        _CASE.case_name.label("case_id"),
        _CASE.repeat_index.label("repeat"),
    )


def _case(row: Mapping[Any, Any]) -> ListedCase:
    fields = {name: row[name] for name in ListedCase.__dataclass_fields__}
    return ListedCase(**fields | {"flaky": bool(row["flaky"]), "tags": tuple(row["tags"])})


def _missed() -> ColumnElement[bool]:
    return or_(_SCORE.passed == 0, _SCORE.state == "error")


def _condition(connection: Connection, run: StoredRun, chosen: CaseFilter) -> ColumnElement[bool]:
    conditions: list[ColumnElement[bool]] = [_CASE.run_id == run.id]
    if chosen.outcomes:
        conditions.append(_CASE.outcome.in_(sorted(chosen.outcomes)))
    for column, value in (
        (_CASE.eval, key_text(chosen.suite)),
        (_CASE.category, clean(chosen.category)),
        (_CASE.variant_id, clean(chosen.variant)),
    ):
        if value:
            conditions.append(column == value)
    if chosen.tag:
        conditions.append(_has_tag(connection, clean(chosen.tag)))
    if chosen.flaky:
        conditions.append(_CASE.flaky == 1)
    if chosen.criterion:
        name = clean(chosen.criterion)
        conditions.append(exists().where(_SCORE.case_run_id == _CASE.id, _SCORE.name == name, _missed()))
    if chosen.text:
        conditions.append(_mentions(chosen.text))
    return and_(*conditions)


def _has_tag(connection: Connection, tag: str) -> ColumnElement[bool]:
    if connection.dialect.name == "postgresql":
        return _CASE.tags.op("@>")(func.jsonb_build_array(cast(tag, Text)))
    each = func.json_each(_CASE.tags).table_valued("value")
    return exists().select_from(each).where(each.c.value == tag)


def _mentions(text: str) -> ColumnElement[bool]:
    asked = cast(_CASE.input, Text).icontains(json.dumps(text)[1:-1], autoescape=True)  # JSON, with its escapes
    text = clean(text)
    places = [_CASE.case_name, _CASE.title, _CASE.headline]
    answers = [
        exists().where(meta.c.case_run_id == _CASE.id, meta.c.answer.icontains(text, autoescape=True))
        for meta in (t.checked_case_meta, t.judged_case_meta)
    ]
    return or_(*(place.icontains(text, autoescape=True) for place in places), asked, *answers)
