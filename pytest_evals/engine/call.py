"""One case on its way: from the moment its question may be asked until its result is taken."""

from __future__ import annotations

import threading
import uuid
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from ..model.case import Case, Variant
from ..model.response import Response
from ..model.result import Attempt, CaseError, Trial
from ..model.trajectory import Trajectory, TrajectoryRef
from .output import Output
from .refusal import Refusal
from .steps import Keeper, Steps, filled, gather, references
from .target import Target

Scorers = Mapping[str, Callable[..., Any]]


@dataclass(frozen=True, slots=True)
class Identity:
    """What the front knows of a case beyond its definition."""

    node_id: str = ""
    variant: str = ""
    """The whole bracket of its item's name."""
    experiment: str = ""
    gated: bool = False
    configuration: Variant | None = None
    """The variant of the suite that it runs with."""
    asked: str = ""
    """Hashes of the question, the target and the judge."""

    @property
    def variant_id(self) -> str:
        return self.configuration.id if self.configuration is not None else ""

    @property
    def given(self) -> Mapping[str, Any]:
        """What an application is told of the variant; empty when there is none."""
        return self.configuration.given() if self.configuration is not None else {}


def now_utc() -> str:
    """The present time, UTC, ISO 8601 with microseconds."""
    return datetime.now(UTC).isoformat(timespec="microseconds")


def new_id() -> str:
    return uuid.uuid4().hex


@dataclass(frozen=True, slots=True)
class Ended:
    """How a call ended. An error is carried as a value: ``SystemExit`` raised in a task would end the loop."""

    value: object = None
    error: BaseException | None = None

    def result(self) -> object:
        if self.error is not None:
            raise self.error
        return self.value


@dataclass(slots=True, eq=False)
class Call:
    """One trial of a case, and what has come of it so far."""

    case: Case
    target: Target
    identity: Identity = Identity()
    scorers: Scorers | None = None
    """Scorers known when the call began: the asynchronous ones answer as soon as the target has."""
    output: Output | None = None
    """Where what the call prints and logs goes; ``None`` leaves it to whoever captures."""
    trial: int = 1
    """Which of the case's trials it is."""
    session_id: str = field(default_factory=new_id)
    attempts: list[Attempt] = field(default_factory=list)
    response: Response | None = None
    error: CaseError | None = None
    """Of the last attempt, when none answered."""
    rejected: bool = False
    """Another attempt would end the same way."""
    refusal: Refusal | None = None
    """When a service asked to be called later, until the limiter has been told."""
    latency_ms: float | None = None
    ahead: dict[int, Ended] = field(default_factory=dict)
    """What asynchronous scorers said already, by the identity of their criterion."""
    scoring_ms: float = 0.0
    """What they took."""
    steps: tuple[Steps, ...] = ()
    """What agents did in the last attempt."""
    deadline: float | None = None
    """While an attempt runs: when it must have ended, by the engine's clock."""
    future: Future[None] | None = None
    """``None`` before it began, and when it was given up."""
    ended: threading.Event = field(default_factory=threading.Event)
    """Set when nothing of the call runs any more."""
    recorded: Trial | None = None
    """The trial of an earlier run that has the answer (or why there was none): nothing is called."""

    @classmethod
    def from_record(cls, recorded: Trial, **known: Any) -> Call:
        """A call that was made in an earlier run: what it answered is scored as if it had just come."""
        call = cls(**known, recorded=recorded)
        call.session_id = recorded.session_id or call.session_id
        call._recall(recorded)
        return call

    def take_steps(self, recorded: Sequence[Trajectory], response: Response | None, keeper: Keeper) -> Response:
        """Read what the agent did; returns the answer with what that knows and the answer does not say."""
        answer = response or Response("")
        found, problems = gather(recorded, answer.trajectory, keeper)
        self.steps = tuple(found)
        return filled(answer, found, problems)

    def keep_steps(self, keeper: Keeper) -> tuple[tuple[TrajectoryRef, ...], list[str]]:
        """Keep the trajectories; returns the references, and what could not be written. Those of a record stay."""
        if self.recorded is not None:
            return self.recorded.trajectories, []
        return references(self.steps, keeper)

    def _recall(self, trial: Trial) -> None:
        self.attempts = list(trial.attempts)
        self.latency_ms = trial.latency_ms
        if trial.output is None:
            self.error = trial.error
        else:
            self.response = Response(
                trial.output,
                usage=trial.usage,
                cost_usd=trial.cost_usd,
                tool_calls=trial.tool_calls,
                trajectory=[Trajectory(path=ref.path, kind=ref.kind) for ref in trial.trajectories if ref.path] or None,
                metadata=trial.metadata,
                latency_ms=trial.latency_ms,
            )

    @property
    def asked(self) -> str:
        """The hashes of what was asked. Of an earlier answer they stay, but for the judge, who is asked now."""
        if self.recorded is None:
            return self.identity.asked
        before, judge = self.recorded.asked.rpartition(".")[0], self.identity.asked.rpartition(".")[2]
        return f"{before}.{judge}" if before else ""

    @property
    def answered_in(self) -> str:
        """``uid`` of the earlier run that has the answer."""
        return self.recorded.answered_in if self.recorded is not None else ""

    def again(self) -> None:
        """Forget what was asked: the loop it was asked on is lost through no fault of this call."""
        self.attempts.clear()
        self.ahead.clear()
        self.response = self.error = self.latency_ms = self.deadline = None
        self.rejected = False
        self.steps = ()
        self.ended = threading.Event()
        if self.recorded is not None:
            self._recall(self.recorded)
