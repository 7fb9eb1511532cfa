"""From a journal to runs: one for each experiment and type, each in one transaction."""

from __future__ import annotations

import hashlib
from base64 import b32encode
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from ..model.case import DEFAULT_EXPERIMENT, ExperimentSpec
from ..model.memory import collector_paused
from ..model.outcome import ErrorKind, Outcome
from ..model.result import CaseRow
from ..model.run import RunType
from ..store.journal import Entry, Journal, Key
from ..store.rows import run_type
from ..store.times import now, utc_or_none

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from ..model.summary import Summary
    from ..store.location import Location
    from ..store.values import StoredRun

FAILED = 1
"""The exit status of a session that ended by itself, and not well."""

CUT_OFF = "the session was cut off before its end; this is what its journal held"


@dataclass(frozen=True, slots=True)
class Facts:
    """What is known of a session besides its results. In plain JSON types, so that a journal can hold it."""

    session_id: str
    started_at: str
    finished_at: str = ""
    exit_status: int | None = None
    stopped: str = ""
    suites: tuple[Mapping[str, Any], ...] = ()
    """name, experiment, defined, selected of each."""
    not_run: Mapping[str, int] = field(default_factory=dict)
    """How many selected cases of a suite have no result; under "" those whose suite is not known."""
    experiments: tuple[Mapping[str, Any], ...] = ()
    """name, description, config of each."""
    gates: tuple[Mapping[str, Any], ...] = ()
    params: Mapping[str, Any] = field(default_factory=dict)
    provenance: Mapping[str, Any] = field(default_factory=dict)
    run_name: str = ""
    parent: str = ""
    """``uid`` of the run whose answers were taken over or scored again, or of another run of its session."""
    judged: Mapping[str, Any] = field(default_factory=dict)
    """subject_model, judge_model, counters of a judged run."""
    cut_off: bool = False
    """Whether it never got to its end."""

    @classmethod
    def read(cls, data: Mapping[str, Any], **more: Any) -> Facts:
        """The facts a journal holds; what later versions add is left out."""
        return cls(**{name: data[name] for name in cls.__dataclass_fields__ if name in data}, **more)


Row = Callable[[Entry], CaseRow]


def run_uid(session_id: str, experiment: str, kind: RunType) -> str:
    """The id of a run: the same for the same session, experiment and type, so that no run is stored twice."""
    digest = hashlib.sha256(f"{session_id}\0{experiment}\0{kind}".encode("utf-8", "replace")).digest()
    return b32encode(digest).decode("ascii").lower()[:12]


@collector_paused()
def store_journal(
    location: Location, facts: Facts, journal: Journal, order: Iterable[Key], row: Row
) -> list[StoredRun]:
    """Write what the journal holds as runs, and return them; those that are there already are left as they are.

    Raises ``StoreError`` when the history cannot be written; runs written before that stay.
    """
    from ..store.connect import writing

    runs: list[StoredRun] = []
    keys = list(dict.fromkeys([*(k for k in order if k in journal), *journal]))
    if all(journal.read_entry(key).data["outcome"] == Outcome.SKIPPED for key in keys):
        return runs  # nothing was executed: there is no run to keep
    first: dict[str, _Group] = {}
    while keys:
        share = _Share(facts, journal, row, first)
        try:
            with writing(location) as connection:
                keys = share.take(connection, keys)
                run = share.finish(connection)
        except _NothingExecutedError as nothing:
            keys = nothing.others
            continue
        runs.append(run)
    return runs


_Group = tuple[str, RunType]


class _NothingExecutedError(Exception):
    """Undoes the transaction of a run all of whose cases were skipped."""

    def __init__(self, others: list[Key]) -> None:
        self.others = others


