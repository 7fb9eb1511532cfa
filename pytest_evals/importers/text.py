"""The suite file of an import: the data, with a comment where something could not be taken over."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from ..suite.environment import is_secret
from ..suite.writer import Noted, write_suite
from .imported import Imported
from .notes import Note

KEPT = "x-not-imported"
"""The key of a suite under which the originals of what was dropped stand."""


def suite_text(imported: Imported, header: Iterable[str] = ()) -> str:
    """The text of the suite."""
    by_case: dict[str, list[Note]] = {}
    for note in imported.notes:
        by_case.setdefault(note.case, []).append(note)
    data: dict[str, Any] = {}
    for key, value in imported.suite.items():
        data[key] = [_with_notes(case, by_case) for case in value] if key == "cases" else value
    dropped = [note for note in imported.notes if note.kind == "dropped"]
    if dropped:
        data[KEPT] = Noted([_kept(note) for note in dropped], ("Not read: what was not imported, as it was.",))
    return write_suite(data, [*header, *(f"{_WORD[note.kind]}: {note}" for note in by_case.get("", ()))])


_WORD = {"dropped": "not imported", "changed": "differs", "chosen": "chosen"}


def _with_notes(case: Mapping[str, Any], by_case: Mapping[str, list[Note]]) -> Any:
    notes = by_case.get(str(case.get("id", "")), ())
    return Noted(case, tuple(f"{_WORD[note.kind]}: {_brief(note)}" for note in notes)) if notes else case


def _brief(note: Note) -> str:
    place = f"{note.place}: " if note.place else ""
    return f"{place}{note.what}: {note.why}"


def _kept(note: Note) -> dict[str, Any]:
    kept: dict[str, Any] = {}
    if note.case:
        kept["case"] = note.case
    if note.place:
        kept["place"] = note.place
    kept |= {"what": note.what, "why": note.why}
    if note.original is not None:
        kept["original"] = _without_secrets(note.original)
    return kept


def _without_secrets(value: Any, name: str = "") -> Any:
    """What was not imported may hold keys of services, which a suite must not."""
    if isinstance(value, Mapping):
        return {key: _without_secrets(part, str(key)) for key, part in value.items()}
    if isinstance(value, list):
        return [_without_secrets(part, name) for part in value]
    secret = isinstance(value, str) and is_secret(name) and len(value) >= _SHORTEST_SECRET and "{{" not in value
    return "***" if secret else value


_SHORTEST_SECRET = 8
