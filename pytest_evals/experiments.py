"""Recording runs of your own, and reading the history: ``from pytest_evals import experiments``.

    run = experiments.start("retrieval", description="New index")
    run.record("facts", "job-change", answer="Pell & Co", passed_checks=["employer"])
    run.finish()

Every recorded case is on disk at once; ``finish`` writes the run to the history in one transaction. A process that is
killed before loses nothing: the next session, or ``pytest-evals history recover``, keeps its cases in a cancelled run.
"""

from __future__ import annotations

import sys
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .errors import UsageError
from .model.case import DEFAULT_EXPERIMENT, ExperimentSpec
from .model.result import CaseResult
from .model.run import RunType
from .model.wire import plain
from .store.journal import Journal
from .store.names import check_experiment_name, check_run_name
from .store.times import now
from .workflow.history import journal_header
from .workflow.openrun import Run, RunFinishedError
from .workflow.provenance import collect_provenance
from .workflow.trajectories import Trajectory
from .workflow.where import find_history

if TYPE_CHECKING:
    from .store.values import StoredExperiment, StoredRun, StoredTrajectory

__all__ = [
    "Run",
    "RunFinishedError",
    "RunRecord",
    "Trajectory",
    "find_trajectory",
    "get",
    "get_run",
    "list",
    "runs",
    "start",
]

History = str | Path | None
"""A path or database URL; ``None`` is the history a pytest session started in the current directory would use."""


def start(
    name: str = DEFAULT_EXPERIMENT,
    *,
    description: str = "",
    config: Mapping[str, Any] | None = None,
    type: RunType = "checked",
    params: Mapping[str, Any] | None = None,
    run_name: str = "",
    subject_model: str | None = None,
    judge_model: str | None = None,
    history: History = None,
) -> Run:
    """Open a run of the experiment, which is made when there is none of that name and type.

    ``type`` is ``checked`` (cases pass or fail) or ``judged`` (cases have scores only). ``params`` say how the run was
    invoked; commit, CI job, versions and host are added, secrets redacted. Raises ``UsageError`` for a name that is
    none, ``StoreError`` when the history cannot be written.
    """
    from .store.connect import writing
    from .store.writer import keep_experiment

    if type not in ("checked", "judged"):
        raise UsageError(f"a run is checked or judged, not {type!r}")
    name, run_name = check_experiment_name(name), check_run_name(run_name)
    spec = ExperimentSpec(name, description, plain(config or {}))
    location = find_history(history)
    with writing(location) as connection:
        keep_experiment(connection, type, spec)
    header = journal_header(
        session_id=uuid.uuid4().hex,
        started_at=now(),
        experiments={"": spec},
        provenance=collect_provenance(Path.cwd(), command=sys.argv),
        params=params,
        run_name=run_name,
    )
    header["judged"] = {"subject_model": subject_model, "judge_model": judge_model}
    return Run(location, name, type, Journal.create(location.journals, header))


@dataclass(frozen=True, slots=True)
class RunRecord:
    """A run with all that is stored of it."""

    run: StoredRun
    results: Sequence[CaseResult]
    trajectories: Sequence[StoredTrajectory]


def get(name: str, *, type: RunType | None = None, history: History = None) -> StoredExperiment:
    """The experiment of that name. Raises ``UsageError`` when there is none, ``StoreError`` without a history."""
    from .store.connect import reading
    from .store.runs import find_experiment

    with reading(find_history(history)) as connection:
        return find_experiment(connection, name, type)


def list(*, history: History = None) -> Sequence[StoredExperiment]:
    """All experiments, that with the newest run first; none without a history."""
    from .store.connect import reading
    from .store.runs import list_experiments

    location = find_history(history)
    if location.missing:
        return []
    with reading(location) as connection:
        return list_experiments(connection)


def runs(
    name: str | None = None, *, type: RunType | None = None, limit: int | None = None, history: History = None
) -> Sequence[StoredRun]:
    """The runs (of one experiment), newest first; none without a history."""
    from .store.connect import reading
    from .store.runs import list_runs

    location = find_history(history)
    if location.missing:
        return []
    with reading(location) as connection:
        return list_runs(connection, experiment=name, kind=type, limit=limit)


def get_run(spec: str, *, experiment: str | None = None, history: History = None) -> RunRecord:
    """A run with its results and trajectories; ``spec`` is an id or its beginning, a name, ``last``, ``last:BRANCH``.

    Raises ``UsageError`` when there is none, ``StoreError`` without a history.
    """
    from .store.connect import reading
    from .store.edit import trajectories_of_runs
    from .store.results import case_results
    from .store.runs import find_run

    with reading(find_history(history)) as connection:
        run = find_run(connection, spec, experiment=experiment)
        return RunRecord(run, tuple(case_results(connection, run)), tuple(trajectories_of_runs(connection, [run])))


def find_trajectory(trajectory_id: str, *, history: History = None) -> StoredTrajectory | None:
    """The recorded trajectory with its case, run and experiment; ``None`` when no run has it."""
    from .store.connect import reading
    from .store.results import find_trajectory as find

    location = find_history(history)
    if location.missing:
        return None
    with reading(location) as connection:
        return find(connection, trajectory_id)
