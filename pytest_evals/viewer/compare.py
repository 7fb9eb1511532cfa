"""Up to six runs side by side: the same cases in a row, those that differ first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ..errors import UsageError
from ..store import browse, runs
from ..store.results import answers
from . import data
from .asked import page_of

if TYPE_CHECKING:
    from sqlalchemy import Connection
    from starlette.datastructures import QueryParams
    from starlette.requests import Request

    from ..store.values import StoredRun
    from .source import Source

MOST_RUNS = 6
PAGE = 50


Row = dict[str, Any]


def aligned_runs(source: Source, connection: Connection, asked: QueryParams) -> tuple[list[StoredRun], list[Row]]:
    """The runs named with ``run=``, once each, and their cases in rows; with ``show=different`` those that differ.

    Raises ``UsageError``.
    """
    specs = list(dict.fromkeys(filter(None, asked.getlist("run"))))
    if len(specs) > MOST_RUNS:
        raise UsageError(f"at most {MOST_RUNS} runs can be compared at once, not {len(specs)}")
    if not specs:
        raise UsageError("write ?run=RUN&run=RUN")
    found = [data.find_run(connection, spec) for spec in specs]
    ended = all(data.finished(run) for run in found)
    key = ("aligned", *(run.uid for run in found))
    rows = source.once(key, ended, lambda: _aligned([browse.listed_cases(connection, run) for run in found]))
    if asked.get("show", "") == "different":
        rows = [row for row in rows if row["different"]]
    return found, rows


def compare_page(source: Source, request: Request) -> Mapping[str, Any]:
    """The runs side by side; with none named, a list to choose from."""
    asked = request.query_params
    offset, limit = page_of(asked, PAGE)
    if not any(asked.getlist("run")):
        if source.location.missing:
            return {"runs": [], "recent": []}
        with source.read() as connection:
            return {"runs": [], "recent": runs.list_runs(connection, limit=data.RECENT)}
    with source.read() as connection:
        found, rows = aligned_runs(source, connection, asked)
        page = _with_answers(connection, found, rows[offset : offset + limit])
        compared = [data.comparison(source, connection, found[0], run) for run in found[1:]]
    return {
        "runs": found,
        "recent": [],
        "rows": page,
        "total": len(rows),
        "offset": offset,
        "limit": limit,
        "compared": compared,
        "settings": _settings(found),
    }


def _aligned(lists: Sequence[Sequence[browse.ListedCase]]) -> list[dict[str, Any]]:
    """A row for each case any of the runs has; rows in which outcomes or scores differ come first."""
    rows: dict[browse.CaseKey, list[browse.ListedCase | None]] = {}
    for place, cases in enumerate(lists):
        for case in cases:
            rows.setdefault(case.key, [None] * len(lists))[place] = case
    made = []
    for key, cells in rows.items():
        outcomes = {cell.outcome if cell else "" for cell in cells}
        scores = {cell.score if cell else None for cell in cells}
        rank = 0 if len(outcomes) > 1 else 1 if len(scores) > 1 else 2
        made.append({"key": key, "cells": cells, "different": rank < 2, "rank": rank})
    return sorted(made, key=lambda row: row["rank"])


def _with_answers(
    connection: Connection, found: Sequence[StoredRun], page: Sequence[Mapping[str, Any]]
) -> list[dict[str, Any]]:
    keys = [row["key"] for row in page]
    by_run = [answers(connection, run, keys) for run in found]
    return [{**row, "answers": [known.get(row["key"]) for known in by_run]} for row in page]


def _settings(found: Sequence[StoredRun]) -> list[tuple[str, list[str], bool]]:
    """What the runs were set to, a row for each setting: its values, and whether they differ."""
    from .lists import settings_of

    each = [settings_of(run.plain()) for run in found]
    names = dict.fromkeys(name for settings in each for name in settings)
    rows = [(name, [settings.get(name, "–") for settings in each]) for name in names]
    return [(name, values, len(set(values)) > 1) for name, values in rows]
