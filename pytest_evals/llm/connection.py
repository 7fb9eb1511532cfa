"""A client that is made when it is first needed, on the loop that needs it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress

from ..model.llm import Endpoint, LlmClient, Reply, Request
from .once import Once

_KEEPERS: set[asyncio.Task[None]] = set()


class Connection:
    """The client of one endpoint. What ``connect`` costs (imports, certificates) is no part of any call's time.

    A process has one client for each endpoint; should its event loop be replaced, the new one has its own.
    """

    def __init__(self, endpoint: Endpoint, connect: Callable[[Endpoint], LlmClient], *, local: bool) -> None:
        self.local = local
        self._endpoint = endpoint
        self._connect = connect
        self._once = Once()

    async def prepare(self, request: Request) -> Reply | None:
        """Connect, and let the client prepare itself for the model, once."""
        prepare = getattr(await self._client(), "prepare", None)
        if prepare is not None:
            await self._once.do(("ready", request.model), lambda: prepare(request))
        return None

    async def complete(self, request: Request) -> Reply:
        """See ``LlmClient``."""
        return await (await self._client()).complete(request)

    async def _client(self) -> LlmClient:
        client: LlmClient = await self._once.do("client", self._make)
        return client

    async def _make(self) -> LlmClient:
        # in a thread: importing an SDK takes a second, in which the calls that are under way must go on
        made = await asyncio.to_thread(self._connect, self._endpoint)
        close = getattr(made, "aclose", None)
        if close is not None:
            close_with_loop(close)
        return made


def close_with_loop(close: Callable[[], Awaitable[None]]) -> None:
    """Close a client when the loop that runs is stopped."""
    keeper = asyncio.create_task(_close_at_the_end(close))
    _KEEPERS.add(keeper)  # a loop holds its tasks weakly
    keeper.add_done_callback(_KEEPERS.discard)


async def _close_at_the_end(close: Callable[[], Awaitable[None]]) -> None:
    try:
        await asyncio.get_running_loop().create_future()
    finally:
        with suppress(Exception):  # what cannot be closed is gone with the loop
            await close()
