"""The scorer that asks a judge, with what it asks it through."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

from ..engine.judging import Judges
from ..errors import UsageError
from ..model.llm import Endpoint, LlmClient, ModelSpec
from ..scoring import scorer
from ..suite import judge_named

Own = tuple[ModelSpec, LlmClient]
"""A judge that is no model of a provider, with its client."""


def judge_scorer(name: str, judge: Any, judges: Callable[[Own | None], Judges]) -> Any:
    """The scorer of this name. ``judge`` answers where a case has none: ``provider/name``, or a client."""
    model, client = judge_of(judge)
    made: Any = scorer(name)
    return made.with_judge(judges((model, client) if model is not None and client is not None else None), model)


def judge_of(given: Any) -> tuple[ModelSpec | None, LlmClient | None]:
    """The model and the client that a value means: a text or a client; nothing for an empty text."""
    if isinstance(given, str):
        return (judge_named(given, "judge_model") if given.strip() else None), None
    if not inspect.iscoroutinefunction(getattr(given, "complete", None)):
        kind = type(given).__name__
        raise UsageError(f"the judge is a {kind}: give provider/name, or a client with 'async def complete(request)'")
    return ModelSpec(Endpoint("judge"), type(given).__name__), given
