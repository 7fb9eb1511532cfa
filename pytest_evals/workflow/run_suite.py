"""``run_suite``: cases without pytest, through the same engine and into the same history."""

from __future__ import annotations

import sys
import time
import uuid
import warnings
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from ..engine.judging import Judges
from ..engine.model import Models
from ..engine.others import OtherVariants
from ..engine.runner import Asking, Engine, Identity, blank_result, now_utc
from ..errors import StoreError, UsageError
from ..llm.clients import Clients
from ..llm.limiter import SessionLimiter
from ..llm.limits import parse_limits
from ..llm.pricing import Prices, describe
from ..model.codec import result_to_json
from ..model.gate import GateVerdict, Verdict, covers, is_absolute_pass_rate
from ..model.ids import node_name
from ..model.outcome import Outcome
from ..model.redacting import redacted
from ..model.result import CaseResult, CaseRow
from ..model.run import SessionResult, SuiteCount
from ..model.text import one_line
from ..report.rows import row_of
from ..stats import pair_variants, summarize
from ..stats.decide import ScopedCase, decide
from ..stats.status import INTERRUPTED, OK, exit_status
from ..store.names import check_run_name
from .asked import target_hash
from .configurations import configurations
from .given import Cases, GivenTarget, Scorer, Work, read_work
from .history import journal_header, record_session, run_line, suite_facts
from .judgetrustfile import calibrations_for
from .others import FindOthers
from .provenance import Provenance, collect_provenance
from .redacting import project_redactor
from .replies import price_file
from .spool import Spool
from .suiterun import SuiteRun
from .trajectories import TrajectoryFolder, atif_folder
from .where import find_history

if TYPE_CHECKING:
    from ..model.case import Case, Suite, Variant
    from ..model.llm import LlmClient
    from ..store.values import StoredRun

CONCURRENCY = 16
"""Calls in flight, as in a pytest session."""

WINDOW = 10
"""Calls begun and not yet finished, times the concurrency: a slow one must not leave the others idle."""


def run_suite(
    cases: Cases,
    target: GivenTarget = None,
    *,
    name: str | None = None,
    scorers: Mapping[str, Scorer] | None = None,
    criteria: Sequence[Any] = (),
    defaults: Mapping[str, Any] | None = None,
    gates: Sequence[str] = (),
    experiment: str | Mapping[str, Any] | None = None,
    run_name: str = "",
    params: Mapping[str, Any] | None = None,
    all_trials: bool = False,
    concurrency: int = CONCURRENCY,
    limits: str | Sequence[str] = (),
    clients: Mapping[str, LlmClient] | None = None,
    prices: str | Path | None = None,
    judge: str | LlmClient | Sequence[str | LlmClient] | None = None,
    history: str | Path | Literal[False] | None = None,
    on_result: Callable[[CaseResult], object] | None = None,
) -> SuiteRun:
    """Run cases without pytest, and keep the run in the history.

    ``cases`` are a suite file, or a list of mappings with the keys a case has in a suite file; ``target`` is a callable
    or what stands under ``target`` there. ``criteria`` are asked of every case, ``defaults`` are those of a suite file,
    ``scorers`` are more scorers by name, ``gates`` are added to those of a suite. ``experiment`` is a name, or a
    mapping with name, description and config. ``all_trials`` asks every trial of a case, also when its decision cannot
    change any more. ``limits`` are lines such as ``"anthropic: 50 rpm"``. ``clients`` ask the
    models of a provider, by its name; without one the built-in client does. ``prices`` is a file of prices that go
    before the known ones. ``judge`` answers ``llm_judge`` criteria of a suite that names no judge: ``provider/name``,
    a client, or a list of them. ``history`` is a path or database URL; ``None``: where a session started in the current
    directory would keep the run; ``False``: nowhere. ``on_result`` is told each result when it is finished, in the
    order of the cases.

    Ctrl-C, or an error of ``on_result``, keeps what was finished in a cancelled run, and is raised. Raises
    ``SuiteError`` and ``UsageError`` for what cannot be run; a case that cannot be answered is a result, not an error.
    """
    if concurrency < 1:
        raise UsageError(f"concurrency is at least 1, not {concurrency}")
    limiter = SessionLimiter(parse_limits(limits, "limits"))
    own_prices = price_file(Path.cwd(), str(prices) if prices else None)
    models = Models(Clients.given(clients or {}), Prices(own_prices))
    variants = OtherVariants()
    others = FindOthers(variants, lambda: None if history is False else find_history(history))
    work = read_work(
        cases,
        target,
        name=name,
        scorers=scorers or {},
        criteria=criteria,
        defaults=defaults or {},
        gates=gates,
        experiment=experiment,
        models=models,
        judge=judge,
        judges=lambda own: Judges(models, lambda: limiter, own=own),
        others=lambda: others,
    )
    variants.want(work.suite)
    known = {"prices": describe(own_prices)} if prices or work.suite.asks_models else {}
    execution = _Execution(work, run_name, {**known, **(params or {})}, history)
    users = Judges(models, lambda: limiter)
    engine = Engine(concurrency=concurrency, limiter=limiter, others=variants, keeper=_keeper(history), users=users)
    try:
        try:
            for result in _results(engine, work, concurrency, all_trials):
                execution.take(result)
                if on_result is not None:
                    on_result(result)
        finally:
            engine.close()
            others.close()
    except BaseException as error:
        kept = execution.finish(_why(error))
        for note in [*kept.problems, *(f"kept in the history: {run_line(run)}" for run in kept.runs)]:
            error.add_note(note)
        raise
    finished = execution.finish()
    for problem in finished.problems:
        warnings.warn(problem, stacklevel=2)
    return finished


