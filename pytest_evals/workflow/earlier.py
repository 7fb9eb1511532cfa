"""The results of an earlier run, by case: their texts wait on disk until their turn."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryFile
from typing import TYPE_CHECKING

from ..errors import UsageError
from ..model.codec import result_from_json, result_to_json

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from ..model.result import CaseResult
    from ..store.location import Location
    from ..store.values import StoredRun

Key = tuple[str, str, str]

LOOKED_AT = 100
"""So many runs back one is looked for that is not named."""


class EarlierResults:
    """Every case's result of some runs, those of one session."""

    def __init__(self) -> None:
        self._file = TemporaryFile()  # noqa: SIM115 - it lives as long as the session
        self._places: dict[Key, tuple[int, int]] = {}

    @classmethod
    def read(cls, location: Location, uids: Sequence[str]) -> EarlierResults:
        """Read them all once. Raises ``StoreError`` when the history cannot be read from here."""
        from ..store.connect import reading
        from ..store.results import case_results
        from ..store.runs import run_by_uid

        found = cls()
        if not uids:
            return found
        try:
            with reading(location) as connection:
                for uid in uids:
                    run = run_by_uid(connection, uid)
                    for result in case_results(connection, run) if run is not None else ():
                        found.add(result, uid)
        except BaseException:
            found.close()
            raise
        return found

    def add_lines(self, lines: Iterable[str]) -> int:
        """Results, and answers, that no run has: as ``of_lines``. Returns how many there are of other cases."""
        number = 0
        for line in lines:
            key = result_from_json(line).key
            if key not in self._places:
                self._keep(key, line.encode("ascii"))
                number += 1
        return number

    def add(self, result: CaseResult, uid: str) -> None:
        """Keep a result of a run; of several of one case the last. What that run had taken over keeps its own run."""
        trials = tuple(replace(trial, answered_in=trial.answered_in or uid) for trial in result.trials)
        result = replace(result, trials=trials)
        self._keep(result.key, result_to_json(result).encode("ascii"))

    def _keep(self, key: Key, line: bytes) -> None:
        self._places[key] = (self._file.seek(0, 2), len(line))
        self._file.write(line)

    @classmethod
    def of_lines(cls, lines: Iterable[str]) -> EarlierResults:
        """Those that another process has read, see ``lines``."""
        found = cls()
        for line in lines:
            result = result_from_json(line)
            found._keep(result.key, line.encode("ascii"))
        return found

    def lines(self) -> Iterator[str]:
        """Each result as a line of ASCII."""
        for place in self._places.values():
            self._file.seek(place[0])
            yield self._file.read(place[1]).decode("ascii")

    def get(self, key: Key) -> CaseResult | None:
        """A case's result; ``None`` when it has none."""
        place = self._places.get(key)
        if place is None:
            return None
        self._file.seek(place[0])
        return result_from_json(self._file.read(place[1]).decode("ascii"))

    def __iter__(self) -> Iterator[Key]:
        return iter(self._places)

    def close(self) -> None:
        """Forget them."""
        self._file.close()


def named_run(connection: Connection, spec: str, option: str, folder: Path) -> StoredRun:
    """The run a person named. Raises ``UsageError``, which tells a path that was taken for a run."""
    from ..store.runs import find_run

    try:
        return find_run(connection, spec)
    except UsageError as error:
        if (folder / spec).exists():
            raise UsageError(
                f"{option}: there is no run {spec!r}, which is a path; "
                f"put paths before the option, or write {option}=RUN"
            ) from None
        raise UsageError(f"{option}: {error}") from None


def session_runs(connection: Connection, run: StoredRun) -> list[str]:
    """``uid`` of the run and of the others of its session."""
    from ..store.runs import runs_beside

    return [run.uid, *(other.uid for other in runs_beside(connection, run))]
