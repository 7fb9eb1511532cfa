"""What became of a case: the result, its trials and attempts, and the row that aggregates need."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from .judge import JudgeKey
from .outcome import ErrorKind, Outcome
from .response import ToolCall, Usage
from .trajectory import TrajectoryRef
from .trials import TrialCounts, count_trials
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
    trajectories: tuple[TrajectoryRef, ...] = ()
    """What agents did, as far as it was recorded; the documents are files."""
    asked: str = ""
    """Hashes of the question, the target and the judge, with dots between: what an answer is taken over by."""
    answered_in: str = ""
    """``uid`` of the run that asked it, when it was an earlier one; its cost is paid there."""


@dataclass(frozen=True, slots=True)
class CaseResult:
    """Everything known about one case (and variant) of a run."""

    suite: str
    case_id: str
    outcome: Outcome
    trials: tuple[Trial, ...] = ()
    """Those that were asked."""
    variant: str = ""
    """The item's whole bracket, without the bracket's ends; empty if there is none."""
    variant_id: str = ""
    """The variant of the suite that it ran with, which is part of the bracket; empty for a suite without variants."""
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
    """Of several trials the mean, over those that have a score; ``None`` for an errored case."""
    threshold: float | Literal["unset"] | None = None
    warn: float | None = None
    planned_trials: int = 1
    """How many are asked when the decision is open to the last."""
    pass_if: str = ""
    """What decides over several trials; empty for a case that is asked once."""
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
    logs: Mapping[str, str] = field(default_factory=dict)
    """What the case printed and logged, by stream: ``stdout``, ``stderr``, ``log``. The history does not keep it."""

    @property
    def last(self) -> Trial | None:
        """The trial that was asked last."""
        return self.trials[-1] if self.trials else None

    @property
    def shown(self) -> Trial | None:
        """The trial whose answer stands for the case: the last one with the case's own outcome, if there is one."""
        return next((trial for trial in reversed(self.trials) if trial.outcome is self.outcome), self.last)

    @property
    def output(self) -> Any:
        return self.shown.output if self.shown else None

    @property
    def criteria(self) -> tuple[CriterionResult, ...]:
        return self.shown.criteria if self.shown else ()

    @property
    def latency_ms(self) -> float | None:
        """Of several trials the mean, over those whose latency is known."""
        known = [trial.latency_ms for trial in self.trials if trial.latency_ms is not None]
        return sum(known) / len(known) if known else None

    @property
    def trial_counts(self) -> TrialCounts | None:
        """How many trials had which outcome; ``None`` for a case that is asked once, or was not asked."""
        if not self.trials or max(self.planned_trials, len(self.trials)) == 1:
            return None
        return count_trials(self.planned_trials, (trial.outcome for trial in self.trials))

    @property
    def cost_usd(self) -> float | None:
        """The cost of all trials; ``None`` as soon as one is unknown."""
        costs = [trial.cost_usd for trial in self.trials]
        return None if not costs or None in costs else sum(c for c in costs if c is not None)

    @property
    def answered_in(self) -> str:
        """``uid`` of the earlier run that asked the case; empty when this one did."""
        return self.trials[0].answered_in if self.trials else ""

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
    judges: tuple[JudgeKey, ...] = ()
    """The judges that were asked, and how; of a stored run only where a gate is about them."""
    mark: float | None = None
    """The score to reach, where a judge was asked."""
    ratings: tuple[tuple[str, str], ...] = ()
    """What a judge rated in words, over all trials: the name of what it judged by, and the word."""


@dataclass(frozen=True, slots=True)
class CaseRow:
    """What aggregates, gates and lists need of a result: no texts, so that 100,000 stay small."""

    suite: str
    case_id: str
    outcome: Outcome
    variant: str = ""
    variant_id: str = ""
    node_id: str = ""
    source: str = ""
    experiment: str = ""
    category: str | None = None
    tags: tuple[str, ...] = ()
    error_kind: ErrorKind | None = None
    xfail: bool = False
    draft: bool = False
    """Nobody has accepted the case yet: it is marked xfail, too, and its errors are forgiven as well."""
    gated: bool = False
    score: float | None = None
    criteria: tuple[CriterionRow, ...] = ()
    latencies_ms: tuple[float, ...] = ()
    """Of the trials that answered and whose latency is known."""
    input_tokens: int | None = None
    output_tokens: int | None = None
    cost_usd: float | None = None
    unpriced: tuple[str, ...] = ()
    """Models whose price is not known, which is why the cost is not."""
    judge_calls: int = 0
    """How often judges were asked, retries included."""
    judge_tokens: int | None = None
    judge_cost_usd: float | None = None
    """What judging cost; not part of ``cost_usd``. ``None`` also when nothing was judged."""
    cached: int = 0
    """Trials that were answered from an earlier call: without latency, for nothing."""
    headline: str = ""
    """Why it did not pass, in one short line; empty when it passed."""
    trials: TrialCounts | None = None
    """``None`` for a case that is asked once."""

    @property
    def tokens(self) -> int | None:
        """Input and output together; ``None`` when one is unknown."""
        if self.input_tokens is None or self.output_tokens is None:
            return None
        return self.input_tokens + self.output_tokens

    @property
    def flaky(self) -> bool:
        """Whether its trials disagree."""
        return self.trials is not None and self.trials.flaky

    @property
    def key(self) -> tuple[str, str, str]:
        """What identifies the case within a run: suite, case id, variant."""
        return (self.suite, self.case_id, self.variant)
