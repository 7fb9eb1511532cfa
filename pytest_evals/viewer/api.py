"""The JSON API below ``/api/evals``: what programs, and the pages' scripts, ask."""

from __future__ import annotations

import functools
import json
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from ..errors import EvalsError, StoreError, UsageError
from ..model.comparison import Change
from ..store import browse, people
from ..store.edit import trajectories_of_runs
from ..store.people import verdicts_of_result
from ..store.results import trajectories_of_result
from . import data
from .asked import filter_of, number_of, page_of, sort_of, whole
from .files import content, list_files
from .openapi import description
from .plugins import artifacts_of, graph_of
from .tools import calls_of_run
from .trace import read_trajectory

if TYPE_CHECKING:
    from sqlalchemy import Connection
    from starlette.requests import Request

    from ..store.values import StoredRun
    from .source import Source


class Plain(JSONResponse):
    """JSON in ASCII: whatever a text holds can be sent."""

    def render(self, content: Any) -> bytes:
        return json.dumps(content, allow_nan=False, separators=(",", ":")).encode("ascii")


Handler = Callable[["Request"], Response]


def answered(handler: Callable[[Source, Request], Any]) -> Handler:
    """A route from a function that returns plain values, or raises what a person can mend."""

    @functools.wraps(handler)
    def answer(request: Request) -> Response:
        try:
            found = handler(request.app.state.source, request)
        except EvalsError as error:
            return Plain({"error": str(error)}, status_of(error))
        return found if isinstance(found, Response) else Plain(found)

    return answer


def status_of(error: EvalsError) -> int:
    """404: not there; 503: the history cannot be read now; 400: the question is wrong."""
    if isinstance(error, data.NotFoundError):
        return 404
    return 503 if isinstance(error, StoreError) else 400


def index(source: Source, _request: Request) -> Mapping[str, Any]:
    found = data.overview(source)
    return {"totals": found["totals"], "experiments": found["experiments"]}


def experiment(source: Source, request: Request) -> Mapping[str, Any]:
    limit = whole(request.query_params, "limit", 0)
    return data.experiment(source, number_of(request), limit=limit or None)


def history(source: Source, request: Request) -> Mapping[str, Any]:
    asked = request.query_params
    suite, name = asked.get("eval", ""), asked.get("name", "")
    if not suite or not name:
        raise UsageError("write ?eval=SUITE&name=CASE")
    return data.history(source, request.path_params.get("number"), suite, name, variant=asked.get("variant"))


def run(source: Source, request: Request) -> Mapping[str, Any]:
    """A run and a page of its results, whole."""
    asked = request.query_params
    offset, limit = page_of(asked, 200)
    chosen, sort = filter_of(asked), sort_of(asked)
    with source.read() as connection:
        found = data.find_run(connection, request.path_params["run"])
        total, listed = browse.case_page(connection, found, chosen, sort=sort, offset=offset, limit=limit)
        results = []
        for case in listed:
            whole_case = browse.find_result(connection, case.id)
            if whole_case is not None:
                kept, said = trajectories_of_result(connection, case.id), verdicts_of_result(connection, case.id)
                results.append(data.result_plain(case, whole_case[2], kept, said))
    return {"run": data.run_plain(found), "total": total, "offset": offset, "case_runs": results}


def cases(source: Source, request: Request) -> Mapping[str, Any]:
    """A page of the list of results: no texts but headlines."""
    asked = request.query_params
    offset, limit = page_of(asked, 100)
    with source.read() as connection:
        found = data.find_run(connection, request.path_params["run"])
        chosen = filter_of(asked, among(source, connection, found, asked))
        total, listed = browse.case_page(connection, found, chosen, sort=sort_of(asked), offset=offset, limit=limit)
    return {"run": found.uid, "total": total, "offset": offset, "cases": [case.plain() for case in listed]}


def among(source: Source, connection: Connection, run: StoredRun, asked: Any) -> set[browse.CaseKey] | None:
    """The cases that changed since a baseline, when ``changed`` asks for them; else ``None``."""
    word = asked.get("changed", "")
    if not word:
        return None
    baseline = baseline_of(connection, run, asked.get("baseline", ""))
    if baseline is None:
        raise UsageError("there is no earlier run to compare with; write ?baseline=RUN")
    found = data.comparison(source, connection, baseline, run)
    names = [change.value for change in Change]
    if word == "any":
        return {case.key for case in found.cases if case.change is not Change.SAME}
    if word not in names:
        raise UsageError(f"changed is any, {', '.join(names)}; not {word[:40]!r}")
    return {case.key for case in found.of(Change(word))}


