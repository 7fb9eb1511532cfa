"""What a judge is asked about one answer outside of a session: the criterion of a suite, and what is judged by it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from ..errors import UsageError
from ..model.criterion import Criterion
from ..model.judge import SCORER
from ..model.llm import ModelSpec
from ..model.response import Response
from ..model.score import GRADED_MARK
from ..scoring import specs
from ..scoring.check import problems
from ..scoring.judge.criteria import scale_of
from ..scoring.judge.prompt import Material
from ..scoring.judge.scales import Scale
from ..scoring.judge.scorer import checked, evidence_of

if TYPE_CHECKING:
    from ..model.case import Case
    from ..model.labelled import Labelled
    from ..model.result import CaseResult, Trial


@dataclass(frozen=True, slots=True)
class JudgeQuestion:
    """One answer, and what a judge is asked about it."""

    id: str
    """Of the answer, for people."""
    criterion: str
    """The criterion's name."""
    material: Material
    options: Mapping[str, Any]
    """All options of ``llm_judge``; an error never becomes a score."""
    name: str = ""
    """What the judge is told of the criterion's name, if the suite gives it one."""
    description: str = ""
    mark: float = GRADED_MARK
    category: str = ""
    models: tuple[ModelSpec, ...] = field(default=(), compare=False)
    """The judges of its case."""

    @property
    def scale(self) -> Scale:
        """In what the judge scores, and people do."""
        return scale_of(self.options)


def question_about(
    material: Material,
    criterion: Criterion,
    *,
    answer_id: str,
    response: Response | None = None,
    mark: float | None = None,
    category: str = "",
    models: tuple[ModelSpec, ...] = (),
) -> JudgeQuestion:
    """The question of a criterion. Raises ``ScorerError`` when something is missing that its options ask for."""
    spec = specs()[SCORER]
    defaults = {option.name: option.default for option in spec.options}
    options = {**defaults, **criterion.options, "error_score": None}
    shown = replace(material, evidence=evidence_of(options, response))
    stated = spec.mark if criterion.threshold is None else criterion.threshold
    return JudgeQuestion(
        answer_id,
        criterion.name,
        checked(options, shown),
        options,
        "" if criterion.name == SCORER else criterion.name,
        criterion.description,
        stated if mark is None else mark,
        category,
        models,
    )


def said_criterion(rubric: str | None, preset: str | None, scale: str | None, name: str | None) -> Criterion | None:
    """The criterion that options of a command say; ``None`` when they say none. Raises ``UsageError``."""
    given = {"rubric": rubric, "preset": preset, "scale": scale}
    options = {key: value for key, value in given.items() if value is not None}
    if wrong := problems(specs()[SCORER], options):
        raise UsageError("; ".join(wrong))
    if not options:
        return None
    return Criterion(SCORER, name or SCORER, options)


def material_of_label(row: Labelled, case: Case | None) -> Material:
    """What a labelled answer is judged with: what its row says, else what its case does."""
    known: dict[str, Any] = {}
    if case is not None:
        known = {
            "input": case.input,
            "expected_output": case.expected_output,
            "reference_outputs": case.reference_outputs,
            "context": case.context,
        }
    known |= row.given
    references = tuple(known.get("reference_outputs") or ())
    return Material(known.get("input"), row.output, known.get("expected_output"), references, known.get("context"))


def material_of_result(result: CaseResult, trial: Trial) -> Material:
    """What a stored answer is judged with."""
    return Material(result.input, trial.output, result.expected_output, result.reference_outputs, result.context)


def response_of(trial: Trial) -> Response:
    """A stored answer with the tools it called."""
    return Response(trial.output, tool_calls=trial.tool_calls)
