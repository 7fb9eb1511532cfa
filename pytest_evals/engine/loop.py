"""One event loop in a background thread, on which targets and asynchronous scorers run."""

from __future__ import annotations

import asyncio
import contextvars
import threading
from collections.abc import Coroutine, Iterable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from typing import Any, TypeVar

from .threads import DaemonExecutor

T = TypeVar("T")

POLL_S = 0.1
"""How often a wait wakes up: a worker is interrupted by a flag that does not wake a blocked lock."""


@contextmanager
def interruptions() -> Iterator[None]:
    """Let what interrupts a wait (Ctrl-C, pytest-timeout) out as it is.

    Where it strikes while the standard library takes a lock back, a RuntimeError about the lock takes its place.
    """
    try:
        yield
    except RuntimeError as broken:
        struck = broken.__context__
        if struck is None or isinstance(struck, Exception):
            raise
        raise struck from None


class LoopThread:
    """An event loop in a daemon thread, started on first use.

    The calls run there and not in pytest's own thread, because a slow scorer or test would stop the clock of every call
    that is under way.
    """

    def __init__(self) -> None:
        self._loop: asyncio.AbstractEventLoop | None = None
        self._lost: list[asyncio.AbstractEventLoop] = []
        # calls must not see context variables of the item that happened to start the loop
        self._context = contextvars.copy_context()

    @property
    def started(self) -> bool:
        return self._loop is not None

    def loop(self) -> asyncio.AbstractEventLoop:
        if self._loop is None:
            self._loop = loop = asyncio.new_event_loop()
            loop.set_default_executor(DaemonExecutor())
            threading.Thread(target=self._serve, args=(loop,), name="evals-loop", daemon=True).start()
        return self._loop

    def submit(self, coroutine: Coroutine[Any, Any, T]) -> Future[T]:
        """Start the coroutine on the loop, in neutral context variables."""
        return self._context.copy().run(asyncio.run_coroutine_threadsafe, coroutine, self.loop())

    def wait(self, future: Future[T]) -> T:
        """The future's result. An exception in the waiting thread (Ctrl-C, pytest-timeout) cancels the call first."""
        try:
            with interruptions():
                while True:
                    try:
                        return future.result(POLL_S)
                    except TimeoutError:
                        if future.done():
                            return future.result()
        except BaseException:
            if not future.done():
                future.cancel()
                self.drain()
            raise

    def wait_a_little(self, future: Future[T]) -> bool:
        """Wait for the future for a moment; whether it has ended. Raises what it ended with."""
        try:
            future.result(POLL_S)
        except TimeoutError:
            if future.done():
                future.result()
                return True
            return False
        return True

    def running_task(self) -> str | None:
        """The name of the task whose code runs on the loop right now, seen from another thread."""
        task = asyncio.current_task(self._loop) if self._loop is not None else None
        return task.get_name() if task is not None else None

    def cancel(self, futures: Iterable[Future[Any]]) -> None:
        """Cancel these coroutines in one step inside the loop: one by one, waiting calls would start in between."""
        loop = self._loop
        if loop is None or loop.is_closed():
            return
        tasks = [future.cancel for future in futures if not future.done()]

        def cancel_all() -> None:
            for cancel in tasks:
                cancel()

        loop.call_soon_threadsafe(cancel_all)

    def drain(self, seconds: float = 1.0) -> None:
        """Cancel whatever runs and let its ``finally`` blocks end, at most for ``seconds``."""
        if self._loop is None or self._loop.is_closed():
            return
        done = threading.Event()

        async def cancel_all() -> None:
            # in one step inside the loop: cancelled one by one from outside, waiting calls would start first
            tasks = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
            for task in tasks:
                task.cancel()
            if tasks:
                await asyncio.wait(tasks, timeout=seconds)
            done.set()

        asyncio.run_coroutine_threadsafe(cancel_all(), self._loop)
        done.wait(seconds + POLL_S)

    def replace(self) -> asyncio.AbstractEventLoop | None:
        """Leave a loop that a call blocks, and use a fresh one from now on; returns the one that was left.

        When the call gives it free again, nothing that waits there goes on: those calls are asked elsewhere.
        """
        lost, self._loop = self._loop, None
        if lost is not None:
            self._lost.append(lost)
            lost.call_soon_threadsafe(lost.stop)
        return lost

    def close(self) -> None:
        """Cancel what runs and stop the loop."""
        loop, self._loop = self._loop, self._loop
        if loop is None or loop.is_closed():
            return
        self.drain()
        loop.call_soon_threadsafe(loop.stop)
        self._loop = None

    def _serve(self, loop: asyncio.AbstractEventLoop) -> None:
        asyncio.set_event_loop(loop)
        try:
            loop.run_forever()
        finally:
            # destroyed, what waits on a lost loop would run its `finally` blocks, for calls that are under way again
            kept = asyncio.all_tasks(loop) if loop in self._lost else ()
            while kept:
                threading.Event().wait()
            loop.close()
