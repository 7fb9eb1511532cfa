"""Cases from question to result, many of them under way at a time."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Awaitable, Callable, Iterable
from contextlib import suppress
from dataclasses import replace
from time import perf_counter
from typing import Any

from ..llm.limiter import SessionLimiter
from ..model.case import Case
from ..model.outcome import ErrorKind, Outcome
from ..model.result import Attempt, CaseError, CaseResult, Trial
from .answer import GRACE_S, Asker, Watch, guard, task_name
from .call import Call, Identity, Scorers, now_utc
from .criteria import answer_criteria, leaves, scorer_arguments, scorer_of
from .loop import LoopThread
from .target import Target
from .threads import DaemonPool
from .verdict import judge

BLOCKED_AFTER_S = 2 * GRACE_S
"""How long after a limit of time a task may still hold the loop before it counts as blocking it."""

__all__ = ["Call", "Engine", "Identity", "blank_result", "now_utc"]


class Engine:
    """Runs cases: calls targets on an event loop in the background, and scorers where they belong.

    ``start`` begins a call and returns at once, ``finish`` waits for it and gives the result. At most ``concurrency``
    attempts run at a time. ``passthrough`` are exceptions that steer a test session (pytest's skip and exit): they are
    raised to the caller.
    """

    def __init__(
        self,
        *,
        concurrency: int = 1,
        passthrough: tuple[type[BaseException], ...] = (),
        clock: Callable[[], float] = perf_counter,
        watch: Watch | None = None,
        limiter: SessionLimiter | None = None,
    ) -> None:
        self.concurrency = concurrency
        self._loop = LoopThread()
        self._slots = asyncio.Semaphore(concurrency)
        self._clock = clock
        self._passthrough = passthrough
        self._asker = Asker(DaemonPool(concurrency), passthrough, clock, watch, limiter)
        self._limiter = limiter
        self._live: set[Call] = set()

    def run(self, case: Case, target: Target, scorers: Scorers, identity: Identity | None = None) -> CaseResult:
        """Ask the target, score the answer, decide the outcome. Raises only what steers the session."""
        call = Call(case, target, identity or Identity())
        self.start(call)
        return self.finish(call, scorers)

    def start(self, call: Call) -> None:
        """Begin to ask, unless the target answers at once: that one is asked in its turn."""
        if not call.target.inline:
            self._live.add(call)
            call.future = self._loop.submit(self._ask(call))

    def finish(self, call: Call, scorers: Scorers) -> CaseResult:
        """Wait for the answer, score it and decide the outcome."""
        if call.target.inline:
            self._asker.ask_inline(call)
        else:  # without a future it was given up while another call was waited for
            try:
                self._wait(call)
            finally:
                self._live.discard(call)
        trial = self._trial(call, scorers)
        return replace(
            blank_result(call.case, call.target.label, call.identity),
            outcome=trial.outcome,
            trials=(trial,),
            score=trial.score,
            error=trial.error,
            started_at=call.started_at,
            finished_at=now_utc(),
        )

    def wait_for(self, awaitable: Awaitable[Any]) -> Any:
        """The result of something that must be awaited, from the engine's loop."""
        ended = self._loop.wait(self._loop.submit(guard(awaitable)))
        return ended.result()

    def cancel(self, calls: Iterable[Call] | None = None) -> None:
        """Stop what runs (of these calls), and wait until it has ended, for a second at most."""
        stopped = list(self._live if calls is None else calls)
        self._live.difference_update(stopped)
        if stopped:
            self._loop.cancel([call.future for call in stopped if call.future is not None])
            until = self._clock() + GRACE_S
            for call in stopped:
                call.ended.wait(max(0.0, until - self._clock()))

    def settle(self, calls: Iterable[Call]) -> None:
        """Wait until none of these calls runs any more."""
        for call in list(calls):
            with suppress(Exception):  # it is said when the call is finished
                self._wait(call)

    def close(self) -> None:
        """Cancel what runs and stop the loop."""
        self._loop.close()
        if self._limiter is not None:
            self._limiter.close()

    async def _ask(self, call: Call) -> None:
        try:
            await self._asker.ask(call, self._slots)
            if call.response is not None and call.scorers is not None:
                await self._score_ahead(call, call.scorers)
        finally:
            call.ended.set()

    async def _score_ahead(self, call: Call, scorers: Scorers) -> None:
        """Let the asynchronous scorers answer while other cases are reported."""
        started = self._clock()

        async def score(key: int, scorer: Callable[..., Any], arguments: dict[str, Any]) -> None:
            async with self._slots:
                call.ahead[key] = await guard(scorer(**arguments))

        assert call.response is not None
        tasks = []
        for criterion in leaves(call.case.criteria):
            try:
                scorer = scorer_of(criterion, scorers)
                if not _is_async(scorer):
                    continue
                arguments = scorer_arguments(scorer, criterion, call.case, call.response)
            except Exception:  # no scorer, or a signature that cannot be served: said in its turn
                continue
            tasks.append(score(id(criterion), scorer, arguments))
        if tasks:
            await asyncio.gather(*tasks)
            call.scoring_ms = (self._clock() - started) * 1000

    def _wait(self, call: Call) -> None:
        """Wait for the call, and notice one that blocks the loop itself."""
        try:
            while call.future is not None and not self._loop.wait_a_little(call.future):
                self._unblock()
        except BaseException:
            # Ctrl-C, pytest-timeout: the call must have ended before fixtures it uses are torn down
            if call.future is not None and not call.future.done():
                self.cancel([call])
            raise

    def _unblock(self) -> None:
        """Give up a loop that a call holds past its limit; the other calls are asked again on a fresh one."""
        name = self._loop.running_task()
        culprit = next((call for call in self._live if task_name(call) == name), None) if name else None
        deadline = culprit.deadline if culprit is not None else None
        if culprit is None or deadline is None or self._clock() <= deadline + BLOCKED_AFTER_S:
            return
        lost = self._loop.replace()
        if self._limiter is not None and lost is not None:
            self._limiter.abandon(lost)
        self._slots = asyncio.Semaphore(self.concurrency)
        culprit.future = None
        culprit.error = CaseError(
            ErrorKind.TIMEOUT,
            f"no answer within {culprit.case.timeout_s:g} s; the target blocks its event loop "
            "(an async function that calls blocking code): make it a plain function",
            "Timeout",
        )
        took_s = self._clock() - deadline + (culprit.case.timeout_s or 0.0)
        culprit.attempts.append(Attempt(took_s * 1000, culprit.error))
        self._live.discard(culprit)
        for other in [c for c in self._live if c.future is not None and not c.future.done()]:
            other.again()
            other.future = self._loop.submit(self._ask(other))

    def _trial(self, call: Call, scorers: Scorers) -> Trial:
        attempts = tuple(call.attempts)
        response = call.response
        if response is None:
            return Trial(Outcome.ERRORED, error=call.error, attempts=attempts, session_id=call.session_id)
        started = self._clock()
        results = answer_criteria(call.case, response, scorers, self.wait_for, call.ahead, self._passthrough)
        scoring_ms = (self._clock() - started) * 1000 + call.scoring_ms
        outcome, score, error, criteria = judge(call.case, results)
        return Trial(
            outcome,
            output=response.output,
            score=score,
            criteria=criteria,
            error=error,
            attempts=attempts,
            latency_ms=call.latency_ms,
            scoring_ms=scoring_ms,
            usage=response.usage,
            cost_usd=response.cost_usd,
            tool_calls=tuple(response.tool_calls),
            metadata=response.metadata,
            session_id=call.session_id,
        )


def _is_async(scorer: Callable[..., Any]) -> bool:
    return inspect.iscoroutinefunction(scorer) or inspect.iscoroutinefunction(getattr(scorer, "__call__", None))  # noqa: B004


def blank_result(case: Case, target: str, identity: Identity, outcome: Outcome = Outcome.ERRORED) -> CaseResult:
    """A result that carries what is known of the case before it ran."""
    return CaseResult(
        suite=case.suite,
        case_id=case.id,
        outcome=outcome,
        variant=identity.variant,
        name=case.name,
        node_id=identity.node_id,
        source=f"{case.place.path}:{case.place.line}" if case.place else "",
        experiment=identity.experiment,
        category=case.category,
        tags=case.tags,
        metadata=case.metadata,
        input=case.input,
        context=case.context,
        expected_output=case.expected_output,
        reference_outputs=case.reference_outputs,
        definition_sha256=case.definition_sha256(),
        threshold=case.threshold,
        warn=case.warn,
        xfail=case.xfail,
        gated=identity.gated,
        target=target,
    )