class _Share:
    """The part of a journal that is one run."""

    def __init__(self, facts: Facts, journal: Journal, row: Row, first: dict[str, _Group]) -> None:
        self._facts = facts
        self._journal = journal
        self._row = row
        self._first = first
        """The group of each suite's first result; cases never reached are counted there."""
        self._rows: list[CaseRow] = []
        self._targets: dict[str, None] = {}
        self._taken_over: set[tuple[str, str, str]] = set()
        """Cases that an earlier run has paid for."""
        self._last_finish = ""

    def take(self, connection: Connection, keys: list[Key]) -> list[Key]:
        """Write the results of the first key's experiment and type; returns the keys of all others."""
        from ..store.edit import delete_run_by_uid
        from ..store.runs import run_by_uid
        from ..store.writer import RunWriter

        others: list[Key] = []
        self._group = self._group_of(self._journal.read_entry(keys[0]))
        self._uid = run_uid(self._facts.session_id, *self._group)
        existing = run_by_uid(connection, self._uid)
        if existing is not None and existing.error == CUT_OFF and not self._facts.cut_off:
            # another machine took this session for dead; it knows better
            delete_run_by_uid(connection, self._uid)
            existing = None
        self._existing = existing
        if existing is None:
            self._writer = RunWriter(connection, self._group[1], self._experiment(), self._known(connection))
        for key in keys:
            entry = self._journal.read_entry(key)
            group = self._group_of(entry)
            self._first.setdefault(entry.data["suite"], group)
            if group != self._group:
                others.append(key)
            elif existing is None:
                row = self._row(entry)
                if row.outcome is Outcome.SCORED and row.score is None:  # stored as what it is, too
                    row = replace(row, outcome=Outcome.ERRORED, error_kind=ErrorKind.SCORER)
                self._rows.append(row)
                if any(trial.get("answered_in") for trial in entry.data.get("trials", ())):
                    self._taken_over.add(row.key)
                self._last_finish = max(self._last_finish, utc_or_none(entry.data.get("finished_at")) or "")
                if target := entry.data.get("target"):
                    self._targets[target] = None
                self._writer.add(entry, row)
        if existing is None and all(row.outcome is Outcome.SKIPPED for row in self._rows):
            raise _NothingExecutedError(others)
        return others

    def finish(self, connection: Connection) -> StoredRun:
        """Write what the results come to."""
        from ..stats import summarize
        from ..store.runs import run_by_uid

        if self._existing is not None:
            return self._existing
        facts, kind = self._facts, self._group[1]
        summary = summarize(self._rows)
        unreached = self._unreached()
        if kind == "judged":
            self._writer.judged(
                {
                    "eval": ", ".join(summary.by_suite),
                    "subject_model": facts.judged.get("subject_model") or ", ".join(self._targets) or None,
                    "judge_model": facts.judged.get("judge_model"),
                    "mean_score": summary.score.mean,
                    "counters": facts.judged.get("counters") or {},
                }
            )
        started = utc_or_none(facts.started_at) or now()
        finished = utc_or_none(facts.finished_at) or self._last_finish or started
        self._writer.finish(
            {
                **_counts(self._rows, summary, unreached),
                "status": _status(kind, summary, facts, unreached),
                "pass_rate": summary.pass_rate,
                "score": summary.score.mean,
                "latency_p50_ms": summary.latency.p50,
                "latency_p95_ms": summary.latency.p95,
                **self._paid(summary),
                "finished_at": max(started, finished),
                "heartbeat_at": max(started, finished),
            }
        )
        run = run_by_uid(connection, self._uid)
        assert run is not None
        return run

    def _paid(self, summary: Summary) -> dict[str, Any]:
        """What this run has paid itself: so that the runs of an experiment add up to what was spent."""
        from ..stats import summarize

        cost = summary.cost_usd
        if self._taken_over:
            own = [row for row in self._rows if row.key not in self._taken_over]
            cost = summarize(own).cost_usd
            if not any(row.outcome is not Outcome.SKIPPED for row in own):
                return {"cost_usd": 0.0, "unpriced_cases": 0}
        return {"cost_usd": cost.value, "unpriced_cases": cost.unknown}

    def _group_of(self, entry: Entry) -> _Group:
        return entry.data.get("experiment") or DEFAULT_EXPERIMENT, run_type(entry.data)

    def _experiment(self) -> ExperimentSpec:
        stated = [e for e in self._facts.experiments if e["name"] == self._group[0]]
        description = next((e["description"] for e in stated if e.get("description")), "")
        return ExperimentSpec(self._group[0], description, next((e["config"] for e in stated if e.get("config")), {}))

    def _known(self, connection: Connection) -> dict[str, Any]:
        """The columns of the run that are known before its results."""
        from ..store.runs import run_by_uid

        facts, provenance = self._facts, self._facts.provenance
        suites = [suite for suite in facts.suites if suite["experiment"] == self._group[0]]
        names = {suite["name"] for suite in suites}
        parent = _of_group(connection, run_by_uid(connection, facts.parent), self._group) if facts.parent else None
        dirty = provenance.get("git_dirty")
        return {
            "uid": self._uid,
            "session_id": facts.session_id,
            "name": facts.run_name,
            "parent_run_id": parent.id if parent else None,
            "defined_cases": sum(suite["defined"] for suite in suites) if suites else None,
            "selected_cases": sum(suite["selected"] for suite in suites) if suites else None,
            "error": CUT_OFF if facts.cut_off else None,
            "exit_status": facts.exit_status,
            "stopped": facts.stopped,
            "gates": [gate for gate in facts.gates if gate.get("suite") is None or gate["suite"] in names],
            "params": {
                **{name: provenance[name] for name in ("command", "settings", "versions") if name in provenance},
                **facts.params,
                **_variants(suites),
            },
            "host": provenance.get("host") or "",
            **{name: provenance.get(name) for name in ("git_commit", "git_branch", "ci_provider", "ci_url")},
            "git_dirty": None if dirty is None else int(dirty),
            "started_at": utc_or_none(facts.started_at) or now(),
        }

    def _unreached(self) -> int:
        """How many selected cases have no result; each suite's are counted in the run of its first result."""
        facts = self._facts
        have = Counter(key[0] for key in self._journal)
        unreached = facts.not_run.get("", 0) if self._first.setdefault("", self._group) == self._group else 0
        for suite in facts.suites:
            name = suite["name"]
            if suite["experiment"] != self._group[0] or self._first.get(name, self._group) != self._group:
                continue
            self._first.setdefault(name, self._group)
            unreached += max(0, suite["selected"] - have[name]) if facts.cut_off else facts.not_run.get(name, 0)
        return unreached


