"""Downloads: the lists that pages show as CSV, and reports of a run in every format."""

from __future__ import annotations

import functools
import tempfile
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from starlette.background import BackgroundTask
from starlette.responses import FileResponse, Response
from starlette.routing import Route

from ..errors import EvalsError, StoreError, UsageError
from ..report.csv import csv_row
from ..store import browse, people, runs
from ..store.results import case_history
from . import data
from .api import among, status_of
from .asked import filter_of, sort_of
from .compare import aligned_runs
from .pages import error_page

if TYPE_CHECKING:
    from starlette.requests import Request

    from .source import Source

REPORTS = {"json": ".json", "jsonl": ".jsonl", "csv": ".csv", "html": ".html", "markdown": ".md"}
"""The formats a run is given in, and how their files end."""

Rows = tuple[str, Sequence[str], Iterable[Sequence[Any]]]
"""The file's name, the heads of the columns, and the rows."""

_RUN = (
    "uid",
    "experiment",
    "type",
    "name",
    "status",
    "pass_rate",
    "score",
    "total_cases",
    "passed_cases",
    "failed_cases",
    "error_cases",
    "latency_p50_ms",
    "latency_p95_ms",
    "cost_usd",
    "git_branch",
    "git_commit",
    "started_at",
    "finished_at",
)
_CASE = (
    "suite",
    "case_id",
    "variant",
    "outcome",
    "score",
    "latency_ms",
    "cost_usd",
    "input_tokens",
    "output_tokens",
    "attempts",
    "category",
    "tags",
    "flaky",
    "headline",
    "source",
)
_POINT = (
    "run",
    "run_name",
    "experiment",
    "started_at",
    "variant",
    "outcome",
    "score",
    "latency_ms",
    "cost_usd",
    "headline",
)
LABELS = ("run", "suite", "case", "variant", "criterion", "verdict", "note", "author", "time", "automatic", "score")
"""The columns of exported labels."""


def runs_csv(source: Source, request: Request) -> Rows:
    """All runs, or those of the experiment of that number."""
    with source.read() as connection:
        number = request.query_params.get("experiment", "")
        if number and not (number.isascii() and number.isdigit()):
            raise UsageError("write ?experiment=NUMBER")
        found = data.experiment_by_number(connection, int(number)) if number else None
        kind, name = (found.type, found.name) if found else (None, None)
        listed = [run.plain() for run in runs.list_runs(connection, experiment=name, kind=kind)]
    return "runs", _RUN, ([run[column] for column in _RUN] for run in listed)


def cases_csv(source: Source, request: Request) -> Rows:
    """The results of a run, narrowed and sorted as on its page."""
    asked = request.query_params
    with source.read() as connection:
        run = data.find_run(connection, request.path_params["run"])
        chosen = filter_of(asked, among(source, connection, run, asked))
        _, listed = browse.case_page(connection, run, chosen, sort=sort_of(asked), limit=data.ALL)
    rows = [case.plain() | {"tags": ", ".join(case.tags)} for case in listed]
    return f"{run.name or run.uid}-cases", _CASE, ([row[column] for column in _CASE] for row in rows)


def labels_csv(source: Source, request: Request) -> Rows:
    """The verdicts of people on a run, for ``pytest-evals judge calibrate``."""
    with source.read() as connection:
        run = data.find_run(connection, request.path_params["run"])
        found = [label.plain() for label in people.labels(connection, run)]
    return f"{run.name or run.uid}-labels", LABELS, ([label[column] for column in LABELS] for label in found)


def history_csv(source: Source, request: Request) -> Rows:
    """One case over all runs, the newest first."""
    suite, name = request.query_params.get("suite", ""), request.query_params.get("case", "")
    with source.read() as connection:
        points = [point.plain() for point in case_history(connection, suite, name)]
    if not points:
        raise data.NotFoundError(f"no run recorded case {suite}::{name}")
    return f"{name}-history", _POINT, ([point[column] for column in _POINT] for point in points)


def compare_csv(source: Source, request: Request) -> Rows:
    """Up to six runs side by side."""
    with source.read() as connection:
        found, rows = aligned_runs(source, connection, request.query_params)
    heads = ["suite", "case", "variant", "different"]
    heads += [f"{run.name or run.uid} {what}" for run in found for what in ("outcome", "score")]

    def cells(row: Any) -> list[Any]:
        each = [(cell.outcome, cell.score) if cell else (None, None) for cell in row["cells"]]
        return [*row["key"], row["different"], *(value for pair in each for value in pair)]

    return "comparison", heads, map(cells, rows)


def csv_file(make: Callable[[Source, Request], Rows]) -> Callable[[Request], Response]:
    """A route that gives rows as a file."""

    @functools.wraps(make)
    def answer(request: Request) -> Response:
        try:
            name, heads, rows = make(request.app.state.source, request)
            content = b"".join(map(csv_row, [heads, *rows]))
        except EvalsError as error:
            return error_page(request, str(error), status_of(error))
        return Response(content, media_type="text/csv; charset=utf-8", headers=_as_file(f"{name}.csv"))

    return answer


def report(request: Request) -> Response:
    """A report of a run, written to a file that is gone when it is sent."""
    from ..report.registry import formats
    from ..workflow.stored import stored_session

    source: Source = request.app.state.source
    name = request.path_params["format"]
    try:
        if name not in REPORTS:
            raise data.NotFoundError(f"a run is given as {', '.join(REPORTS)}, not {name[:40]}")
        with tempfile.NamedTemporaryFile(prefix="pytest-evals-", suffix=REPORTS[name], delete=False) as made:
            path = Path(made.name)
        try:
            with source.read() as connection:
                run = data.find_run(connection, request.path_params["run"])
                formats()[name].write(path, *stored_session(connection, run))
        except (EvalsError, OSError):
            path.unlink(missing_ok=True)
            raise
    except EvalsError as error:
        return error_page(request, str(error), status_of(error))
    except OSError as error:
        return error_page(request, str(StoreError(f"the report cannot be written: {error.strerror}")), 503)
    headers = _as_file(f"{run.name or run.uid}{REPORTS[name]}")
    return FileResponse(path, headers=headers, background=BackgroundTask(path.unlink, missing_ok=True))


def _as_file(name: str) -> dict[str, str]:
    safe = "".join(c if c.isalnum() or c in "-_. " else "-" for c in name).strip(". ") or "export"
    return {"Content-Disposition": f"attachment; filename*=UTF-8''{quote(safe)}"}


def routes() -> list[Route]:
    """All downloads."""
    found: list[tuple[str, Callable[[Request], Response]]] = [
        ("/export/runs.csv", csv_file(runs_csv)),
        ("/export/history.csv", csv_file(history_csv)),
        ("/export/compare.csv", csv_file(compare_csv)),
        ("/export/runs/{run}/cases.csv", csv_file(cases_csv)),
        ("/export/runs/{run}/labels.csv", csv_file(labels_csv)),
        ("/export/runs/{run}/report/{format}", report),
    ]
    return [Route(path, answer, methods=["GET"]) for path, answer in found]
