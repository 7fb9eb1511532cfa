"""Cases from question to result, many of them under way at a time."""

from __future__ import annotations

import asyncio
import contextvars
import inspect
import threading
from collections import deque
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from concurrent.futures import Future
from contextlib import suppress
from itertools import takewhile
from time import perf_counter
from typing import Any

from ..llm.limiter import SessionLimiter
from ..model.case import Case
from ..model.judge import AskJudge
from ..model.outcome import ErrorKind, Outcome
from ..model.response import Response
from ..model.result import Attempt, CaseError, CaseResult, Trial
from ..model.trajectory import PROBLEM
from .answer import GRACE_S, Asker, Watch, guard, task_name
from .asking import Asking
from .blank import blank_result
from .call import Call, Identity, Scorers, now_utc
from .conversation import conversing
from .criteria import answer_criteria, leaves, scorer_arguments, scorer_of
from .loop import POLL_S, LoopThread, interruptions
from .others import OtherVariants
from .output import CURRENT
from .steps import Keeper, NoKeeper
from .target import Target
from .threads import DaemonPool
from .trials import case_score, error_of_case
from .verdict import judge

BLOCKED_AFTER_S = 2 * GRACE_S
"""How long after a limit of time a task may still hold the loop before it counts as blocking it."""

__all__ = ["Asking", "Engine", "Identity", "blank_result", "now_utc"]


