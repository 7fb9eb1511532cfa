"""A model as the target: the input of a case is what it is asked, its reply the answer."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from time import perf_counter
from typing import Any

from ..atif.exchange import exchange
from ..errors import RejectedError, TargetError
from ..llm.clients import Clients
from ..llm.once import Once
from ..llm.pricing import Prices
from ..model.case import Case
from ..model.llm import LlmClient, ModelSpec, Reply, Request
from ..model.messages import messages_of
from ..model.place import Place, Problem
from ..model.price import Cost
from ..model.response import CACHED, UNPRICED, Response
from ..suite.systems import system_of
from .target import Target

_NEEDS = ("case", "trial")


class Models:
    """The models of a process, as targets: through which clients they are asked, and what their replies cost."""

    def __init__(self, clients: Clients | None = None, prices: Prices | None = None) -> None:
        self.clients = clients or Clients()
        self.prices = prices or Prices()

    def target(self, spec: ModelSpec) -> Target:
        """The target that asks a model. Raises ``TargetError`` for settings that its provider does not take."""
        mistakes = [message for _, message in self.clients.mistakes(spec)]
        if mistakes:
            raise TargetError("; ".join(mistakes))
        asked = _Asked(spec, self.clients.client(spec.endpoint), self.prices)
        return Target(
            spec.name,
            asked.ask,
            passes_input=None,
            extras=_NEEDS,
            is_async=True,
            takes_messages=True,
            prepare=asked.prepare,
        )

    def problems(self, spec: ModelSpec, place: Place) -> list[Problem]:
        """The same mistakes, each where its key stands; ``place`` is for those that stand nowhere."""
        return [Problem(spec.places.get(key, place), message) for key, message in self.clients.mistakes(spec)]


class _Asked:
    def __init__(self, spec: ModelSpec, client: LlmClient, prices: Prices) -> None:
        self._spec = spec
        self._client = client
        self._local: bool = getattr(client, "local", False)
        self._prices = prices
        self._prepare = getattr(client, "prepare", None)
        self._once = Once()

    async def prepare(self, *, case: Case, trial: int) -> Response | None:
        """Connect; the answer, if the client has it without asking."""
        await self._once.do("prices", self._find_price)
        reply = await self._prepare(self._request(case, trial)) if self._prepare is not None else None
        return None if reply is None else self._response(self._request(case, trial), reply)

    async def ask(self, *, case: Case, trial: int) -> Response:
        """Ask the model the input of a case."""
        request = self._request(case, trial)
        started = perf_counter()
        reply = await self._client.complete(request)
        return self._response(request, reply, (perf_counter() - started) * 1000)

    async def _find_price(self) -> None:
        # in a thread: the first one imports the table, which takes 0.2 s
        await asyncio.to_thread(self._prices.known, self._spec.endpoint, self._spec.model, local=self._local)

    def _request(self, case: Case, trial: int) -> Request:
        try:
            request = self._spec.request(messages_of(case.input), trial)
            system = system_of(request.system, case)
            return request if system == request.system else replace(request, system=system)
        except ValueError as error:
            raise RejectedError(str(error)) from None

    def _response(self, request: Request, reply: Reply, measured_ms: float | None = None) -> Response:
        spec = self._spec
        cost = self._prices.cost(spec.endpoint, spec.model, reply, local=self._local)
        return Response(
            output=_output(spec, reply),
            usage=reply.usage,
            cost_usd=None if cost is None else cost.total_usd,
            tool_calls=reply.tool_calls,
            trajectory=exchange(request, reply, None if cost is None else cost.total_usd),
            metadata={**told(reply), **self._of_cost(reply, cost)},
            latency_ms=measured_ms if reply.latency_ms is None else reply.latency_ms,
            cached=reply.cached,
        )

    def _of_cost(self, reply: Reply, cost: Cost | None) -> dict[str, Any]:
        """Whose price is not known; of a kept reply, what it took and cost when it was asked."""
        spec = self._spec
        if reply.cached:
            then = self._prices.cost(spec.endpoint, spec.model, replace(reply, cached=False), local=self._local)
            before = {"latency_ms": reply.latency_ms, "cost_usd": None if then is None else then.total_usd}
            return {CACHED: {name: value for name, value in before.items() if value is not None} or True}
        return {UNPRICED: spec.name} if cost is None and _counted(reply) else {}


def _counted(reply: Reply) -> bool:
    return reply.usage is not None and None not in (reply.usage.input_tokens, reply.usage.output_tokens)


def told(reply: Reply) -> dict[str, Any]:
    """What is kept of a reply besides its answer."""
    facts: Mapping[str, Any] = {
        "model": reply.model,
        "stop_reason": reply.stop_reason,
        "refusal": reply.refusal,
        "reasoning": reply.reasoning,
        "reasoning_tokens": reply.reasoning_tokens,
        "cache_write_tokens": reply.cache_write_tokens,
        "request_id": reply.request_id,
    }
    return {name: value for name, value in facts.items() if value}


def _output(spec: ModelSpec, reply: Reply) -> Any:
    """The text, or the JSON value that was asked for; what is none stays the text, for scorers to judge."""
    if spec.schema is not None:
        with suppress(ValueError, RecursionError):
            value = json.loads(reply.text)
            return reply.text if value is None else value
    return reply.text
