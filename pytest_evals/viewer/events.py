"""A stream that tells pages when something has changed: server-sent events."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from typing import TYPE_CHECKING

from starlette.concurrency import run_in_threadpool
from starlette.responses import StreamingResponse

if TYPE_CHECKING:
    from starlette.requests import Request

    from .live import Live

LOOK_S = 0.4
"""Between two looks while somebody listens."""
KEEP_ALIVE_S = 15.0


async def events(request: Request) -> StreamingResponse:
    """``changed`` whenever a session or the history has, with the runs that run; ``hello`` at the start."""
    return StreamingResponse(stream(request.app.state.source.live), media_type="text/event-stream")


async def stream(live: Live) -> AsyncIterator[bytes]:
    """The events; it ends when the page that listens is closed."""
    known = await run_in_threadpool(live.version)
    yield await run_in_threadpool(_event, "hello", live)
    silent = 0.0
    while True:
        await asyncio.sleep(LOOK_S)
        version = await run_in_threadpool(live.version)
        if version != known:
            known, silent = version, 0.0
            yield await run_in_threadpool(_event, "changed", live)
        elif (silent := silent + LOOK_S) >= KEEP_ALIVE_S:
            silent = 0.0
            yield b": still here\n\n"


def _event(name: str, live: Live) -> bytes:
    found = {"version": live.version(), "running": [run.plain() for run in live.runs()]}
    data = json.dumps(found, separators=(",", ":"))
    return f"event: {name}\ndata: {data}\n\n".encode("ascii")
