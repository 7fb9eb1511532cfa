"""``LLMJudge``: a model's score of an answer, in Python."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any

from ..engine.judging import Judges
from ..engine.loop import LoopThread
from ..engine.model import Models
from ..errors import ScorerError, UsageError
from ..llm.clients import Clients
from ..llm.limiter import SessionLimiter
from ..llm.limits import parse_limits
from ..llm.pricing import Prices
from ..model.criterion import Criterion
from ..model.llm import LlmClient
from ..model.score import Score
from ..scoring import specs
from ..scoring.check import problems
from ..scoring.judge.prompt import Material
from ..scoring.judge.scorer import RETRIES, judged
from .judging import judge_of
from .replies import price_file

if TYPE_CHECKING:
    from ..model.case import Case


class LLMJudge:
    """Lets a model score answers: ``LLMJudge("anthropic/claude-haiku-5-5").judge("2 + 2?", "4").value``.

    ``model`` is ``provider/name``, or a client. What is judged: ``rubric`` (a text), ``criteria`` (a list of names, or
    mappings with ``name``, ``weight``, ``description`` and ``rubric``) or a ``preset``; without any the default
    criteria. ``scale`` is what the judge scores in; results are from 0 to 1. ``temperature``, ``max_tokens`` and
    ``base_url`` are sent if given. It is a scorer, too: ``run_suite(…, scorers={"tone": LLMJudge(…)})``.
    """

    def __init__(
        self,
        model: str | LlmClient,
        *,
        rubric: str | None = None,
        criteria: Sequence[str | Mapping[str, Any]] | None = None,
        preset: str | None = None,
        scale: str = "0-1",
        retries: int = RETRIES,
        error_score: float | None = None,
        temperature: float | None = None,
        max_tokens: int | None = None,
        base_url: str = "",
        prices: str | Path | None = None,
    ) -> None:
        given = {"rubric": rubric, "criteria": criteria, "preset": preset, "scale": scale, "retries": retries}
        self._options = {**given, "error_score": error_score}
        if wrong := problems(specs()["llm_judge"], {k: v for k, v in self._options.items() if v is not None}):
            raise UsageError("; ".join(wrong))
        spec, client = judge_of(model)
        if spec is None:
            raise UsageError("LLMJudge needs a model: LLMJudge('provider/name')")
        endpoint = replace(spec.endpoint, base_url=base_url.rstrip("/"))
        self._model = replace(spec, endpoint=endpoint, temperature=temperature, max_tokens=max_tokens)
        models = Models(Clients(), Prices(price_file(Path.cwd(), str(prices) if prices else None)))
        if client is None and (mistakes := [message for _, message in models.clients.mistakes(self._model)]):
            raise UsageError("; ".join(mistakes))
        # it also waits as long as a service asks for
        self._limiter = SessionLimiter(parse_limits((), "limits"))
        self._ask = Judges(models, lambda: self._limiter, own=None if client is None else (self._model, client))
        # clients belong to one event loop; the caller's may be another one at every call
        self._loop = LoopThread()

    def __repr__(self) -> str:
        return f"<LLMJudge {self._model.name}>"

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

        Raises ``JudgeError`` for a reply that is no verdict and ``ProviderError`` for a service that is not there,
        after the retries; ``ScorerError`` for one that refuses for good.
        """
        material = Material(input, answer, expected, references, context)
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
        material = Material(input, answer, expected, references, context)
        return await asyncio.wrap_future(self._loop.submit(self._judged(material)))

    async def __call__(
        self,
        actual: Any,
        expected: Any = None,
        references: Sequence[Any] = (),
        case: Case | None = None,
        criterion: Criterion | None = None,
    ) -> Score:
        """As a scorer of suites and ``run_suite``; options stand here and not in the suite."""
        if criterion is not None and criterion.options:
            raise ScorerError(f"{criterion.scorer} takes no options in a suite: its LLMJudge has them")
        name, description = ("", "") if criterion is None else (criterion.name, criterion.description)
        material = Material(
            None if case is None else case.input,
            actual,
            expected,
            references,
            None if case is None else case.context,
        )
        return await asyncio.wrap_future(self._loop.submit(self._judged(material, name, description)))

    async def _judged(self, material: Material, name: str = "", description: str = "") -> Score:
        return await judged(self._ask, self._model, material, self._options, name, description)

    def close(self) -> None:
        """Close the connections. What is left open ends with the process."""
        self._loop.close()
        self._limiter.close()
