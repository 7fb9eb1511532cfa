"""What the SDKs of the providers raise, as errors of ours: may it go well later, and what is a person to do.

Both SDKs come from one generator, so that their exceptions have the same names and attributes. What is raised here has
no cause: theirs hold the request with its headers.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

from ..errors import ProviderError, RejectedError, TargetError
from ..model.text import one_line
from .retry_after import retry_after

LATER = frozenset({408, 409, 425, 429})
"""Statuses below 500 that may be another one the next time."""

NO_REPLY = 0
"""In the place of a status, when there was no reply."""


def raised_by_sdk(error: Exception, who: str, key: str, secret: str) -> TargetError:
    """The error of ours for one of an SDK.

    Args:
        error: What the SDK raised.
        who: The provider, and the address if it is not its own.
        key: Where the key comes from, such as ``ANTHROPIC_API_KEY``; empty if none is needed.
        secret: The key itself, which is cut out of what is said.

    """
    status = getattr(error, "status_code", None)
    if not isinstance(status, int):
        return ProviderError(_no_reply(error, who, secret), status=NO_REPLY)
    reply = getattr(error, "response", None)
    headers = getattr(reply, "headers", None) or {}
    said = _clean(_said(error), secret)
    message = f"{who}: HTTP {status}{_phrase(status)}" + (f": {said}" if said else "")
    detail = f"request {headers['request-id']}" if "request-id" in headers else ""
    if (status in LATER and not _is_spent(error)) or status >= 500:
        return ProviderError(message, detail, retry_after(headers, cap_s=math.inf), status)
    if status in (401, 403) and key:
        message += f"; check {key}"
    return RejectedError(message, detail)


def no_answer(who: str, why: str, content: str = "") -> ProviderError:
    """A reply with a good status that holds no answer."""
    shown = f": {one_line(content, 120)}" if content.strip() else ""
    return ProviderError(f"{who}: {why}{shown}", status=NO_REPLY)


def _no_reply(error: Exception, who: str, secret: str) -> str:
    cause = error.__cause__
    name = type(cause).__name__ if cause is not None else type(error).__name__
    why = _clean(one_line(str(cause if cause is not None else error)), secret)
    if name == "ConnectError":
        return f"{who}: cannot connect: {why}"
    return f"{who}: no reply: {why or 'the connection broke'} ({name})"


def _said(error: Exception) -> str:
    """The sentence in the body of the reply."""
    body = _body(error)
    if isinstance(body, Mapping):
        said = body.get("message") or body.get("detail") or body.get("error")
        return one_line(said, 300) if said else one_line(dict(body), 300)
    return one_line(body, 300) if body else ""


def _body(error: Exception) -> Any:
    """What the service says of the error: one SDK unwraps it, the other does not."""
    body: Any = getattr(error, "body", None)
    inner = body.get("error") if isinstance(body, Mapping) else None
    return inner if isinstance(inner, Mapping) else body


def _is_spent(error: Exception) -> bool:
    """Whether there is no money left on the account, which OpenAI says with 429: waiting does not help."""
    body = _body(error)
    return isinstance(body, Mapping) and "insufficient_quota" in (body.get("code"), body.get("type"))


def _clean(text: str, secret: str) -> str:
    return text.replace(secret, "***") if len(secret) >= 4 else text


def _phrase(status: int) -> str:
    try:
        return f" {HTTPStatus(status).phrase}"
    except ValueError:
        return {529: " Overloaded"}.get(status, "")
