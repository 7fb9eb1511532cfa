"""What holds for a case when neither it nor its file says anything."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from ..model.case import DEFAULT_RETRIES, DEFAULT_TIMEOUT_S
from ..model.llm import ModelSpec
from ..model.trials import DEFAULT_PASS_IF


@dataclass(frozen=True, slots=True)
class RunDefaults:
    """Settings of the whole run, beneath the ``defaults`` of each file."""

    threshold: float | Literal["unset"] | None = None
    """``None``: every criterion must reach its mark."""
    warn: float | None = None
    timeout_s: float | None = DEFAULT_TIMEOUT_S
    """Per attempt; ``None`` or 0 is no limit."""
    retries: int = DEFAULT_RETRIES
    trials: int = 1
    pass_if: str = DEFAULT_PASS_IF
    """``all``, ``any``, ``majority`` or ``mean``."""
    judge: ModelSpec | None = None
    """Of suites that name none."""
    only_trials: int | None = None
    """So many, whatever a file says, except where its ``pass_if`` names a number of trials."""
