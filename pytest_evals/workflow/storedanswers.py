"""Answers of stored runs that labels are about."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from ..errors import UsageError
from ..model.place import did_you_mean
from .earlier import EarlierResults, Key
from .rescoring import suite_files

if TYPE_CHECKING:
    from ..model.labelled import Labelled
    from ..model.result import CaseResult, Trial
    from ..store.location import Location
    from ..store.values import StoredRun


class StoredAnswers:
    """Finds answers by run and case; each run is read once. ``run`` is that of labels that name none."""

    def __init__(self, location: Location, start: Path, run: str | None) -> None:
        self._location, self._start, self._default = location, start, run
        self._runs: dict[str, StoredRun] = {}
        self._results: dict[str, EarlierResults] = {}
        self._named: dict[str, dict[str, list[Key]]] = {}

    def suite_files(self, rows: Iterable[Labelled]) -> list[Path]:
        """The suite files of the runs that have the answers. Raises ``UsageError`` for those that are not there."""
        runs = {run.uid: run for run in (self._run(row) for row in rows if row.output is None)}
        files = [file for run in runs.values() for file in suite_files(self._location, run, self._start)]
        return [Path(file) for file in dict.fromkeys(files)]

    def find(self, row: Labelled) -> CaseResult:
        """The result that a label is about. Raises ``UsageError``, which begins with the label's place."""
        run = self._run(row)
        if run.uid not in self._results:
            self._results[run.uid] = EarlierResults.read(self._location, [run.uid])
            self._named[run.uid] = _by_name(self._results[run.uid])
        named = self._named[run.uid]
        keys = _narrowed(named.get(row.id, []), row)
        if len(keys) != 1:
            if not keys:
                why = f"run {run.uid} has no case {row.id!r}{did_you_mean(row.id, named)}"
            else:
                there = ", ".join(_full(key) for key in keys[:4])
                why = f"run {run.uid} has several cases {row.id!r}: write one of {there}"
            raise UsageError(f"{row.place}: {why}")
        found = self._results[run.uid].get(keys[0])
        assert found is not None
        return found

    def trial(self, row: Labelled, result: CaseResult) -> Trial:
        """The trial whose answer the label is about. Raises ``UsageError`` when there is no such answer."""
        if row.trial > len(result.trials):
            raise UsageError(f"{row.place}: case {row.id!r} has no trial {row.trial} there")
        trial = result.trials[row.trial - 1]
        if trial.output is None:
            raise UsageError(f"{row.place}: case {row.id!r} has no answer there, it was {trial.outcome.value}")
        return trial

    def close(self) -> None:
        """Forget what was read."""
        for results in self._results.values():
            results.close()

    def _run(self, row: Labelled) -> StoredRun:
        spec = row.run or self._default
        if not spec:
            raise UsageError(f"{row.place}: the row has no output; name the run that has it: a column 'run', or --run")
        if spec not in self._runs:
            from ..store.connect import reading
            from ..store.runs import find_run

            if self._location.missing:
                raise UsageError(f"{row.place}: there is no history yet at {self._location}; name one with --history")
            try:
                with reading(self._location) as connection:
                    self._runs[spec] = find_run(connection, spec)
            except UsageError as error:
                raise UsageError(f"{row.place}: {error}") from None
        return self._runs[spec]


def shown_id(result: CaseResult, trial: int = 1) -> str:
    """How people read which answer it is: ``refund-window[small]``, ``refund-window, trial 2``."""
    name = f"{result.case_id}[{result.variant}]" if result.variant else result.case_id
    return f"{name}, trial {trial}" if len(result.trials) > 1 else name


def _narrowed(keys: Sequence[Key], row: Labelled) -> Sequence[Key]:
    """Those of the suite and variant that the row names; of several the one without a variant, if there is one."""
    found = [
        key for key in keys if (not row.suite or key[0] == row.suite) and (not row.variant or key[2] == row.variant)
    ]
    plain = [key for key in found if not key[2]]
    return plain if len(found) > 1 and len(plain) == 1 else found


def _by_name(keys: Iterable[Key]) -> dict[str, list[Key]]:
    found: dict[str, list[Key]] = {}
    for key in keys:
        for name in dict.fromkeys(_names(key)):
            found.setdefault(name, []).append(key)
    return found


def _names(key: Key) -> Iterator[str]:
    suite, case, variant = key
    yield case
    yield f"{suite}::{case}"
    yield f"{case}[{variant}]" if variant else case
    yield _full(key)


def _full(key: Key) -> str:
    suite, case, variant = key
    return f"{suite}::{case}[{variant}]" if variant else f"{suite}::{case}"
