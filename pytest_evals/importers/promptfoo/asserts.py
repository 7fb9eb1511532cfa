"""Assertions of promptfoo as criteria.

Where a test has a ``threshold``, promptfoo compares only the mean score with it, so criteria then state none.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePath
from typing import Any

from ...errors import SuiteError
from ..criteria import PYTHON, Asked
from ..foreign import parse_yaml, place_of
from ..imported import Folders
from ..judges import WHY, Judgement, judged
from ..notes import Notes
from .kinds import EQUIVALENTS, JUDGED, NO_KEYS, WITHOUT
from .nunjucks import UnknownTemplateError, translated
from .values import DATA, UnreadableError, as_text, code_of, content, is_file, number, path_of


class NoEquivalentError(ValueError):
    """An assertion that has no equivalent; the message says why."""


@dataclass(frozen=True, slots=True)
class _Seen:
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


def criteria_of(
    records: Sequence[Any],
    folders: Folders,
    notes: Notes,
    *,
    by_mean: bool,
    inside: float | None = None,
) -> list[Asked]:
    """The criteria of a list of assertions. ``inside``: the weight they share as parts of an assert-set."""
    found: list[Asked] = []
    for index, record in enumerate(records):
        place = place_of(records, index)
        if not isinstance(record, Mapping):
            notes.dropped("assert", "an assertion is a mapping with a 'type'", place, record)
        elif record.get("type") == "assert-set":
            found += _set(record, folders, notes, place, by_mean=by_mean)
        else:
            found += _one(record, folders, notes, place, by_mean=by_mean)
    if inside is None:
        return found
    whole = sum(1 if asked.weight is None else asked.weight for asked in found) or 1
    return [replace(asked, weight=round(_weight(asked) * inside / whole, 12)) for asked in found]


def _weight(asked: Asked) -> float:
    return 1 if asked.weight is None else asked.weight


def _one(record: Mapping[str, Any], folders: Folders, notes: Notes, place: str, *, by_mean: bool) -> list[Asked]:
    written = str(record.get("type"))
    negated = written.startswith("not-")
    kind = written.removeprefix("not-")
    if kind in JUDGED:
        judgement = Judgement(
            kind, as_text(record.get("value")), number(record.get("threshold")), as_text(record.get("provider"))
        )
        criterion = judged(judgement)
        if criterion is None:
            notes.dropped(f"assert {written}", WHY, place, dict(record))
            return []
        return [replace(criterion, negated=negated, weight=number(record.get("weight")))]
    if kind not in _MAKERS:
        unknown = "no assertion of promptfoo that is known here"
        notes.dropped(f"assert {written}", WITHOUT.get(kind, unknown), place, dict(record))
        return []
    try:
        if record.get("transform") not in (None, ""):
            raise NoEquivalentError("its 'transform' changes the answer before it is compared; answers are not changed")
        seen = _Seen(
            kind,
            _value(record.get("value"), kind, folders),
            number(record.get("threshold")),
            negated,
            place,
            folders,
            notes,
            record.get("config"),
            by_mean,
        )
        asked = _MAKERS[kind](seen)
    except (NoEquivalentError, UnreadableError, UnknownTemplateError) as error:
        notes.dropped(f"assert {written}", str(error), place, dict(record))
        return []
    for key in record:
        if key not in ("type", "value", "threshold", "weight", "metric", "transform") and (kind, key) != PYTHON_CONFIG:
            notes.dropped(f"{key} of assert {written}", NO_KEYS.get(key, "is no key that is known here"), place)
    weight = number(record.get("weight"))
    asked = replace(asked, negated=negated, weight=weight, name=as_text(record.get("metric")))
    # promptfoo takes an assertion without weight for a measurement that cannot fail
    return [replace(asked, threshold=0) if weight == 0 else asked]


def _value(value: Any, kind: str, folders: Folders) -> Any:
    """The value with files read and templates translated."""
    if kind == "python":
        return value
    if is_file(value):
        if kind in _SCHEMAS and PurePath(path_of(value)).suffix.lower() in DATA:
            content(value, folders)  # it must be there
            return value
        return content(value, folders)
    return _translated(value)


def _translated(value: Any) -> Any:
    if isinstance(value, str):
        return translated(value)
    if isinstance(value, Mapping):
        return {key: _translated(part) for key, part in value.items()}
    return [_translated(part) for part in value] if isinstance(value, list) else value


def _set(record: Mapping[str, Any], folders: Folders, notes: Notes, place: str, *, by_mean: bool) -> list[Asked]:
    """A set without threshold asks for all its parts, as a case does; with one, for at least so many of them."""
    parts = record.get("assert")
    weight = number(record.get("weight"))
    for key in record:
        if key not in ("type", "assert", "threshold", "weight", "metric"):
            notes.dropped(f"{key} of assert-set", NO_KEYS.get(key, "is no key that is known here"), place)
    if not isinstance(parts, list) or not parts:
        notes.dropped("assert-set", "it holds no assertions", place, dict(record))
        return []
    threshold = number(record.get("threshold"))
    if threshold is None:
        return criteria_of(parts, folders, notes, by_mean=by_mean, inside=1 if weight is None else weight)
    before = notes.count("dropped")
    found = criteria_of(parts, folders, notes, by_mean=True)
    share = 1 / len(parts)
    # parts count alike, and each answers yes or no
    plain = all(asked.weight in (None, 1) and not asked.parts and asked.scorer not in GRADED for asked in found)
    one, every = threshold <= share + 1e-9, threshold > 1 - share + 1e-9
    if notes.count("dropped") == before and plain and (one or every):
        scorer = "all_of" if every else "any_of"
        return [Asked(scorer, weight=weight, name=as_text(record.get("metric")), parts=tuple(found))]
    why = "a criterion asks for one of its parts or for all, not for a share of them"
    notes.dropped(f"assert-set with threshold {threshold:g}", why, place, dict(record))
    return []


def _equals(seen: _Seen) -> Asked:
    if isinstance(seen.value, (Mapping, list)):
        return Asked("json_equals", {"expected": seen.value})
    return Asked("exact_match", {"expected": as_text(seen.value), "case_sensitive": True})


def _text(scorer: str, *, case_sensitive: bool) -> Callable[[_Seen], Asked]:
    exactly = {"case_sensitive": True} if case_sensitive else {}
    return lambda seen: Asked(scorer, {"expected": seen.text(), **exactly})


def _several(scorer: str, *, case_sensitive: bool) -> Callable[[_Seen], Asked]:
    exactly = {"case_sensitive": True} if case_sensitive else {}
    return lambda seen: Asked(scorer, {"expected": seen.texts(), **exactly})


def _json(extract: bool) -> Callable[[_Seen], Asked]:
    options = {"extract": True} if extract else {}

    def make(seen: _Seen) -> Asked:
        schema = seen.value
        if schema in (None, ""):
            return Asked("json_valid", options)
        if is_file(schema):
            return Asked("json_schema", {"schema": seen.folders.here(path_of(schema)), **options})
        if isinstance(schema, str):
            try:
                schema = parse_yaml(schema)
            except SuiteError:
                schema = None
        if not isinstance(schema, (Mapping, bool)):
            raise NoEquivalentError("its schema is neither a mapping nor a text that holds one")
        return Asked("json_schema", {"schema": schema, **options})

    return make


def _xml(seen: _Seen) -> Asked:
    if seen.value not in (None, "", {}):
        raise NoEquivalentError("no scorer looks for elements of XML (requiredElements)")
    return Asked("xml_valid")


def _sql(extract: bool) -> Callable[[_Seen], Asked]:
    def make(seen: _Seen) -> Asked:
        given = seen.value if isinstance(seen.value, Mapping) else {}
        if lists := [key for key in ("allowedTables", "allowedColumns") if given.get(key)]:
            raise NoEquivalentError(f"sql_valid looks up no tables and columns ({', '.join(lists)})")
        dialect = str(given.get("databaseType") or "MySQL").lower()
        options: dict[str, Any] = {"dialect": _DIALECTS.get(dialect, dialect)}
        return Asked("sql_valid", {**options, "extract": True} if extract else options)

    return make


_DIALECTS = {"postgresql": "postgres", "transactsql": "tsql", "mariadb": "mysql"}


def _word_count(seen: _Seen) -> Asked:
    bounds = seen.value
    if not isinstance(bounds, Mapping):
        exactly = number(bounds)
        bounds = {} if exactly is None else {"min": exactly, "max": exactly}
    found = {key: int(bound) for key in ("min", "max") if (bound := number(bounds.get(key))) is not None}
    if not found:
        raise NoEquivalentError("it has neither a number nor min or max")
    return Asked("length", {**found, "unit": "words"})


def _latency(seen: _Seen) -> Asked:
    if seen.threshold is None:
        raise NoEquivalentError("it has no threshold")
    return Asked("latency", {"max": f"{seen.threshold:g}ms"})


def _cost(seen: _Seen) -> Asked:
    if seen.threshold is None:
        raise NoEquivalentError("it has no threshold; the cost of every answer is in the reports anyway")
    return Asked("cost", {"max": seen.threshold})


def _levenshtein(seen: _Seen) -> Asked:
    wanted = seen.text()
    edits = 5 if seen.threshold is None else seen.threshold
    seen.changed(f"at most {edits:g} edits, as a share of the {len(wanted)} characters expected")
    least = max(0.0, round(1 - edits / max(len(wanted), 1), 4))
    return Asked("levenshtein", {"expected": wanted, "case_sensitive": True}, threshold=least)


def _graded(scorer: str, usual: float, why: str, **options: Any) -> Callable[[_Seen], Asked]:
    """A graded score of the answer against one text, or the best one against several."""

    def make(seen: _Seen) -> Asked:
        seen.changed(why)
        if not isinstance(seen.value, list):
            return Asked(scorer, {"expected": seen.text(), **options}, threshold=seen.mark(usual))
        if seen.negated:
            raise NoEquivalentError("'not' takes one criterion, here are several texts")
        parts = [Asked(scorer, {"expected": as_text(text), **options}) for text in seen.value]
        return Asked("any_of", threshold=seen.mark(usual), parts=tuple(parts))

    return make


def _tool_f1(seen: _Seen) -> Asked:
    if seen.threshold not in (None, 1) or seen.negated:
        raise NoEquivalentError("tool_calls scores the share of calls that match, not F1; only all of them is the same")
    seen.changed("a tool that is called twice counts twice")
    return Asked("tool_calls", {"expected": seen.texts(), "args": "ignore"}, threshold=seen.mark(1.0))


def _tool_used(seen: _Seen) -> Asked:
    if isinstance(seen.value, Mapping):
        raise NoEquivalentError("tool_calls compares names, not patterns and numbers of calls")
    return Asked("tool_calls", {"expected": seen.texts(), "args": "ignore", "extra": True})


def _tool_args(seen: _Seen) -> Asked:
    value = seen.value if isinstance(seen.value, Mapping) else {}
    args = value.get("args", value.get("arguments"))
    if not value.get("name") or not isinstance(args, Mapping) or value.get("defaults") or value.get("ignore"):
        raise NoEquivalentError("tool_calls compares names with args, without patterns, defaults and ignored arguments")
    exact = value.get("mode") == "exact"
    call = {"name": as_text(value["name"]), "args": dict(args)}
    return Asked("tool_calls", {"expected": [call], "args": "exact" if exact else "subset", "extra": True})


def _tool_sequence(seen: _Seen) -> Asked:
    value = seen.value
    steps = value.get("steps") if isinstance(value, Mapping) else value
    if not isinstance(steps, list) or not all(isinstance(step, str) for step in steps):
        raise NoEquivalentError("tool_calls compares names, not patterns")
    exact = isinstance(value, Mapping) and value.get("mode") == "exact"
    how = {"order": "exact"} if exact else {"order": "in_order", "extra": True}
    return Asked("tool_calls", {"expected": list(steps), "args": "ignore", **how})


def _python(seen: _Seen) -> Asked:
    value = seen.value
    if not isinstance(value, str) or not value.strip():
        raise NoEquivalentError("it has no code")
    config = seen.config if isinstance(seen.config, Mapping) else None
    how: dict[str, Any] = {"threshold": seen.threshold, "graded": seen.by_mean}
    path, function = code_of(value)
    if path:
        if not seen.folders.there(path).is_file():
            raise NoEquivalentError(f"there is no file {seen.folders.there(path)}")
        return Asked(
            PYTHON, {"function": seen.folders.code.criterion(seen.folders.here(path), function, config, **how)}
        )
    if "{{" in value or "{%" in value:
        raise NoEquivalentError("its code holds a template")
    try:
        return Asked(PYTHON, {"function": seen.folders.code.inline(value, config, **how)})
    except (SyntaxError, ValueError) as error:
        raise NoEquivalentError(f"its code is no Python: {error}") from None


PYTHON_CONFIG = ("python", "config")

GRADED = ("levenshtein", "rouge", "bleu", "embedding_similarity", "tool_calls")
"""Scorers that give fractions."""

_SCHEMAS = ("is-json", "contains-json")
_MAKERS: dict[str, Callable[[_Seen], Asked]] = {
    "equals": _equals,
    "contains": _text("contains", case_sensitive=True),
    "icontains": _text("contains", case_sensitive=False),
    "contains-any": _several("contains_any", case_sensitive=True),
    "icontains-any": _several("contains_any", case_sensitive=False),
    "contains-all": _several("contains_all", case_sensitive=True),
    "icontains-all": _several("contains_all", case_sensitive=False),
    "starts-with": _text("starts_with", case_sensitive=True),
    "ends-with": _text("ends_with", case_sensitive=True),
    "regex": lambda seen: Asked("regex", {"pattern": seen.text()}),
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
assert set(_MAKERS) == set(EQUIVALENTS) - {"assert-set"}
