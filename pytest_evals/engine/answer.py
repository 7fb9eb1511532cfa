"""Asking the target: attempts with a limit of time, retries, and what is recorded of them."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Awaitable, Callable, Mapping, Sequence
from concurrent.futures import Future
from contextlib import AbstractAsyncContextManager, nullcontext, suppress
from dataclasses import dataclass, field, replace
from time import perf_counter
from typing import Protocol

from ..atif.collector import COLLECTOR, Collector
from ..errors import EvalsError, RejectedError, TargetError
from ..llm.limiter import Limiter, Slot
from ..model.outcome import ErrorKind
from ..model.response import Response, as_response
from ..model.result import Attempt, CaseError
from ..model.trajectory import Trajectory
from .call import Call, Ended
from .failure import case_error
from .output import CURRENT
from .refusal import refusal_of
from .steps import Keeper, NoKeeper
from .target import Target
from .threads import DaemonPool

GRACE_S = 1.0
"""How long a cancelled call may take to clean up before it is left behind."""


class _Unanswered(Exception):  # noqa: N818 - it never leaves this module
    """An attempt that failed: told to the limiter, and known from the call already."""


class _NoAnswerInTime(Exception):  # noqa: N818 - it never leaves this module
    def __init__(self, note: str, detail: str = "") -> None:
        self.note = note
        self.detail = detail


class Watch(Protocol):
    """Told of every attempt, on the engine's loop: as it begins, and when nothing of it is awaited any more."""

    def begin(self, call: Call) -> None: ...

    def end(self, call: Call) -> None: ...


