"""Judges asked without a session: with the limits, prices and kept replies that a session of the project has."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import Any, TypeVar

from ..engine.judging import Judges
from ..engine.loop import LoopThread
from ..engine.model import Models
from ..errors import EvalsError, UsageError
from ..llm.clients import Clients
from ..llm.limiter import SessionLimiter
from ..llm.limits import parse_limits
from ..llm.pricing import Prices
from ..model.llm import ModelSpec
from ..model.score import Score
from ..scoring.judge.judged import judged
from ..suite import judge_named
from .judgequestion import JudgeQuestion
from .manycalls import all_of
from .origins import settings_of
from .replies import keeping, price_file
from .where import project

T = TypeVar("T")

Told = Callable[[Score | EvalsError], object]


class Interrupted(Exception):  # noqa: N818 - it says what happened
    """Ctrl-C while judges were asked."""

    def __init__(self, done: int, of: int, *, kept: bool) -> None:
        self.done, self.of, self.kept = done, of, kept
        super().__init__(f"{done} of {of}")


class Bench:
    """Asks judges many questions. ``keep`` keeps their replies, and answers what was asked before from there."""

    def __init__(self, start: Path, *, keep: bool, concurrency: int | None = None) -> None:
        settings = {said.name: said for said in settings_of(start)}
        for name in ("limits", "prices", "record", "replay", "cache_size", "cache_age", "concurrency", "judge_model"):
            if settings[name].problem:
                raise UsageError(settings[name].problem)
        root, said = project(start)[0], {name: each.value for name, each in settings.items()}
        self._kept = keeping(
            root,
            cache=keep,
            max_bytes=said["cache_size"],
            max_age_s=said["cache_age"],
            record=said["record"],
            replay=said["replay"],
        )
        self.keeps = bool(self._kept)
        self.concurrency: int = concurrency or max(1, said["concurrency"])
        named, origin = said["judge_model"], settings["judge_model"].origin
        self.judge = judge_named(named, origin) if named else None
        """The judge that the settings name."""
        self._models = Models(
            Clients(wrap=self._kept.wrap, offline=self._kept.asks_nobody), Prices(price_file(root, said["prices"]))
        )
        self._limiter = SessionLimiter(parse_limits(said["limits"]))
        self._judges = Judges(self._models, lambda: self._limiter)
        self._loop = LoopThread()

    def __enter__(self) -> Bench:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._loop.close()
        self._limiter.close()
        self._kept.close()

    def check(self, judge: ModelSpec) -> ModelSpec:
        """The judge. Raises ``UsageError`` for one that cannot be asked as it is named."""
        if mistakes := [message for _, message in self._models.clients.mistakes(judge)]:
            raise UsageError("; ".join(mistakes))
        return judge

    def ask(
        self, questions: Sequence[tuple[ModelSpec, JudgeQuestion, int]], told: Told = lambda _: None
    ) -> list[Score | EvalsError]:
        """What the judges say, in the order of the questions; an error in the place of its own score.

        The number of a question tells repeated ones apart, so that a kept reply does not answer them all. ``told``
        hears of each answer when it is there, on another thread. Raises ``Interrupted`` at Ctrl-C.
        """
        done = 0

        def count(found: Score | EvalsError) -> None:
            nonlocal done
            done += 1
            told(found)

        calls = [partial(self._ask, *question) for question in questions]
        try:
            return self._loop.wait(self._loop.submit(all_of(calls, self.concurrency, count)))
        except KeyboardInterrupt:
            raise Interrupted(done, len(calls), kept=self.keeps) from None

    async def _ask(self, judge: ModelSpec, question: JudgeQuestion, number: int) -> Score:
        options: Any = {**question.options, "per_trial": True}
        return await judged(
            self._judges,
            judge,
            question.material,
            options,
            question.name,
            question.description,
            trial=number,
            mark=question.mark,
        )
