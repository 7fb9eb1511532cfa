"""The application: routes, and who may ask."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path
from typing import TYPE_CHECKING

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.responses import FileResponse
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from ..report import html as report
from . import api, export, pages, people
from .events import events
from .safety import LOOPBACK, Guard

if TYPE_CHECKING:
    from starlette.requests import Request

    from .source import Source

STATIC = Path(__file__).with_name("static")
REPORT_STATIC = Path(report.__file__).with_name("static")
"""Colours, type and tables look as in the HTML report."""


def _icon(_request: Request) -> FileResponse:
    """For what a browser shows that is no page of ours: JSON, a file."""
    return FileResponse(STATIC / "icon.svg", media_type="image/svg+xml")


def make_app(source: Source, *, hosts: Collection[str] = LOOPBACK, token: str = "") -> Starlette:
    """The viewer of a source. ``hosts`` and ``token`` as ``Guard`` has them."""
    app = Starlette(
        routes=[
            Route("/favicon.ico", _icon, methods=["GET"]),
            Route("/api/evals/events", events, methods=["GET"]),
            Route("/api/evals/case_runs/{number:int}/verdicts", people.answer_json(people.add), methods=["POST"]),
            Route("/api/evals/verdicts/{number:int}/undo", people.answer_json(people.undo), methods=["POST"]),
            Route("/results/{number:int}/verdicts", people.answer_form(people.add), methods=["POST"]),
            Route("/verdicts/{number:int}/undo", people.answer_form(people.undo), methods=["POST"]),
            Mount("/api/evals", routes=api.routes()),
            Mount("/static/report", StaticFiles(directory=REPORT_STATIC, follow_symlink=False)),
            Mount("/static", StaticFiles(directory=STATIC, follow_symlink=False)),
            *export.routes(),
            *pages.routes(),
        ],
        middleware=[Middleware(Guard, hosts=hosts, token=token)],
        exception_handlers={404: pages.missing},
    )
    app.state.source = source
    return app
