"""Keeps calls within the limits of services and targets, for all processes of a session together.

    async with limiter.slot("anthropic", tokens=900) as slot:
        …                                     # the call
        slot.used(tokens=1043)                # or, on 429, 529 or Retry-After:
        pause = slot.refused(retry_after(headers), status)

Waiting for a slot is queue time, ``slot.waited_s``, and no part of a latency. A call that was refused asks for another
slot, which it gets when the pause is over.
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from random import Random
from types import TracebackType
from typing import Protocol

from ..errors import EvalsError
from .account import LONGEST_S, Account
from .limits import Limits
from .members import CAN_SHARE, Member
from .page import Page
from .slowdown import Pause

__all__ = ["Limiter", "Pause", "SessionLimiter", "Slot"]


class Slot(Protocol):
    """The right to make one call."""

    @property
    def waited_s(self) -> float:
        """How long the call waited for it."""

    def used(self, tokens: int) -> None:
        """Tell what the call used, read and written; the limit is charged that instead of the estimate."""

    def refused(self, retry_after_s: float | None = None, status: int = 429) -> Pause:
        """Tell that the service refused the call. Every process pauses and slows down, once for one wave of refusals.

        Args:
            retry_after_s: What the service asked for, see ``retry_after``; at most 120 s of it are granted.
            status: Of the reply. 429 and 529 make a pause and a slower pace; others a pause, if it was asked for.

        """


class Limiter(Protocol):
    """Gives calls their slots."""

    def slot(self, name: str, tokens: int | None = None) -> AbstractAsyncContextManager[Slot]:
        """A slot for one call, as soon as the limits allow.

        Args:
            name: Of the provider, the model (``provider/model``) or the target.
            tokens: An estimate of what the call will use, read and written; by default what calls used of late.

        """


class SessionLimiter:
    """The limiter of a session. May be used from several event loops of a process.

    Args:
        limits: What calls must keep to; without any, only refusals slow them down.
        folder: Where the processes of the session meet, see ``members.new_folder``. ``None``, or a folder that this
            machine does not have: this process keeps the limits by itself.
        clock: Seconds; must be the same for all processes.
        rng: For the jitter of pauses.

    """

    def __init__(
        self,
        limits: Limits | None = None,
        folder: Path | None = None,
        clock: Callable[[], float] = time.monotonic,
        rng: Random | None = None,
    ) -> None:
        self._limits = limits or Limits()
        self._clock = clock
        self._rng = rng or Random()
        self._member = Member(folder) if folder is not None and CAN_SHARE and folder.is_dir() else None
        self._queues: dict[str, _Queue] = {}
        self._by_account: dict[str, _Queue] = {}
        self._lock = threading.Lock()

    @property
    def is_shared(self) -> bool:
        """Whether the limits are kept together with the other processes of the session."""
        return self._member is not None

    def slot(self, name: str, tokens: int | None = None) -> AbstractAsyncContextManager[Slot]:
        """See ``Limiter.slot``."""
        queue = self._queues.get(name)
        return _Slot(queue or self._queue(name), tokens)

    def abandon(self, loop: asyncio.AbstractEventLoop) -> None:
        """Give back what calls on an event loop hold that will not run again, and forget those that wait there."""
        for queue in list(self._by_account.values()):
            queue.abandon(loop)

    def close(self) -> None:
        """Give back everything; the other processes go on at once."""
        with self._lock:
            queues = list(self._by_account.values())
            self._queues.clear()
            self._by_account.clear()
        for queue in queues:
            queue.account.close()
        if self._member is not None:
            self._member.leave()
            self._member = None

    def _queue(self, name: str) -> _Queue:
        with self._lock:
            key, limit = self._limits.find(name)
            queue = self._by_account.get(key)
            if queue is None:
                queue = _Queue(Account(limit, self._page(key), self._member, self._rng), self._clock)
                self._by_account[key] = queue
            self._queues[name] = queue
            return queue

    def _page(self, key: str) -> Page:
        if self._member is None:
            return Page()
        path = self._member.page(key)
        try:
            return Page.open(path)
        except OSError as error:
            raise EvalsError(f"limits cannot be shared through {path}: {error.strerror or error}") from error


class _Slot:
    __slots__ = ("_asked", "_epoch", "_held", "_queue", "_refused", "_started", "_taken", "loop", "tokens", "waited_s")

    def __init__(self, queue: _Queue, tokens: int | None) -> None:
        self._queue = queue
        self.tokens = tokens
        self.waited_s = 0.0
        self.loop: asyncio.AbstractEventLoop | None = None
        self._held = False
        self._refused = False
        self._taken = 0.0

    async def __aenter__(self) -> _Slot:
        queue = self._queue
        self._started = asked = queue.clock()
        account = queue.account
        if account.is_free:
            account.start(asked)
        else:
            self._taken = account.estimate(self.tokens)
            self._started = await queue.enter(self, self._taken)
            self._held = True
            self.waited_s = self._started - asked
        self._epoch = account.epoch
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._held:
            self.give_back(answered=kind is None and not self._refused)

    def give_back(self, answered: bool) -> None:
        if self._held:
            self._held = False
            self._queue.leave(self, answered, self._epoch)

    def used(self, tokens: int) -> None:
        queue = self._queue
        queue.account.correct(self._started, queue.clock(), self._taken, tokens)
        self._taken = float(tokens)
        queue.wake_first()

    def refused(self, retry_after_s: float | None = None, status: int = 429) -> Pause:
        queue = self._queue
        self._refused = True
        pause = queue.account.refuse(queue.clock(), self._epoch, retry_after_s, status)
        if self._taken:  # a call that was refused used nothing
            self.used(0)
        return pause


class _Waiter:
    """A call that waits, on its own event loop."""

    __slots__ = ("_future", "_woken", "loop")

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self.loop = loop
        self._future: asyncio.Future[None] | None = None
        self._woken = False

    async def sleep(self, seconds: float | None) -> None:
        """Sleep until woken, at most so long."""
        self._future = future = self.loop.create_future()
        timer = None if seconds is None else self.loop.call_later(seconds, self._rise)
        try:
            if not self._woken:
                await future
        finally:
            self._woken = False
            if timer is not None:
                timer.cancel()

    def wake(self) -> bool:
        """Whether there is still a loop to wake it on."""
        self._woken = True
        try:
            self.loop.call_soon_threadsafe(self._rise)
        except RuntimeError:  # the loop is closed
            return False
        return True

    def _rise(self) -> None:
        if self._future is not None and not self._future.done():
            self._future.set_result(None)


class _Queue:
    """The calls of this process that wait for a slot of one account, first come first served."""

    def __init__(self, account: Account, clock: Callable[[], float]) -> None:
        self.account = account
        self.clock = clock
        self._waiters: dict[_Waiter, None] = {}
        self._held: dict[_Slot, None] = {}
        self._lock = threading.Lock()

    async def enter(self, slot: _Slot, tokens: float) -> float:
        """Wait for the slot; the time it was given."""
        slot.loop = loop = asyncio.get_running_loop()
        now = self.clock()
        if self._waiters or self.account.ask(now, tokens, others=False) is not None:
            waiter = _Waiter(loop)
            with self._lock:
                self._waiters[waiter] = None
            try:
                now = await self._turn(waiter, tokens)
            finally:
                with self._lock:
                    self._waiters.pop(waiter, None)
                self.wake_first()
        with self._lock:
            self._held[slot] = None
        return now

    async def _turn(self, waiter: _Waiter, tokens: float) -> float:
        while True:
            with self._lock:
                first = next(iter(self._waiters), None) is waiter
                others = len(self._waiters) > 1
            if not first:
                await waiter.sleep(None)
                continue
            now = self.clock()
            again = self.account.ask(now, tokens, others)
            if again is None:
                return now
            await waiter.sleep(min(max(again - now, 0.0), LONGEST_S))

    def leave(self, slot: _Slot, answered: bool, epoch: float) -> None:
        with self._lock:
            self._held.pop(slot, None)
        self.account.give_back(self.clock(), answered, epoch)
        self.wake_first()

    def wake_first(self) -> None:
        """Let the call that waits longest ask again."""
        while True:
            with self._lock:
                first = next(iter(self._waiters), None)
                if first is None:
                    self.account.leave_queue()
                    return
            if first.wake():
                return
            with self._lock:
                self._waiters.pop(first, None)

    def abandon(self, loop: asyncio.AbstractEventLoop) -> None:
        with self._lock:
            for waiter in [waiter for waiter in self._waiters if waiter.loop is loop]:
                del self._waiters[waiter]
            held = [slot for slot in self._held if slot.loop is loop]
        for slot in held:
            slot.give_back(answered=False)
        self.wake_first()
