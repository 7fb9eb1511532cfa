"""What a judge writes about a whole: analysis, strengths, weaknesses, recommendations, and what it fits.

These are a model's texts. No figure is taken from them, and wherever they are kept the model's name stands beside them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .verdict import UnreadableError

KEY = "about_the_whole"
"""The key of the texts in a judge's reply."""

TEXTS = ("analysis", "use_case_fit")

LISTS = ("strengths", "weaknesses", "recommendations")

FIELDS = ("analysis", *LISTS, "use_case_fit")

FORM = '{"analysis": "…", "strengths": ["…"], "weaknesses": ["…"], "recommendations": ["…"], "use_case_fit": "…"}'

SCHEMA: Mapping[str, Any] = {
    "type": "object",
    "properties": {
        name: {"type": "string"} if name in TEXTS else {"type": "array", "items": {"type": "string"}} for name in FIELDS
    },
    "required": [*FIELDS],
    "additionalProperties": False,
}

OVERVIEW_FORM: Mapping[str, str] = {KEY: FORM}

OVERVIEW_SCHEMA: Mapping[str, Any] = {KEY: SCHEMA}


def read_overview(given: Any, by: str) -> dict[str, Any]:
    """The texts of a reply, with who wrote them under ``by``. Raises ``UnreadableError``."""
    if not isinstance(given, Mapping):
        raise UnreadableError("there is nothing about the whole in it")
    found: dict[str, Any] = {"by": by}
    for name in FIELDS:
        value = given.get(name)
        good = isinstance(value, str) if name in TEXTS else isinstance(value, list)
        if not good or (isinstance(value, list) and not all(isinstance(part, str) for part in value)):
            raise UnreadableError(f"{name} is no {'text' if name in TEXTS else 'list of texts'}")
        found[name] = value.strip() if isinstance(value, str) else [part.strip() for part in value or ()]
    return found
