"""Asks models for the commands of the pipeline, each question once."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from time import perf_counter
from types import TracebackType
from typing import Any

from ...errors import EvalsError, ProviderError, TargetError, UsageError
from ...llm.canonical import digest, request_json
from ...llm.clients import Clients
from ...llm.limiter import SessionLimiter
from ...llm.pricing import Prices
from ...model.llm import LlmClient, Message, ModelSpec, Reply, Request
from ..spent import NOTHING, Spent
from .journal import Journal

TIMEOUT_S = 300.0
"""Of one attempt: a long transcript of a slow local model takes minutes."""

RETRIES = 3
"""Extra attempts after trouble of the provider."""

BACKOFF_S = 1.0
"""Before the first extra attempt where the provider names no time; doubled with each."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What a model said to one question."""

    text: str
    reply: Reply
    spent: Spent
    """What it cost when it was asked."""
    took_ms: float
    """Without the wait for a place within the limits."""
    kept: bool = False
    """It was asked by an earlier command that was interrupted: it costs nothing now."""

    @property
    def cut_off(self) -> bool:
        """Whether the limit of its length ended it."""
        return self.reply.stop_reason == "max_tokens"


class Asker:
    """Asks any number of models at once. Made for one output folder; runs on one event loop.

    ``spent`` is what all calls of this process cost, those that led to nothing included; ``calls`` counts them. A reply
    of the journal is in neither.
    """

    def __init__(
        self,
        clients: Clients,
        prices: Prices,
        journal: Journal,
        *,
        limiter: SessionLimiter | None = None,
        retries: int = RETRIES,
        timeout_s: float = TIMEOUT_S,
        sleep: Callable[[float], Awaitable[Any]] = asyncio.sleep,
    ) -> None:
        self.spent = NOTHING
        self.calls = 0
        self.unpriced: set[str] = set()
        """The models whose price is not known."""
        self.journal = journal
        self._clients = clients
        self._prices = prices
        self._limiter = limiter or SessionLimiter()
        self._retries = retries
        self._timeout_s = timeout_s
        self._sleep = sleep

    def mistakes(self, spec: ModelSpec) -> list[str]:
        """What cannot be asked of a model, before it is: an unknown provider, settings it does not take."""
        return [message for _, message in self._clients.mistakes(spec)]

    def missing(self, spec: ModelSpec) -> str:
        """What is missing for a model to be asked at all, its key or address; empty when nothing is."""
        return self._clients.missing(spec.endpoint)

    def talk(self, spec: ModelSpec) -> Talk:
        """The questions that belong to one thing to be made."""
        return Talk(self, spec)

    async def ask(self, spec: ModelSpec, request: Request) -> tuple[str, Answer]:
        """The key of a question, and its answer.

        Raises ``ProviderError`` after all attempts, and ``RejectedError`` for what no attempt mends.
        """
        key = digest({"request": request_json(request), "address": spec.endpoint.base_url})
        client = self._clients.client(spec.endpoint)
        local = bool(getattr(client, "local", False))
        kept = self.journal.find(key)
        # in a thread: the first price imports the table, which takes 0.2 s
        await asyncio.to_thread(self._prices.known, spec.endpoint, spec.model, local=local)
        if kept is None:
            reply, took_ms = await self._attempts(client, spec, request)
            self.journal.keep(key, reply, took_ms)
        else:
            reply, took_ms = kept
        cost = self._prices.cost(spec.endpoint, spec.model, reply, local=local)
        if cost is None and reply.usage is not None:
            self.unpriced.add(spec.name)
        spent = Spent.of(reply.usage, cost)
        if kept is None:
            self.calls += 1
            self.spent += spent
        return key, Answer(reply.text, reply, spent, took_ms, kept is not None)

    async def _attempts(self, client: LlmClient, spec: ModelSpec, request: Request) -> tuple[Reply, float]:
        for attempt in range(self._retries + 1):
            try:
                return await self._attempt(client, spec, request)
            except ProviderError as error:
                if attempt == self._retries:
                    raise
                # a refusal for the rate has made the limiter pause; anything else waits here
                if error.status not in (429, 529) and error.retry_after_s is None:
                    await self._sleep(BACKOFF_S * 2**attempt)
        raise AssertionError("the last attempt returns or raises")

    async def _attempt(self, client: LlmClient, spec: ModelSpec, request: Request) -> tuple[Reply, float]:
        prepare = getattr(client, "prepare", None)
        ready = await prepare(request) if prepare is not None else None
        if ready is not None:
            return ready, ready.latency_ms or 0.0
        async with self._limiter.slot(spec.name) as slot:
            started = perf_counter()
            try:
                async with asyncio.timeout(self._timeout_s):
                    reply = await client.complete(request)
            except TimeoutError:
                said = f"{spec.name}: no answer within {self._timeout_s:g} s"
                raise ProviderError(said, status=408) from None
            except ProviderError as error:
                slot.refused(error.retry_after_s, error.status)
                raise
            took_ms = (perf_counter() - started) * 1000
            if reply.usage is not None:
                slot.used((reply.usage.input_tokens or 0) + (reply.usage.output_tokens or 0))
        return reply, took_ms

    def close(self) -> None:
        """Let go of limits and journal; connections are closed with the event loop."""
        self._limiter.close()
        self.journal.close()


@dataclass(slots=True)
class Talk:
    """The questions that belong to one thing to be made: a file, an item.

    ``with asker.talk(spec) as talk:`` ends when that thing is written. Of one that could not be made, replies are
    asked anew the next time, unless it was an interruption or trouble of the provider: then they are taken over.
    """

    asker: Asker
    spec: ModelSpec
    answers: list[Answer] = field(default_factory=list)
    unfinished: bool = False
    """Something of it could not be made: the other replies are kept until it is."""
    _keys: list[str] = field(default_factory=list)

    async def ask(self, messages: str | Sequence[Message], *, trial: int = 1) -> Answer:
        """Ask; a text is a user's message. ``trial`` tells questions apart that read the same.

        Raises ``TargetError``; a refusal of the model is one, and is paid.
        """
        said = ({"role": "user", "content": messages},) if isinstance(messages, str) else tuple(messages)
        key, answer = await self.asker.ask(self.spec, self.spec.request(said, trial))
        self._keys.append(key)
        self.answers.append(answer)
        if answer.reply.refusal or answer.reply.stop_reason == "refusal":
            self.reject()
            why = answer.reply.refusal or answer.text
            raise TargetError(f"{self.spec.name} refused" + (f": {why}" if why else ""))
        return answer

    def __enter__(self) -> Talk:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        journal = self.asker.journal
        if error is None and not self.unfinished:
            journal.settle(self._keys)
        elif isinstance(error, EvalsError) and not isinstance(error, (ProviderError, UsageError)):
            journal.forget(self._keys)

    def reject(self) -> None:
        """The last reply is of no use, and is asked for anew the next time; the others are kept until then."""
        self.unfinished = True
        self.asker.journal.forget(self._keys[-1:])

    @property
    def spent(self) -> Spent:
        """What all of it cost, whenever it was asked."""
        return sum((answer.spent for answer in self.answers), NOTHING)

    @property
    def took_ms(self) -> float:
        return sum(answer.took_ms for answer in self.answers)
