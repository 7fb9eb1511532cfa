"""One result, and one case over the runs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ..errors import UsageError
from ..report import format as shown
from ..report.html.cases import detail, outcome_word
from ..store import browse
from ..store.people import verdicts_of_result
from ..store.results import case_history, dataset_of_result, trajectories_of_result
from . import data
from .asked import number_of
from .charts import Point, trend
from .plugins import ARTIFACTS, GRAPH
from .words import Part, word_difference

if TYPE_CHECKING:
    from starlette.requests import Request

    from .source import Source

MOST = 200_000
"""Characters of a text that a page shows; the API gives all of it."""


def case_page(source: Source, request: Request) -> Mapping[str, Any]:
    """Everything known about a result."""
    number = number_of(request)
    with source.read() as connection:
        found = browse.find_result(connection, number)
        if found is None:
            raise data.NotFoundError(f"there is no result {number}")
        run, listed, result = found
        before, after = browse.neighbours(connection, run, listed.id)
        kept = trajectories_of_result(connection, listed.id)
        said = verdicts_of_result(connection, listed.id)
        dataset = dataset_of_result(connection, listed.id)
        earlier = case_history(connection, listed.suite, listed.case_id, variant=listed.variant, limit=20)
    told = detail(result, None, MOST)
    return {
        "run": run,
        "listed": listed,
        "result": result,
        "outcome": outcome_word(result),
        "told": told,
        "differences": [difference(told, trial) for trial in told.get("trials", ())],
        "before": before,
        "after": after,
        "trajectories": kept,
        "said": said,
        "dataset": dataset,
        "shows_graphs": source.plugins.has(GRAPH),
        "shows_artifacts": source.plugins.has(ARTIFACTS),
        "author": source.author,
        "earlier": [point for point in earlier if point.run != run.uid][:8],
    }


def difference(told: Mapping[str, Any], trial: Mapping[str, Any]) -> list[Part]:
    """Expected and answered, word by word; nothing where one is missing, both are equal, or one is too long to tell."""
    expected, answer = told.get("expected"), trial.get("output")
    if not isinstance(expected, str) or not isinstance(answer, str) or expected == answer:
        return []
    return word_difference(expected, answer)


def history_page(source: Source, request: Request) -> Mapping[str, Any]:
    """A case over all runs: verdict, score, latency, cost."""
    asked = request.query_params
    suite, name = asked.get("suite", ""), asked.get("case", "")
    if not suite or not name:
        raise UsageError("write ?suite=SUITE&case=CASE")
    with source.read() as connection:
        points = case_history(connection, suite, name, variant=asked.get("variant"), limit=500)
    if not points:
        raise data.NotFoundError(f"no run recorded case {suite}::{name}")
    oldest_first = list(reversed(points[: data.RECENT]))
    root = request.scope.get("root_path", "")

    def of(field: str) -> list[Point]:
        return [
            Point(
                f"{point.started_at[:16].replace('T', ' ')}, {point.outcome}",
                getattr(point, field),
                f"{root}/runs/{point.run}",
                "bad" if point.outcome in {"failed", "errored"} else "",
            )
            for point in oldest_first
        ]

    made = [
        ("score", trend("Score", of("score"), lambda value: shown.score(value, 3), top=1.0)),
        ("latency", trend("Latency", of("latency_ms"), shown.duration)),
        ("cost", trend("Cost", of("cost_usd"), shown.usd)),
    ]
    return {
        "suite": suite,
        "case": name,
        "points": points,
        "charts": [(title, chart) for title, chart in made if chart],
        "variants": sorted({point.variant for point in points if point.variant}),
    }
