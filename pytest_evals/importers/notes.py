"""What an import could not take over as it was: nothing is dropped without a note."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Literal

from ..model.text import one_line

Kind = Literal["dropped", "changed", "chosen"]
"""``dropped``: has no equivalent, and is not in the suite; ``changed``: is there, but means something slightly else;
``chosen``: the file does not say it, so the importer did."""


@dataclass(frozen=True, slots=True)
class Note:
    """One thing to know about an import."""

    kind: Kind
    what: str
    """As the file names it: ``assert llm-rubric``, ``provider azure:chat:gpt-4o``."""
    why: str
    """What is missing, what differs, or what to do."""
    place: str = ""
    """``file:line``; empty when it stands nowhere."""
    case: str = ""
    """The id of the imported case it is about; empty for the whole suite."""
    original: Any = None
    """What stood there, kept in the suite under ``x-not-imported``."""

    def __str__(self) -> str:
        place = f"{self.place}: " if self.place else ""
        of = f" (case {one_line(self.case, 60)})" if self.case else ""
        return f"{place}{one_line(self.what, 120)}{of}: {one_line(self.why, 400)}"


@dataclass(slots=True)
class Notes:
    """The notes of an import, in the order of the file. A view with a ``case`` adds to the same list."""

    case: str = ""
    all: list[Note] = field(default_factory=list)
    _said: set[tuple[str, ...]] = field(default_factory=set)

    def of(self, case: str) -> Notes:
        """The same notes, for what is said of a case."""
        return Notes(case, self.all, self._said)

    def dropped(self, what: str, why: str, place: str = "", original: Any = None) -> None:
        """Note what the suite does not hold."""
        self._add("dropped", what, why, place, original)

    def changed(self, what: str, why: str, place: str = "") -> None:
        """Note what means something slightly else in the suite."""
        self._add("changed", what, why, place)

    def chosen(self, what: str, why: str) -> None:
        """Note what the file does not say."""
        self._add("chosen", what, why)

    def _add(self, kind: Kind, what: str, why: str, place: str = "", original: Any = None) -> None:
        key = (kind, what, why, place, self.case)
        if key not in self._said:
            self._said.add(key)
            self.all.append(Note(kind, what, why, place, self.case, original))

    def __iter__(self) -> Iterator[Note]:
        return iter(self.all)

    def count(self, kind: Kind) -> int:
        """How many notes are of a kind."""
        return sum(note.kind == kind for note in self.all)