def _results(engine: Engine, work: Work, concurrency: int, all_trials: bool) -> Iterator[CaseResult]:
    """The results in the order of the cases, while the calls of those that follow are under way."""
    ahead = WINDOW * concurrency if concurrency > 1 else 1
    runs = [*_runs(work.suite)]
    waiting = deque((case, variant) for case, variant in runs if case.skip is None)
    begun: deque[Asking] = deque()
    for case, variant in runs:
        if case.skip is not None:
            now = now_utc()
            identity = _identity(work, case, variant)
            blank = blank_result(case, work.targets[identity.variant_id].label, identity, Outcome.SKIPPED)
            yield replace(blank, skip_reason=case.skip, started_at=now, finished_at=now)
            continue
        while waiting and len(begun) < ahead:
            following = _identity(work, *waiting[0])
            target = work.targets[following.variant_id]
            asking = Asking(waiting.popleft()[0], target, following, work.scorers, all_trials=all_trials)
            begun.append(asking)
            engine.start(asking)
        yield engine.finish(begun.popleft(), work.scorers)


def _runs(suite: Suite) -> Iterator[tuple[Case, Variant | None]]:
    """Every case with every variant, in the order of the cases."""
    for case in suite.cases:
        for variant in suite.variants or (None,):
            yield (case if variant is None else variant.of(case)), variant


def _identity(work: Work, case: Case, variant: Variant | None) -> Identity:
    name = "" if variant is None else variant.id
    gated = any(
        is_absolute_pass_rate(gate)
        and covers(gate, suite=case.suite, tags=case.tags, category=case.category, variant=name)
        for gate in work.suite.gates
    )
    node_id = f"{work.file}::{_test_name(case, variant)}" if work.file else ""
    target, spec = work.targets[name], work.suite.target if variant is None else variant.target

    def asked() -> str:
        return target_hash(spec, variant, target.call if spec.kind == "callable" else None)

    known = work.asked.of(case, name, asked)
    return Identity(node_id, name, work.suite.experiment.name, gated, variant, known)


def _test_name(case: Case, variant: Variant | None) -> str:
    return node_name(case.id) + (f"[{variant.id}]" if variant is not None else "")


def _keeper(history: str | Path | Literal[False] | None) -> TrajectoryFolder | None:
    """Where trajectories are kept: beside the history."""
    if history is False:
        return None
    folder = atif_folder(find_history(history), Path.cwd())
    return TrajectoryFolder(folder, (Path.cwd(),), project_redactor().value)


def _why(error: BaseException) -> str:
    if isinstance(error, KeyboardInterrupt):
        return "interrupted"
    return one_line(f"{type(error).__name__}: {error}")


