"""What people say of results: the only thing the viewer writes."""

from __future__ import annotations

import functools
import json
from collections.abc import Awaitable, Callable, Mapping
from typing import TYPE_CHECKING, Any, cast
from urllib.parse import parse_qs

from starlette.concurrency import run_in_threadpool
from starlette.responses import RedirectResponse, Response

from ..errors import EvalsError, UsageError
from ..store import connect, people
from . import data
from .api import Plain, status_of
from .asked import number_of
from .pages import error_page

if TYPE_CHECKING:
    from starlette.requests import Request

    from .source import Source

LARGEST = 64 * 1024
"""Bytes of what may be sent."""

Write = Callable[["Source", int, Mapping[str, Any]], people.HumanVerdict]


def add(source: Source, number: int, said: Mapping[str, Any]) -> people.HumanVerdict:
    """Keep a verdict on the result of that number."""
    words = {name: _text(said, name) for name in ("verdict", "criterion", "note", "author")}
    with connect.writing(source.location) as connection:
        return people.add_verdict(
            connection,
            number,
            verdict=cast("people.Said | None", words["verdict"] or None),
            criterion=words["criterion"],
            note=words["note"],
            author=words["author"] or source.author,
        )


def undo(source: Source, number: int, said: Mapping[str, Any]) -> people.HumanVerdict:
    """Take back the verdict of that number; with ``restore`` let it hold again."""
    with connect.writing(source.location) as connection:
        return people.undo_verdict(connection, number, undone=not _text(said, "restore"))


def _text(said: Mapping[str, Any], name: str) -> str:
    value = said.get(name)
    if value is None or value is False:
        return ""
    if value is True:
        return "yes"
    if not isinstance(value, str):
        raise UsageError(f"{name} is a text")
    return value


def answer_json(write: Write) -> Callable[[Request], Awaitable[Response]]:
    """A route of the API: a JSON object is sent, the verdict comes back."""

    @functools.wraps(write)
    async def answer(request: Request) -> Response:
        try:
            said = await _body(request)
            made = await run_in_threadpool(_write, write, request, said)
        except EvalsError as error:
            return Plain({"error": str(error)}, status_of(error))
        return Plain(made.plain())

    return answer


def answer_form(write: Write) -> Callable[[Request], Awaitable[Response]]:
    """A route of the pages: a form is sent, and the result is shown again."""

    @functools.wraps(write)
    async def answer(request: Request) -> Response:
        try:
            said = await _body(request)
            made = await run_in_threadpool(_write, write, request, said)
        except EvalsError as error:
            return error_page(request, str(error), status_of(error))
        return RedirectResponse(f"{request.scope.get('root_path', '')}/results/{made.case_run_id}#people", 303)

    return answer


def _write(write: Write, request: Request, said: Mapping[str, Any]) -> people.HumanVerdict:
    try:
        return write(request.app.state.source, number_of(request), said)
    except UsageError as error:
        if "there is no" in str(error):
            raise data.NotFoundError(str(error)) from error
        raise


async def _body(request: Request) -> Mapping[str, Any]:
    content = b""
    async for part in request.stream():
        content += part
        if len(content) > LARGEST:
            raise UsageError(f"that is more than {LARGEST // 1024} kB")
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    try:
        if kind == "application/json":
            found = json.loads(content)
            if not isinstance(found, dict):
                raise UsageError("send a JSON object")
            return found
        if kind == "application/x-www-form-urlencoded":
            fields = parse_qs(content.decode("ascii"), max_num_fields=20)
            return {name: values[-1] for name, values in fields.items()}
    except (ValueError, RecursionError) as error:
        raise UsageError(f"what was sent is no {kind}") from error
    raise UsageError("send a JSON object, as application/json")
