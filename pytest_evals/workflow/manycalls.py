"""Many calls of a judge at once: bounded, in their order, and an error in the place of its own result."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import TypeVar

from ..errors import EvalsError

T = TypeVar("T")


async def all_of(
    calls: Sequence[Callable[[], Awaitable[T]]],
    concurrency: int,
    told: Callable[[T | EvalsError], object] = lambda _: None,
) -> list[T | EvalsError]:
    """The results in the order of the calls, at most ``concurrency`` of which run at a time.

    An ``EvalsError`` stands in the place of the result of the call that raised it; any other exception cancels the rest
    and is raised. ``told`` hears of each result when it is there.
    """
    found: dict[int, T | EvalsError] = {}
    waiting = iter(enumerate(calls))

    async def work() -> None:
        for number, call in waiting:
            try:
                found[number] = await call()
            except EvalsError as error:
                found[number] = error
            told(found[number])

    workers = [asyncio.ensure_future(work()) for _ in range(min(concurrency, len(calls)))]
    try:
        await asyncio.gather(*workers)
    finally:
        for worker in workers:
            worker.cancel()
    return [found[number] for number in range(len(calls))]
