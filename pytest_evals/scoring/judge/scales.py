"""In what a judge scores: numbers between two ends, or words; and what each is from 0 to 1."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ...model.text import one_line


@dataclass(frozen=True, slots=True)
class Scale:
    """A scale: numbers from ``least`` to ``most``, or words with what each is worth."""

    name: str
    least: float = 0.0
    most: float = 1.0
    words: Mapping[str, float] = field(default_factory=dict)

    @property
    def told(self) -> str:
        """The scale as the judge reads it."""
        if self.words:
            best, *_, worst = self.words
            return f"one of the words {', '.join(self.words)}; {best} is the best, {worst} the worst"
        return f"a number from {self.least:g} (worst) to {self.most:g} (best)"

    @property
    def schema(self) -> dict[str, Any]:
        """A score in JSON schema. The ends are not in it: not every provider takes them, and they are checked here."""
        return {"type": "string", "enum": [*self.words]} if self.words else {"type": "number"}

    def value(self, given: Any) -> float:
        """A score from 0 to 1, by the place between the ends. Raises ``ValueError`` for what is not on the scale.

        Nothing is clamped, and a text is no number: ``"8/10"`` and ``7`` of 5 say that the judge misunderstood.
        """
        if self.words:
            return self._worth(given)
        if isinstance(given, bool) or not isinstance(given, (int, float)) or not math.isfinite(given):
            raise ValueError(f"{_shown(given)} is not {self.told}")
        if not self.least <= given <= self.most:
            raise ValueError(f"{given:g} is outside the scale {self.name}")
        return (given - self.least) / (self.most - self.least)

    def _worth(self, given: Any) -> float:
        word = {True: "yes", False: "no"}.get(given) if isinstance(given, bool) else given
        worth = self.words.get(word.strip().lower()) if isinstance(word, str) else None
        if worth is None:
            raise ValueError(f"{_shown(given)} is not one of {', '.join(self.words)}")
        return worth


def _shown(given: Any) -> str:
    return one_line(repr(given), 40)


SCALES: Mapping[str, Scale] = {
    scale.name: scale
    for scale in (
        Scale("0-1"),
        Scale("1-5", 1, 5),
        Scale("0-10", 0, 10),
        Scale("1-10", 1, 10),
        Scale("yes/no", words={"yes": 1.0, "no": 0.0}),
        Scale("words", words={"excellent": 1.0, "good": 2 / 3, "fair": 1 / 3, "poor": 0.0}),
    )
}
"""By name."""
