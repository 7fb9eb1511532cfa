"""Keeping the runs of a session in the history, and finishing those of sessions that were cut off."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..errors import StoreError
from ..model.case import DEFAULT_EXPERIMENT, ExperimentSpec
from ..model.codec import case_result
from ..model.redaction import Redactor
from ..model.result import CaseRow
from ..model.wire import plain
from ..report.rows import row_of
from ..store.abandoned import abandoned, living
from ..store.journal import Entry, Journal, Key
from .provenance import Provenance
from .recording import Facts, store_journal

if TYPE_CHECKING:
    from ..model.gate import GateVerdict
    from ..model.run import SessionResult
    from ..store.location import Location
    from ..store.owner import Owner
    from ..store.values import StoredRun

RECOVER = "pytest-evals history recover"


def journal_header(
    *,
    session_id: str,
    started_at: str,
    experiments: Mapping[str, ExperimentSpec] | None = None,
    provenance: Provenance | None = None,
    params: Mapping[str, Any] | None = None,
    run_name: str = "",
    parent: str = "",
) -> dict[str, Any]:
    """What a session's journal begins with: enough to make its runs, were it cut off. ``experiments`` are by suite.

    Suites and their numbers of cases follow with ``journal.note({"suites": suite_facts(…)})`` when they are known.
    """
    facts = Facts(
        session_id=session_id,
        started_at=started_at,
        experiments=_experiments(experiments or {}),
        params=Redactor().value(plain(params or {})),
        provenance=provenance.plain() if provenance else {},
        run_name=run_name,
        parent=parent,
    )
    return asdict(facts)


def suite_facts(
    suites: Sequence[Any], experiments: Mapping[str, ExperimentSpec] | None = None
) -> tuple[dict[str, Any], ...]:
    """The ``SuiteCount``s of a session as its journal keeps them."""
    return tuple(
        {
            "name": suite.name,
            "experiment": (experiments or {}).get(suite.name, ExperimentSpec()).name or DEFAULT_EXPERIMENT,
            "defined": suite.defined,
            "selected": suite.selected,
            "variants": list(suite.variants),
        }
        for suite in suites
    )


def record_session(
    location: Location,
    session: SessionResult,
    journal: Journal,
    experiments: Mapping[str, ExperimentSpec] | None = None,
    provenance: Provenance | None = None,
    *,
    run_name: str = "",
    parent: str = "",
) -> list[StoredRun]:
    """Store the session's runs, one per experiment and type, each in one transaction; none if nothing was executed.

    ``experiments`` are by the name of the suite. The journal is read, not removed: call ``journal.finish()`` when the
    reports are written. Raises ``StoreError`` when the history cannot be written; the journal is then kept by
    ``finish``, and the message says how to recover the runs.
    """
    facts = _session_facts(session, experiments or {}, provenance, run_name, parent)
    rows: dict[Key, CaseRow] = {row.key: row for row in session.rows}
    journal.end(asdict(facts))
    _recover_quietly(location)

    def row(entry: Entry) -> CaseRow:
        return rows.get(entry.key) or journal_row(entry)

    return store_or_keep(location, facts, journal, [row.key for row in session.rows], row)


def store_or_keep(
    location: Location, facts: Facts, journal: Journal, order: Any = (), row: Any = None
) -> list[StoredRun]:
    """``store_journal``; when that fails, the journal is kept and the error says what to do."""
    try:
        return store_journal(location, facts, journal, order, row or journal_row)
    except BaseException as error:
        journal.keep = True
        if not isinstance(error, StoreError):
            raise
        if journal.flush():
            raise StoreError(f"{error}; nothing is lost: when that is mended, run: {RECOVER}") from error
        raise StoreError(f"{error}; and the run's journal cannot be kept either") from error


def run_line(run: StoredRun) -> str:
    """What is said of a run that was stored: ``experiment support, run k3f9x0c2m4ab: passed, cost $0.12``."""
    from ..report.format import usd

    name = f" ({run.name})" if run.name else ""
    return f"experiment {run.experiment}, run {run.uid}{name}: {run.status}, cost {usd(run.cost_usd)}"


@dataclass(frozen=True, slots=True)
class Recovery:
    """What became of the journals beside a history."""

    runs: Sequence[StoredRun] = ()
    """The runs that are now in the history."""
    empty: int = 0
    """Journals without an executed case, which were removed."""
    alive: Sequence[tuple[Path, Owner]] = ()
    """Journals left alone, since their sessions run, or may run on another machine."""
    failed: Sequence[str] = field(default_factory=tuple)
    """What could not be recovered and why, a line each; these journals stay."""


def recover(location: Location, *, foreign: bool = False) -> Recovery:
    """Finish the runs of sessions that are gone: what they had answered is kept, their status is *cancelled*.

    A session that did end, and only could not write the history, gets the status it had. ``foreign`` includes journals
    that another machine wrote to within the last hour. Raises ``StoreError`` when the history cannot be written.
    """
    runs: list[StoredRun] = []
    empty, failed = 0, []
    for journal in abandoned(location.journals, foreign=foreign):
        try:
            stored = store_journal(location, _facts_of(journal), journal, (), journal_row)
        except StoreError:
            journal.close()
            raise
        except Exception as error:  # one journal that cannot be stored must not hold up the others
            journal.close()
            failed.append(f"{journal.path}: {type(error).__name__}: {' '.join(str(error).split())[:200]}")
            continue
        runs += stored
        empty += not stored
        journal.finish()
    return Recovery(runs, empty, tuple(living(location.journals)), tuple(failed))


def _recover_quietly(location: Location) -> None:
    """Other sessions' journals must not disturb this one; what is wrong with the history itself it will meet anyway."""
    try:
        recover(location)
    except (StoreError, OSError):
        return


