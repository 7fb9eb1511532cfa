"""Word errors of transcripts: of one, and of many together."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

SCORER = "word_error_rate"
"""The scorer whose details hold word errors."""


@dataclass(frozen=True, slots=True)
class WordErrors:
    """How a transcript differs from its reference, in words. They add up: ``sum(errors)`` is that of a corpus."""

    substitutions: int = 0
    deletions: int = 0
    insertions: int = 0
    reference_words: int = 0

    @property
    def errors(self) -> int:
        return self.substitutions + self.deletions + self.insertions

    @property
    def rate(self) -> float:
        """Errors by word of the reference; above 1 when words were added, and their number when it has none."""
        return self.errors / max(self.reference_words, 1)

    def __add__(self, other: WordErrors) -> WordErrors:
        return WordErrors(
            self.substitutions + other.substitutions,
            self.deletions + other.deletions,
            self.insertions + other.insertions,
            self.reference_words + other.reference_words,
        )

    def __radd__(self, other: int) -> WordErrors:
        if other == 0:  # where sum() starts
            return self
        return NotImplemented


def word_errors_in(detail: Mapping[str, Any]) -> WordErrors | None:
    """The word errors in the detail of a score; ``None`` when there are none."""
    numbers = [detail.get(name) for name in WordErrors.__dataclass_fields__]
    whole = [number for number in numbers if isinstance(number, int) and not isinstance(number, bool) and number >= 0]
    return WordErrors(*whole) if len(whole) == len(numbers) else None
