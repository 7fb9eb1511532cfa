"""Holding a judge against people: the answers they labelled are judged, and both verdicts compared."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ..errors import EvalsError, JudgeError
from ..model.judge import JUDGE, add_up
from ..model.labelled import Labelled
from ..model.llm import ModelSpec
from ..model.score import Score
from ..scoring.judge.judged import question_of
from ..stats.calibration import Calibration, Rated
from .bench import Bench, Told
from .calibrationplan import Plan, human
from .judgequestion import JudgeQuestion

_Answered = tuple[JudgeQuestion, Labelled, Score | EvalsError]


def calibrate(planned: Plan, bench: Bench, told: Told = lambda _: None) -> list[Calibration]:
    """Ask, and compare: a calibration for each judge and criterion. Raises ``Interrupted`` at Ctrl-C."""
    asked = [(judge, question, 1) for judge in planned.judges for question, _ in planned.questions]
    answers = iter(bench.ask(asked, told))
    found = []
    for judge in planned.judges:
        groups: dict[tuple[str, float], list[_Answered]] = {}
        for (question, row), answer in zip(planned.questions, answers, strict=False):
            groups.setdefault((question.criterion, question.mark), []).append((question, row, answer))
        found += [_calibration(judge, *key, group) for key, group in groups.items()]
    return found


def _calibration(judge: ModelSpec, criterion: str, mark: float, group: Sequence[_Answered]) -> Calibration:
    rated, unjudged = [], []
    for question, row, answer in group:
        if isinstance(answer, EvalsError):
            unjudged.append((question.id, str(answer)))
            continue
        passed, label = human(row, question)
        rated.append(Rated(question.id, passed, answer.value, label, question.category, answer.reason))
    questions = [question for question, _, _ in group]
    return Calibration(
        judge.name,
        prompt_of(judge, questions),
        criterion,
        mark,
        tuple(rated),
        _levels(questions),
        tuple(unjudged),
        took_of([answer for _, _, answer in group]),
    )


def _levels(questions: Sequence[JudgeQuestion]) -> int:
    """Of the scale, if all of them have the same and it has levels."""
    scales = {question.scale.name: question.scale for question in questions}
    if len(scales) > 1:
        return 0
    [scale] = scales.values()
    return len(scale.words) or (int(scale.most - scale.least) + 1 if scale.most > 1 else 0)


def prompt_of(judge: ModelSpec, questions: Sequence[JudgeQuestion]) -> str:
    """What a judge is filed under that is asked all of these: its prompt, else what the prompts share, if anything."""
    asked = {(question.name, question.description, repr(question.options)): question for question in questions}
    keys = [question_of(each.options, each.name, each.description).took(judge).key for each in asked.values()]
    prompts, forms = {key.prompt for key in keys}, {key.form for key in keys}
    return prompts.pop() if len(prompts) == 1 else forms.pop() if len(forms) == 1 else ""


def took_of(answers: Sequence[Score | EvalsError]) -> Mapping[str, Any]:
    """What judging took, that of replies that were no verdict included. An outage tells nothing of its cost."""
    facts = [
        answer.detail[JUDGE] if isinstance(answer, Score) else answer.facts
        for answer in answers
        if isinstance(answer, (Score, JudgeError))
    ]
    return add_up(fact for fact in facts if fact)
