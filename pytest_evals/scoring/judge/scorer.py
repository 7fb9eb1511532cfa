"""The scorer ``llm_judge``: asks the judge, reads its verdict, and works out the score."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ...errors import ScorerError
from ...model.criterion import Criterion, Option, ScorerSpec
from ...model.judge import NO_JUDGE, SCORER, AskJudge
from ...model.llm import ModelSpec
from ...model.rating import QA_SIMILARITY
from ...model.response import Response
from ...model.score import Score
from ...model.text import text_of
from ..builtin import Asked, BuiltInScorer, Function, define, named
from ..steps import steps_told
from .criteria import mistakes, preset_of
from .judged import EVIDENCE, judged
from .panel import COMBINE
from .presets import PRESETS
from .prompt import Material
from .scales import SCALES

if TYPE_CHECKING:
    from ...model.case import Case

RETRIES = 1


class LlmJudgeScorer(BuiltInScorer):
    """Asks models for scores by criteria in words. It must be told how to ask: ``with_judge``."""

    __slots__ = ("_ask", "_models")

    def __init__(self, spec: ScorerSpec, function: Function | None) -> None:
        super().__init__(spec, function)
        self._ask: AskJudge | None = None
        self._models: tuple[ModelSpec, ...] = ()

    def with_judge(self, ask: AskJudge, models: Sequence[ModelSpec] = ()) -> LlmJudgeScorer:
        """The same scorer with what asks judges, and those that are asked where the case names none."""
        made = type(self)(self.spec, self._function)
        made._ask, made._models = ask, tuple(models)
        return made

    def waits(self, options: Mapping[str, Any]) -> bool:  # noqa: ARG002
        return True

    async def respond(self, asked: Asked) -> Score:
        if self._ask is None:
            raise ScorerError("llm_judge asks a model: use it in a suite, or LLMJudge in Python")
        case, criterion = asked.case, asked.criterion
        models = case.judges if case is not None and case.judges else self._models
        if not models:
            raise ScorerError(NO_JUDGE)
        return await judged(
            self._ask,
            models,
            material_of(asked),
            asked.options,
            *_named(criterion),
            trial=asked.trial,
            mark=self.spec.mark if criterion is None or criterion.threshold is None else criterion.threshold,
        )


def material_of(asked: Asked) -> Material:
    """What a judge is shown of an answer. Raises ``ScorerError`` when something is missing that the options ask for."""
    case = asked.case
    return checked(
        asked.options,
        Material(
            input=case.input if case is not None else None,
            answer=asked.actual,
            expected=asked.expected,
            references=asked.references,
            context=case.context if case is not None else None,
            evidence=evidence_of(asked.options, asked.response),
        ),
    )


def checked(options: Mapping[str, Any], material: Material) -> Material:
    """The material. Raises ``ScorerError`` when something is missing that the options ask for."""
    if lacking := _lacking(options, given=material.has_reference, context=material.context is not None):
        raise ScorerError(f"llm_judge: {lacking}")
    return material


def _lacks(options: Mapping[str, Any], case: Case) -> str:
    given = case.expected_output is not None or bool(case.reference_outputs)
    return _lacking(options, given=given, context=case.context is not None)


def _lacking(options: Mapping[str, Any], *, given: bool, context: bool) -> str:
    if not context and preset_of(options).needs_context:
        return f"the preset {options['preset']} goes by the context; give one (context)"
    if not given and options.get("standalone") is False:
        return "standalone is false, and there is nothing to compare with; give expected_output or reference_outputs"
    return ""


def evidence_of(options: Mapping[str, Any], response: Response | None) -> dict[str, str]:
    """What is shown of an answer beside its text, by section, as far as the criterion asks for it."""
    wanted = options.get("evidence") or preset_of(options).evidence
    if wanted == "tool_calls" and response is not None:
        calls = [text_of({"name": call.name, "args": call.args}) for call in response.tool_calls]
        return {"TOOL CALLS": "\n".join(f"{n}. {call}" for n, call in enumerate(calls, 1)) or "no tool was called"}
    if wanted == "trajectory" and response is not None:
        return {"STEPS": steps_told(response)}
    return {}


def _named(criterion: Criterion | None) -> tuple[str, str]:
    """The name and description that a suite gives; the scorer's own name is none."""
    if criterion is None:
        return "", ""
    return ("" if criterion.name == SCORER else criterion.name), criterion.description


SCORERS = named(
    define(
        SCORER,
        None,
        Option("rubric", "text", "What is judged, in words, such as `The answer offers a refund`."),
        Option("preset", "choice", "Criteria that are ready made.", choices=(*PRESETS,)),
        Option(
            "criteria",
            "json",
            "A list of criteria: names, or mappings with `name`, `weight` (default 1), `description` and `rubric`.",
        ),
        Option(
            "scale",
            "choice",
            "In what the judge scores; the result is from 0 to 1. Default: `0-1`; of presets for ratings `words`.",
            choices=(*SCALES,),
        ),
        Option(
            "evidence",
            "choice",
            "What the judge sees of the answer: its text, or the calls of tools too, or all steps of the agent. "
            "Default: `answer`; of the preset `task_completion` `tool_calls`.",
            choices=EVIDENCE,
        ),
        Option(
            "standalone",
            "boolean",
            "Whether an answer may be judged without an expected output; if not, a case without one is an error at "
            "collection.",
            default=True,
        ),
        Option("combine", "choice", "How the scores of several judges become one.", default="mean", choices=COMBINE),
        Option(
            "similarity",
            "number",
            "With `preset: qa_rating`: the TF-IDF similarity from which on an answer passes whatever its rating; "
            f"default: {QA_SIMILARITY:g}.",
            minimum=0,
            maximum=1,
        ),
        Option(
            "overview",
            "boolean",
            "Ask for texts about the whole too: analysis, strengths, weaknesses, recommendations, what it fits.",
            default=False,
        ),
        Option(
            "per_trial",
            "boolean",
            "Whether equal answers of several trials are judged each for itself when replies are kept.",
            default=True,
        ),
        Option(
            "retries", "integer", "Extra calls when the judge fails or its reply is no verdict.", RETRIES, minimum=0
        ),
        Option(
            "error_score",
            "number",
            "The score when the judge gives none; default: the case is errored.",
            minimum=0,
            maximum=1,
        ),
        graded=True,
        main="rubric",
        check=mistakes,
        lacks=_lacks,
        made=LlmJudgeScorer,
    ),
)
