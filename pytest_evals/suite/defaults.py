"""What holds for a case when neither it nor its file says anything."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from ..model.case import DEFAULT_RETRIES, DEFAULT_TIMEOUT_S


@dataclass(frozen=True, slots=True)
class RunDefaults:
    """Settings of the whole run, beneath the ``defaults`` of each file."""

    threshold: float | Literal["unset"] | None = None
    """``None``: every criterion must reach its mark."""
    warn: float | None = None
    timeout_s: float | None = DEFAULT_TIMEOUT_S
    """Per attempt; ``None`` or 0 is no limit."""
    retries: int = DEFAULT_RETRIES
