"""The scorer ``llm_judge``: asks the judge, reads its verdict, and works out the score."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from ...errors import JudgeError, ProviderError, RejectedError, ScorerError
from ...model.criterion import Criterion, Option, ScorerSpec
from ...model.judge import JUDGE, NO_JUDGE, SCORER, AskJudge, Judged
from ...model.llm import ModelSpec, Request
from ...model.score import Score
from ...model.text import one_line
from ..builtin import NO_OPTIONS, Asked, BuiltInScorer, Function, count, define, named
from .criteria import PRESETS, chosen, mistakes
from .prompt import Material, Prompt, ask_for
from .scales import SCALES, Scale
from .verdict import Scored, UnreadableError, read_verdict

if TYPE_CHECKING:
    from ...model.case import Case

RETRIES = 1


class LlmJudgeScorer(BuiltInScorer):
    """Asks a model for scores by criteria in words. It must be told how to ask: ``with_judge``."""

    __slots__ = ("_ask", "_model")

    def __init__(self, spec: ScorerSpec, function: Function) -> None:
        super().__init__(spec, function)
        self._ask: AskJudge | None = None
        self._model: ModelSpec | None = None

    def with_judge(self, ask: AskJudge, model: ModelSpec | None = None) -> LlmJudgeScorer:
        """The same scorer with what asks judges, and the one that is asked where the case names none."""
        made = type(self)(self.spec, self._function)
        made._ask, made._model = ask, model
        return made

    def waits(self, options: Mapping[str, Any]) -> bool:  # noqa: ARG002
        """Whether a call must be awaited: always."""
        return True

    async def __call__(  # type: ignore[override]
        self,
        actual: Any,
        expected: Any = None,
        references: Sequence[str] = (),
        options: Mapping[str, Any] = NO_OPTIONS,
        case: Case | None = None,
        criterion: Criterion | None = None,
    ) -> Score:
        model = case.judge if case is not None and case.judge is not None else self._model
        if self._ask is None or model is None:
            raise ScorerError(NO_JUDGE)
        material = Material(
            input=case.input if case is not None else None,
            answer=actual,
            expected=expected,
            references=references,
            context=case.context if case is not None else None,
        )
        return await judged(self._ask, model, material, {**self._defaults, **options}, *_named(criterion))

    def answer(self, *_arguments: Any, **_named: Any) -> Score:
        raise ScorerError("llm_judge asks a model: use it in a suite, or LLMJudge in Python")


def _named(criterion: Criterion | None) -> tuple[str, str]:
    """The name and description that a suite gives; the scorer's own name is none."""
    if criterion is None:
        return "", ""
    return ("" if criterion.name == SCORER else criterion.name), criterion.description


@dataclass(slots=True)
class _Took:
    """What judging took so far."""

    model: str
    replies: list[Judged]
    calls: int = 0

    def facts(self) -> dict[str, Any]:
        """In plain JSON; a number that one reply does not tell is not known."""
        usage = [each.reply.usage for each in self.replies]
        last = self.replies[-1].reply if self.replies else None
        return {
            "model": self.model,
            "answered_by": last.model if last is not None else "",
            "calls": self.calls,
            "cached": sum(each.reply.cached for each in self.replies),
            "input_tokens": self._sum(each.input_tokens if each is not None else None for each in usage),
            "output_tokens": self._sum(each.output_tokens if each is not None else None for each in usage),
            "cost_usd": self._sum(each.cost_usd for each in self.replies),
            "latency_ms": self._sum(
                0.0 if each.reply.cached and each.latency_ms is None else each.latency_ms for each in self.replies
            ),
        }

    def _sum(self, values: Any) -> Any:
        given = list(values)
        # a call that failed may have been paid, too: what it took is not known
        return None if None in given or len(given) < self.calls else sum(given)


