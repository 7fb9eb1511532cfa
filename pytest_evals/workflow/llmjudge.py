"""``LLMJudge``: a model's score of an answer, in Python."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any

from ..engine.judging import Judges
from ..engine.loop import LoopThread
from ..engine.model import Models
from ..errors import EvalsError, ScorerError, UsageError
from ..llm.clients import Clients
from ..llm.limiter import SessionLimiter
from ..llm.limits import parse_limits
from ..llm.pricing import Prices
from ..model.criterion import Criterion
from ..model.llm import LlmClient, ModelSpec
from ..model.place import did_you_mean
from ..model.response import Response
from ..model.score import GRADED_MARK, Score
from ..scoring import specs
from ..scoring.check import problems
from ..scoring.judge.criteria import chosen, preset_of, scale_of
from ..scoring.judge.judged import judged
from ..scoring.judge.pairwise import Preference, preferred
from ..scoring.judge.prompt import Material
from ..scoring.judge.scorer import RETRIES, checked, evidence_of
from .judging import judge_of
from .manycalls import all_of
from .replies import price_file

if TYPE_CHECKING:
    from ..model.case import Case


BATCH = 3
"""Answers of a batch that are judged at a time."""

_ITEM = ("input", "answer", "expected", "references", "context")


class LLMJudge:
    """Lets a model score answers: ``LLMJudge("anthropic/claude-haiku-5-5").judge("2 + 2?", "4").value``.

    ``model`` is ``provider/name``, or a client, or a list of such: several judges, whose scores ``combine`` makes one
    of (``mean``, ``median`` or ``majority``). What is judged: ``rubric`` (a text), ``criteria`` (a list of names, or
    mappings with ``name``, ``weight``, ``description`` and ``rubric``) or a ``preset``; without any the default
    criteria. ``scale`` is what the judge scores in; results are from 0 to 1. The other options are those of the
    criterion ``llm_judge``. ``temperature``, ``max_tokens`` and ``base_url`` are sent if given. It is a scorer, too:
    ``run_suite(…, scorers={"tone": LLMJudge(…)})``.
    """

    def __init__(
        self,
        model: str | LlmClient | Sequence[str | LlmClient],
        *,
        rubric: str | None = None,
        criteria: Sequence[str | Mapping[str, Any]] | None = None,
        preset: str | None = None,
        scale: str | None = None,
        combine: str | None = None,
        evidence: str | None = None,
        similarity: float | None = None,
        standalone: bool = True,
        overview: bool = False,
        retries: int = RETRIES,
        error_score: float | None = None,
        temperature: float | None = None,
        max_tokens: int | None = None,
        base_url: str = "",
        prices: str | Path | None = None,
    ) -> None:
        self._options: dict[str, Any] = {
            "rubric": rubric,
            "criteria": criteria,
            "preset": preset,
            "scale": scale,
            "combine": combine,
            "evidence": evidence,
            "similarity": similarity,
            "standalone": standalone,
            "overview": overview,
            "retries": retries,
            "error_score": error_score,
        }
        if wrong := problems(specs()["llm_judge"], {k: v for k, v in self._options.items() if v is not None}):
            raise UsageError("; ".join(wrong))
        models = Models(Clients(), Prices(price_file(Path.cwd(), str(prices) if prices else None)))
        own = []
        self._models: list[ModelSpec] = []
        for each in model if isinstance(model, (list, tuple)) else [model]:
            found, client = judge_of(each)
            if found is None:
                raise UsageError("LLMJudge needs a model: LLMJudge('provider/name')")
            endpoint = replace(found.endpoint, base_url=base_url.rstrip("/"))
            spec = replace(found, endpoint=endpoint, temperature=temperature, max_tokens=max_tokens)
            if client is not None:
                own.append((spec, client))
            elif mistakes := [message for _, message in models.clients.mistakes(spec)]:
                raise UsageError("; ".join(mistakes))
            self._models.append(spec)
        if not self._models:
            raise UsageError("LLMJudge needs a model: LLMJudge('provider/name')")
        # it also waits as long as a service asks for
        self._limiter = SessionLimiter(parse_limits((), "limits"))
        self._ask = Judges(models, lambda: self._limiter, own=own)
        # clients belong to one event loop; the caller's may be another one at every call
        self._loop = LoopThread()

    def __repr__(self) -> str:
        return f"<LLMJudge {', '.join(model.name for model in self._models)}>"

    def __enter__(self) -> LLMJudge:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def judge(
        self,
        input: Any,
        answer: Any,
        *,
        expected: Any = None,
        references: Sequence[Any] = (),
        context: Any = None,
    ) -> Score:
        """Score an answer. With ``expected`` or ``references`` it is compared with them, else judged on its own.

        In the place of the answer may stand a ``Response``, whose tool calls and steps can be evidence. After the
        retries raises ``JudgeError`` for a reply that is no verdict and ``ProviderError`` for a service that is not
        there; ``ScorerError`` for one that refuses for good, or where something is missing that the preset goes by.
        """
        material = self._material(input, answer, expected, references, context)
        return self._loop.wait(self._loop.submit(self._judged(material)))

    async def judge_async(
        self,
        input: Any,
        answer: Any,
        *,
        expected: Any = None,
        references: Sequence[Any] = (),
        context: Any = None,
    ) -> Score:
        """The same, awaited."""
        material = self._material(input, answer, expected, references, context)
        return await asyncio.wrap_future(self._loop.submit(self._judged(material)))

    def compare(
        self,
        input: Any,
        a: Any,
        b: Any,
        criteria: Sequence[str | Mapping[str, Any]] | None = None,
        *,
        expected: Any = None,
        references: Sequence[Any] = (),
        context: Any = None,
    ) -> Preference:
        """Say which of two answers is better, asked in both orders; ``criteria`` take the place of the judge's own.

        An answer wins that scores at least 0.05 more in both orders; all else is a tie. Without a verdict in one of the
        orders nobody wins, and ``error`` says why. Raises ``ScorerError`` for a service that refuses for good.
        """
        material = Material(input, a, expected, references, context)
        return self._loop.wait(self._loop.submit(self._compared(material, b, criteria)))

    async def compare_async(
        self,
        input: Any,
        a: Any,
        b: Any,
        criteria: Sequence[str | Mapping[str, Any]] | None = None,
        *,
        expected: Any = None,
        references: Sequence[Any] = (),
        context: Any = None,
    ) -> Preference:
        """The same, awaited."""
        material = Material(input, a, expected, references, context)
        return await asyncio.wrap_future(self._loop.submit(self._compared(material, b, criteria)))

    def batch(self, items: Iterable[Mapping[str, Any]], *, concurrency: int = BATCH) -> list[Score | EvalsError]:
        """Score many answers, ``concurrency`` at a time: the results in the order of the items.

        An item has what ``judge`` takes: ``input``, ``answer``, and ``expected``, ``references`` and ``context`` if
        there are any. What ``judge`` would raise stands in the place of that item's score.
        """
        return self._loop.wait(self._loop.submit(self._batch(list(items), concurrency)))

    async def batch_async(
        self, items: Iterable[Mapping[str, Any]], *, concurrency: int = BATCH
    ) -> list[Score | EvalsError]:
        """The same, awaited."""
        return await asyncio.wrap_future(self._loop.submit(self._batch(list(items), concurrency)))

    async def __call__(
        self,
        actual: Any,
        expected: Any = None,
        references: Sequence[Any] = (),
        case: Case | None = None,
        criterion: Criterion | None = None,
        response: Response | None = None,
        trial: int = 1,
    ) -> Score:
        """As a scorer of suites and ``run_suite``; options stand here and not in the suite."""
        if criterion is not None and criterion.options:
            raise ScorerError(f"{criterion.scorer} takes no options in a suite: its LLMJudge has them")
        name, description = ("", "") if criterion is None else (criterion.name, criterion.description)
        given, context = (None, None) if case is None else (case.input, case.context)
        material = self._material(given, response or actual, expected, references, context)
        mark = None if criterion is None else criterion.threshold
        return await asyncio.wrap_future(self._loop.submit(self._judged(material, name, description, trial, mark)))

    def _material(self, input: Any, answer: Any, expected: Any, references: Sequence[Any], context: Any) -> Material:
        response = answer if isinstance(answer, Response) else None
        output = answer if response is None else response.output
        evidence = evidence_of(self._options, response)
        return Material(input, output, expected, references, context, evidence)

    async def _judged(
        self, material: Material, name: str = "", description: str = "", trial: int = 1, mark: float | None = None
    ) -> Score:
        checked(self._options, material)
        marked = GRADED_MARK if mark is None else mark
        return await judged(
            self._ask, self._models, material, self._options, name, description, trial=trial, mark=marked
        )

    async def _compared(
        self, material: Material, other: Any, criteria: Sequence[str | Mapping[str, Any]] | None
    ) -> Preference:
        own = {**self._options, "rubric": None, "preset": None, "criteria": criteria}
        options = self._options if criteria is None else own
        if len(self._models) > 1:
            raise UsageError("one judge compares answers: make an LLMJudge of one model")
        preset = preset_of(options)
        return await preferred(
            self._ask,
            self._models[0],
            checked(options, material).seen_by(preset),
            other,
            chosen(options),
            scale_of(options),
            self._options["retries"],
            by=preset.by,
        )

    async def _batch(self, items: Sequence[Mapping[str, Any]], concurrency: int) -> list[Score | EvalsError]:
        if concurrency < 1:
            raise UsageError(f"concurrency is at least 1, not {concurrency}")
        materials = [_material(item, number) for number, item in enumerate(items, 1)]
        return await all_of([partial(self._judged, material) for material in materials], concurrency)

    def close(self) -> None:
        """Close the connections. What is left open ends with the process."""
        self._loop.close()
        self._limiter.close()


def _material(item: Mapping[str, Any], number: int) -> Material:
    """An item of a batch. Raises ``UsageError``, which names its place, for one that cannot be judged."""
    if not isinstance(item, Mapping):
        raise UsageError(f"item {number} is a {type(item).__name__}: give a mapping with 'input' and 'answer'")
    unknown = next((key for key in item if key not in _ITEM), None)
    if unknown is not None:
        near = did_you_mean(str(unknown), _ITEM) or f"; there are {', '.join(_ITEM)}"
        raise UsageError(f"item {number}: unknown key {unknown!r}{near}")
    if "answer" not in item:
        raise UsageError(f"item {number} has no 'answer'")
    known = {key: value for key, value in item.items() if value is not None or key in ("input", "answer")}
    return Material(**{"input": None, **known})
