"""Templates of promptfoo (Nunjucks) as templates of a suite.

Both insert with ``{{ name }}``. A suite's templates neither loop nor branch, and every name must have a value.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from ...suite.templates import TemplateMistakes, template

_RENAMED = {"dump": "tojson", "safe": None, "nl2br": None}
"""Filters: what they are called here; ``None`` for those that change nothing here."""

_FILTER = re.compile(r"\|\s*(\w+)(\(\s*\))?")
_PLACE = re.compile(r"\{\{.*?\}\}", re.DOTALL)
_ENVIRONMENT = re.compile(r"""\{\{-?\s*env(?:\.(\w+)|\[\s*['"](\w+)['"]\s*\])\s*-?\}\}""")
_SIMPLE = re.compile(r"\{\{-?\s*(\w+)\s*-?\}\}")


class UnknownTemplateError(ValueError):
    """A template that has no equivalent; the message says why."""


def translated(text: str) -> str:
    """The template as a suite writes it. Raises ``UnknownTemplateError``."""
    if "{{" not in text and "{%" not in text:
        return text
    made = _PLACE.sub(lambda place: _FILTER.sub(_filter, place[0]), text)
    try:
        names = template(made).names
    except TemplateMistakes as mistakes:
        raise UnknownTemplateError("; ".join(message for _, message in mistakes.found)) from None
    if "env" in names:
        raise UnknownTemplateError("it inserts an environment variable, which only targets do here, as ${NAME}")
    return made


def _filter(match: re.Match[str]) -> str:
    name = match[1]
    if name not in _RENAMED:
        return match[0]
    other = _RENAMED[name]
    return f"| {other}" if other else ""


def names_in(value: Any) -> set[str]:
    """The names that the templates in a JSON value insert; of unreadable ones none."""
    if isinstance(value, str):
        try:
            return set(template(value).names) if "{{" in value else set()
        except TemplateMistakes:
            return set()
    parts = value.values() if isinstance(value, Mapping) else value if isinstance(value, (list, tuple)) else ()
    return set().union(*(names_in(part) for part in parts)) if parts else set()


def with_environment(text: str) -> str:
    """``{{env.NAME}}`` as a target writes it: ``${NAME}``."""
    return _ENVIRONMENT.sub(lambda match: "${" + (match[1] or match[2]) + "}", text)


def resolved(value: str, values: Mapping[str, Any]) -> str:
    """A variable's value with the other variables it inserts put in. Raises ``UnknownTemplateError``."""
    for _ in range(5):
        if "{{" not in value:
            return value
        value = _SIMPLE.sub(lambda match: _text(values, match), value)
    if "{{" in value or "{%" in value:
        raise UnknownTemplateError("a variable inserts something else than another variable")
    return value


def _text(values: Mapping[str, Any], match: re.Match[str]) -> str:
    found = values.get(match[1])
    if not isinstance(found, (str, int, float)) or isinstance(found, bool):
        raise UnknownTemplateError(f"it inserts {match[1]!r}, which is no text")
    return str(found)
