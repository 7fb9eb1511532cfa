"""Criteria as importers make them, before they are written in the shortest form a suite allows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from .imported import unique

PYTHON = "python"
"""The scorer of criteria that a function answers: its option ``function`` names it."""

MAIN = {
    "exact_match": "expected",
    "equals_any": "expected",
    "contains": "expected",
    "contains_any": "expected",
    "contains_all": "expected",
    "starts_with": "expected",
    "regex": "pattern",
    "json_schema": "schema",
    "json_equals": "expected",
}
"""The main options of the scorers that importers use in their short form: ``regex: '[0-9]+'``."""


@dataclass(frozen=True, slots=True)
class Draft:
    """A criterion that is not written yet."""

    scorer: str
    options: Mapping[str, Any] = field(default_factory=dict)
    negated: bool = False
    weight: float | None = None
    threshold: float | None = None
    name: str = ""
    """As the file gives it; else it is named by its scorer."""
    parts: tuple[Draft, ...] = ()
    """For ``all_of`` and ``any_of``."""


def written(criteria: Iterable[Draft], taken: set[str] | None = None) -> list[Any]:
    """The criteria as a suite writes them, each under a name of its own. ``taken`` are names that others have."""
    names = set() if taken is None else taken
    return [_written(criterion, names) for criterion in criteria]


def _written(asked: Draft, taken: set[str]) -> Any:
    scorer = asked.scorer if asked.scorer != PYTHON else str(asked.options["function"]).rpartition(":")[2]
    usual = f"not_{scorer}" if asked.negated else scorer
    name = unique(asked.name or usual, taken, "_")
    own: dict[str, Any] = {} if name == usual else {"name": name}
    if asked.weight is not None and asked.weight != 1:
        own["weight"] = asked.weight
    if asked.threshold is not None:
        own["threshold"] = asked.threshold
    if asked.parts:
        made = {asked.scorer: [_part(part) for part in asked.parts]}
        return {"not": made, **own} if asked.negated else {**made, **own}
    if asked.negated:
        return {"not": _scorer(asked), **own}
    if asked.scorer == PYTHON:
        return {**_scorer(asked), **own}
    return _short(asked.scorer, {**asked.options, **own}) if own else _scorer(asked)


def _part(asked: Draft) -> Any:
    """A criterion inside another, which has no keys of its own."""
    return {"not": _scorer(asked)} if asked.negated else _scorer(asked)


def _scorer(asked: Draft) -> Any:
    if asked.scorer == PYTHON:
        return {PYTHON: asked.options["function"]}
    return _short(asked.scorer, dict(asked.options))


def _short(scorer: str, options: dict[str, Any]) -> Any:
    if not options:
        return scorer
    main = MAIN.get(scorer)
    if main and list(options) == [main] and not isinstance(options[main], Mapping) and options[main] is not None:
        return {scorer: options[main]}
    return {scorer: options}