class _Execution:
    """What is known of the run so far; on disk too, if it is to be kept."""

    def __init__(
        self, work: Work, run_name: str, params: Mapping[str, Any], history: str | Path | Literal[False] | None
    ) -> None:
        self._suite = work.suite
        self._experiments = {work.suite.name: work.suite.experiment}
        self._planned = [*_runs(work.suite)]
        size = len(self._planned)
        self._count = SuiteCount(work.suite.name, work.file or work.suite.name, size, size, configurations(work.suite))
        self._run_name = check_run_name(run_name)
        self._params = params
        self._results: list[CaseResult] = []
        self._redactor = project_redactor()
        self._session_id = uuid.uuid4().hex
        self._started_at = now_utc()
        self._clock = time.perf_counter()
        self._provenance: Provenance | None = None
        self._location = None if history is False else find_history(history)
        self._spool = None if self._location is None else Spool(self._location.journals, self._header)

    def take(self, result: CaseResult) -> None:
        """Keep a result, at once, without secrets."""
        result = redacted(result, self._redactor)
        self._results.append(result)
        if self._spool is not None:
            self._spool.append(result_to_json(result), result)

    def finish(self, stopped: str = "") -> SuiteRun:
        """Decide the gates, and store the run. A history that cannot be written is among the problems."""
        session = self._session(stopped)
        if self._spool is None:
            return SuiteRun(tuple(self._results), session)
        try:
            runs = self._store(session, self._spool)
        finally:
            self._spool.close()
        return SuiteRun(tuple(self._results), session, tuple(runs), tuple(self._spool.complaints))

    def _store(self, session: SessionResult, spool: Spool) -> Sequence[StoredRun]:
        if spool.journal is None or self._location is None:
            return ()  # nothing was executed
        try:
            return record_session(
                self._location,
                session,
                spool.journal,
                self._experiments,
                self._provenance,
                run_name=self._run_name,
            )
        except StoreError as error:
            spool.not_stored(error)
            return ()

    def _header(self) -> Mapping[str, Any]:
        self._provenance = collect_provenance(Path.cwd(), command=sys.argv)
        header = journal_header(
            session_id=self._session_id,
            started_at=self._started_at,
            experiments=self._experiments,
            provenance=self._provenance,
            params=self._params,
            run_name=self._run_name,
        )
        return {**header, "suites": suite_facts([self._count], self._experiments)}

    def _session(self, stopped: str) -> SessionResult:
        rows = [row_of(result) for result in self._results]
        not_run = self._planned[len(rows) :]  # the results come in the order of the cases
        unanswered = [ScopedCase.of(case, variant.id if variant is not None else "") for case, variant in not_run]
        known = calibrations_for(self._suite.gates, self._location)
        verdicts = decide(self._suite.gates, rows, not_run=unanswered, stopped=stopped, calibrations=known)
        return SessionResult(
            session_id=self._session_id,
            started_at=self._started_at,
            finished_at=now_utc(),
            duration_s=time.perf_counter() - self._clock,
            rows=rows,
            suites=[self._count],
            summary=summarize(rows),
            pairs=pair_variants(rows),
            verdicts=verdicts,
            not_run=[f"{self._count.path}::{_test_name(case, variant)}" for case, variant in not_run],
            exit_status=_exit_status(rows, verdicts, stopped, len(not_run)),
            stopped=stopped,
            params=self._params,
        )


def _exit_status(rows: Sequence[CaseRow], verdicts: Sequence[GateVerdict], stopped: str, not_run: int) -> int:
    """What a session would exit with."""
    errored = [row for row in rows if row.outcome is Outcome.ERRORED]
    outside = [row for row in errored if row.error_kind is not None and row.error_kind.outside]
    failed = any(row.outcome is Outcome.FAILED and not row.gated and not row.xfail for row in rows)
    return exit_status(
        INTERRUPTED if stopped else OK,
        failed_outright=failed or len(errored) > len(outside),
        broken_gates=sum(v.verdict is Verdict.BROKEN for v in verdicts),
        undecided_gates=sum(v.verdict is Verdict.UNDECIDED for v in verdicts),
        outside_errors=len(outside),
        cases=len(rows),
        not_run=not_run,
    )
