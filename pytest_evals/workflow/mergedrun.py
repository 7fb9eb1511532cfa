"""What becomes of merged shards: a run of the history, and reports."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..errors import StoreError
from ..model.case import ExperimentSpec
from .comparing import with_answers
from .history import journal_header, record_session, run_line, suite_facts
from .merge import Shards, Wishes, merged
from .provenance import Provenance
from .spool import Spool

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ..model.run import SessionResult
    from ..store.location import Location


class MergedRun:
    """The evaluation that the shards come to. ``close`` it: until then its results lie in a file."""

    def __init__(self, shards: Shards, spool: Spool, session: SessionResult, location: Location | None, name: str):
        self._shards = shards
        self._spool = spool
        self._location = location
        self._name = name
        self.session = session

    @classmethod
    def of(
        cls,
        files: Iterable[Path],
        location: Location | None,
        *,
        gates: Sequence[str] = (),
        baseline: str | None = None,
        allow_missing: bool = False,
        run_name: str | None = None,
    ) -> MergedRun:
        """Read the shards and compute what they come to. ``location``: the history, ``None`` for none.

        Raises ``UsageError`` for files that cannot be merged, ``GateError`` for a gate that is none.
        """
        wishes = Wishes(gates, baseline, allow_missing, Path.cwd())
        shards = Shards.read(files)
        shards.gates(gates)  # a gate that is none is told before the results are read
        name = run_name or shards.facts[0].run_name
        # no journal beside the history: the shards are there until they are merged, and nothing is to be made for
        # files that are refused
        spool = Spool(None, lambda: _header(shards, name))
        try:
            session = merged(shards, shards.take(spool), location, wishes)
            if session.comparison is not None:
                shown = with_answers(session.comparison, location, spool.results)
                session = replace(session, comparison=shown)
        except BaseException:
            spool.close()
            raise
        return cls(shards, spool, session, location, name)

    @property
    def other_tests(self) -> int:
        """Ordinary tests that ran in the shards."""
        return sum(facts.other_tests for facts in self._shards.facts)

    def record(self) -> tuple[list[str], str]:
        """Keep it in the history; returns a line for each run, and what went wrong."""
        journal = self._spool.journal
        if self._location is None or journal is None:
            return [], ""
        try:
            runs = record_session(
                self._location,
                self.session,
                journal,
                _experiments(self._shards),
                _provenance(self._shards),
                run_name=self._name,
                parent=self._shards.facts[0].parent,
            )
        except StoreError as error:
            return [], f"history: {error.__cause__ or error}; when that is mended, merge the shards again"
        self.session = replace(self.session, trend=self._trend(self._location))
        return [run_line(run) for run in runs], ""

    def _trend(self, location: Location) -> Any:
        from ..store.connect import reading
        from .trend import trend_of

        with reading(location) as connection:
            return trend_of(connection, {row.experiment for row in self.session.rows}, self.session.session_id)

    def write(self, format_name: str, path: str) -> str:
        """Write a report; returns the line that says so, or why it could not be written."""
        from ..report import write_report

        order = [row.key for row in self.session.rows]
        return write_report(format_name, path, self.session, self._spool.results(order))

    def close(self) -> None:
        """Remove what is not needed any more."""
        self._spool.close()


def _header(shards: Shards, name: str) -> Mapping[str, Any]:
    experiments = _experiments(shards)
    header = journal_header(
        session_id=shards.session_id,
        started_at=shards.started_at,
        experiments=experiments,
        provenance=_provenance(shards),
        params=shards.facts[0].params,
        run_name=name,
        parent=shards.facts[0].parent,
    )
    return {**header, "suites": suite_facts(shards.suites(), experiments)}


def _experiments(shards: Shards) -> dict[str, ExperimentSpec]:
    found: dict[str, ExperimentSpec] = {}
    for facts in shards.facts:
        found |= {suite: ExperimentSpec(**spec) for suite, spec in facts.experiments.items()}
    return found


def _provenance(shards: Shards) -> Provenance:
    return Provenance(**shards.facts[0].provenance)
