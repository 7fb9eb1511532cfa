"""Asking models for a command of the pipeline: with the limits and prices of the project, and Ctrl-C at any time."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TypeVar

from ..errors import EvalsError, ProviderError, UsageError
from ..llm.clients import Clients
from ..llm.limiter import SessionLimiter
from ..llm.limits import parse_limits
from ..llm.pricing import Prices
from ..model.llm import ModelSpec
from ..pipeline.asking.asker import Asker
from ..pipeline.asking.journal import Journal
from ..suite import judge_named
from .manycalls import all_of
from .replies import price_file
from .where import project

T = TypeVar("T")
Item = TypeVar("Item")

DEFAULT_MODEL = "anthropic/claude-haiku-5-5"
MODEL_VARIABLE = "PYTEST_EVALS_PIPELINE_MODEL"
CONCURRENCY = 4
"""Things that are made at a time."""

FAILED, TEMPORARY = 1, 75
"""Exit statuses: something could not be made; a provider was in trouble, and the same command may go well later."""


@dataclass(frozen=True, slots=True)
class AskOptions:
    """How models are asked, as the commands take it."""

    model: str = ""
    """``provider/name``; empty: the environment's, else the default."""
    base_url: str = ""
    max_tokens: int | None = None
    temperature: float | None = None
    concurrency: int = CONCURRENCY
    clients: Clients | None = None
    """Others than the built-in ones."""

    def spec(self, environ: Mapping[str, str] = os.environ) -> ModelSpec:
        """The model. Raises ``UsageError``."""
        named = judge_named(self.model or environ.get(MODEL_VARIABLE, "").strip() or DEFAULT_MODEL, "--model")
        endpoint = replace(named.endpoint, base_url=self.base_url.strip().rstrip("/"))
        return replace(named, endpoint=endpoint, max_tokens=self.max_tokens, temperature=self.temperature)


def asker_for(folder: Path, clients: Clients | None = None, environ: Mapping[str, str] = os.environ) -> Asker:
    """What asks for a command that writes to ``folder``: with ``evals_limits`` and ``evals_prices`` of the project.

    Raises ``UsageError`` for settings that cannot be read.
    """
    rootdir, ini = project(Path.cwd())
    limits = environ.get("PYTEST_EVALS_LIMITS") or _text(ini.get("evals_limits"))
    prices = environ.get("PYTEST_EVALS_PRICES") or _text(ini.get("evals_prices"))
    limiter = SessionLimiter(parse_limits(limits))
    return Asker(clients or Clients(), Prices(price_file(rootdir, prices)), Journal(folder), limiter=limiter)


def make_all(
    asker: Asker,
    models: Sequence[ModelSpec],
    items: Sequence[Item],
    make: Callable[[Item], Awaitable[T]],
    concurrency: int = CONCURRENCY,
    told: Callable[[T | EvalsError], object] = lambda _: None,
) -> list[T | EvalsError]:
    """What ``make`` gives for each item, in their order; an ``EvalsError`` in the place of what could not be made.

    Replies that were paid are lost neither when the process is killed nor on Ctrl-C: the next call with the same
    folder takes them over. When all is through and written, they are forgotten. Raises ``UsageError`` for models that
    cannot be asked as they are meant to, before any is asked.
    """
    if mistakes := list(dict.fromkeys(message for spec in models for message in asker.mistakes(spec))):
        raise UsageError("\n".join(mistakes))
    if items and (lacking := list(dict.fromkeys(said for spec in models if (said := asker.missing(spec))))):
        raise UsageError("\n".join(lacking))
    try:
        found = asyncio.run(all_of([partial(make, item) for item in items], concurrency, told)) if items else []
        if not any(isinstance(each, UsageError) for each in found):  # what was paid is not written yet
            asker.journal.finish()
    finally:
        asker.close()
    return found


def exit_status(found: Sequence[object]) -> int:
    """0 when nothing failed; 75 when all that failed did because of a provider, 1 otherwise."""
    errors = [each for each in found if isinstance(each, EvalsError)]
    if not errors:
        return 0
    return TEMPORARY if all(isinstance(error, ProviderError) for error in errors) else FAILED


def _text(value: object) -> str:
    return "\n".join(value) if isinstance(value, list) else str(value or "")
