"""What the history gives back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from ..model.run import RunType


@dataclass(frozen=True, slots=True)
class StoredRun:
    """A run of the history."""

    id: int
    """Number within its database; people use ``uid``."""
    uid: str
    """Unique across databases; any unique beginning of it names the run."""
    session_id: str
    experiment_id: int | None
    experiment: str
    type: RunType
    name: str
    """A free name; empty if none."""
    parent_run_id: int | None
    status: str
    """checked: running, passed, failed, cancelled; judged: running, completed, error, cancelled."""
    core_status: str
    """running, completed, errored or cancelled."""
    verdict: str | None
    """pass, fail or none."""
    pass_rate: float | None
    score: float | None
    """The mean of its cases' scores."""
    cost_usd: float | None
    """Of the cases whose cost is known."""
    unpriced_cases: int
    """Cases whose cost is not."""
    defined_cases: int | None
    selected_cases: int | None
    total_cases: int
    """Cases that were to run, without skipped ones."""
    passed_cases: int
    """Warned ones included."""
    warned_cases: int
    failed_cases: int
    """Missed ones included."""
    missed_cases: int
    error_cases: int
    judged_cases: int
    skipped_cases: int
    n_pending: int
    n_cancelled: int
    """Cases never reached."""
    error: str | None
    exit_status: int | None
    stopped: str
    gates: Sequence[Mapping[str, Any]]
    params: Mapping[str, Any]
    pinned: bool
    note: str
    host: str
    git_commit: str | None
    git_branch: str | None
    git_dirty: bool | None
    ci_provider: str | None
    ci_url: str | None
    started_at: str
    heartbeat_at: str
    finished_at: str | None
    latency_p50_ms: float | None = None
    latency_p95_ms: float | None = None
    """Over all trials that answered."""

    @property
    def results(self) -> int:
        """How many results it has: cases that were reached, and skipped ones."""
        return self.total_cases - self.n_pending - self.n_cancelled + self.skipped_cases

    def plain(self) -> dict[str, Any]:
        """As JSON shows it."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class StoredExperiment:
    """An experiment with what its runs come to."""

    id: int
    type: RunType
    name: str
    description: str
    config: Mapping[str, Any]
    created_at: str
    runs: Mapping[str, int]
    """How many runs have which status."""
    cases: int
    """Different cases it has ever recorded."""
    last_run: str | None
    """``uid`` of the newest run."""
    last_started_at: str | None
    cost_usd: float | None
    """Of the runs whose cost is known."""

    def plain(self) -> dict[str, Any]:
        """As JSON shows it."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class CasePoint:
    """A case in one run: a point of its history."""

    run: str
    """``uid`` of the run."""
    run_name: str
    experiment: str
    type: RunType
    git_branch: str | None
    git_commit: str | None
    started_at: str
    """When the run began."""
    variant: str
    repeat_index: int
    outcome: str
    status: str | None
    verdict: str | None
    score: float | None
    latency_ms: float | None
    cost_usd: float | None
    headline: str
    definition_sha256: str | None

    def plain(self) -> dict[str, Any]:
        """As JSON shows it."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class KnownCase:
    """A case an experiment has recorded."""

    suite: str
    case_id: str
    definition_sha256: str | None
    """Of its first recording."""
    first_seen_at: str


@dataclass(frozen=True, slots=True)
class StoredTrajectory:
    """A recorded trajectory and where it belongs."""

    trajectory_id: str
    kind: str
    seq: int
    agent_name: str
    steps: int
    cost_usd: float | None
    path: str
    sha256: str | None
    artifact_ids: Sequence[str]
    suite: str
    case_id: str
    variant: str
    repeat_index: int
    run: str
    """``uid`` of the run."""
    experiment: str
    type: RunType

    def plain(self) -> dict[str, Any]:
        """As JSON shows it."""
        return asdict(self)