def _of_group(connection: Connection, run: StoredRun | None, group: _Group) -> StoredRun | None:
    """The run of that experiment and type in the run's session, if there is one; else the run itself."""
    from ..store.runs import runs_beside

    if run is None or (run.experiment, run.type) == group:
        return run
    return next((each for each in runs_beside(connection, run) if (each.experiment, each.type) == group), run)


def _variants(suites: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """The variants by suite, for the parameters of a run; nothing when no suite has any."""
    known = {suite["name"]: suite["variants"] for suite in suites if suite.get("variants")}
    return {"variants": known} if known else {}


def _counts(rows: list[CaseRow], summary: Summary, unreached: int) -> dict[str, int]:
    counts = summary.counts
    return {
        "total_cases": counts.ran + unreached,
        "passed_cases": counts.passed + counts.warned + counts.xpassed,
        "warned_cases": sum(row.outcome is Outcome.WARNED for row in rows),
        "failed_cases": counts.failed + counts.xfailed,
        "missed_cases": summary.missed + counts.xfailed,
        "error_cases": counts.errors,
        "judged_cases": counts.scored,
        "skipped_cases": counts.skipped,
    }


def _status(kind: RunType, summary: Summary, facts: Facts, unreached: int) -> str:
    """*passed*: every case was reached, and none failed outright or errored. What gates say stands with the gates."""
    if facts.cut_off or (facts.stopped and facts.exit_status != FAILED):
        return "cancelled"
    counts = summary.counts
    if counts.errors or counts.failed > summary.missed:
        return "failed" if kind == "checked" else "error"
    if unreached:
        return "cancelled"
    return "passed" if kind == "checked" else "completed"
