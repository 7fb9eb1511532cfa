"""Clients that answer from what is kept: replies of earlier calls, or recorded ones.

What is asked in a session that replays is answered from recorded replies alone; one that records asks the model and
writes down what it said; both together ask only for what is not recorded yet. Otherwise, where wanted, replies are kept
in the cache of the project.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from dataclasses import dataclass
from time import perf_counter
from typing import Any

from ..errors import RejectedError, StoreError, TargetError
from ..model.llm import Endpoint, LlmClient, Reply, Request
from ..model.redaction import Redactor
from .cache import ReplyCache
from .canonical import digest, reply_json, request_json
from .cassettes import Cassettes
from .providers import PROVIDERS


@dataclass(frozen=True, slots=True)
class Keeping:
    """Where replies are kept. With recorded ones the cache is left alone."""

    cache: ReplyCache | None = None
    record: Cassettes | None = None
    replay: Cassettes | None = None
    redactor: Redactor | None = None
    """What finds secrets; ``None`` is the usual one."""

    def __bool__(self) -> bool:
        return bool(self.cache or self.record is not None or self.replay is not None)

    @property
    def asks_nobody(self) -> bool:
        """Whether no model is called whatever happens, so that no key and no server is needed."""
        return self.replay is not None and self.record is None

    def wrap(self, client: LlmClient, endpoint: Endpoint) -> LlmClient:
        """A client that looks here before it asks."""
        return KeepingClient(self, client, _address(endpoint)) if self else client

    def close(self) -> None:
        """Let go of the files."""
        if self.cache is not None:
            self.cache.close()


class KeepingClient:
    """An ``LlmClient`` in front of another one."""

    def __init__(self, keeping: Keeping, inner: LlmClient, address: str = "") -> None:
        self.local = bool(getattr(inner, "local", False))
        self._keeping = keeping
        self._inner = inner
        self._address = address
        self._redactor = keeping.redactor or Redactor()

    def recall(self, request: Request) -> Reply | None:
        """The kept reply to a request, marked as such; ``None`` when it must be asked.

        Raises ``CassetteError`` when nothing may be asked, ``RejectedError`` when what is kept cannot be read.
        """
        keeping = self._keeping
        if keeping.replay is not None:
            found = keeping.replay.find(request)
            if found is not None:
                return found.reply.kept(found.latency_ms)
            if keeping.record is None:
                raise keeping.replay.miss(request)
        if keeping.cache is not None and not self._recorded:
            try:
                return keeping.cache.get(self._key(request))
            except StoreError as error:
                raise RejectedError(str(error)) from error
        return None

    async def prepare(self, request: Request) -> Reply | None:
        """The reply if it is here; else let the one that asks get ready."""
        found = self.recall(request)
        prepare = getattr(self._inner, "prepare", None) if found is None else None
        return await prepare(request) if prepare is not None else found

    async def complete(self, request: Request) -> Reply:
        """See ``LlmClient``."""
        found = self.recall(request)
        if found is not None:
            return found
        started = perf_counter()
        reply = await self._inner.complete(request)
        latency_ms = (perf_counter() - started) * 1000
        if self._keeping.record is not None:
            await asyncio.to_thread(self._keeping.record.record, request, reply, latency_ms)
        elif self._keeping.cache is not None and not self._recorded and self._may_be_kept(reply):
            name = f"{request.provider}/{request.model}"
            await asyncio.to_thread(self._keeping.cache.put, self._key(request), name, reply, latency_ms)
        return reply

    async def aclose(self) -> None:
        """See ``LlmClient``."""
        close = getattr(self._inner, "aclose", None)
        if close is not None:
            await close()

    @property
    def _recorded(self) -> bool:
        return self._keeping.record is not None or self._keeping.replay is not None

    def _key(self, request: Request) -> str:
        asked: dict[str, Any] = {"request": request_json(request), "address": self._address}
        return digest(asked)

    def _may_be_kept(self, reply: Reply) -> bool:
        """Whole answers only, and none that holds a secret: taking it out would make it another answer."""
        if reply.refusal or reply.stop_reason not in ("end", "stop", "tool_calls"):
            return False
        said = reply_json(reply)
        return bool(self._redactor.value(said) == said)


def _address(endpoint: Endpoint) -> str:
    """Where an endpoint asks: what one server said does not answer for another."""
    provider = PROVIDERS.get(endpoint.provider)
    if provider is not None:
        with suppress(TargetError):  # there is none, which is said when it is asked
            return provider.base_url(endpoint)
    return endpoint.base_url
