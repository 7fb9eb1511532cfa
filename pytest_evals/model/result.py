"""What became of a case: the result, its trials and attempts, and the row that aggregates need."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from .outcome import ErrorKind, Outcome
from .response import ToolCall, Usage
from .words import WordErrors


@dataclass(frozen=True, slots=True)
class CaseError:
    """Why there is no answer, or no score."""

    kind: ErrorKind
    message: str
    """One line."""
    type: str = ""
    """The exception's class, if there was one."""
    detail: str = ""
    """The traceback within the application or scorer, without frames of this package."""


@dataclass(frozen=True, slots=True)
class Attempt:
    """One call of the target."""

    latency_ms: float | None
    """Time in the target alone."""
    error: CaseError | None = None
    queue_ms: float | None = None
    """How long it waited for its turn before it began; not part of the latency."""


@dataclass(frozen=True, slots=True)
class CriterionResult:
    """One criterion's answer."""

    name: str
    scorer: str
    mark: float | None
    """The score that was to be reached; ``None`` when there is no verdict on it."""
    score: float | None = None
    """``None`` when the scorer could not answer."""
    passed: bool | None = None
    weight: float = 1.0
    threshold: float | None = None
    """The mark as stated in the suite; ``None`` when the scorer's usual mark holds."""
    reason: str = ""
    detail: Mapping[str, Any] = field(default_factory=dict)
    error: CaseError | None = None


@dataclass(frozen=True, slots=True)
class Trial:
    """One of the repeats of a case."""

    outcome: Outcome
    output: Any = None
    score: float | None = None
    """The weighted mean of the criteria's scores; ``None`` when one of them could not be scored."""
    criteria: tuple[CriterionResult, ...] = ()
    error: CaseError | None = None
    attempts: tuple[Attempt, ...] = ()
    latency_ms: float | None = None
    """Of the attempt that answered; ``None`` if none did or if it is unknown."""
    scoring_ms: float | None = None
    usage: Usage | None = None
    cost_usd: float | None = None
    tool_calls: tuple[ToolCall, ...] = ()
    metadata: Mapping[str, Any] = field(default_factory=dict)
    session_id: str = ""


@dataclass(frozen=True, slots=True)
class CaseResult:
    """Everything known about one case (and variant) of a run."""

    suite: str
    case_id: str
    outcome: Outcome
    trials: tuple[Trial, ...] = ()
    variant: str = ""
    """The item's whole bracket, without the bracket's ends; empty if there is none."""
    name: str = ""
    node_id: str = ""
    source: str = ""
    """``path:line`` of the case."""
    experiment: str = ""
    category: str | None = None
    tags: tuple[str, ...] = ()
    metadata: Mapping[str, Any] = field(default_factory=dict)
    input: Any = None
    context: Any = None
    expected_output: Any = None
    reference_outputs: tuple[str, ...] = ()
    definition_sha256: str = ""
    score: float | None = None
    threshold: float | Literal["unset"] | None = None
    warn: float | None = None
    error: CaseError | None = None
    skip_reason: str | None = None
    xfail: str | None = None
    """The reason, for a case that was expected to fail."""
    gated: bool = False
    """Whether a pass-rate gate of its own suite decides over it: a miss is then tolerated here."""
    target: str = ""
    started_at: str = ""
    """UTC, ISO 8601."""
    finished_at: str = ""

    @property
    def last(self) -> Trial | None:
        """The trial that is shown when one answer stands for the case."""
        return self.trials[-1] if self.trials else None

    @property
    def output(self) -> Any:
        return self.last.output if self.last else None

    @property
    def criteria(self) -> tuple[CriterionResult, ...]:
        return self.last.criteria if self.last else ()

    @property
    def latency_ms(self) -> float | None:
        return self.last.latency_ms if self.last else None

    @property
    def cost_usd(self) -> float | None:
        """The cost of all trials; ``None`` as soon as one is unknown."""
        costs = [trial.cost_usd for trial in self.trials]
        return None if not costs or None in costs else sum(c for c in costs if c is not None)

    @property
    def key(self) -> tuple[str, str, str]:
        """What identifies the case within a run: suite, case id, variant."""
        return (self.suite, self.case_id, self.variant)


@dataclass(frozen=True, slots=True)
class CriterionRow:
    """One criterion of a ``CaseRow``."""

    name: str
    score: float | None
    passed: bool | None
    weight: float = 1.0
    words: WordErrors | None = None
    """Of a transcript, so that they can be added over cases."""


@dataclass(frozen=True, slots=True)
class CaseRow:
    """What aggregates, gates and lists need of a result: no texts, so that 100,000 stay small."""

    suite: str
    case_id: str
    outcome: Outcome
    variant: str = ""
    node_id: str = ""
    source: str = ""
    experiment: str = ""
    category: str | None = None
    tags: tuple[str, ...] = ()
    error_kind: ErrorKind | None = None
    xfail: bool = False
    gated: bool = False
    score: float | None = None
    criteria: tuple[CriterionRow, ...] = ()
    latencies_ms: tuple[float, ...] = ()
    """Of the trials that answered and whose latency is known."""
    input_tokens: int | None = None
    output_tokens: int | None = None
    cost_usd: float | None = None
    headline: str = ""
    """Why it did not pass, in one short line; empty when it passed."""

    @property
    def key(self) -> tuple[str, str, str]:
        """What identifies the case within a run: suite, case id, variant."""
        return (self.suite, self.case_id, self.variant)
