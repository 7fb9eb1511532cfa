"""The pages: each reads what it shows with the queries of the API, and writes HTML without any script of its own."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from functools import cache
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, urlencode

from jinja2 import Environment, PackageLoader, StrictUndefined, select_autoescape
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from ..errors import EvalsError
from ..report import format as shown
from ..report.text import escape, readable
from . import data
from .api import answered, status_of
from .case import case_page, history_page
from .compare import compare_page
from .files import file_page, files_page
from .lists import experiment_page, overview_page, run_page
from .plugins import artifacts_page, graph_page
from .steps import trajectory_page
from .tools import tools_page

if TYPE_CHECKING:
    from starlette.requests import Request

    from .source import Source

Page = Callable[["Source", "Request"], Mapping[str, Any]]


@cache
def environment() -> Environment:
    """The templates. Every text is escaped, and what cannot be printed is shown as an escape."""
    made = Environment(
        loader=PackageLoader("pytest_evals.viewer"),
        autoescape=select_autoescape(default=True, default_for_string=True),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=lambda value: escape(value) if type(value) is str else value,
    )
    made.filters |= {
        "percent": shown.percent,
        "score": shown.score,
        "usd": shown.usd,
        "duration": shown.duration,
        "count": shown.count,
        "counted": shown.counted,
        "readable": readable,
        "minute": lambda instant: instant[:16].replace("T", " ") if instant else shown.UNKNOWN,
    }
    return made


def page(template: str, make: Page) -> Callable[[Request], Response]:
    """A route that fills a template; what a person can mend is a page of one line."""

    @functools.wraps(make)
    def answer(request: Request) -> Response:
        source: Source = request.app.state.source
        version = source.live.version()  # before anything is read: what changes meanwhile is then noticed
        try:
            return _filled(request, template, {"version": version, **make(source, request)})
        except EvalsError as error:
            return error_page(request, str(error), status_of(error))

    return answer


def error_page(request: Request, message: str, status: int) -> HTMLResponse:
    """A page of one line."""
    return _filled(request, "error.html", {"message": message}, status)


def missing(request: Request, _error: Exception) -> Response:
    """Nothing is at this address."""
    if request.url.path.removeprefix(request.scope.get("root_path", "")).startswith("/api/"):
        return answered(lambda _source, _request: _nothing(request))(request)
    return error_page(request, f"there is nothing at {request.url.path[:200]}", 404)


def _nothing(request: Request) -> Mapping[str, Any]:
    raise data.NotFoundError(f"there is nothing at {request.url.path[:200]}")


def _filled(request: Request, template: str, values: Mapping[str, Any], status: int = 200) -> HTMLResponse:
    root = request.scope.get("root_path", "")

    def link(*parts: object, **asked: object) -> str:
        path = "/".join(quote(str(part), safe="") for part in parts)
        query = urlencode([(name, value) for name, value in asked.items() if value not in (None, "", False)])
        return f"{root}/{path}" + (f"?{query}" if query else "")

    def again(**changed: object) -> str:
        """The same address with other parameters."""
        kept = {name: value for name, value in request.query_params.multi_items() if name not in changed}
        return "?" + urlencode([*kept.items(), *((n, v) for n, v in changed.items() if v not in (None, "", False))])

    source: Source = request.app.state.source
    common = {
        "link": link,
        "again": again,
        "asked": request.query_params,
        "location": str(source.location),
        "version": 0,
    }
    html = environment().get_template(values.get("template", template)).render(common | dict(values))
    return HTMLResponse(html.encode("utf-8", "backslashreplace"), status)


def api_page(_source: Source, _request: Request) -> Mapping[str, Any]:
    """The API in words."""
    from .openapi import description

    return {"api": description("/api/evals")}


def routes() -> list[Route]:
    """All pages."""
    found: list[tuple[str, str, Page]] = [
        ("/", "overview.html", overview_page),
        ("/experiments/{number:int}", "experiment.html", experiment_page),
        ("/runs/{run}", "run.html", run_page),
        ("/runs/{run}/tools", "tools.html", tools_page),
        ("/results/{number:int}", "case.html", case_page),
        ("/files", "files.html", files_page),
        ("/files/{folder}/{path:path}", "file.html", file_page),
        ("/results/{number:int}/graph", "graph.html", graph_page),
        ("/artifacts", "artifacts.html", artifacts_page),
        ("/history", "history.html", history_page),
        ("/compare", "compare.html", compare_page),
        ("/trajectories/{id}", "trajectory.html", trajectory_page),
        ("/api", "api.html", api_page),
    ]
    return [Route(path, page(template, make), methods=["GET"]) for path, template, make in found]