def _facts_of(journal: Journal) -> Facts:
    if journal.ending is not None:
        return Facts.read(journal.ending)
    stopped = "the process was killed or the machine went down"
    header = {"session_id": journal.path.stem if journal.path else "", "started_at": "", **journal.header}
    return Facts.read({**header, "exit_status": None, "stopped": stopped, "cut_off": True})


def journal_row(entry: Entry) -> CaseRow:
    """What aggregates need of a case of a journal."""
    return row_of(case_result(_copy(entry.data)))


def _copy(data: dict[str, Any]) -> dict[str, Any]:
    """A copy that ``case_result`` may change: it puts values in the place of texts and mappings."""
    return {name: _deep(value) for name, value in data.items()}


def _deep(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _deep(item) for name, item in value.items()}
    return [_deep(item) for item in value] if isinstance(value, list) else value


def _session_facts(
    session: SessionResult,
    experiments: Mapping[str, ExperimentSpec],
    provenance: Provenance | None,
    run_name: str,
    parent: str,
) -> Facts:
    suites = suite_facts(session.suites, experiments)
    return Facts(
        session_id=session.session_id,
        started_at=session.started_at,
        finished_at=session.finished_at,
        exit_status=session.exit_status,
        stopped=session.stopped,
        suites=suites,
        not_run=_not_run(session),
        experiments=_experiments(experiments),
        gates=tuple(map(gate_facts, session.verdicts)),
        params=Redactor().value(plain(session.params)),
        provenance=provenance.plain() if provenance else {},
        run_name=run_name,
        parent=parent,
    )


def _experiments(experiments: Mapping[str, ExperimentSpec]) -> tuple[dict[str, Any], ...]:
    return tuple(
        {"name": spec.name or DEFAULT_EXPERIMENT, "description": spec.description, "config": plain(spec.config)}
        for spec in experiments.values()
    )


def _not_run(session: SessionResult) -> dict[str, int]:
    """How many cases of each suite have no result. Node ids begin with the file's path below the rootdir."""
    by_file: Counter[str] = Counter()
    for node_id in session.not_run:
        by_file[node_id.partition("::")[0]] += 1
    files = dict(_files(session))
    counts: Counter[str] = Counter()
    for file, number in by_file.items():
        counts[files.get(file, "")] += number
    return dict(counts)


def _files(session: SessionResult) -> Iterator[tuple[str, str]]:
    """The file of each suite as node ids write it: known from its results, else as it is shown."""
    for suite in session.suites:
        yield suite.path, suite.name
    for row in session.rows:
        if row.node_id:
            yield row.node_id.partition("::")[0], row.suite


def gate_facts(verdict: GateVerdict) -> dict[str, Any]:
    """A gate with its verdict, as the history keeps it."""
    gate = verdict.gate
    facts: dict[str, Any] = {
        "gate": gate.text,
        "suite": gate.suite,
        "metric": gate.metric,
        "op": gate.op,
        "bound": gate.bound,
        "unit": gate.unit,
        "verdict": verdict.verdict.value,
        "observed": verdict.observed,
        "margin": verdict.margin,
        "cases": verdict.cases,
        "reason": verdict.reason,
    }
    return {name: plain(value) for name, value in facts.items()}
