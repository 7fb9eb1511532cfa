"""From material to a score: one judge or several are asked, and what they say is put together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ...errors import JudgeError, ProviderError
from ...model.judge import JUDGE, AskJudge, add_up
from ...model.llm import ModelSpec
from ...model.rating import QA_SIMILARITY, QaVerdict, qa_verdict
from ...model.score import GRADED_MARK, Score
from ...model.text import text_of
from ..folding import fold
from ..tfidf import tfidf_cosine
from .asking import Took, ask_until_read
from .criteria import chosen, preset_of, scale_of
from .overview import KEY, read_overview
from .panel import Voice, put_together
from .presets import JudgeCriterion, Preset
from .prompt import Material, Prompt, ask_for
from .promptkey import key_for
from .scales import Scale
from .verdict import find_object, scores_in

EVIDENCE = ("answer", "tool_calls", "trajectory")
"""What of an answer a judge can be shown: the answer alone, or the calls of tools too."""


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked of a judge, whatever the material."""

    criteria: tuple[JudgeCriterion, ...]
    scale: Scale
    preset: Preset
    overview: bool
    similarity: float

    def prompt(self, material: Material, attempt: int = 1) -> Prompt:
        """The question about a material."""
        seen, by = material.seen_by(self.preset), self.preset.by
        return ask_for(seen, self.criteria, self.scale, attempt, by=by, overview=self.overview)

    def took(self, model: ModelSpec) -> Took:
        """What asking a model takes: nothing yet."""
        key = key_for(model.name, self.criteria, self.scale, by=self.preset.by, overview=self.overview)
        return Took(key)

    def read(self, text: str, prompt: Prompt, by: str, material: Material) -> Voice:
        """What a judge says in a reply. Raises ``UnreadableError``."""
        verdict = find_object(text)
        scores = scores_in(verdict, prompt.keys, self.scale)
        weights = [each.criterion.weight for each in scores]
        mean = sum(each.value * weight for each, weight in zip(scores, weights, strict=True)) / sum(weights)
        overview = read_overview(verdict.get(KEY), by) if self.overview else None
        if not self.preset.passes:
            return Voice(by, min(1.0, max(0.0, mean)), scores, overview)
        qa = self.qa_verdict({each.criterion.name: each.given for each in scores}, material)
        return Voice(by, float(qa.passed), scores, overview, qa)

    def qa_verdict(self, ratings: Mapping[str, Any], material: Material) -> QaVerdict:
        """Whether an answer to a question passes, by its ratings and its likeness to what was expected."""
        expected = () if material.expected is None else (material.expected,)
        answer = fold(text_of(material.answer))
        likeness = [tfidf_cosine(answer, fold(text_of(text))) for text in (*expected, *material.references)]
        return qa_verdict(ratings, max(likeness, default=None), self.similarity)


def question_of(options: Mapping[str, Any], name: str = "", description: str = "") -> Question:
    """What the options of a criterion ask, with its name and description. Raises ``ScorerError`` for unusable ones."""
    criteria = chosen(options, name, description)
    similarity = options.get("similarity")
    return Question(
        criteria,
        scale_of(options),
        preset_of(options),
        bool(options.get("overview")),
        QA_SIMILARITY if similarity is None else similarity,
    )


async def judged(
    ask: AskJudge,
    models: ModelSpec | Sequence[ModelSpec],
    material: Material,
    options: Mapping[str, Any],
    name: str = "",
    description: str = "",
    *,
    trial: int = 1,
    mark: float = GRADED_MARK,
) -> Score:
    """The score that a judge gives, or several together; after all retries ``error_score`` instead, if it is given.

    ``trial`` tells the answers of a case's trials apart for kept replies. ``mark`` is what a majority votes on. Raises
    ``JudgeError`` for replies that are no verdict, ``ProviderError`` for a service that is not there, and
    ``ScorerError`` for one that will never answer this.
    """
    import asyncio  # 12 ms, which no session without judges should pay

    question = question_of(options, name, description)
    judges = [models] if isinstance(models, ModelSpec) else [*models]
    takings = [question.took(model) for model in judges]

    async def asked(model: ModelSpec, took: Took) -> Voice:
        return await ask_until_read(
            ask,
            model,
            lambda attempt: question.prompt(material, attempt),
            lambda text, prompt: question.read(text, prompt, model.name, material),
            options["retries"],
            took,
            trial=trial if options.get("per_trial", True) else 1,
        )

    # all of them are waited for, so that no call is left behind
    asking = (asked(model, took) for model, took in zip(judges, takings, strict=True))
    found = await asyncio.gather(*asking, return_exceptions=True)
    facts = add_up(took.facts() for took in takings)
    voices = [each for each in found if isinstance(each, Voice)]
    if errors := [each for each in found if isinstance(each, BaseException)]:
        return _without_verdict(errors, voices, takings, facts, options.get("error_score"))
    shown = material.seen_by(question.preset)
    score = put_together(voices, question.scale, options.get("combine") or "mean", mark)
    how = "" if shown.has_reference or question.preset.by else "standalone, no expected output"
    reason = "; ".join(part for part in (how, score.reason) if part)
    detail = {"reference_guided": shown.has_reference, "scale": question.scale.name, **score.detail, JUDGE: facts}
    return Score(score.value, reason, detail)


def _without_verdict(
    errors: Sequence[BaseException],
    voices: Sequence[Voice],
    takings: Sequence[Took],
    facts: Mapping[str, Any],
    error_score: float | None,
) -> Score:
    """What comes of it when a judge gave no verdict: its error, or the score that was asked for instead."""
    for error in errors:
        if not isinstance(error, (JudgeError, ProviderError)):
            raise error
    first = errors[0]
    assert isinstance(first, (JudgeError, ProviderError))
    others = ", ".join(f"{voice.model} {voice.value:.2f}" for voice in voices)
    several = f"; {len(errors)} of {len(takings)} judges gave no verdict" if len(takings) > 1 else ""
    message = f"{first}{several}{f' ({others})' if others else ''}"
    if error_score is not None:
        tried = takings[0].tried if isinstance(first, ProviderError) and len(takings) == 1 else ""
        detail = {"error": f"{message}{tried}", "reply": first.detail, JUDGE: facts}
        return Score(float(error_score), f"error_score, for the judge gave none: {message}", detail)
    if isinstance(first, JudgeError):
        raise JudgeError(message, first.detail, facts)
    if several:
        raise ProviderError(message, first.detail, first.retry_after_s, first.status)
    raise first
