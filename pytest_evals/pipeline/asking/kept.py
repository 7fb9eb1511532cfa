"""A client whose replies are kept until what they were asked for is written."""

from __future__ import annotations

import threading
from collections.abc import Iterable
from time import perf_counter

from ...llm.canonical import digest, request_json
from ...llm.pricing import Prices
from ...model.llm import Endpoint, LlmClient, Reply, Request
from ..spent import NOTHING, Spent
from .journal import Journal


class KeptClient:
    """In front of another client. A reply of the journal counts as what it cost when it was asked."""

    def __init__(self, inner: LlmClient, endpoint: Endpoint, journal: Journal, prices: Prices) -> None:
        self.local = bool(getattr(inner, "local", False))
        self.calls = 0
        """Those that were not kept from before."""
        self.spent = NOTHING
        """What they cost."""
        self._replies: dict[str, str] = {}
        self._inner = inner
        self._endpoint = endpoint
        self._prices = prices
        self._journal = journal
        self._lock = threading.Lock()

    async def complete(self, request: Request) -> Reply:
        """See ``LlmClient``."""
        key = digest({"judged": request_json(request), "address": self._endpoint.base_url})
        kept = self._journal.find(key)
        if kept is None:
            prepare = getattr(self._inner, "prepare", None)
            ready = await prepare(request) if prepare is not None else None
            started = perf_counter()
            reply = ready if ready is not None else await self._inner.complete(request)
            took_ms = (perf_counter() - started) * 1000
            with self._lock:
                self._journal.keep(key, reply, took_ms)
                self.calls += 1
                self.spent += self.cost(request.model, reply)
        else:
            reply = kept[0]
        self._replies[key] = reply.text
        return reply

    def cost(self, model: str, reply: Reply) -> Spent:
        """What a reply cost when it was asked for."""
        priced = self._prices.cost(self._endpoint, model, reply, local=self.local)
        return Spent.of(reply.usage, priced)

    def settle(self) -> None:
        """What was asked for is written."""
        self._journal.settle(self._replies)

    def forget(self, texts: Iterable[str]) -> None:
        """These replies led to nothing: they are asked for again the next time."""
        unwanted = set(texts)
        self._journal.forget([key for key, text in self._replies.items() if text in unwanted])

    async def aclose(self) -> None:
        """See ``LlmClient``."""
        close = getattr(self._inner, "aclose", None)
        if close is not None:
            await close()