class Engine:
    """Runs cases: calls targets on an event loop in the background, and scorers where they belong.

    ``start`` begins a case and returns at once, ``finish`` waits for it and gives the result. At most ``concurrency``
    attempts run at a time. ``passthrough`` are exceptions that steer a test session (pytest's skip and exit): they are
    raised to the caller. One thread calls all methods, and plain scorers run in it: while it waits for one case, it
    scores the trials of others whose scorers are known, and begins their next ones.
    """

    def __init__(
        self,
        *,
        concurrency: int = 1,
        passthrough: tuple[type[BaseException], ...] = (),
        clock: Callable[[], float] = perf_counter,
        watch: Watch | None = None,
        limiter: SessionLimiter | None = None,
        others: OtherVariants | None = None,
        keeper: Keeper | None = None,
        users: AskJudge | None = None,
    ) -> None:
        self.concurrency = concurrency
        self._others = OtherVariants() if others is None else others
        self._loop = LoopThread()
        self._slots = asyncio.Semaphore(concurrency)
        self._clock = clock
        self._passthrough = passthrough
        self._keeper = keeper or NoKeeper()
        self._users = users
        self._asker = Asker(DaemonPool(concurrency), passthrough, clock, watch, limiter, self._keeper)
        self._limiter = limiter
        self._live: dict[Call, Asking] = {}
        self._repeated: set[Asking] = set()
        """Cases with several trials whose next wave may begin before their turn."""
        self._answered: deque[Asking] = deque()
        """Those of them of which a call has ended. The loop's thread adds to it."""
        self._news = threading.Event()
        self.alone = False
        """Begin nothing for other cases while one is waited for."""

    def run(self, case: Case, target: Target, scorers: Scorers, identity: Identity | None = None) -> CaseResult:
        """Ask the target, score the answer, decide the outcome. Raises only what steers the session."""
        asking = Asking(case, target, identity or Identity())
        self.start(asking)
        return self.finish(asking, scorers)

    def start(self, asking: Asking) -> None:
        """Begin to ask, unless all of it is answered at once and nobody waits for it: that is done in its turn."""
        if _at_once(asking) and not self._others.keeps(asking.case.suite, asking.identity.variant_id):
            return
        if asking.case.trials > 1 and asking.scorers is not None:
            self._repeated.add(asking)
        self._begin(asking)

    def finish(self, asking: Asking, scorers: Scorers) -> CaseResult:
        """Wait for the answers, score them, ask again as long as it takes, and decide the outcome."""
        self._repeated.discard(asking)
        asking.scorers = scorers
        try:
            while asking.decided is None:
                if not asking.wave:
                    self._begin(asking)
                self._await(asking)
                asking.take([self._trial(call, scorers) for call in asking.wave])
        finally:
            for call in asking.calls:
                self._live.pop(call, None)
        return _result(asking, asking.decided)

    def _begin(self, asking: Asking) -> None:
        """Begin the calls of the next wave."""
        for call in asking.next_wave():
            if call.recorded is None:
                call.target = conversing(call.case, call.target, self._users)
            self._others.expect(call)
            if _at_once(asking):
                self._asker.ask_inline(call)
                self._others.tell(call)
            else:
                self._live[call] = asking
                self._submit(call, asking)

    def _submit(self, call: Call, asking: Asking) -> None:
        call.future = self._loop.submit(self._ask(call))
        # also of a call that is cancelled before it begins
        call.future.add_done_callback(lambda done: self._others.tell(call) if done is call.future else None)
        if asking in self._repeated:
            call.future.add_done_callback(lambda _: self._tell(asking))

    def _tell(self, asking: Asking) -> None:
        self._answered.append(asking)
        self._news.set()

    def _await(self, asking: Asking) -> None:
        """Wait until the whole wave has ended. Raises what a call ended with, if that steers the session."""
        steering: BaseException | None = None
        try:
            for call in asking.wave:
                try:
                    self._wait(call)
                except self._passthrough as said:
                    if call.future is None or not call.future.done():
                        raise  # it was said to the thread that waits
                    steering = steering or said
        except BaseException:
            # Ctrl-C, pytest-timeout: the calls must have ended before fixtures they use are torn down
            self.cancel([asking])
            raise
        if steering is not None:
            raise steering

    def _advance(self) -> None:
        """Begin the next trials of other cases, as far as those that have answered leave them undecided."""
        while self._answered and not self.alone:
            asking = self._answered.popleft()
            if asking not in self._repeated or not asking.wave or not asking.answered:
                continue
            if self._undecided(asking):
                self._begin(asking)
            else:
                self._repeated.discard(asking)  # what is left to do is done in its turn

    def _undecided(self, asking: Asking) -> bool:
        """Score the wave before the turn of its case; whether more trials are needed. What goes wrong waits for it."""

        def score() -> list[Trial]:
            if asking.output is not None:
                CURRENT.set(asking.output)
            return [self._trial(call, asking.scorers or {}) for call in asking.wave]

        if any(call.future is not None and call.future.exception() is not None for call in asking.wave):
            return False
        try:
            asking.take(contextvars.copy_context().run(score))
        except self._passthrough:
            return False
        return asking.decided is None

    def wait_for(self, awaitable: Awaitable[Any]) -> Any:
        """The result of something that must be awaited, from the engine's loop."""
        ended = self._loop.wait(self._loop.submit(guard(awaitable)))
        return ended.result()

    def cancel(self, askings: Iterable[Asking] | None = None) -> None:
        """Stop what runs (of these cases), and wait until it has ended, for a second at most."""
        cases = list(dict.fromkeys(self._live.values())) if askings is None else list(askings)
        self._repeated.difference_update(cases)
        stopped = [call for asking in cases for call in asking.wave if call.future is not None]
        for call in stopped:
            self._live.pop(call, None)
        if stopped:
            self._loop.cancel([call.future for call in stopped if call.future is not None])
            until = self._clock() + GRACE_S
            for call in stopped:
                call.ended.wait(max(0.0, until - self._clock()))

    def salvage(self, asking: Asking) -> CaseResult | None:
        """What is there of a case that nobody waits for any more, after ``cancel``; ``None`` when it has no answer.

        Its whole result, if that takes no further call; else a skipped one whose trials hold what was answered.
        """
        calls, scorers = asking.wave, asking.scorers
        if calls and scorers is not None and all(_is_scored_ahead(call, scorers) for call in calls):
            with suppress(*self._passthrough):
                asking.take([self._trial(call, scorers) for call in calls])
                if asking.decided is not None:
                    return _result(asking, asking.decided)
        answered = takewhile(lambda call: call.response is not None, asking.wave)
        trials = (*asking.trials, *(self._unscored(call) for call in answered))
        if not trials:
            return None
        more: dict[str, Any] = {"trials": trials, "started_at": asking.started_at, "finished_at": now_utc()}
        return blank_result(asking.case, asking.target.label, asking.identity, Outcome.SKIPPED, **more)

    def settle(self, askings: Iterable[Asking]) -> None:
        """Wait until no call of these cases runs any more; with ``alone`` set, none begins anew."""
        for asking in list(askings):
            for call in asking.wave:
                with suppress(Exception):  # it is said when the case is finished
                    self._wait(call)

    def close(self) -> None:
        """Cancel what runs and stop the loop."""
        self._loop.close()
        if self._limiter is not None:
            self._limiter.close()

    async def _ask(self, call: Call) -> None:
        try:
            if call.target.inline:
                if call.output is not None:
                    CURRENT.set(call.output)
                self._asker.ask_inline(call)
            else:
                await self._asker.ask(call, self._slots)
            self._others.tell(call)
            if call.response is not None and call.scorers is not None:
                await self._score_ahead(call, call.scorers)
        finally:
            call.ended.set()

    async def _score_ahead(self, call: Call, scorers: Scorers) -> None:
        """Let the asynchronous scorers answer while other cases are reported."""
        started = self._clock()

        async def score(key: int, scorer: Callable[..., Any], arguments: dict[str, Any]) -> None:
            if (prepare := getattr(scorer, "prepare", None)) is not None:
                await guard(prepare(**arguments))  # it waits for other calls, which need a slot
            async with self._slots:
                call.ahead[key] = await guard(scorer(**arguments))

        assert call.response is not None
        tasks = []
        for criterion in leaves(each for each in call.case.criteria if each.turn is None):
            try:
                scorer = scorer_of(criterion, scorers)
                if not _is_async(scorer, criterion.options):
                    continue
                arguments = scorer_arguments(scorer, criterion, call.case, call.response, call.trial, call.identity)
            except Exception:  # no scorer, or a signature that cannot be served: said in its turn
                continue
            tasks.append(score(id(criterion), scorer, arguments))
        if tasks:
            await asyncio.gather(*tasks)
            call.scoring_ms = (self._clock() - started) * 1000

    def _wait(self, call: Call) -> None:
        """Wait for the call, and notice one that blocks the loop itself. Raises what it ended with."""
        # without a future it was given up while another call was waited for
        if self._repeated and call.future is not None:
            call.future.add_done_callback(lambda _: self._news.set())
        with interruptions():
            while call.future is not None and not self._has_ended(call.future):
                self._unblock()

    def _has_ended(self, future: Future[None]) -> bool:
        """Wait for the future for a moment, and see to other cases meanwhile; whether it has ended."""
        if not self._repeated:
            return self._loop.wait_a_little(future)
        self._advance()
        if future.done():
            future.result()
            return True
        self._news.wait(POLL_S)
        self._news.clear()
        return False

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
        self._others.tell(culprit)
        self._tell(self._live.pop(culprit))
        for other, asking in list(self._live.items()):
            if other.future is not None and not other.future.done():
                other.again()
                self._submit(other, asking)

    def _trial(self, call: Call, scorers: Scorers) -> Trial:
        response = call.response
        trajectories, unkept = call.keep_steps(self._keeper)
        if response is None:
            known: dict[str, Any] = {
                "error": call.error,
                "attempts": tuple(call.attempts),
                "trajectories": trajectories,
            }
            return Trial(Outcome.ERRORED, **known, **_origin(call))
        started = self._clock()
        answer = self._answer(call, response, unkept)
        results = answer_criteria(
            call.case, response, scorers, self.wait_for, call.ahead, self._passthrough, call.trial, call.identity
        )
        scoring_ms = (self._clock() - started) * 1000 + call.scoring_ms
        outcome, score, error, criteria = judge(call.case, results)
        scored: dict[str, Any] = {"score": score, "criteria": criteria, "error": error, "scoring_ms": scoring_ms}
        return Trial(outcome, trajectories=trajectories, **scored, **answer)

    def _unscored(self, call: Call) -> Trial:
        """What was answered, without a verdict."""
        assert call.response is not None
        trajectories, unkept = call.keep_steps(self._keeper)
        return Trial(Outcome.SKIPPED, trajectories=trajectories, **self._answer(call, call.response, unkept))

    def _answer(self, call: Call, response: Response, unkept: Sequence[str]) -> dict[str, Any]:
        """What a trial keeps of an answer."""
        return {
            "output": response.output,
            "attempts": tuple(call.attempts),
            "latency_ms": call.latency_ms,
            "usage": response.usage,
            "cost_usd": response.cost_usd,
            "tool_calls": tuple(response.tool_calls),
            "metadata": {**response.metadata, PROBLEM: "; ".join(unkept)} if unkept else response.metadata,
            **_origin(call),
        }


