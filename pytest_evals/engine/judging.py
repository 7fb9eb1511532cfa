"""Asking judges: through the same clients, limits, prices and kept replies as models that are targets."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from contextlib import AbstractAsyncContextManager, nullcontext
from time import perf_counter

from ..errors import ProviderError
from ..llm.limiter import Limiter, Slot
from ..model.judge import Judged
from ..model.llm import LlmClient, ModelSpec, Reply, Request
from ..model.response import Response
from .model import Models
from .refusal import refusal_of

LIMIT_S = 120.0
"""Of one call to a judge."""


class Judges:
    """Asks the judges that suites name. Runs on the engine's loop.

    ``own`` are judges with the clients that are asked for them; ``count`` is told what each reply took, and ``None``
    for a call that failed.
    """

    def __init__(
        self,
        models: Models,
        limiter: Callable[[], Limiter | None] = lambda: None,
        count: Callable[[Response | None], None] = lambda _: None,
        own: Sequence[tuple[ModelSpec, LlmClient]] = (),
    ) -> None:
        self._models = models
        self._limiter = limiter
        self._count = count
        self._own = own

    async def __call__(self, spec: ModelSpec, request: Request) -> Judged:
        """Ask once. A reply that is there already costs nothing and takes no place in a limit."""
        client = self._client(spec)
        local: bool = getattr(client, "local", False)
        prepare = getattr(client, "prepare", None)
        kept = await prepare(request) if prepare is not None else None
        # in a thread: the first price imports the table, which takes 0.2 s
        await asyncio.to_thread(self._models.prices.known, spec.endpoint, spec.model, local=local)
        took_ms: float | None = None
        if kept is None:
            async with self._permit(spec) as permit:
                started = perf_counter()
                reply = await self._asked(client, spec, request, permit)
                took_ms = (perf_counter() - started) * 1000
        else:
            reply = kept
        cost = self._models.prices.cost(spec.endpoint, spec.model, reply, local=local)
        found = Judged(reply, None if cost is None else cost.total_usd, None if reply.cached else took_ms)
        self._count(Response("", reply.usage, found.cost_usd, cached=reply.cached))
        return found

    async def _asked(self, client: LlmClient, spec: ModelSpec, request: Request, permit: Slot | None) -> Reply:
        try:
            async with asyncio.timeout(LIMIT_S) as limit:
                reply = await client.complete(request)
        except Exception as error:
            self._count(None)
            if isinstance(error, TimeoutError) and limit.expired():
                raise ProviderError(f"{spec.name}: no answer within {LIMIT_S:g} s", status=408) from None
            if permit is not None and (refusal := refusal_of(error)) is not None:
                permit.refused(refusal.retry_after_s, refusal.status)
            raise
        if permit is not None and reply.usage is not None:
            permit.used((reply.usage.input_tokens or 0) + (reply.usage.output_tokens or 0))
        return reply

    def _client(self, spec: ModelSpec) -> LlmClient:
        for mine, client in self._own:
            if spec is mine:
                return client
        return self._models.clients.client(spec.endpoint)

    def _permit(self, spec: ModelSpec) -> AbstractAsyncContextManager[Slot | None]:
        limiter = self._limiter()
        return limiter.slot(spec.name) if limiter is not None else nullcontext()
