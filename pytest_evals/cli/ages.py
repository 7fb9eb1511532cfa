"""Ages as they are written on the command line."""

from __future__ import annotations

import re
from datetime import timedelta

from ..errors import UsageError

_UNITS = {"h": "hours", "d": "days", "w": "weeks"}


def age(text: str) -> timedelta:
    """How long ago: ``36h``, ``30d``, ``8w``. Raises ``UsageError``."""
    match = re.fullmatch(r"(\d{1,6})\s*([hdw])", text.strip())
    if match is None:
        raise UsageError(f"{text!r} is not an age such as 36h, 30d or 8w")
    return timedelta(**{_UNITS[match[2]]: int(match[1])})