async def judged(
    ask: AskJudge,
    model: ModelSpec,
    material: Material,
    options: Mapping[str, Any],
    name: str = "",
    description: str = "",
) -> Score:
    """The judge's score; after all retries the option ``error_score`` instead, if it is given.

    Raises ``JudgeError`` for replies that are no verdict, ``ProviderError`` for a service that is not there, and
    ``ScorerError`` for one that will never answer this.
    """
    criteria, scale = chosen(options, name, description), SCALES[options["scale"]]
    took = _Took(model.name, [])
    error: JudgeError | ProviderError
    for attempt in range(1, options["retries"] + 2):
        prompt = ask_for(material, criteria, scale, attempt)
        took.calls += 1
        try:
            found = await ask(model, _request(model, prompt))
        except RejectedError as refused:
            raise ScorerError(f"judge {model.name}: {refused}") from None
        except ProviderError as refused:
            message = f"judge {model.name}: {refused}"
            error = ProviderError(message, refused.detail, refused.retry_after_s, refused.status)
            continue
        took.replies.append(found)
        try:
            scores = _read(found, prompt, scale)
        except UnreadableError as unread:
            message = f"judge {model.name}: the reply is no verdict: {unread}"
            error = JudgeError(message, found.reply.text or found.reply.refusal)
            continue
        return _score(scores, material, scale, took.facts())
    return _failed(error, took, options.get("error_score"))


def _request(model: ModelSpec, prompt: Prompt) -> Request:
    request = model.request(({"role": "user", "content": prompt.text},))
    return replace(request, system=prompt.system, schema=prompt.schema)


def _read(found: Judged, prompt: Prompt, scale: Scale) -> tuple[Scored, ...]:
    reply = found.reply
    if reply.refusal or reply.stop_reason == "refusal":
        raise UnreadableError(f"the judge refused{': ' if reply.refusal else ''}{one_line(reply.refusal, 100)}")
    try:
        return read_verdict(reply.text, prompt.keys, scale)
    except UnreadableError as error:
        if reply.stop_reason == "max_tokens":
            raise UnreadableError(f"{error} (cut off by max_tokens)") from None
        raise


def _score(scores: Sequence[Scored], material: Material, scale: Scale, facts: Mapping[str, Any]) -> Score:
    weights = [each.criterion.weight for each in scores]
    value = sum(each.value * weight for each, weight in zip(scores, weights, strict=True)) / sum(weights)
    worst = min(scores, key=lambda each: each.value)
    parts = ", ".join(f"{each.criterion.name} {each.value:.2f}" for each in scores) if len(scores) > 1 else ""
    about = f"{worst.criterion.name}: " if parts and worst.reason else ""
    how = "" if material.has_reference else "standalone, no expected output"
    reason = "; ".join(part for part in (how, parts, f"{about}{one_line(worst.reason, 300)}") if part)
    detail = {
        "reference_guided": material.has_reference,
        "scale": scale.name,
        "criteria": {
            each.criterion.name: {
                "score": each.value,
                "given": each.given,
                "weight": each.criterion.weight,
                "reason": each.reason,
            }
            for each in scores
        },
        JUDGE: facts,
    }
    return Score(min(1.0, max(0.0, value)), reason, detail)


def _failed(error: JudgeError | ProviderError, took: _Took, error_score: float | None) -> Score:
    tried = f" ({count(took.calls, 'call')})" if took.calls > 1 else ""
    if error_score is None:
        if isinstance(error, JudgeError):
            raise JudgeError(f"{error}{tried}", error.detail, took.facts())
        raise error
    detail = {"error": f"{error}{tried}", "reply": error.detail, JUDGE: took.facts()}
    return Score(float(error_score), f"error_score, for the judge gave none: {error}", detail)


def _unused(asked: Asked) -> Score:
    raise NotImplementedError  # it always waits


SCORERS = named(
    define(
        SCORER,
        _unused,
        Option("rubric", "text", "What is judged, in words, such as `The answer offers a refund`."),
        Option("preset", "choice", "Criteria that are ready made.", choices=(*PRESETS,)),
        Option(
            "criteria",
            "json",
            "A list of criteria: names, or mappings with `name`, `weight` (default 1), `description` and `rubric`.",
        ),
        Option("scale", "choice", "In what the judge scores; the result is from 0 to 1.", "0-1", choices=(*SCALES,)),
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
        made=LlmJudgeScorer,
    ),
)
