"""What a scorer gives back."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ..errors import ScorerError

TOLERANCE = 1e-9
"""Scores are compared with marks and thresholds within this, so that 0.1 + 0.2 reaches 0.3."""

GRADED_MARK = 0.7
"""The mark of a criterion whose scorer grades (returns fractions) and that states no threshold."""

YES_NO_MARK = 1.0
"""The mark of a criterion whose scorer answers yes or no and that states no threshold."""


@dataclass(frozen=True, slots=True)
class Score:
    """A scorer's answer: how good, why, and what was measured on the way."""

    value: float | bool
    """0 (worst) to 1 (best); a bool is a yes/no answer."""
    reason: str = ""
    """One sentence a person can act on."""
    detail: Mapping[str, Any] = field(default_factory=dict)
    """Measurements behind the score, as plain JSON values."""


def as_score(value: object, scorer: str) -> Score:
    """Read what a scorer returned: a number, a bool or a ``Score``.

    Raises ``ScorerError`` for anything else, for NaN, infinities and values outside 0 to 1.
    Values within 1e-9 of the range are clamped: a mean of ones may be 1.0000000000000002.
    """
    score = value if isinstance(value, Score) else None
    raw = score.value if score is not None else value
    if isinstance(raw, bool):
        return score or Score(raw)
    if type(raw).__module__ == "numpy" and hasattr(raw, "item"):
        raw = raw.item()
        if isinstance(raw, bool):
            return Score(raw, score.reason, score.detail) if score else Score(raw)
    try:
        number = float(raw)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        number = None
    if number is None or isinstance(raw, (str, bytes)):
        raise ScorerError(
            f"scorer {scorer!r} returned {_short(raw)}; it must return a number from 0 to 1, a bool or a Score"
        )
    if not math.isfinite(number) or not -TOLERANCE <= number <= 1 + TOLERANCE:
        raise ScorerError(f"scorer {scorer!r} returned {number}; a score lies between 0 and 1")
    number = min(1.0, max(0.0, number))
    if score is None:
        return Score(number)
    return Score(number, score.reason, score.detail)


def reaches(value: float, mark: float) -> bool:
    """Whether a score reaches a mark, within the tolerance of 1e-9."""
    return value >= mark - TOLERANCE


def _short(value: object) -> str:
    text = repr(value)
    return f"{type(value).__name__} {text if len(text) <= 60 else text[:57] + '...'}"
