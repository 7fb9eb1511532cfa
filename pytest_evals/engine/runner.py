"""One case from question to result."""

from __future__ import annotations

import uuid
from collections.abc import Awaitable, Callable, Mapping
from concurrent.futures import Future
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from time import perf_counter
from typing import Any

from ..model.case import Case
from ..model.outcome import ErrorKind, Outcome
from ..model.result import CaseError, CaseResult, Trial
from .answer import GRACE_S, Answer, Asker
from .criteria import answer_criteria
from .loop import POLL_S, LoopThread
from .target import Target
from .threads import DaemonPool
from .verdict import judge

BLOCKED_AFTER_S = 2 * GRACE_S
"""How long after a limit of time the loop may stay silent before it counts as blocked."""


@dataclass(frozen=True, slots=True)
class Identity:
    """What the front knows of a case beyond its definition."""

    node_id: str = ""
    variant: str = ""
    experiment: str = ""
    gated: bool = False


def now_utc() -> str:
    """The present time, UTC, ISO 8601 with microseconds."""
    return datetime.now(UTC).isoformat(timespec="microseconds")


class Engine:
    """Runs cases: calls targets on an event loop in the background, and scorers where they belong.

    ``passthrough`` are exceptions that steer a test session (pytest's skip and exit): they are raised to the caller.
    """

    def __init__(
        self,
        *,
        concurrency: int = 1,
        passthrough: tuple[type[BaseException], ...] = (),
        clock: Callable[[], float] = perf_counter,
    ) -> None:
        self._loop = LoopThread()
        self._clock = clock
        self._passthrough = passthrough
        self._asker = Asker(DaemonPool(concurrency), passthrough, clock)

    def run(
        self,
        case: Case,
        target: Target,
        scorers: Mapping[str, Callable[..., Any]],
        identity: Identity | None = None,
    ) -> CaseResult:
        """Ask the target, score the answer, decide the outcome. Raises only what steers the session."""
        identity = identity or Identity()
        started_at = now_utc()
        session_id = uuid.uuid4().hex
        answer = self._ask(case, target, session_id, identity.variant)
        trial = self._trial(case, answer, scorers, session_id)
        return replace(
            blank_result(case, target.label, identity),
            outcome=trial.outcome,
            trials=(trial,),
            score=trial.score,
            error=trial.error,
            started_at=started_at,
            finished_at=now_utc(),
        )

    def wait_for(self, awaitable: Awaitable[Any]) -> Any:
        """The result of something that must be awaited, from the engine's loop."""
        return self._loop.wait(self._loop.submit(_await(awaitable)))

    def close(self) -> None:
        """Cancel what runs and stop the loop."""
        self._loop.close()

    def _ask(self, case: Case, target: Target, session_id: str, variant: str) -> Answer:
        if target.inline:
            return self._asker.ask_inline(case, target, session_id, variant)
        answer = Answer()
        future = self._loop.submit(self._asker.ask(answer, case, target, session_id, variant))
        self._wait(future, answer, case)
        return answer

    def _wait(self, future: Future[None], answer: Answer, case: Case) -> None:
        """Wait for the answer, and notice a call that blocks the loop itself."""
        try:
            while True:
                try:
                    return future.result(POLL_S)
                except TimeoutError:
                    if future.done():
                        return future.result()
                deadline = answer.deadline
                if deadline is not None and self._clock() > deadline + BLOCKED_AFTER_S:
                    self._loop.replace()
                    answer.error = CaseError(
                        ErrorKind.TIMEOUT,
                        f"no answer within {case.timeout_s:g} s; the target blocks its event loop "
                        "(an async function that calls blocking code): make it a plain function",
                        "Timeout",
                    )
                    return None
        except BaseException:
            # Ctrl-C, pytest-timeout: the call must have ended before fixtures it uses are torn down
            if not future.done():
                future.cancel()
                self._loop.drain()
            raise

    def _trial(self, case: Case, answer: Answer, scorers: Mapping[str, Callable[..., Any]], session_id: str) -> Trial:
        attempts = tuple(answer.attempts)
        response = answer.response
        if response is None:
            return Trial(Outcome.ERRORED, error=answer.error, attempts=attempts, session_id=session_id)
        started = self._clock()
        results = answer_criteria(case, response, scorers, self.wait_for, self._passthrough)
        scoring_ms = (self._clock() - started) * 1000
        outcome, score, error, criteria = judge(case, results)
        return Trial(
            outcome,
            output=response.output,
            score=score,
            criteria=criteria,
            error=error,
            attempts=attempts,
            latency_ms=answer.latency_ms,
            scoring_ms=scoring_ms,
            usage=response.usage,
            cost_usd=response.cost_usd,
            tool_calls=tuple(response.tool_calls),
            metadata=response.metadata,
            session_id=session_id,
        )


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


async def _await(awaitable: Awaitable[Any]) -> Any:
    return await awaitable
