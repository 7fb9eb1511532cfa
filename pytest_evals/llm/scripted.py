"""A client that answers from a script: for tests of scorers, judges and suites without any service."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any

from ..errors import UsageError
from ..model.llm import Reply, Request
from ..model.response import Usage
from ..model.text import text_of

Script = str | Mapping[str, Any] | list[Any] | Reply | BaseException
"""A reply as it is, its text, a value that is written as JSON, or an error to raise."""

_WORD = 4
"""Characters of a token, roughly: so many as most tokenizers need for English."""


class ScriptedClient:
    """Replies in the order of a script, or as a function says; ``requests`` are what it was asked.

    A script that is at its end raises ``UsageError``: a test that asks more often than it says is mistaken. With
    ``cycle`` it starts again. ``delay_s`` is how long each reply takes. Replies that do not state their usage have one
    that is estimated from the texts.
    """

    def __init__(
        self,
        replies: Iterable[Script] | Callable[[Request], Script] = (),
        *,
        cycle: bool = False,
        delay_s: float = 0.0,
        local: bool = False,
    ) -> None:
        self.local = local
        self.requests: list[Request] = []
        self._says = replies if callable(replies) else None
        self._script: list[Script] = [] if callable(replies) else [*replies]
        self._cycle = cycle
        self._delay_s = delay_s

    async def complete(self, request: Request) -> Reply:
        """The next reply of the script."""
        self.requests.append(request)
        number = len(self.requests)
        said = self._says(request) if self._says is not None else self._next(number)
        if self._delay_s:
            await asyncio.sleep(self._delay_s)
        if isinstance(said, BaseException):
            raise said
        reply = said if isinstance(said, Reply) else Reply(text_of(said))
        usage = reply.usage or Usage(_tokens(request.system, *request.messages), _tokens(reply.text))
        return replace(reply, usage=usage, model=reply.model or request.model)

    def _next(self, number: int) -> Script:
        if self._cycle and self._script:
            return self._script[(number - 1) % len(self._script)]
        if number > len(self._script):
            replies = "one reply" if len(self._script) == 1 else f"{len(self._script)} replies"
            raise UsageError(f"the script has {replies}; this is request {number}")
        return self._script[number - 1]


def _tokens(*values: Any) -> int:
    size = sum(len(value if isinstance(value, str) else text_of(value.get("content"))) for value in values)
    return -(-size // _WORD)
