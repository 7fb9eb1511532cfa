"""One case on its way: from the moment its question may be asked until its result is taken."""

from __future__ import annotations

import threading
import uuid
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from ..model.case import Case, Variant
from ..model.response import Response
from ..model.result import Attempt, CaseError
from .output import Output
from .refusal import Refusal
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
    deadline: float | None = None
    """While an attempt runs: when it must have ended, by the engine's clock."""
    future: Future[None] | None = None
    """``None`` before it began, and when it was given up."""
    ended: threading.Event = field(default_factory=threading.Event)
    """Set when nothing of the call runs any more."""

    def again(self) -> None:
        """Forget what was asked: the loop it was asked on is lost through no fault of this call."""
        self.attempts.clear()
        self.ahead.clear()
        self.response = self.error = self.latency_ms = self.deadline = None
        self.rejected = False
        self.ended = threading.Event()
