"""What ground truth asks of a system: a question for each pair, and a summary for each document that has one.

The same ids, in the same order, as the cases of a suite whose data set is the file.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from ...suite.groundtruth import FULL, SUMMARIZE
from .groundtruth import GroundTruth


@dataclass(frozen=True, slots=True)
class TruthItem:
    """One thing to be answered."""

    id: str
    """``standup_meeting-2`` for the second question of a document, the document's own id for its summary."""
    truth: GroundTruth
    question: str
    expected: Any
    """A text for a question; the summaries by field for a document."""
    is_pair: bool


def items_of(truths: Iterable[GroundTruth]) -> list[TruthItem]:
    """All of them."""
    found = []
    for truth in truths:
        if any(truth.summaries.get(name) for name in FULL):
            found.append(TruthItem(truth.id, truth, SUMMARIZE, dict(truth.summaries), False))
        for number, pair in enumerate(truth.pairs, 1):
            found.append(TruthItem(f"{truth.id}-{number}", truth, pair.query, pair.response, True))
    return found
