"""What is to be asked when a judge is held against people: a question for each of their labels."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from ..errors import ScorerError, UsageError
from ..model.criterion import Criterion
from ..model.judge import SCORER
from ..model.llm import ModelSpec
from ..scoring.judge.scales import Scale
from ..stats.calibration import passes
from ..suite import judge_named, read_labels
from .judgequestion import JudgeQuestion, material_of_label, material_of_result, question_about, response_of
from .storedanswers import StoredAnswers, shown_id
from .suitecriteria import SuiteCriteria, judged_criteria

if TYPE_CHECKING:
    from ..model.case import Case
    from ..model.labelled import Labelled
    from ..store.location import Location
    from .bench import Bench

NO_JUDGE = "name the judge with --judge-model provider/name, or a suite that has one with --suite"

NO_QUESTION = "say what is judged: a suite (--suite), --rubric, --preset, or a column 'rubric'"

OTHER_CRITERION = "about another criterion"
NOT_JUDGED = "about a criterion that no judge answers"
WHOLE = "about a whole answer that is judged by other criteria, too (--criterion says that it is about this one)"


@dataclass(frozen=True, slots=True)
class Wanted:
    """What of a judge is calibrated, as a person says it; what is not said comes from the suite."""

    suites: Sequence[Path] = ()
    criterion: str | None = None
    stated: Criterion | None = None
    """A criterion in the place of a suite's."""
    run: str | None = None
    """Where the answers of labels are that name no run."""
    judge: str | None = None
    mark: float | None = None


@dataclass(frozen=True, slots=True)
class Plan:
    """The questions to ask, each with its label, and the labels that are left out."""

    questions: Sequence[tuple[JudgeQuestion, Labelled]]
    judges: Sequence[ModelSpec]
    left_out: Mapping[str, int] = field(default_factory=dict)
    """How many labels, by the reason."""

    @property
    def calls(self) -> int:
        """How many answers are to be judged, by all judges together."""
        return len(self.questions) * len(self.judges)


def plan(labels: Path, wanted: Wanted, bench: Bench, location: Location, start: Path) -> Plan:
    """What is to be asked. Calls nothing. Raises ``SuiteError`` and ``UsageError`` for what cannot be asked."""
    rows = read_labels(labels, shown=str(labels))
    stored = StoredAnswers(location, start, wanted.run)
    try:
        return _Planner(wanted, bench, stored, start, rows).plan()
    finally:
        stored.close()


class _Planner:
    def __init__(
        self, wanted: Wanted, bench: Bench, stored: StoredAnswers, start: Path, rows: Sequence[Labelled]
    ) -> None:
        self._wanted, self._bench, self._stored, self._rows = wanted, bench, stored, rows
        suites = list(wanted.suites)
        if not suites and wanted.stated is None:
            suites = stored.suite_files(rows)
        self._suites = SuiteCriteria.read(suites, start, bench.judge) if suites else None
        if self._suites is not None and wanted.stated is None:
            self._suites.check(wanted.criterion)
        self._left_out: Counter[str] = Counter()

    def plan(self) -> Plan:
        found = []
        for row in self._rows:
            try:
                question = self._question(row)
            except ScorerError as error:
                raise UsageError(f"{row.place}: {error}") from None
            if question is not None:
                human(row, question)  # a label that is none is said before anything is paid
                found.append((question, row))
        if not found:
            why = "; ".join(f"{number} {reason}" for reason, number in self._left_out.items())
            raise UsageError(f"no label is left to calibrate with: {why}")
        return Plan(found, self._judges(), dict(self._left_out))

    def _judges(self) -> list[ModelSpec]:
        there = self._suites.judges if self._suites is not None else []
        return chosen_judges(self._wanted.judge, there, self._bench)

    def _question(self, row: Labelled) -> JudgeQuestion | None:
        name = row.criterion or self._wanted.criterion or ""
        if self._wanted.criterion and row.criterion not in ("", self._wanted.criterion):
            self._left_out[OTHER_CRITERION] += 1
            return None
        result = self._stored.find(row) if row.output is None else None
        case = None
        if self._suites is not None:
            case = self._suites.case(row.id, "") if result is None else self._suites.case(result.case_id, result.suite)
        if result is not None and not name and case is not None and len(case.criteria) > 1:
            self._left_out[WHOLE] += 1
            return None
        criterion = self._criterion(row, case, name)
        if criterion is None:
            self._left_out[NOT_JUDGED] += 1
            return None
        category = str(row.given.get("category") or "")
        if result is None:
            material, response = material_of_label(row, case), None
            category = category or (case.category or "" if case is not None else "")
            shown = row.id or f"line {row.place.line}" if row.place is not None else row.id
        else:
            trial = self._stored.trial(row, result)
            material, response = material_of_result(result, trial), response_of(trial)
            category, shown = category or result.category or "", shown_id(result, row.trial)
        return question_about(
            material, criterion, answer_id=shown, response=response, mark=self._wanted.mark, category=category
        )

    def _criterion(self, row: Labelled, case: Case | None, name: str) -> Criterion | None:
        """The criterion of a row; ``None`` when no judge answers the one that it names."""
        stated = self._wanted.stated
        if row.rubric:
            if self._suites is not None:
                raise UsageError(
                    f"{row.place}: the row has a rubric, and the suite says what is judged; give one of them"
                )
            options = {} if stated is None else stated.options
            return Criterion(SCORER, name or SCORER, {**options, "rubric": row.rubric})
        if stated is not None:
            return stated
        if self._suites is None:
            raise UsageError(f"{row.place}: {NO_QUESTION}")
        names = self._suites.names
        if name and name not in names:
            return None
        found = names if case is None else [each.name for each in judged_criteria(case, name)]
        if len(found) > 1 and not (case is None and name):
            raise UsageError(
                f"{row.place}: which of {', '.join(found)}? Say it in a column 'criterion', or --criterion"
            )
        if case is not None:
            return next(iter(judged_criteria(case, name)), None)
        shared = self._suites.shared(name or names[0])
        if shared is None:
            of = f"case {row.id!r} is not in the suite" if row.id else "the label names no case"
            raise UsageError(f"{row.place}: {of}, and {name or names[0]!r} differs from case to case")
        return shared


def chosen_judges(named: str | None, there: Sequence[ModelSpec], bench: Bench) -> list[ModelSpec]:
    """The judges to ask: the one that is named, as the suite has it, else all of the suite, else the settings' one.

    Raises ``UsageError`` when there is none, or it cannot be asked.
    """
    if named is not None:
        own = judge_named(named, "--judge-model")
        return [bench.check(next((judge for judge in there if judge.name == own.name), own))]
    found = list(there) or ([bench.judge] if bench.judge is not None else [])
    if not found:
        raise UsageError(NO_JUDGE)
    return [bench.check(judge) for judge in found]


def human(row: Labelled, question: JudgeQuestion) -> tuple[bool, float | None]:
    """The verdict of the person, and the score from 0 to 1 if it is one. Raises ``UsageError`` for neither."""
    if isinstance(row.label, bool):
        return row.label, None
    try:
        value = _value(row.label, question.scale)
    except ValueError as error:
        raise UsageError(f"{row.place}: the label: {error}; or write pass or fail") from None
    return passes(value, question.mark), value


def _value(label: float | str, scale: Scale) -> float:
    whole = isinstance(label, float) and label.is_integer()
    return scale.value(int(label) if whole else label)
