"""How long a service asks to be left alone, in all the forms that services write it."""

from __future__ import annotations

import re
import time
from collections.abc import Mapping
from datetime import UTC
from email.utils import parsedate_to_datetime

MAX_RETRY_AFTER_S = 120.0
"""Nobody waits longer for a service that asks for hours: limits per minute are free again by then."""

_ENDLESS_S = 1e9
"""A number too long for a float is as good as this one."""

# what float() reads besides (1e5, 1_000, nan, other digits) no service means
_NUMBER = re.compile(r"[0-9]+(?:\.[0-9]*)?|\.[0-9]+")


def retry_after(
    source: Mapping[str, str] | str | None, now: float | None = None, cap_s: float = MAX_RETRY_AFTER_S
) -> float | None:
    """Seconds to wait before the next call, 0 to ``cap_s``; ``None`` when the service did not say, or not intelligibly.

    Args:
        source: The headers of a reply, in any case of letters, or the value of ``Retry-After`` alone. Of headers,
            ``retry-after-ms`` goes before ``Retry-After``, and a date is taken against the reply's own ``Date``, so
            that a clock set wrong here does no harm.
        now: Seconds since 1970 for dates, if the headers do not tell; the present by default.
        cap_s: The most to return. A ``Slot`` that is told of a refusal cuts at ``MAX_RETRY_AFTER_S`` by itself and says
            so; for it to name what the service asked for, pass ``math.inf``.

    """
    asked = _asked(source, now)
    return None if asked is None else min(asked, cap_s)


def _asked(source: Mapping[str, str] | str | None, now: float | None) -> float | None:
    if source is None:
        return None
    if isinstance(source, str):
        return _seconds(source, now)
    headers = {str(name).lower(): str(value) for name, value in source.items()}
    milliseconds = _number(headers.get("retry-after-ms", ""))
    if milliseconds is not None:
        return milliseconds / 1000
    if "retry-after" not in headers:
        return None
    sent = _date(headers.get("date", ""))
    return _seconds(headers["retry-after"], now if sent is None else sent)


def _seconds(text: str, now: float | None) -> float | None:
    number = _number(text)
    if number is not None:
        return number
    at = _date(text)
    if at is None:
        return None
    return max(0.0, at - (time.time() if now is None else now))


def _number(text: str) -> float | None:
    text = text.strip()
    if not _NUMBER.fullmatch(text):
        return None
    return min(float(text), _ENDLESS_S)


def _date(text: str) -> float | None:
    """Seconds since 1970 of a date in one of the three forms of HTTP."""
    try:
        moment = parsedate_to_datetime(text.strip())
        # the form of asctime has no zone, and a zone of "-0000" gives none; HTTP dates are UTC
        return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()
    except (ValueError, TypeError, IndexError, OverflowError):
        return None
