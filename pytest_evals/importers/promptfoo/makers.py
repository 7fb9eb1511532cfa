"""What makes the criterion of each type of assertion."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from ...errors import SuiteError
from ..criteria import PYTHON, Draft
from ..foreign import parse_yaml
from ..imported import Folders
from ..notes import Notes
from .values import as_text, code_of, is_file, number, path_of


class NoEquivalentError(ValueError):
    """An assertion that has no equivalent; the message says why."""


@dataclass(frozen=True, slots=True)
class Seen:
    """One assertion."""

    kind: str
    """Without ``not-``."""
    value: Any
    threshold: float | None
    negated: bool
    place: str
    folders: Folders
    notes: Notes
    config: Any
    by_mean: bool
    """Whether the test has a threshold, so that a mark of its own decides nothing."""

    def text(self) -> str:
        """The value as a text. Raises ``NoEquivalentError``."""
        if isinstance(self.value, (Mapping, list)) or self.value in (None, ""):
            raise NoEquivalentError("it has no text to compare with")
        return as_text(self.value)

    def texts(self) -> list[str]:
        """The value as texts: a list, or one text with commas."""
        value = self.value
        if isinstance(value, str):
            value = [part.strip() for part in value.split(",") if part.strip()]
        if not isinstance(value, list) or not value:
            raise NoEquivalentError("it has no list of texts")
        return [as_text(part) for part in value]

    def mark(self, usual: float) -> float | None:
        """The threshold of a graded score; of a negated one what is left to 1."""
        if self.by_mean:
            return None
        stated = usual if self.threshold is None else self.threshold
        return round(1 - stated, 12) if self.negated else stated

    def changed(self, why: str) -> None:
        self.notes.changed(f"assert {'not-' if self.negated else ''}{self.kind}", why, self.place)


def _equals(seen: Seen) -> Draft:
    if isinstance(seen.value, (Mapping, list)):
        return Draft("json_equals", {"expected": seen.value})
    return Draft("exact_match", {"expected": as_text(seen.value), "case_sensitive": True})


def _text(scorer: str, *, case_sensitive: bool) -> Callable[[Seen], Draft]:
    exactly = {"case_sensitive": True} if case_sensitive else {}
    return lambda seen: Draft(scorer, {"expected": seen.text(), **exactly})


def _several(scorer: str, *, case_sensitive: bool) -> Callable[[Seen], Draft]:
    exactly = {"case_sensitive": True} if case_sensitive else {}
    return lambda seen: Draft(scorer, {"expected": seen.texts(), **exactly})


def _json(extract: bool) -> Callable[[Seen], Draft]:
    options = {"extract": True} if extract else {}

    def make(seen: Seen) -> Draft:
        schema = seen.value
        if schema in (None, ""):
            return Draft("json_valid", options)
        if is_file(schema):
            return Draft("json_schema", {"schema": seen.folders.here(path_of(schema)), **options})
        if isinstance(schema, str):
            try:
                schema = parse_yaml(schema)
            except SuiteError:
                schema = None
        if not isinstance(schema, (Mapping, bool)):
            raise NoEquivalentError("its schema is neither a mapping nor a text that holds one")
        return Draft("json_schema", {"schema": schema, **options})

    return make


def _xml(seen: Seen) -> Draft:
    if seen.value not in (None, "", {}):
        raise NoEquivalentError("no scorer looks for elements of XML (requiredElements)")
    return Draft("xml_valid")


def _sql(extract: bool) -> Callable[[Seen], Draft]:
    def make(seen: Seen) -> Draft:
        given = seen.value if isinstance(seen.value, Mapping) else {}
        if lists := [key for key in ("allowedTables", "allowedColumns") if given.get(key)]:
            raise NoEquivalentError(f"sql_valid looks up no tables and columns ({', '.join(lists)})")
        dialect = str(given.get("databaseType") or "MySQL").lower()
        options: dict[str, Any] = {"dialect": _DIALECTS.get(dialect, dialect)}
        return Draft("sql_valid", {**options, "extract": True} if extract else options)

    return make


_DIALECTS = {"postgresql": "postgres", "transactsql": "tsql", "mariadb": "mysql"}


def _word_count(seen: Seen) -> Draft:
    bounds = seen.value
    if not isinstance(bounds, Mapping):
        exactly = number(bounds)
        bounds = {} if exactly is None else {"min": exactly, "max": exactly}
    found = {key: int(bound) for key in ("min", "max") if (bound := number(bounds.get(key))) is not None}
    if not found:
        raise NoEquivalentError("it has neither a number nor min or max")
    return Draft("length", {**found, "unit": "words"})


def _latency(seen: Seen) -> Draft:
    if seen.threshold is None:
        raise NoEquivalentError("it has no threshold")
    return Draft("latency", {"max": f"{seen.threshold:g}ms"})


def _cost(seen: Seen) -> Draft:
    if seen.threshold is None:
        raise NoEquivalentError("it has no threshold; the cost of every answer is in the reports anyway")
    return Draft("cost", {"max": seen.threshold})


def _levenshtein(seen: Seen) -> Draft:
    wanted = seen.text()
    edits = 5 if seen.threshold is None else seen.threshold
    seen.changed(f"at most {edits:g} edits, as a share of the {len(wanted)} characters expected")
    least = max(0.0, round(1 - edits / max(len(wanted), 1), 4))
    return Draft("levenshtein", {"expected": wanted, "case_sensitive": True}, threshold=least)


def _graded(scorer: str, usual: float, why: str, **options: Any) -> Callable[[Seen], Draft]:
    """A graded score of the answer against one text, or the best one against several."""

    def make(seen: Seen) -> Draft:
        seen.changed(why)
        if not isinstance(seen.value, list):
            return Draft(scorer, {"expected": seen.text(), **options}, threshold=seen.mark(usual))
        if seen.negated:
            raise NoEquivalentError("'not' takes one criterion, here are several texts")
        parts = [Draft(scorer, {"expected": as_text(text), **options}) for text in seen.value]
        return Draft("any_of", threshold=seen.mark(usual), parts=tuple(parts))

    return make


def _tool_f1(seen: Seen) -> Draft:
    if seen.threshold not in (None, 1) or seen.negated:
        raise NoEquivalentError("tool_calls scores the share of calls that match, not F1; only all of them is the same")
    seen.changed("a tool that is called twice counts twice")
    return Draft("tool_calls", {"expected": seen.texts(), "args": "ignore"}, threshold=seen.mark(1.0))


def _tool_used(seen: Seen) -> Draft:
    if isinstance(seen.value, Mapping):
        raise NoEquivalentError("tool_calls compares names, not patterns and numbers of calls")
    return Draft("tool_calls", {"expected": seen.texts(), "args": "ignore", "extra": True})


def _tool_args(seen: Seen) -> Draft:
    value = seen.value if isinstance(seen.value, Mapping) else {}
    args = value.get("args", value.get("arguments"))
    if not value.get("name") or not isinstance(args, Mapping) or value.get("defaults") or value.get("ignore"):
        raise NoEquivalentError("tool_calls compares names with args, without patterns, defaults and ignored arguments")
    exact = value.get("mode") == "exact"
    call = {"name": as_text(value["name"]), "args": dict(args)}
    return Draft("tool_calls", {"expected": [call], "args": "exact" if exact else "subset", "extra": True})


def _tool_sequence(seen: Seen) -> Draft:
    value = seen.value
    steps = value.get("steps") if isinstance(value, Mapping) else value
    if not isinstance(steps, list) or not all(isinstance(step, str) for step in steps):
        raise NoEquivalentError("tool_calls compares names, not patterns")
    exact = isinstance(value, Mapping) and value.get("mode") == "exact"
    how = {"order": "exact"} if exact else {"order": "in_order", "extra": True}
    return Draft("tool_calls", {"expected": list(steps), "args": "ignore", **how})


def _python(seen: Seen) -> Draft:
    value = seen.value
    if not isinstance(value, str) or not value.strip():
        raise NoEquivalentError("it has no code")
    config = seen.config if isinstance(seen.config, Mapping) else None
    how: dict[str, Any] = {"threshold": seen.threshold, "graded": seen.by_mean}
    path, function = code_of(value)
    if path:
        if not seen.folders.there(path).is_file():
            raise NoEquivalentError(f"there is no file {seen.folders.there(path)}")
        return Draft(
            PYTHON, {"function": seen.folders.code.criterion(seen.folders.here(path), function, config, **how)}
        )
    if "{{" in value or "{%" in value:
        raise NoEquivalentError("its code holds a template")
    try:
        return Draft(PYTHON, {"function": seen.folders.code.inline(value, config, **how)})
    except (SyntaxError, ValueError) as error:
        raise NoEquivalentError(f"its code is no Python: {error}") from None


PYTHON_CONFIG = ("python", "config")

GRADED = ("levenshtein", "rouge", "bleu", "embedding_similarity", "tool_calls")
"""Scorers that give fractions."""

SCHEMAS = ("is-json", "contains-json")
MAKERS: dict[str, Callable[[Seen], Draft]] = {
    "equals": _equals,
    "contains": _text("contains", case_sensitive=True),
    "icontains": _text("contains", case_sensitive=False),
    "contains-any": _several("contains_any", case_sensitive=True),
    "icontains-any": _several("contains_any", case_sensitive=False),
    "contains-all": _several("contains_all", case_sensitive=True),
    "icontains-all": _several("contains_all", case_sensitive=False),
    "starts-with": _text("starts_with", case_sensitive=True),
    "ends-with": _text("ends_with", case_sensitive=True),
    "regex": lambda seen: Draft("regex", {"pattern": seen.text()}),
    "is-json": _json(extract=False),
    "contains-json": _json(extract=True),
    "is-xml": _xml,
    "is-sql": _sql(extract=False),
    "contains-sql": _sql(extract=True),
    "word-count": _word_count,
    "latency": _latency,
    "cost": _cost,
    "levenshtein": _levenshtein,
    "rouge-n": _graded("rouge", 0.75, "F1 of the shared words, not their share of the text expected", variant="rouge1"),
    "bleu": _graded("bleu", 0.5, "n-grams that are missing are smoothed in another way", max_ngram_order=4),
    "similar": _graded("embedding_similarity", 0.75, "the embeddings are those of another model, see docs/scorers"),
    "tool-call-f1": _tool_f1,
    "python": _python,
    "trajectory:tool-used": _tool_used,
    "trajectory:tool-args-match": _tool_args,
    "trajectory:tool-sequence": _tool_sequence,
}