def baseline_of(connection: Connection, run: StoredRun, spec: str) -> StoredRun | None:
    """The run that was named, else the one before."""
    return data.find_run(connection, spec) if spec else data.run_before(connection, run)


def facets(source: Source, request: Request) -> Mapping[str, Any]:
    with source.read() as connection:
        found = data.find_run(connection, request.path_params["run"])
        return data.facets(source, connection, found).plain()


def case_run(source: Source, request: Request) -> Mapping[str, Any]:
    number = number_of(request)
    with source.read() as connection:
        found = browse.find_result(connection, number)
        if found is None:
            raise data.NotFoundError(f"there is no result {number}")
        run, listed, result = found
        kept = trajectories_of_result(connection, listed.id)
        said = verdicts_of_result(connection, listed.id)
    return {"run": run.uid, **data.result_plain(listed, result, kept, said)}


def compare(source: Source, request: Request) -> Mapping[str, Any]:
    from ..report.comparison_json import comparison_plain

    asked = request.query_params
    if not asked.get("before") or not asked.get("after"):
        raise UsageError("write ?before=RUN&after=RUN")
    with source.read() as connection:
        before, after = data.find_run(connection, asked["before"]), data.find_run(connection, asked["after"])
        return comparison_plain(data.comparison(source, connection, before, after))


def labels(source: Source, request: Request) -> Mapping[str, Any]:
    with source.read() as connection:
        found = people.labels(connection, data.find_run(connection, request.path_params["run"]))
    return {"labels": [label.plain() for label in found]}


def running(source: Source, _request: Request) -> Mapping[str, Any]:
    return {"running": [run.plain() for run in source.live.runs()]}


def tool_calls(source: Source, request: Request) -> Mapping[str, Any]:
    with source.read() as connection:
        found = data.find_run(connection, request.path_params["run"])
        return calls_of_run(source, connection, found, request.query_params.get("tool") or None)


def graph(source: Source, request: Request) -> Mapping[str, Any]:
    return graph_of(source, number_of(request))


def artifacts(source: Source, request: Request) -> Mapping[str, Any]:
    return {"artifacts": artifacts_of(source, request.query_params.getlist("id"))}


def files(source: Source, _request: Request) -> Mapping[str, Any]:
    return {"files": [file.plain() for file in list_files(source.pipeline)]}


def file(source: Source, request: Request) -> Mapping[str, Any]:
    return content(source, request.path_params["folder"], request.path_params["path"])


def run_trajectories(source: Source, request: Request) -> Mapping[str, Any]:
    with source.read() as connection:
        found = data.find_run(connection, request.path_params["run"])
        return {"trajectories": [kept.plain() for kept in trajectories_of_runs(connection, [found])]}


def trajectory(source: Source, request: Request) -> Response:
    return Response(read_trajectory(source, request.path_params["id"]), media_type="application/json")


def openapi(_source: Source, request: Request) -> Mapping[str, Any]:
    return description(request.scope.get("root_path", "") + "/api/evals")


def not_found(_source: Source, request: Request) -> Mapping[str, Any]:
    raise data.NotFoundError(f"there is nothing at {request.url.path[:200]}")


def routes() -> list[Route]:
    """All of them, relative to ``/api/evals``."""
    found: list[tuple[str, Callable[[Source, Request], Any]]] = [
        ("/", index),
        ("/openapi.json", openapi),
        ("/experiments/{number:int}", experiment),
        ("/experiments/{number:int}/history", history),
        ("/history", history),
        ("/compare", compare),
        ("/runs/{run}", run),
        ("/runs/{run}/cases", cases),
        ("/runs/{run}/facets", facets),
        ("/runs/{run}/trajectories", run_trajectories),
        ("/runs/{run}/tool_calls", tool_calls),
        ("/runs/{run}/labels", labels),
        ("/running", running),
        ("/files", files),
        ("/files/{folder}/{path:path}", file),
        ("/case_runs/{number:int}", case_run),
        ("/case_runs/{number:int}/graph", graph),
        ("/artifacts", artifacts),
        ("/trajectories/{id}", trajectory),
        ("/{rest:path}", not_found),
    ]
    return [Route(path, answered(handler), methods=["GET"]) for path, handler in found]
