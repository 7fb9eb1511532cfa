"""The scorer that asks a judge, with what it asks it through."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from ..engine.judging import Judges
from ..errors import UsageError
from ..model.judge import BETTER
from ..model.llm import Endpoint, LlmClient, ModelSpec
from ..scoring import scorer
from ..suite import judge_named

if TYPE_CHECKING:
    from ..scoring.judge.better import FindOther

Own = tuple[ModelSpec, LlmClient]
"""A judge that is no model of a provider, with its client."""


def judge_scorer(
    name: str, judge: Any, judges: Callable[[Sequence[Own]], Judges], others: Callable[[], FindOther]
) -> Any:
    """The scorer of this name. ``judge`` answers where a case has none: ``provider/name``, a client, or several.

    ``others`` gives what finds the answers that others are compared with.
    """
    models, own = judges_of(judge)
    made: Any = scorer(name)
    made = made.with_judge(judges(own), models)
    return made.with_others(others()) if name == BETTER else made


def judges_of(given: Any) -> tuple[tuple[ModelSpec, ...], tuple[Own, ...]]:
    """The models that a value means, and those of them that bring their client; a list means several."""
    found = [judge_of(each) for each in (given if isinstance(given, (list, tuple)) else [given])]
    models = tuple(model for model, _ in found if model is not None)
    return models, tuple((model, client) for model, client in found if model is not None and client is not None)


def judge_of(given: Any) -> tuple[ModelSpec | None, LlmClient | None]:
    """The model and the client that a value means: a text or a client; nothing for an empty text."""
    if isinstance(given, str):
        return (judge_named(given, "judge_model") if given.strip() else None), None
    if not inspect.iscoroutinefunction(getattr(given, "complete", None)):
        kind = type(given).__name__
        raise UsageError(f"the judge is a {kind}: give provider/name, or a client with 'async def complete(request)'")
    return ModelSpec(Endpoint("judge"), type(given).__name__), given
