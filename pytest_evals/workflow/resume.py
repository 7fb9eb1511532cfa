"""Going on with a run that was interrupted: which run it is, and which of its answers still hold."""

from __future__ import annotations

import platform
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from ..errors import StoreError, UsageError
from ..model.outcome import Outcome
from .answered import newest_answers
from .earlier import LOOKED_AT, named_run, session_runs

if TYPE_CHECKING:
    from ..model.case import Case
    from ..model.result import CaseResult
    from ..store.location import Location
    from ..store.values import StoredRun

NOT_REACHED = "it has no answer there"
"""The reason of a case that the interrupted run did not get to."""


@dataclass(frozen=True, slots=True)
class Source:
    """The runs of a session that is gone on with."""

    uids: tuple[str, ...]
    """That of the run first; none when there is nothing to go on with."""
    commit: str = ""
    session_id: str = ""
    """Of the session, which may have left answers and no run."""
    note: str = ""
    """Why there is no run."""

    def __bool__(self) -> bool:
        return bool(self.uids or self.session_id)


def run_to_resume(location: Location, spec: str, *, errors: bool, option: str, folder: Path) -> Source:
    """The run a person named, or the newest that was interrupted (or, with ``errors``, has errored cases).

    A run that another one went on with is not looked at. Sessions that were killed are stored first. Raises
    ``UsageError`` for a run that was named and is not there, or a history that cannot be written.
    """
    from ..store.connect import reading
    from .history import recover

    try:
        if location.journals.is_dir():
            recover(location)
    except StoreError as error:
        raise UsageError(f"{option}: {error}") from None
    if location.missing:
        if spec:
            raise UsageError(f"{option}: there is no history yet at {location}")
        return Source((), session_id=newest_answers(location), note="there is no history yet")
    with reading(location) as connection:
        if spec:
            found: StoredRun | None = named_run(connection, spec, option, folder)
        else:
            from ..store.runs import list_runs

            runs = list_runs(connection, limit=LOOKED_AT)
            gone_on = {run.parent_run_id for run in runs}
            wanted: Callable[[StoredRun], bool] = _has_errors if errors else interrupted
            # a database of a team holds the runs of others, too
            mine = [run for run in runs if location.path is not None or run.host == platform.node()]
            found = next((run for run in mine if wanted(run) and run.id not in gone_on), None)
        if found is None:
            why = f"there is no run that {'has errors' if errors else 'was interrupted'}"
            return Source((), session_id=newest_answers(location), note=why)
        return Source(tuple(session_runs(connection, found)), found.git_commit or "", found.session_id)


def interrupted(run: StoredRun) -> bool:
    """Whether the run ended before its end: killed, stopped, out of budget, or with cases it never got to."""
    return run.core_status == "cancelled" or bool(run.stopped) or run.n_cancelled > 0


def _has_errors(run: StoredRun) -> bool:
    return run.error_cases > 0 or interrupted(run)


def why_again(case: Case, asked: str, before: CaseResult | None, *, errors: bool, all_trials: bool) -> str:
    """Why a case is asked although an earlier run has a result of it; "" when that result still holds.

    ``asked`` are the hashes of question, target and judge as they are now.
    """
    if before is None:
        return NOT_REACHED
    unscored = before.outcome is Outcome.SKIPPED and bool(before.trials)
    if before.outcome is Outcome.SKIPPED and not unscored:
        return "it was skipped"
    if not before.trials:
        return "it was never asked"
    if errors and before.outcome is Outcome.ERRORED:
        return "it errored"
    question, target, judge = (*before.trials[0].asked.split("."), "", "", "")[:3]
    now = asked.split(".")
    if not target:
        return "how it was asked is not known"
    if question != now[0]:
        return "it asks something else now"
    if target != now[1]:
        return "the target is another one"
    if unscored:
        return ""
    if judge != now[2]:
        return "the judge is another one"
    if before.definition_sha256 != case.definition_sha256():
        return "its criteria or expectations are others"
    if before.planned_trials != case.trials or (all_trials and len(before.trials) < case.trials):
        return "it is asked another number of times"
    return ""
