"""The criteria of suites that judges answer, read without a session."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from ..errors import UsageError
from ..model.judge import SCORER
from ..model.place import did_you_mean
from ..scoring import specs
from ..suite import RunDefaults, read_suite
from ..suite.judge import judgements
from .where import project

if TYPE_CHECKING:
    from ..model.case import Case, Suite
    from ..model.criterion import Criterion
    from ..model.llm import ModelSpec


class SuiteCriteria:
    """The cases of some suites with their judged criteria."""

    def __init__(self, suites: Iterable[Suite]) -> None:
        self._cases = {(suite.name, case.id): case for suite in suites for case in suite.cases}
        self._suites = {suite for suite, _ in self._cases}

    @classmethod
    def read(cls, paths: Sequence[Path], start: Path, judge: ModelSpec | None) -> SuiteCriteria:
        """Those in suite files; ``judge`` is that of suites that name none. Raises ``SuiteError``, ``UsageError``."""
        root, found = project(start)[0], []
        defaults = RunDefaults(judge=judge)
        for path in paths:
            if not path.is_file():
                raise UsageError(f"there is no suite file {path}")
            suite = read_suite(path.absolute(), specs=specs(), defaults=defaults, shown=str(path), top=root)
            found.append(suite)
        return cls(found)

    def case(self, case_id: str, suite: str = "") -> Case | None:
        """A case by its id: of several suites the one that is named, or the only one that has it."""
        if suite and len(self._suites) > 1:
            return self._cases.get((suite, case_id))
        found = [case for (_, name), case in self._cases.items() if name == case_id]
        return found[0] if len(found) == 1 else None

    @property
    def names(self) -> list[str]:
        """The names of all judged criteria, each once."""
        return list(dict.fromkeys(each.name for case in self._cases.values() for each in judged_criteria(case)))

    def shared(self, name: str) -> Criterion | None:
        """The criterion of a name where it is the same in every case; ``None`` when it is not."""
        found = [each for case in self._cases.values() for each in judged_criteria(case, name)]
        return found[0] if found and all(each == found[0] for each in found) else None

    @property
    def judges(self) -> list[ModelSpec]:
        """The judges of all cases, each once."""
        found: list[ModelSpec] = []
        for case in self._cases.values():
            found += [judge for judge in case.judges if judge not in found]
        return found

    def check(self, name: str | None) -> None:
        """Raise ``UsageError`` when nothing is judged, or no judged criterion has this name."""
        names = self.names
        if not names:
            raise UsageError("no case of the suite has a criterion that a judge answers (llm_judge)")
        if name is not None and name not in names:
            there = f"there are {', '.join(names)}" if len(names) > 1 else f"there is {names[0]}"
            raise UsageError(f"no judge answers a criterion {name!r}{did_you_mean(name, names) or f'; {there}'}")


def judged_criteria(case: Case, name: str = "") -> list[Criterion]:
    """The criteria of a case that a judge scores; only those with a name, if one is given."""
    scored = (each for each in judgements(case.criteria) if each.scorer == SCORER)
    return [each for each in scored if not name or each.name == name]
