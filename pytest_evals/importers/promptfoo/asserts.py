"""Assertions of promptfoo as criteria.

Where a test has a ``threshold``, promptfoo compares only the mean score with it, so criteria then state none.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import PurePath
from typing import Any

from ..criteria import Draft
from ..foreign import place_of
from ..imported import Folders
from ..judges import WHY, Judgement, judged
from ..notes import Notes
from .kinds import JUDGED, NO_KEYS, WITHOUT
from .makers import GRADED, MAKERS, PYTHON_CONFIG, SCHEMAS, NoEquivalentError, Seen
from .nunjucks import UnknownTemplateError, translated
from .values import DATA, UnreadableError, as_text, content, is_file, number, path_of


def criteria_of(
    records: Sequence[Any],
    folders: Folders,
    notes: Notes,
    *,
    by_mean: bool,
    inside: float | None = None,
) -> list[Draft]:
    """The criteria of a list of assertions. ``inside``: the weight they share as parts of an assert-set."""
    found: list[Draft] = []
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


def _weight(asked: Draft) -> float:
    return 1 if asked.weight is None else asked.weight


def _one(record: Mapping[str, Any], folders: Folders, notes: Notes, place: str, *, by_mean: bool) -> list[Draft]:
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
    if kind not in MAKERS:
        unknown = "no assertion of promptfoo that is known here"
        notes.dropped(f"assert {written}", WITHOUT.get(kind, unknown), place, dict(record))
        return []
    try:
        if record.get("transform") not in (None, ""):
            raise NoEquivalentError("its 'transform' changes the answer before it is compared; answers are not changed")
        seen = Seen(
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
        asked = MAKERS[kind](seen)
    except (NoEquivalentError, UnreadableError, UnknownTemplateError) as error:
        notes.dropped(f"assert {written}", str(error), place, dict(record))
        return []
    for key in record:
        if key not in ("type", "value", "threshold", "weight", "metric", "transform") and (kind, key) != PYTHON_CONFIG:
            notes.dropped(
                f"{key} of assert {written}", NO_KEYS.get(key, "is no key that is known here"), place, record[key]
            )
    weight = number(record.get("weight"))
    asked = replace(asked, negated=negated, weight=weight, name=as_text(record.get("metric")))
    # promptfoo takes an assertion without weight for a measurement that cannot fail
    return [replace(asked, threshold=0) if weight == 0 else asked]


def _value(value: Any, kind: str, folders: Folders) -> Any:
    """The value with files read and templates translated."""
    if kind == "python":
        return value
    if is_file(value):
        if kind in SCHEMAS and PurePath(path_of(value)).suffix.lower() in DATA:
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


def _set(record: Mapping[str, Any], folders: Folders, notes: Notes, place: str, *, by_mean: bool) -> list[Draft]:
    """A set without threshold asks for all its parts, as a case does; with one, for at least so many of them."""
    parts = record.get("assert")
    weight = number(record.get("weight"))
    for key in record:
        if key not in ("type", "assert", "threshold", "weight", "metric"):
            notes.dropped(f"{key} of assert-set", NO_KEYS.get(key, "is no key that is known here"), place, record[key])
    if not isinstance(parts, list) or not parts:
        notes.dropped("assert-set", "it holds no assertions", place, dict(record))
        return []
    threshold = number(record.get("threshold"))
    if threshold is None:
        if record.get("metric"):
            notes.changed(
                f"metric {record['metric']} of assert-set", "its parts stand in the case, each for itself", place
            )
        return criteria_of(parts, folders, notes, by_mean=by_mean, inside=1 if weight is None else weight)
    before = notes.count("dropped")
    found = criteria_of(parts, folders, notes, by_mean=True)
    share = 1 / len(parts)
    # parts count alike, and each answers yes or no
    plain = all(asked.weight in (None, 1) and not asked.parts and asked.scorer not in GRADED for asked in found)
    one, every = threshold <= share + 1e-9, threshold > 1 - share + 1e-9
    if notes.count("dropped") == before and plain and (one or every):
        scorer = "all_of" if every else "any_of"
        return [Draft(scorer, weight=weight, name=as_text(record.get("metric")), parts=tuple(found))]
    why = "a criterion asks for one of its parts or for all, not for a share of them"
    notes.dropped(f"assert-set with threshold {threshold:g}", why, place, dict(record))
    return []
