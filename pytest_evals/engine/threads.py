"""Daemon threads for calls that cannot be awaited."""

from __future__ import annotations

import contextvars
import queue
import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial
from typing import Any, ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")

HANDED_OVER = 512
"""Threads for what coroutines hand over. Stuck ones cannot be told from busy ones: there must be enough for both."""

_Job = tuple["Future[Any]", contextvars.Context, Callable[[], Any]]


class DaemonPool:
    """Runs plain functions in daemon threads, at most ``size`` of them at work at a time.

    Unlike ``ThreadPoolExecutor`` a stuck call neither keeps the interpreter from ending (the threads are daemons) nor
    starves the pool: an abandoned thread is replaced.
    """

    def __init__(self, size: int) -> None:
        self._size = size
        self._jobs: queue.SimpleQueue[_Job] = queue.SimpleQueue()
        self._lock = threading.Lock()
        self._idle = 0
        self._threads = 0

    def submit(self, function: Callable[[], Any]) -> Future[Any]:
        """Run the function in a thread, in a copy of the caller's context variables."""
        future: Future[Any] = Future()
        self._jobs.put((future, contextvars.copy_context(), function))
        with self._lock:
            start = self._idle < self._jobs.qsize() and self._threads < self._size
            if start:
                self._threads += 1
                number = self._threads
        if start:
            threading.Thread(target=self._work, name=f"evals-call-{number}", daemon=True).start()
        return future

    def abandon(self) -> None:
        """Make room for another thread: one is stuck in a call nobody waits for any more."""
        with self._lock:
            self._size += 1

    def _work(self) -> None:
        while True:
            with self._lock:
                self._idle += 1
            future, context, function = self._jobs.get()
            with self._lock:
                self._idle -= 1
            if not future.set_running_or_notify_cancel():
                continue
            try:
                future.set_result(context.run(function))
            except BaseException as error:  # it belongs to whoever waits, whatever it is
                future.set_exception(error)
            del future, context, function


class DaemonExecutor(ThreadPoolExecutor):
    """Where coroutines run what blocks (``asyncio.to_thread``, name look-ups).

    asyncio's own threads keep the interpreter from ending until the last stuck call returns, and are few: six on two
    processors, whatever the number of calls in flight.
    """

    def __init__(self) -> None:
        super().__init__(max_workers=1)  # it never starts one
        self._daemons = DaemonPool(HANDED_OVER)

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """Run the function in a daemon thread."""
        return self._daemons.submit(partial(fn, *args, **kwargs))