def _is_scored_ahead(call: Call, scorers: Scorers) -> bool:
    """Whether the call has an answer, and nothing must be waited for to score it."""
    if call.response is None:
        return False
    for criterion in leaves(call.case.criteria):
        with suppress(Exception):  # no such scorer: said when it is asked
            if _is_async(scorer_of(criterion, scorers), criterion.options) and id(criterion) not in call.ahead:
                return False
    return True


def _origin(call: Call) -> dict[str, Any]:
    """What a trial says of where its answer comes from."""
    return {"session_id": call.session_id, "asked": call.asked, "answered_in": call.answered_in}


def _result(asking: Asking, outcome: Outcome) -> CaseResult:
    return blank_result(
        asking.case,
        asking.target.label,
        asking.identity,
        outcome,
        trials=tuple(asking.trials),
        score=case_score(outcome, asking.trials),
        error=error_of_case(asking.trials) if outcome is Outcome.ERRORED else None,
        started_at=asking.started_at,
        finished_at=now_utc(),
    )


def _at_once(asking: Asking) -> bool:
    """Whether the target answers at once and, as far as is known, no scorer must be waited for."""
    if not asking.target.inline or not asking.scorers:
        return asking.target.inline
    for criterion in leaves(asking.case.criteria):
        with suppress(Exception):  # no such scorer: said when it is asked
            if _is_async(scorer_of(criterion, asking.scorers), criterion.options):
                return False
    return True


def _is_async(scorer: Callable[..., Any], options: Mapping[str, Any]) -> bool:
    waits = getattr(scorer, "waits", None)  # a built-in scorer that may be either
    if waits is not None:
        return bool(waits(options))
    return inspect.iscoroutinefunction(scorer) or inspect.iscoroutinefunction(getattr(scorer, "__call__", None))  # noqa: B004
