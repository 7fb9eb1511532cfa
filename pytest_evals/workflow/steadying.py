"""How steady a judge is: the answers of a stored run are judged several times over."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING

from ..errors import EvalsError, ScorerError, UsageError
from ..model.llm import ModelSpec
from ..model.score import Score
from ..stats.calibration import Stability, Steadiness
from .bench import Bench, Told
from .calibrating import prompt_of, took_of
from .calibrationplan import chosen_judges
from .judgequestion import JudgeQuestion, material_of_result, question_about, response_of
from .storedanswers import shown_id
from .suitecriteria import SuiteCriteria, judged_criteria

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ..model.result import CaseResult


@dataclass(frozen=True, slots=True)
class Repeats:
    """What is asked, and how often."""

    questions: Sequence[JudgeQuestion]
    judges: Sequence[ModelSpec]
    times: int

    @property
    def calls(self) -> int:
        """How many answers are to be judged, the repeats and all judges counted."""
        return len(self.questions) * len(self.judges) * self.times


def repeats(
    results: Iterable[CaseResult],
    suites: SuiteCriteria,
    bench: Bench,
    *,
    times: int,
    criterion: str | None = None,
    judge: str | None = None,
    wanted: Callable[[CaseResult], bool] = lambda _: True,
) -> Repeats:
    """The questions about all answers of a run, by the criteria that its suites have now.

    Raises ``UsageError`` when nothing of it is judged.
    """
    suites.check(criterion)
    found = []
    for result in filter(wanted, results):
        case = suites.case(result.case_id, result.suite)
        for each in judged_criteria(case, criterion or "") if case is not None else ():
            for number, trial in enumerate(result.trials, 1):
                if trial.output is None:
                    continue
                response, category = response_of(trial), result.category or ""
                name, material = shown_id(result, number), material_of_result(result, trial)
                try:
                    found.append(question_about(material, each, answer_id=name, response=response, category=category))
                except ScorerError as error:
                    raise UsageError(f"case {name}: {error}") from None
    if not found:
        raise UsageError("the run has no answer to a case with a criterion that a judge answers")
    return Repeats(found, chosen_judges(judge, suites.judges, bench), times)


def steady(planned: Repeats, bench: Bench, told: Told = lambda _: None) -> list[Stability]:
    """Ask, and see what changes: for each judge and criterion. Raises ``Interrupted`` at Ctrl-C."""
    asked = [
        (judge, question, number)
        for judge in planned.judges
        for question in planned.questions
        for number in range(1, planned.times + 1)
    ]
    answers, size, found = bench.ask(asked, told), planned.times, []
    for at, judge in enumerate(planned.judges):
        first = at * len(planned.questions)
        of_judge = [
            (question, answers[(first + number) * size : (first + number + 1) * size])
            for number, question in enumerate(planned.questions)
        ]
        of_judge.sort(key=lambda each: _group(each[0]))
        for (criterion, mark), group in groupby(of_judge, key=lambda each: _group(each[0])):
            found.append(_stability(judge, criterion, mark, size, list(group)))
    return found


def _group(question: JudgeQuestion) -> tuple[str, float]:
    return question.criterion, question.mark


def _stability(
    judge: ModelSpec,
    criterion: str,
    mark: float,
    times: int,
    group: Sequence[tuple[JudgeQuestion, Sequence[Score | EvalsError]]],
) -> Stability:
    errors = [str(answer) for _, answers in group for answer in answers if isinstance(answer, EvalsError)]
    return Stability(
        judge.name,
        prompt_of(judge, [question for question, _ in group]),
        criterion,
        mark,
        times,
        tuple(_steadiness(question, answers) for question, answers in group),
        errors[0] if errors else "",
        took_of([answer for _, answers in group for answer in answers]),
    )


def _steadiness(question: JudgeQuestion, answers: Sequence[Score | EvalsError]) -> Steadiness:
    scores = tuple(float(answer.value) for answer in answers if isinstance(answer, Score))
    return Steadiness(scores, question.mark, question.id, len(answers) - len(scores))
