"""Copying runs from one history to another: from a laptop to the team's database, and back."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ..errors import UsageError

if TYPE_CHECKING:
    from ..store.location import Location
    from ..store.values import StoredRun


@dataclass(frozen=True, slots=True)
class Copied:
    """What became of the runs that were to be copied."""

    runs: Sequence[StoredRun] = ()
    """Those that were copied, oldest first."""
    there: Sequence[StoredRun] = ()
    """Those the target had already; it keeps its own name, note and pin of them."""
    different: Sequence[StoredRun] = field(default_factory=tuple)
    """Those whose id the target has, with other results: one of the two was changed or is damaged."""
    trajectories_left_out: int = 0
    """References to trajectories whose id another run of the target has."""


def copy_history(
    source: Location,
    target: Location,
    *,
    runs: Sequence[str] = (),
    experiment: str | None = None,
    dry_run: bool = False,
    progress: Callable[[int, int], None] | None = None,
) -> Copied:
    """Copy runs, each in one transaction, oldest first; a copy that is cut off goes on where it was when done again.

    ``runs`` (ids, names, ``last``) and ``experiment`` narrow what is copied. ``progress`` is told how many of how many
    runs are done. Raises ``UsageError`` for a source that is the target and for runs that are not there, ``StoreError``
    when one of the two cannot be read or written.
    """
    from ..store.connect import reading, writing
    from ..store.runs import find_run, list_runs, run_by_uid
    from ..store.transfer import copy_run

    def tell(done: int, of: int) -> None:
        if progress is not None:
            progress(done, of)

    if _same(source, target):
        raise UsageError(f"{source}: the source and the target are the same history")
    copied: list[StoredRun] = []
    there: list[StoredRun] = []
    different: list[StoredRun] = []
    left_out = 0
    with reading(source) as connection:
        if runs:
            named = {run.id: run for run in (find_run(connection, name, experiment=experiment) for name in runs)}
            wanted = sorted(named.values(), key=lambda run: (run.started_at, run.id))
        else:
            wanted = list_runs(connection, experiment=experiment)[::-1]
        if experiment is not None and not wanted:
            raise UsageError(f"{source}: there is no run of experiment {experiment!r}")
        known = _known(target)
        for done, run in enumerate(wanted):
            tell(done, len(wanted))
            found = known.get(run.uid)
            if found is None and not dry_run:
                with writing(target) as other:
                    found = run_by_uid(other, run.uid)  # another copy may be under way
                    if found is None:
                        left_out += copy_run(connection, other, run)
            if found is None:
                copied.append(run)
            else:
                (there if _alike(run, found) else different).append(run)
        tell(len(wanted), len(wanted))
    return Copied(copied, there, different, left_out)


def _known(target: Location) -> dict[str, StoredRun]:
    """The runs of the target by their ids."""
    from ..store.connect import reading
    from ..store.runs import list_runs

    if target.missing:
        return {}
    with reading(target) as connection:
        return {run.uid: run for run in list_runs(connection)}


def _same(source: Location, target: Location) -> bool:
    if source.path is not None and target.path is not None:
        return source.path.resolve() == target.path.resolve()
    return source.url == target.url and source.path == target.path


_IDENTITY = (
    *("session_id", "experiment", "type", "status", "started_at", "finished_at", "total_cases", "passed_cases"),
    *("failed_cases", "error_cases", "judged_cases", "skipped_cases", "exit_status"),
)


def _alike(run: StoredRun, other: StoredRun) -> bool:
    return all(getattr(run, name) == getattr(other, name) for name in _IDENTITY)
