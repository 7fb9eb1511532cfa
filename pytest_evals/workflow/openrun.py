"""A run that is being recorded by a program of its own, without pytest."""

from __future__ import annotations

import contextlib
import json
import threading
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from ..errors import StoreError, UsageError
from ..model.codec import result_to_json
from ..model.outcome import ErrorKind, Outcome
from ..model.redacting import redacted
from ..model.response import Usage
from ..model.result import Attempt, CaseError, CaseResult, CriterionResult, Trial
from ..model.run import RunType
from ..model.score import as_score
from ..model.text import one_line
from ..model.wire import plain
from ..store.journal import Entry, Journal
from ..store.rows import CHECK
from ..store.times import now
from .history import store_or_keep
from .recording import Facts, run_uid
from .redacting import project_redactor
from .trajectories import Trajectory, atif_folder, keep_trajectory, totals_of

if TYPE_CHECKING:
    from ..store.location import Location
    from ..store.values import StoredRun


class RunFinishedError(UsageError):
    """Something was recorded in a run that is finished."""


class Run:
    """An open run. As a context manager it is finished at the end of the block, cancelled if the block raises."""

    def __init__(self, location: Location, experiment: str, type: RunType, journal: Journal) -> None:
        self.experiment = experiment
        self.type: RunType = type
        self.uid = run_uid(journal.header["session_id"], experiment, type)
        """Its id in the history, once it is finished."""
        self._location = location
        self._journal = journal
        self._repeats: Counter[tuple[str, str, str]] = Counter()
        self._trajectories: set[str] = set()
        self._lock = threading.Lock()
        self._finished = False
        self._redactor = project_redactor()

    def record(
        self,
        suite: str,
        case: str,
        *,
        answer: Any = None,
        problems: Iterable[str] = (),
        passed_checks: Iterable[str] = (),
        scores: Mapping[str, Any] | None = None,
        score: float | None = None,
        error: str | BaseException | None = None,
        input: Any = None,
        expected_output: Any = None,
        reason: str = "",
        variant: str = "",
        category: str | None = None,
        tags: Sequence[str] = (),
        metadata: Mapping[str, Any] | None = None,
        usage: Usage | None = None,
        cost_usd: float | None = None,
        judge_cost_usd: float | None = None,
        latency_ms: float | None = None,
        dataset_id: str | None = None,
        trajectories: Sequence[Trajectory] = (),
        directory: str | Path | None = None,
        definition_sha256: str = "",
    ) -> None:
        """Record what became of a case. A case that is recorded again in the same run is a repeat.

        In a checked run the case has failed when there are ``problems`` (the checks that did not hold), else passed.
        In a judged run it needs a ``score`` from 0 to 1. With ``error`` it is errored in both, and has no score.
        ``scores`` are single criteria by name. Files of trajectories go to ``atif`` beside the history, or to
        ``directory``. Raises ``RunFinishedError`` after ``finish``, ``UsageError`` and ``StoreError``.
        """
        if not suite or not case:
            raise UsageError("a case is recorded with the name of its suite and its own id")
        problems = [problems] if isinstance(problems, str) else [*problems]
        passed_checks = [passed_checks] if isinstance(passed_checks, str) else [*passed_checks]
        if score is not None:
            score = float(as_score(score, "score").value)
        if self.type == "judged" and error is None and score is None:
            raise UsageError(f"{suite}::{case}: a case of a judged run needs a score or an error")
        judged = self.type == "judged"
        failure = None if error is None else _case_error(error)
        outcome = (
            Outcome.ERRORED if failure else Outcome.SCORED if judged else Outcome.FAILED if problems else Outcome.PASSED
        )
        criteria = [CriterionResult(f"check {n}", CHECK, 1.0, 0.0, False, reason=p) for n, p in enumerate(problems, 1)]
        criteria += [CriterionResult(name, CHECK, 1.0, 1.0, True) for name in passed_checks]
        for name, value in (scores or {}).items():
            given = as_score(value, name)
            criteria.append(CriterionResult(name, "recorded", None, float(given.value), reason=given.reason))
        if reason:
            criteria.append(CriterionResult("judge", "recorded", None, score, reason=reason))
        usage, cost_usd = _paid(usage, cost_usd, trajectories)
        trial = Trial(
            outcome,
            answer,
            None if failure else score,
            tuple(criteria),
            failure,
            (Attempt(latency_ms, failure),),
            latency_ms,
            usage=usage,
            cost_usd=cost_usd,
        )
        self.record_result(
            CaseResult(
                suite,
                case,
                outcome,
                (trial,),
                variant,
                experiment=self.experiment,
                category=category,
                tags=tuple(tags),
                metadata=dict(metadata or {}),
                input=input,
                expected_output=expected_output,
                definition_sha256=definition_sha256,
                score=trial.score,
                threshold="unset" if judged else None,
                error=failure,
                finished_at=now(),
            ),
            dataset_id=dataset_id,
            judge_cost_usd=judge_cost_usd,
            trajectories=trajectories,
            directory=directory,
        )

    def record_result(
        self,
        result: CaseResult,
        *,
        dataset_id: str | None = None,
        judge_cost_usd: float | None = None,
        trajectories: Sequence[Trajectory] = (),
        directory: str | Path | None = None,
    ) -> None:
        """Record a whole result, as the engine gives it. Raises as ``record`` does."""
        with self._lock:
            if self._finished:
                raise RunFinishedError(f"run {self.uid} is finished; start another one to record more")
            folder = Path(directory) if directory is not None else atif_folder(self._location, Path.cwd())
            references = []
            for trajectory in trajectories:
                references.append(keep_trajectory(self._without_secrets(trajectory), folder, self._taken))
                self._trajectories.add(references[-1]["trajectory_id"])
            extra = {"dataset_id": dataset_id, "judge_cost_usd": judge_cost_usd, "trajectories": references}
            shown = redacted(replace(result, experiment=self.experiment), self._redactor)
            data = json.loads(result_to_json(shown))
            del data["v"]
            entry = Entry(data, self._repeats[result.key], {k: v for k, v in extra.items() if v})
            self._repeats[result.key] += 1
            with contextlib.suppress(StoreError):  # kept in memory; what is lost if it stays so, finish() says
                self._journal.append_entry(entry)

    def finish(self, *, cancelled: str = "") -> StoredRun:
        """Write the run to the history and return it; ``cancelled`` says why it did not get to its end.

        Raises ``UsageError`` when nothing was recorded, ``StoreError`` when the history cannot be written: then the
        journal is kept, and ``pytest-evals history recover`` finishes the run.
        """
        with self._lock:
            if self._finished:
                raise RunFinishedError(f"run {self.uid} is finished already")
            self._finished = True
        try:
            if not len(self._journal):
                raise UsageError("nothing was recorded: a run without a case is not kept")
            facts = replace(Facts.read(self._journal.header), finished_at=now(), stopped=cancelled)
            self._journal.end(asdict(facts))
            return store_or_keep(self._location, facts, self._journal)[0]
        finally:
            self._journal.finish()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._finished:
            return
        if error is None:
            self.finish()
        elif len(self._journal):
            self.finish(cancelled=one_line(f"{type(error).__name__}: {error}"))
        else:
            self._finished = True
            self._journal.finish()

    def _without_secrets(self, trajectory: Trajectory) -> Trajectory:
        """A document that is to be written; a file that is there already is left as it is."""
        if trajectory.document is None:
            return trajectory
        return replace(trajectory, document=self._redactor.value(plain(trajectory.document)))

    def _taken(self, trajectory_id: str) -> bool:
        from ..store.connect import reading
        from ..store.results import find_trajectory

        if trajectory_id in self._trajectories:
            return True
        with reading(self._location) as connection:
            return find_trajectory(connection, trajectory_id) is not None


def _paid(
    usage: Usage | None, cost_usd: float | None, trajectories: Sequence[Trajectory]
) -> tuple[Usage | None, float | None]:
    """Tokens and cost; those of the trajectories, together, where nothing is stated."""
    took = totals_of(trajectories) if usage is None or cost_usd is None else None
    if took is None:
        return usage, cost_usd
    counted = Usage(took.prompt_tokens, took.completion_tokens, took.cached_tokens)
    return (usage or (counted if counted != Usage() else None)), took.cost_usd if cost_usd is None else cost_usd


def _case_error(error: str | BaseException) -> CaseError:
    if isinstance(error, str):
        return CaseError(ErrorKind.TARGET, one_line(error) or "no reason was given")
    kind = ErrorKind.TIMEOUT if isinstance(error, TimeoutError) else ErrorKind.TARGET
    return CaseError(kind, one_line(f"{error}" or type(error).__name__), type(error).__name__)
