"""Templates that people, or systems that cannot be called, fill with answers: values, and what their files are like."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

VERSION = 1
THRESHOLD = 0.7

COLUMNS = (
    *("id", "test_id", "source_file", "input_text", "ground_truth", "response", "evaluation_criteria"),
    *("use_case", "source", "threshold"),
)
"""Of a table; a line of JSON has the same keys. The last three are those of the whole, on every line."""

_PLACEHOLDER = re.compile(r"\s*\[FILL IN\b[^\]]*\]\s*", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class TemplateItem:
    """One question that waits for its answer."""

    test_id: str
    """The id of the case that it answers."""
    input_text: str
    ground_truth: Any = ""
    """What is expected: a text, or an object of summaries; empty when nothing is."""
    response: str = ""
    """The answer; blank: not answered."""
    evaluation_criteria: Mapping[str, Any] = field(default_factory=dict)
    source_file: str = ""

    @property
    def answered(self) -> bool:
        """Whether somebody filled it in: blank, and the placeholder of older files, is nothing."""
        return bool(self.response.strip()) and not _PLACEHOLDER.fullmatch(self.response)


@dataclass(frozen=True, slots=True)
class AnswerTemplate:
    """A file of questions with room for answers. The same in JSON, JSON Lines, CSV and XML."""

    use_case: str
    source: str
    """What it was made of, as a path."""
    items: tuple[TemplateItem, ...]
    threshold: float = THRESHOLD
    """The similarity that an answer must reach."""

    @property
    def unanswered(self) -> tuple[str, ...]:
        """The ids of those that are still to be filled in."""
        return tuple(item.test_id for item in self.items if not item.answered)


def cell_of(value: Any) -> str:
    """A value as the text of a cell: a text as it is, unless it would be read as something else."""
    if isinstance(value, str) and isinstance(value_of(value), str) and value_of(value) == value:
        return value
    return json.dumps(value, ensure_ascii=False)


def value_of(cell: str) -> Any:
    """What ``cell_of`` was given: JSON objects, lists and texts in quotes are those, all else is the text."""
    if cell[:1] in ("{", "[", '"'):
        try:
            return json.loads(cell)
        except (ValueError, RecursionError):
            return cell
    return cell
