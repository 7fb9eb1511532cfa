"""Overview, experiment and run."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from ..model.comparison import Change
from ..model.wire import plain
from ..report import format as shown
from ..store import browse
from ..store.people import standing_verdicts
from ..store.runs import list_experiments
from . import data
from .api import among, baseline_of
from .asked import GROUPS, OUTCOMES, filter_of, number_of, page_of, sort_of
from .charts import Point, spark, trend

if TYPE_CHECKING:
    from markupsafe import Markup
    from starlette.requests import Request

    from .live import LiveRun
    from .source import Source

PAGE = 100
"""Rows of a list that are shown at once."""

TREND = data.RECENT

Figure = tuple[str, str, Callable[[float], str], float | None]
"""Title, field of a run, how it is said, and the highest value it can have."""


def overview_page(source: Source, request: Request) -> Mapping[str, Any]:
    """Everything at a glance."""
    found = data.overview(source)
    root = request.scope.get("root_path", "")
    recent = list(reversed(found["recent"]))
    by_experiment: dict[int, list[Mapping[str, Any]]] = {}
    for run in recent:
        by_experiment.setdefault(run["experiment_id"], []).append(run)
    return found | {
        "missing": source.location.missing,
        "running": [_running(run) for run in source.live.runs()],
        "sparks": {
            number: spark("pass rate", _points(runs, "pass_rate", root)) for number, runs in by_experiment.items()
        },
        "charts": _charts([("cost of the newest runs", "cost_usd", shown.usd, None)], recent, root),
    }


def _running(run: LiveRun) -> dict[str, Any]:
    return run.plain() | {"share": run.share}


def experiment_page(source: Source, request: Request) -> Mapping[str, Any]:
    """An experiment: its runs, how their figures moved, and what was set differently from one to the next."""
    offset, limit = page_of(request.query_params, PAGE)
    found = data.experiment(source, number_of(request), limit=max(TREND, offset + limit + 1), cases=False)
    runs = found["runs"]
    recent = list(reversed(runs[:TREND]))
    return {
        "experiment": found["experiment"],
        "runs": runs[offset : offset + limit],
        "total": sum(found["experiment"]["runs"].values()),
        "offset": offset,
        "limit": limit,
        "cases": found["experiment"]["cases"],
        "charts": _charts(_FIGURES, recent, request.scope.get("root_path", "")),
        "running": [_running(run) for run in source.live.runs() if run.experiment == found["experiment"]["name"]],
        "changed": _changed_settings(runs[offset : offset + limit + 1]),
    }


def _points(runs: Sequence[Mapping[str, Any]], name: str, root: str) -> list[Point]:
    """A figure of each run."""

    def label(run: Mapping[str, Any]) -> str:
        return ", ".join(filter(None, (run["started_at"][:16].replace("T", " "), run["name"], run["status"])))

    return [
        Point(label(run), run[name], f"{root}/runs/{run['uid']}", "bad" if run["verdict"] == "fail" else "")
        for run in runs
    ]


_FIGURES: tuple[Figure, ...] = (
    ("pass rate", "pass_rate", shown.percent, 1.0),
    ("score", "score", lambda value: shown.score(value, 3), 1.0),
    ("latency, median", "latency_p50_ms", shown.duration, None),
    ("latency, 95th percentile", "latency_p95_ms", shown.duration, None),
    ("cost", "cost_usd", shown.usd, None),
)


def _charts(figures: Sequence[Figure], runs: Sequence[Mapping[str, Any]], root: str) -> list[tuple[str, Markup]]:
    """The figures over the runs, the oldest first; those no run has are left out."""
    made = [(title, trend(title, _points(runs, name, root), said, top=top)) for title, name, said, top in figures]
    return [(title, chart) for title, chart in made if chart]


def _changed_settings(runs: Sequence[Mapping[str, Any]]) -> dict[str, list[str]]:
    """Of each run the parameters in which it differs from the one before, the newest first."""
    changed: dict[str, list[str]] = {}
    for run, before in pairwise(runs):
        now, then = settings_of(run), settings_of(before)
        names = [name for name in {**then, **now} if now.get(name) != then.get(name)]
        if names:
            changed[run["uid"]] = [
                f"{name}: {then.get(name, shown.UNKNOWN)} → {now.get(name, shown.UNKNOWN)}" for name in names
            ]
    return changed


_OF_NO_INTEREST = frozenset({"command", "args", "versions", "python", "hostname", "pid", "workers"})


def settings_of(run: Mapping[str, Any]) -> dict[str, str]:
    """What a run was set to, flat: ``variants.small.model``."""
    found: dict[str, str] = {}

    def add(prefix: str, value: Any) -> None:
        if isinstance(value, Mapping):
            for name, part in value.items():
                add(f"{prefix}.{name}" if prefix else str(name), part)
        else:
            found[prefix] = str(plain(value))[:120]

    add("", {name: value for name, value in run["params"].items() if name not in _OF_NO_INTEREST})
    if run["git_branch"]:
        found["branch"] = run["git_branch"]
    return found


def running_page(source: Source, run: LiveRun) -> Mapping[str, Any]:
    """A run whose session has not ended."""
    from ..report.html.page import page

    with_number = None
    if not source.location.missing:
        with source.read() as connection:
            found = [e.id for e in list_experiments(connection) if (e.name, e.type) == (run.experiment, run.type)]
            with_number = found[0] if found else None
    return {
        "template": "running.html",
        "run": _running(run),
        "experiment_id": with_number,
        "figures": page(run.session()),
        "newest": list(reversed(run.rows[-PAGE:])),
    }


def run_page(source: Source, request: Request) -> Mapping[str, Any]:
    """A run: verdict, gates, figures, tables, and a list of its results that can be narrowed."""
    running = source.live.find(request.path_params["run"])
    if running is not None:
        return running_page(source, running)
    asked = request.query_params
    offset, limit = page_of(asked, PAGE)
    sort = sort_of(asked)
    with source.read() as connection:
        run = data.find_run(connection, request.path_params["run"])
        found = data.figures(source, connection, run)
        chosen = filter_of(asked, among(source, connection, run, asked))
        total, listed = browse.case_page(connection, run, chosen, sort=sort, offset=offset, limit=limit)
        facets = data.facets(source, connection, run)
        baseline = baseline_of(connection, run, asked.get("baseline", ""))
        compared = None if baseline is None else data.comparison(source, connection, baseline, run)
        others = data.neighbour_runs(connection, run)
        said = standing_verdicts(connection, run)
    changes = {} if compared is None else {case.key: case.change.value for case in compared.cases}
    return {
        "run": data.run_plain(run),
        "experiment_id": run.experiment_id,
        "figures": found,
        "cases": listed,
        "total": total,
        "offset": offset,
        "limit": limit,
        "sort": sort,
        "sorts": tuple(browse.SORTS),
        "facets": facets,
        "groups": tuple(GROUPS),
        "outcomes": OUTCOMES,
        "changes": changes,
        "change_words": [change.value for change in Change if compared is not None and compared.of(change)],
        "baseline": baseline,
        "others": others,
        "said": said,
    }
