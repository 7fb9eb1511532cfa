"""Reading out of an exception whether a service asked to be called again later.

Applications raise the errors of many clients: the SDKs of model providers, httpx, requests, aiohttp. They agree on a
status and, mostly, on the reply with its headers.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, NamedTuple

from ..errors import ProviderError
from ..llm.retry_after import retry_after

LATER = frozenset({429, 529})
"""Too many requests, overloaded."""


class Refusal(NamedTuple):
    """A service's request to be called later."""

    status: int
    retry_after_s: float | None


def refusal_of(error: BaseException) -> Refusal | None:
    """The refusal behind an exception, or behind its cause; ``None`` if it is none."""
    seen: set[int] = set()
    current: BaseException | None = error
    while current is not None and id(current) not in seen:
        seen.add(id(current))
        if isinstance(current, ProviderError):
            return Refusal(current.status, current.retry_after_s)
        reply: Any = getattr(current, "response", None)
        status = _status(current) or _status(reply)
        if status is not None:
            headers = getattr(reply, "headers", None) or getattr(current, "headers", None)
            asked = retry_after(headers, cap_s=math.inf) if isinstance(headers, Mapping) else None
            if status in LATER or (status == 503 and asked is not None):
                return Refusal(status, asked)
            return None
        current = current.__cause__
    return None


def _status(thing: Any) -> int | None:
    for name in ("status_code", "status", "code"):
        value = getattr(thing, name, None)
        if type(value) is int:
            return value
    return None