@dataclass(slots=True)
class Asker:
    """Calls targets. ``passthrough`` are exceptions that steer the test session and are nobody's failure."""

    pool: DaemonPool
    passthrough: tuple[type[BaseException], ...] = ()
    clock: Callable[[], float] = perf_counter
    watch: Watch | None = None
    limiter: Limiter | None = None
    keeper: Keeper = field(default_factory=NoKeeper)

    def ask_inline(self, call: Call) -> None:
        """Ask a target that answers at once. Its latency is unknown: no application worked."""
        if call.recorded is not None:
            if call.response is not None and call.recorded.trajectories:
                call.response = call.take_steps((), call.response, self.keeper)
            return
        arguments, keywords = call.target.arguments(call.case, call.session_id, call.identity.given, call.trial)
        collector = Collector(call.session_id)
        token = COLLECTOR.set(collector)
        try:
            response = _answered(call.target.call(*arguments, **keywords), call.target)
        except EvalsError as error:
            call.error = case_error(ErrorKind.TARGET, error)
            call.attempts.append(Attempt(None, call.error))
        else:
            response = call.take_steps(collector.take(), response, self.keeper)
            call.response = response
            call.latency_ms = response.latency_ms
            call.attempts.append(Attempt(response.latency_ms))
        finally:
            COLLECTOR.reset(token)

    async def ask(self, call: Call, slots: asyncio.Semaphore) -> None:
        """Ask until the target answers or the attempts are used up; fills ``call`` as it goes. Runs on the loop.

        ``slots`` bounds how many attempts of all calls run at a time; waiting for one is not latency.
        """
        if call.output is not None:
            CURRENT.set(call.output)
        for _ in range(call.case.retries + 1):
            waiting_since = self.clock()
            with suppress(_Unanswered):
                await self._prepare(call)
                if call.response is not None:
                    return
                async with slots, self._permit(call) as permit:
                    started = self.clock()
                    await self._try_once(call, started, (started - waiting_since) * 1000)
                    self._report(call, permit)
            if call.response is not None or call.rejected:
                return

    async def _prepare(self, call: Call) -> None:
        """Let the target get ready for the case, which is no part of its time. It may have the answer already."""
        if call.target.prepare is None:
            return
        arguments, keywords = call.target.arguments(call.case, call.session_id, call.identity.given, call.trial)
        try:
            response = await call.target.prepare(*arguments, **keywords)
        except Exception as error:
            self._failed(call, error, Attempt(None))
            call.refusal = None  # nothing was asked that a limit is about
            raise _Unanswered from None
        if response is not None:
            call.response, call.error = await self._with_steps(call, as_response(response), ()), None
            call.latency_ms = None if response.cached else response.latency_ms
            call.attempts.append(Attempt(call.latency_ms))

    def _failed(self, call: Call, raised: BaseException, attempt: Attempt) -> None:
        """Keep what an attempt ended with."""
        call.refusal = refusal_of(raised)
        call.rejected = isinstance(raised, RejectedError)
        call.error = case_error(ErrorKind.TARGET if call.refusal is None else ErrorKind.PROVIDER, raised)
        call.attempts.append(replace(attempt, error=call.error))

    def _permit(self, call: Call) -> AbstractAsyncContextManager[Slot | None]:
        return self.limiter.slot(call.target.label) if self.limiter is not None else nullcontext()

    def _report(self, call: Call, permit: Slot | None) -> None:
        """Tell the limiter what the attempt used, or that the service asked for patience."""
        if permit is None:
            return
        if call.refusal is not None:
            pause = permit.refused(call.refusal.retry_after_s, call.refusal.status)
            call.refusal = None
            if pause.note and call.error is not None:
                call.error = replace(call.error, message=f"{call.error.message}; {pause.note}")
                call.attempts[-1] = replace(call.attempts[-1], error=call.error)
        elif call.response is None:
            raise _Unanswered  # the limiter must not take it for an answer
        elif call.response.usage is not None:
            usage = call.response.usage
            permit.used((usage.input_tokens or 0) + (usage.output_tokens or 0))

    async def _try_once(self, call: Call, started: float, queue_ms: float) -> None:
        limit = call.case.timeout_s
        call.deadline = started + limit if limit else None
        elapsed: list[float] = []
        collector = Collector(call.session_id)
        COLLECTOR.set(collector)  # each call has a context of its own
        if self.watch is not None:
            self.watch.begin(call)
        try:
            response = _answered(await self._attempt(call, elapsed), call.target)
            response = await self._with_steps(call, response, collector.take())
        except self.passthrough:
            raise
        except asyncio.CancelledError:
            raise
        except _NoAnswerInTime as late:
            message = f"no answer within {limit:g} s{late.note}"
            error = CaseError(ErrorKind.TIMEOUT, message, "Timeout", late.detail)
        except BaseException as raised:  # SystemExit of an application is its failure, not ours
            self._failed(call, raised, Attempt((self.clock() - started) * 1000, queue_ms=queue_ms))
            return
        else:
            own = elapsed[0] if elapsed else self.clock() - started
            measured = response.latency_ms if response.latency_ms is not None else own * 1000
            call.latency_ms = None if response.cached else measured
            call.attempts.append(Attempt(call.latency_ms, queue_ms=queue_ms))
            call.response = response if response.cached else replace(response, latency_ms=call.latency_ms)
            call.error = None
            return
        finally:
            if call.response is None:
                call.take_steps(collector.take(), None, self.keeper)
            call.deadline = None
            if self.watch is not None:
                self.watch.end(call)
        call.attempts.append(Attempt((self.clock() - started) * 1000, error, queue_ms))
        call.error = error

    async def _with_steps(self, call: Call, response: Response, recorded: Sequence[Trajectory]) -> Response:
        """The answer with what the agent's recorded steps know."""
        if response.trajectory is None and not recorded:
            return response
        if isinstance(response.trajectory, Mapping):  # in memory: read at once
            return call.take_steps(recorded, response, self.keeper)
        return await asyncio.to_thread(call.take_steps, recorded, response, self.keeper)

    async def _attempt(self, call: Call, elapsed: list[float]) -> object:
        target = call.target
        arguments, keywords = target.arguments(call.case, call.session_id, call.identity.given, call.trial)
        limit = call.case.timeout_s or None
        if target.is_async:
            return await self._await_within(target.call(*arguments, **keywords), call)

        def work() -> Ended:
            started = self.clock()
            try:
                return Ended(target.call(*arguments, **keywords))
            except BaseException as error:  # carried as a value: a future cannot hold StopIteration
                return Ended(error=error)
            finally:
                elapsed.append(self.clock() - started)

        future = self.pool.submit(work)
        waiting = asyncio.wrap_future(future)
        try:
            async with asyncio.timeout(limit):
                value = (await asyncio.shield(waiting)).result()
        except TimeoutError:
            if waiting.done():
                raise  # the application's own
            self._abandon(future, waiting)
            raise _NoAnswerInTime("; its thread cannot be stopped and was left behind") from None
        except asyncio.CancelledError:
            self._abandon(future, waiting)
            raise
        if inspect.isawaitable(value):  # a plain function that returns a coroutine
            elapsed.clear()
            return await self._await_within(value, call)
        return value

    def _abandon(self, future: Future[Ended], waiting: asyncio.Future[Ended]) -> None:
        waiting.cancel()
        if not future.cancel():
            self.pool.abandon()

    async def _await_within(self, awaitable: Awaitable[object], call: Call) -> object:
        # the name tells which call it is that blocks the loop
        task = asyncio.create_task(guard(awaitable), name=task_name(call))
        try:
            done, _ = await asyncio.wait({task}, timeout=call.case.timeout_s or None)
            if done:
                return task.result().result()
            note = "" if await _stop(task) else "; it did not stop when cancelled and was left behind"
            raise _NoAnswerInTime(note, _last_words(task))
        except asyncio.CancelledError:
            await _stop(task)
            raise


def _answered(value: object, target: Target) -> Response:
    response = as_response(value)
    if response.output is None:
        raise TargetError(f"target {target.label!r} returned None; return the answer ('' for an empty one)")
    return response


def task_name(call: Call) -> str:
    """The name of the task in which the call's own code runs."""
    return f"evals-{call.session_id}"


async def guard(awaitable: Awaitable[object]) -> Ended:
    """Await it, and carry an error as a value."""
    try:
        return Ended(await awaitable)
    except asyncio.CancelledError:
        task = asyncio.current_task()
        if task is not None and task.cancelling():
            raise
        return Ended(error=TargetError("the target cancelled itself (asyncio.CancelledError)"))
    except BaseException as error:
        return Ended(error=error)


def _last_words(task: asyncio.Future[Ended]) -> str:
    """What a target said when it was cancelled: the standard error of a program."""
    error = task.result().error if task.done() and not task.cancelled() else None
    return error.detail if isinstance(error, TargetError) else ""


async def _stop(task: asyncio.Future[Ended]) -> bool:
    """Cancel the call and wait for its clean-up; whether it ended."""
    if task.done():
        return True
    task.cancel()
    done, _ = await asyncio.wait({task}, timeout=GRACE_S)
    return bool(done)
