"""Asking the target: attempts with a limit of time, retries, and what is recorded of them."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Awaitable, Callable
from concurrent.futures import Future
from dataclasses import dataclass, field
from time import perf_counter

from ..errors import EvalsError, TargetError
from ..model.case import Case
from ..model.outcome import ErrorKind
from ..model.response import Response, as_response
from ..model.result import Attempt, CaseError
from .failure import case_error
from .target import Target
from .threads import DaemonPool

GRACE_S = 1.0
"""How long a cancelled call may take to clean up before it is left behind."""


@dataclass(slots=True)
class Answer:
    """What asking the target came to."""

    attempts: list[Attempt] = field(default_factory=list)
    response: Response | None = None
    error: CaseError | None = None
    """Of the last attempt, when none answered."""
    latency_ms: float | None = None
    deadline: float | None = None
    """While an attempt runs: when it must have ended, by ``perf_counter``."""


class _NoAnswerInTime(Exception):  # noqa: N818 - it never leaves this module
    def __init__(self, note: str) -> None:
        self.note = note


@dataclass(slots=True)
class Asker:
    """Calls targets. ``passthrough`` are exceptions that steer the test session and are nobody's failure."""

    pool: DaemonPool
    passthrough: tuple[type[BaseException], ...] = ()
    clock: Callable[[], float] = perf_counter

    def ask_inline(self, case: Case, target: Target, session_id: str, variant: str) -> Answer:
        """Ask a target that answers at once. Its latency is unknown: no application worked."""
        answer = Answer()
        arguments, keywords = target.arguments(case, session_id, variant)
        try:
            response = _answered(target.call(*arguments, **keywords), target)
        except EvalsError as error:
            answer.error = case_error(ErrorKind.TARGET, error)
            answer.attempts.append(Attempt(None, answer.error))
        else:
            answer.response = response
            answer.latency_ms = response.latency_ms
            answer.attempts.append(Attempt(response.latency_ms))
        return answer

    async def ask(self, answer: Answer, case: Case, target: Target, session_id: str, variant: str) -> None:
        """Ask until it answers or the attempts are used up; fills ``answer`` as it goes. Runs on the loop."""
        for _ in range(case.retries + 1):
            started = self.clock()
            answer.deadline = started + case.timeout_s if case.timeout_s else None
            elapsed: list[float] = []
            try:
                response = _answered(await self._attempt(case, target, session_id, variant, elapsed), target)
            except self.passthrough:
                raise
            except asyncio.CancelledError:
                raise
            except _NoAnswerInTime as late:
                seconds = f"{case.timeout_s:g}"
                message = f"no answer within {seconds} s{late.note}"
                error = CaseError(ErrorKind.TIMEOUT, message, "Timeout")
                answer.attempts.append(Attempt((self.clock() - started) * 1000, error))
            except BaseException as raised:  # SystemExit of an application is its failure, not ours
                error = case_error(ErrorKind.TARGET, raised)
                answer.attempts.append(Attempt((self.clock() - started) * 1000, error))
            else:
                own = elapsed[0] if elapsed else self.clock() - started
                answer.latency_ms = response.latency_ms if response.latency_ms is not None else own * 1000
                answer.attempts.append(Attempt(answer.latency_ms))
                answer.response = response
                answer.error = None
                return
            finally:
                answer.deadline = None
            answer.error = error

    async def _attempt(self, case: Case, target: Target, session_id: str, variant: str, elapsed: list[float]) -> object:
        arguments, keywords = target.arguments(case, session_id, variant)
        limit = case.timeout_s or None
        if target.is_async:
            return await self._await_within(target.call(*arguments, **keywords), limit)

        def call() -> _Ended:
            started = self.clock()
            try:
                return _Ended(target.call(*arguments, **keywords))
            except BaseException as error:  # carried as a value: a future cannot hold StopIteration
                return _Ended(error=error)
            finally:
                elapsed.append(self.clock() - started)

        future = self.pool.submit(call)
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
            return await self._await_within(value, limit)
        return value

    def _abandon(self, future: Future[_Ended], waiting: asyncio.Future[_Ended]) -> None:
        waiting.cancel()
        if not future.cancel():
            self.pool.abandon()

    async def _await_within(self, awaitable: Awaitable[object], limit: float | None) -> object:
        task = asyncio.ensure_future(_guard(awaitable))
        try:
            done, _ = await asyncio.wait({task}, timeout=limit)
            if done:
                return task.result().result()
            note = "" if await _stop(task) else "; it did not stop when cancelled and was left behind"
            raise _NoAnswerInTime(note)
        except asyncio.CancelledError:
            await _stop(task)
            raise


def _answered(value: object, target: Target) -> Response:
    response = as_response(value)
    if response.output is None:
        raise TargetError(f"target {target.label!r} returned None; return the answer ('' for an empty one)")
    return response


@dataclass(frozen=True, slots=True)
class _Ended:
    """How a call ended. An error is carried as a value: ``SystemExit`` raised in a task would end the loop."""

    value: object = None
    error: BaseException | None = None

    def result(self) -> object:
        if self.error is not None:
            raise self.error
        return self.value


async def _guard(awaitable: Awaitable[object]) -> _Ended:
    try:
        return _Ended(await awaitable)
    except asyncio.CancelledError:
        task = asyncio.current_task()
        if task is not None and task.cancelling():
            raise
        return _Ended(error=TargetError("the target cancelled itself (asyncio.CancelledError)"))
    except BaseException as error:
        return _Ended(error=error)


async def _stop(task: asyncio.Future[_Ended]) -> bool:
    """Cancel the call and wait for its clean-up; whether it ended."""
    if task.done():
        return True
    task.cancel()
    done, _ = await asyncio.wait({task}, timeout=GRACE_S)
    return bool(done)
