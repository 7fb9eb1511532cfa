"""Which judges the criteria of a run asked, and how."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from sqlalchemy import Connection, select

from ..model.judge import JudgeKey, keys_in
from ..model.result import CaseRow, CriterionRow
from . import tables as t
from .values import StoredRun

_CASE = t.case_runs.c
_SCORE = t.case_scores.c

Place = tuple[str, str, str, str]
"""Suite, case, bracket and criterion."""


def with_judges(connection: Connection, run: StoredRun, rows: Sequence[CaseRow]) -> list[CaseRow]:
    """The rows of a run with the judges of their criteria: read apart, for only gates about judges need them."""
    query = (
        select(_CASE.eval, _CASE.case_name, _CASE.variant, _SCORE.name, _SCORE.mark, _SCORE.detail)
        .join(t.case_runs, _CASE.id == _SCORE.case_run_id)
        .where(_CASE.run_id == run.id)
        .order_by(_SCORE.case_run_id, _SCORE.seq)
    )
    found: dict[Place, dict[JudgeKey, None]] = {}
    marks: dict[Place, float | None] = {}
    for suite, case_id, variant, name, mark, detail in connection.execute(query):
        if detail and (keys := keys_in(detail)):
            place = (suite, case_id, variant, name)
            found.setdefault(place, {}).update(dict.fromkeys(keys))
            marks[place] = mark

    def judged(row: CaseRow, criterion: CriterionRow) -> CriterionRow:
        place = (*row.key, criterion.name)
        return replace(criterion, judges=tuple(found.get(place, ())), mark=marks.get(place))

    return [replace(row, criteria=tuple(judged(row, each) for each in row.criteria)) for row in rows]
