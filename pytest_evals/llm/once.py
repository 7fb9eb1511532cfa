"""Work that many calls wait for and that is done once."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Hashable
from typing import Any


class Once:
    """Does each piece of work once on each event loop, for all that wait for it, and keeps what it gave.

    If it fails it fails for those that wait; for the next one it is done again. One that gives up does not stop it.
    """

    def __init__(self) -> None:
        self._tasks: dict[tuple[asyncio.AbstractEventLoop, Hashable], asyncio.Task[Any]] = {}

    async def do(self, name: Hashable, work: Callable[[], Awaitable[Any]]) -> Any:
        """What the work of this name gives."""
        key = (asyncio.get_running_loop(), name)
        task = self._tasks.get(key)
        if task is None:

            async def run() -> Any:
                return await work()

            task = self._tasks[key] = asyncio.create_task(run())
            task.add_done_callback(lambda ended: self._tasks.pop(key, None) if _failed(ended) else None)
        return await asyncio.shield(task)


def _failed(task: asyncio.Task[Any]) -> bool:
    return task.cancelled() or task.exception() is not None
