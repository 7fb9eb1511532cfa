"""Reading what a judge replied: scores and reasons, or an error. Nothing is guessed, repaired or filled in.

The reply is a JSON object; also one between ``` marks, or with words around it that hold no other object, and after a
``<think>`` block. A number in prose is no score, and the parts of an object that is cut or broken are none either.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ...model.text import one_line
from ..jsonvalue import NotJsonError, read_json
from .presets import JudgeCriterion
from .scales import Scale


class UnreadableError(ValueError):
    """A reply that is no verdict: says why."""


@dataclass(frozen=True, slots=True)
class Scored:
    """A judge's score by one criterion."""

    criterion: JudgeCriterion
    value: float
    """0 to 1."""
    given: Any
    """In the judge's own scale."""
    reason: str


_THINKING = re.compile(r"\s*<think(?:ing)?>.*?</think(?:ing)?>", re.DOTALL | re.IGNORECASE)
_OPENS = re.compile(r'\{(?=\s*")')


def read_verdict(text: str, keys: Mapping[str, JudgeCriterion], scale: Scale) -> tuple[Scored, ...]:
    """The scores in a reply, in the order of the criteria. Raises ``UnreadableError``."""
    return scores_in(find_object(text), keys, scale)


def scores_in(verdict: Mapping[str, Any], keys: Mapping[str, JudgeCriterion], scale: Scale) -> tuple[Scored, ...]:
    """The scores in the object of a reply."""
    if len(keys) == 1:
        key = next(iter(keys))
        inner = verdict.get(key)
        verdict = {key: inner if isinstance(inner, dict) and "score" not in verdict else verdict}
    return tuple(_scored(verdict, key, criterion, scale) for key, criterion in keys.items())


def _scored(verdict: Mapping[str, Any], key: str, criterion: JudgeCriterion, scale: Scale) -> Scored:
    part = verdict.get(key)
    if not isinstance(part, dict) or "score" not in part:
        raise UnreadableError(f"there is no score for {criterion.name!r} in it")
    reason = part.get("reason", "")
    if not isinstance(reason, str):
        raise UnreadableError(f"the reason for {criterion.name!r} is no text")
    try:
        return Scored(criterion, scale.value(part["score"]), part["score"], reason.strip())
    except ValueError as error:
        raise UnreadableError(f"the score for {criterion.name!r}: {error}") from None


def find_object(text: str) -> dict[str, Any]:
    """The one JSON object of a reply. Raises ``UnreadableError`` when there is none, or several that differ."""
    while thought := _THINKING.match(text):
        text = text[thought.end() :]
    if not text.strip():
        raise UnreadableError("it is empty")
    if text.lstrip().lower().startswith("<think"):
        raise UnreadableError("it ends within its thinking")
    found: list[dict[str, Any]] = []
    end = 0
    for match in _OPENS.finditer(text):
        if match.start() < end:
            continue
        piece, end = _whole(text, match.start())
        if piece not in found:
            found.append(piece)
    if not found:
        raise UnreadableError("there is no JSON object in it")
    if len(found) > 1:
        raise UnreadableError(f"there are {len(found)} different JSON objects in it")
    return found[0]


def _whole(text: str, start: int) -> tuple[dict[str, Any], int]:
    """The object that starts here and where it ends; a part of a broken one would be no verdict."""
    try:
        _, end = json.JSONDecoder().raw_decode(text, start)
        value = read_json(text[start:end])
    except NotJsonError as error:
        raise UnreadableError(f"its JSON is not valid: {one_line(str(error), 100)}") from None
    except json.JSONDecodeError as error:
        cut = error.pos >= len(text.rstrip()) or error.msg.startswith("Unterminated string")
        why = "it ends within its JSON" if cut else f"its JSON is not valid: {error.msg}"
        raise UnreadableError(why) from None
    except (ValueError, RecursionError) as error:
        raise UnreadableError(f"its JSON is not valid: {one_line(str(error), 100)}") from None
    if not isinstance(value, dict):
        raise UnreadableError("its JSON is no object")
    return value, end
