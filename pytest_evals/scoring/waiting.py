"""The score of a scorer that waits, for plain code; also where a loop is running, as in a notebook."""

from __future__ import annotations

from collections.abc import Awaitable

from ..model.score import Score


def wait_for(work: Awaitable[Score]) -> Score:
    """The score, once it is there."""
    import asyncio
    import threading

    async def done() -> Score:
        return await work

    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(done())
    ended: list[Score | BaseException] = []

    def run() -> None:
        try:
            ended.append(asyncio.run(done()))
        except BaseException as error:
            ended.append(error)

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    thread.join()
    if isinstance(ended[0], BaseException):
        raise ended[0]
    return ended[0]
