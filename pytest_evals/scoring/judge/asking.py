"""Asking a judge until its reply can be read, and what all of it took."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

from ...errors import JudgeError, ProviderError, RejectedError, ScorerError
from ...model.judge import ASKED, AskJudge, Judged, JudgeKey
from ...model.llm import ModelSpec, Reply, Request
from ...model.text import one_line
from ..builtin import count
from .prompt import Prompt
from .verdict import UnreadableError

T = TypeVar("T")


@dataclass(slots=True)
class Took:
    """What judging took so far."""

    key: JudgeKey
    replies: list[Judged] = field(default_factory=list)
    calls: int = 0

    @property
    def tried(self) -> str:
        """How often it was asked, where that was more than once: `` (2 calls)``."""
        return f" ({count(self.calls, 'call')})" if self.calls > 1 else ""

    def facts(self) -> dict[str, Any]:
        """In plain JSON; a number that one reply does not tell is not known."""
        usage = [each.reply.usage for each in self.replies]
        last = self.replies[-1].reply if self.replies else None
        return {
            "model": self.key.model,
            **({ASKED: [self.key.plain()]} if self.key.prompt else {}),
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


async def ask_until_read(
    ask: AskJudge,
    model: ModelSpec,
    question: Callable[[int], Prompt],
    read: Callable[[str, Prompt], T],
    retries: int,
    took: Took,
    trial: int = 1,
) -> T:
    """What ``read`` makes of the first reply that it can read; ``question`` is given the number of the attempt.

    ``took`` counts every call; requests of another ``trial`` are not answered by the same kept reply. Raises
    ``JudgeError`` for replies that are no verdict, ``ProviderError`` for a service that is not there, and
    ``ScorerError`` for one that will never answer this.
    """
    error: JudgeError | ProviderError
    for attempt in range(1, retries + 2):
        prompt = question(attempt)
        took.calls += 1
        try:
            found = await ask(model, _request(model, prompt, trial))
        except RejectedError as refused:
            raise ScorerError(f"judge {model.name}: {refused}") from None
        except ProviderError as refused:
            message = f"judge {model.name}: {refused}"
            error = ProviderError(message, refused.detail, refused.retry_after_s, refused.status)
            continue
        took.replies.append(found)
        try:
            return _read(found.reply, prompt, read)
        except UnreadableError as unread:
            message = f"judge {model.name}: the reply is no verdict: {unread}"
            error = JudgeError(message, found.reply.text or found.reply.refusal)
    if isinstance(error, JudgeError):
        raise JudgeError(f"{error}{took.tried}", error.detail, took.facts())
    raise error


def _request(model: ModelSpec, prompt: Prompt, trial: int) -> Request:
    request = model.request(({"role": "user", "content": prompt.text},), trial)
    return replace(request, system=prompt.system, schema=prompt.schema)


def _read(reply: Reply, prompt: Prompt, read: Callable[[str, Prompt], T]) -> T:
    if reply.refusal or reply.stop_reason == "refusal":
        raise UnreadableError(f"the judge refused{': ' if reply.refusal else ''}{one_line(reply.refusal, 100)}")
    try:
        return read(reply.text, prompt)
    except UnreadableError as error:
        if reply.stop_reason == "max_tokens":
            raise UnreadableError(f"{error} (cut off by max_tokens)") from None
        raise
