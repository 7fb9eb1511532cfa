"""Keeping a session's runs in the history."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..errors import StoreError
from ..model.case import ExperimentSpec

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from ..model.run import SessionResult, TrendPoint
    from ..store.location import Location
    from ..workflow.provenance import Provenance
    from ..workflow.spool import Spool
    from .session import SessionReports
    from .state import State


def history_location(state: State) -> Location | None:
    """Where the session's runs are kept; ``None`` with ``--evals-no-history``."""
    from ..store.location import locate

    if state.settings.no_history:
        return None
    return locate(state.settings.history, state.config.rootpath)


class SessionHistory:
    """The history's side of a session."""

    def __init__(self, session: SessionReports) -> None:
        self._session = session
        self._state = session.state
        self.location = history_location(session.state)
        self._provenance: Provenance | None = None

    @property
    def journals(self) -> Path | None:
        """The folder of the session's journal."""
        return self.location.journals if self.location is not None else None

    def header(self) -> Mapping[str, Any]:
        """What the journal begins with: enough to make the runs, were the session cut off."""
        from ..workflow.history import journal_header, suite_facts

        if self.location is None:
            return {}
        header = journal_header(
            session_id=self._session.session_id,
            started_at=self._session.started_at,
            experiments=self.experiments(),
            provenance=self.where_from(),
            params=self._session.params(),
            run_name=self._state.settings.run_name or "",
            parent=self._parent(),
        )
        return {**header, "suites": suite_facts(self._session.index.counts(), self.experiments())}

    def record(self, result: SessionResult, spool: Spool) -> list[str]:
        """Store the session's runs; returns what to say of it, a line each."""
        if self.location is None or spool.journal is None:
            return []
        from ..workflow.history import record_session, run_line

        try:
            runs = record_session(
                self.location,
                result,
                spool.journal,
                self.experiments(),
                self.where_from(),
                run_name=self._state.settings.run_name or "",
                parent=self._parent(),
            )
        except StoreError as error:
            spool.not_stored(error)
            return []
        return [run_line(run) for run in runs]

    def trend(self, result: SessionResult) -> Sequence[TrendPoint]:
        """The last runs of the session's experiments, the one just stored included."""
        if self.location is None or self.location.missing:
            return ()
        from ..store.connect import reading
        from ..workflow.trend import trend_of

        try:
            with reading(self.location) as connection:
                return trend_of(connection, {row.experiment for row in result.rows}, result.session_id)
        except StoreError:  # said already where the runs could not be stored
            return ()

    def _parent(self) -> str:
        """The run whose answers are taken over."""
        return self._state.earlier.run if self._state.earlier is not None else ""

    def experiments(self) -> dict[str, ExperimentSpec]:
        """The experiment of each suite."""
        stated = {suite.name: self._state.experiment(suite.experiment) for suite in self._session.index.suites.values()}
        own = self._state.experiment(ExperimentSpec())
        return {**stated, **{row.suite: own for row in self._session.rows.values() if row.suite not in stated}}

    def where_from(self) -> Provenance:
        """Where the session comes from; found out once."""
        if self._provenance is None:
            from ..workflow.provenance import collect_provenance

            config = self._state.config
            self._provenance = collect_provenance(
                config.rootpath,
                command=["pytest", *map(str, config.invocation_params.args)],
                settings=self._state.settings.said(),
                redact=self._state.settings.redact,
            )
        return self._provenance
