"""The vectors of texts: each text is embedded once, and texts that are wanted at the same time are asked together."""

from __future__ import annotations

import asyncio
import inspect
import math
from array import array
from collections.abc import Iterable, Sequence
from copy import copy
from operator import mul
from typing import Any

from ..errors import EvalsError, ProviderError, RejectedError, ScorerError
from ..model.embedding import Embedder
from ..model.text import one_line

BATCH = 100
"""Texts in one question."""

KEPT = 10_000
"""Texts whose vectors are kept: 60 MB when they have 1,536 numbers each."""

Vector = Sequence[float]


class Vectors:
    """The vectors that an embedder gives, kept in memory.

    While one question is under way, the texts of other cases gather for the next.
    """

    def __init__(self, embedder: Embedder) -> None:
        self.embedder = embedder
        self.most_characters: int | None = getattr(embedder, "most_characters", None)
        self._known: dict[str, array[float]] = {}
        self._loop: asyncio.AbstractEventLoop | None = None
        self._waiting: dict[str, asyncio.Future[array[float]]] = {}
        """Texts that are asked about or will be."""
        self._queue: list[str] = []
        self._worker: asyncio.Task[None] | None = None

    async def of(self, texts: Iterable[str]) -> list[Vector]:
        """The vectors of the texts. Raises ``ScorerError`` when the embedder gives none that can be used."""
        loop = asyncio.get_running_loop()
        if self._loop is not loop:  # a loop that was left takes what waits on it along
            self._loop, self._waiting, self._queue, self._worker = loop, {}, [], None
        wanted = [self._wanted(loop, text) for text in texts]
        if self._queue and (self._worker is None or self._worker.done()):
            self._worker = loop.create_task(self._work())
        # shielded: a case that is given up must not take the vector from others
        return [await asyncio.shield(found) if isinstance(found, asyncio.Future) else found for found in wanted]

    def _wanted(self, loop: asyncio.AbstractEventLoop, text: str) -> Vector | asyncio.Future[array[float]]:
        known = self._known.get(text)
        if known is not None:
            return known
        future = self._waiting.get(text)
        if future is None:
            future = self._waiting[text] = loop.create_future()
            future.add_done_callback(lambda done: done.cancelled() or done.exception())  # nobody may wait any more
            self._queue.append(text)
        return future

    async def _work(self) -> None:
        await asyncio.sleep(0)  # what else starts in this moment comes along
        while self._queue:
            batch, self._queue = self._queue[:BATCH], self._queue[BATCH:]
            try:
                await self._ask(batch)
            finally:
                for text in batch:  # cancelled: the loop is closed
                    if (left := self._waiting.pop(text, None)) is not None:
                        left.cancel()

    async def _ask(self, texts: Sequence[str]) -> None:
        try:
            vectors = _checked(await self._call(texts), len(texts))
        except RejectedError as error:
            if len(texts) == 1:
                self._fail(texts, str(error))
                return
            for text in texts:  # one of them is refused: too long, perhaps
                await self._ask([text])
        except ProviderError as error:
            self._fail(texts, error)
        except EvalsError as error:
            self._fail(texts, str(error))
        except Exception as error:
            self._fail(texts, f"the embedder raised {type(error).__name__}: {one_line(str(error), 200)}")
        else:
            for text, vector in zip(texts, vectors, strict=True):
                self._keep(text, vector)
                self._waiting.pop(text).set_result(vector)

    async def _call(self, texts: Sequence[str]) -> Any:
        sent = [text.encode("utf-8", "replace").decode("utf-8") for text in texts]  # lone surrogates are no text
        embedder: Any = self.embedder
        called = getattr(embedder, "__call__", None)  # noqa: B004  (of an object: whether that is async)
        if inspect.iscoroutinefunction(embedder) or inspect.iscoroutinefunction(called):
            return await embedder(sent)
        # in a thread: a model on this machine computes for a while
        found = await asyncio.to_thread(embedder, sent)
        return await found if inspect.isawaitable(found) else found

    def _keep(self, text: str, vector: array[float]) -> None:
        while len(self._known) >= KEPT:
            del self._known[next(iter(self._known))]
        self._known[text] = vector

    def _fail(self, texts: Sequence[str], error: ProviderError | str) -> None:
        for text in texts:  # each its own, which keeps its own traceback
            self._waiting.pop(text).set_exception(ScorerError(error) if isinstance(error, str) else copy(error))


def _checked(given: Any, wanted: int) -> list[array[float]]:
    """The vectors as numbers. Raises ``ScorerError`` for what cannot be compared."""
    listed = given.tolist() if hasattr(given, "tolist") else given
    try:
        vectors = [array("d", vector.tolist() if hasattr(vector, "tolist") else vector) for vector in listed]
    except TypeError:
        raise ScorerError(f"the embedder gave {one_line(repr(given), 60)}, which is no list of vectors") from None
    if len(vectors) != wanted:
        raise ScorerError(f"the embedder gave {len(vectors)} vectors for {wanted} texts")
    if len({len(vector) for vector in vectors}) > 1 or not all(vectors):
        raise ScorerError("the embedder gave vectors of different lengths, or empty ones")
    if not all(math.isfinite(number) for vector in vectors for number in vector):
        raise ScorerError("the embedder gave a vector with a number that is none")
    return vectors


def cosine(one: Vector, other: Vector) -> float:
    """The cosine of the angle between two vectors, from −1 to 1. Raises ``ScorerError`` when it has none."""
    if len(one) != len(other):
        raise ScorerError(f"vectors of {len(one)} and {len(other)} numbers cannot be compared")
    lengths = math.sqrt(sum(map(mul, one, one))) * math.sqrt(sum(map(mul, other, other)))
    if not lengths:
        raise ScorerError("the embedder gave a vector of zeros, which has no direction")
    return float(sum(map(mul, one, other)) / lengths)
