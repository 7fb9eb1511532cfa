"""Finds the answers that ``better_than`` compares with: those of a stored run, or of a variant in this session."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from typing import TYPE_CHECKING

from ..engine.others import OtherVariants
from ..errors import EvalsError, ScorerError, UsageError
from ..model.bracket import rest_of
from ..scoring.judge.better import Other
from .rescore import OTHER, why_not

if TYPE_CHECKING:
    from ..engine.call import Identity
    from ..model.case import Case
    from ..model.result import CaseResult, Trial
    from ..store.location import Location
    from .earlier import EarlierResults


class FindOthers:
    """Reads each run once, when it is first compared with. ``location`` says where the history is."""

    def __init__(self, variants: OtherVariants, location: Callable[[], Location | None]) -> None:
        self._variants = variants
        self._location = location
        self._runs: dict[str, _Run | EvalsError] = {}
        self._lock = threading.Lock()

    async def __call__(self, case: Case, identity: Identity, trial: int, *, run: str, variant: str) -> Other:
        """See ``FindOther``."""
        if variant:
            response = await self._variants.answer(case, identity, variant, trial)
            return Other(f"variant {variant}", response.output)
        return await asyncio.to_thread(self._in_run, case, identity, trial, run)

    def _in_run(self, case: Case, identity: Identity, trial: int, spec: str) -> Other:
        with self._lock:  # cases ask from several threads, and it is read once
            found = self._runs.get(spec)
            if found is None:
                try:
                    found = _Run.read(self._location(), spec)
                except EvalsError as error:  # for every case the same, without looking again
                    found = error
                self._runs[spec] = found
            if isinstance(found, EvalsError):
                raise ScorerError(f"better_than: {found}")
            return found.answer(case, identity, trial)

    def close(self) -> None:
        """Forget the runs."""
        for run in self._runs.values():
            if isinstance(run, _Run):
                run.results.close()
        self._runs.clear()


class _Run:
    """A run, or one variant of it."""

    def __init__(self, uid: str, variant: str, results: EarlierResults) -> None:
        self.uid, self.variant, self.results = uid, variant, results
        self._brackets: dict[tuple[str, str], list[str]] = {}
        for suite, case_id, bracket in results:
            self._brackets.setdefault((suite, case_id), []).append(bracket)

    @classmethod
    def read(cls, location: Location | None, spec: str) -> _Run:
        from ..store.connect import reading
        from ..store.runs import find_run
        from .earlier import EarlierResults, session_runs

        if location is None or location.missing:
            where = f" at {location}" if location is not None else ""
            raise UsageError(f"there is no history yet{where}, and so no run {spec!r}")
        with reading(location) as connection:
            name, _, variant = spec.rpartition("@")
            run = find_run(connection, name or spec)
            uids = session_runs(connection, run)
        return cls(run.uid, variant if name else "", EarlierResults.read(location, uids))

    def answer(self, case: Case, identity: Identity, trial: int) -> Other:
        """The answer to the case, of the same variant unless another one was named."""
        there = self._brackets.get((case.suite, case.id), [])
        result = self._result(case, identity, there)
        name = f"run {self.uid}" + (f"@{self.variant}" if self.variant else "")
        if result is None or why_not(case, result) not in ("", OTHER):
            raise ScorerError(f"better_than: {name} has no answer to this case")
        if why_not(case, result) == OTHER:
            raise ScorerError(f"better_than: {name} answered another question under the id of this case")
        answered = _answered(result, trial)
        if answered is None:
            raise ScorerError(f"better_than: {name} has no answer to this case, which errored there")
        return Other(name, answered.output)

    def _result(self, case: Case, identity: Identity, there: list[str]) -> CaseResult | None:
        """That of the same bracket with the variant wanted; of a case that was asked once there, that one."""
        if self.variant:
            rest = rest_of(identity.variant, identity.variant_id) or ""
            fitting = [bracket for bracket in there if rest_of(bracket, self.variant) == rest]
        else:
            fitting = [bracket for bracket in there if bracket == identity.variant]
            fitting = fitting or (there if len(there) == 1 and there == [""] else [])
        return self.results.get((case.suite, case.id, fitting[0])) if len(fitting) == 1 else None


def _answered(result: CaseResult, trial: int) -> Trial | None:
    """The same trial, else the first that was answered."""
    same = [each for each in result.trials[trial - 1 : trial] if each.output is not None]
    return next(iter([*same, *(each for each in result.trials if each.output is not None)]), None)
