"""What all parts of the reader share while one file is read: its source, the scorers, the mistakes so far."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..errors import SuiteError
from ..model.case import TargetSpec
from ..model.criterion import Criterion, ScorerSpec
from ..model.llm import ModelSpec
from ..model.place import Place, Problem, did_you_mean
from ..model.template import NAMES
from .source import Source
from .tree import LOST, Map, Seq, quoted

if TYPE_CHECKING:
    from .prompts import Prompt

MOST_TOLD = 20
"""Mistakes of one data file: a column that is wrong is wrong in every row."""


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What the reader is told of the world outside the file."""

    specs: Mapping[str, ScorerSpec]
    """The built-in scorers, by name."""
    unknown_scorer: Callable[[str], str] | None = None
    """Of another name: why there is no such scorer (``"; did you mean …?"``), "" if there is. ``None``: not judged."""
    check_target: Callable[[TargetSpec], Iterable[Problem]] | None = None
    """What is wrong with a target besides how it is written."""
    check_judge: Callable[[ModelSpec | None, Place], Iterable[Problem]] | None = None
    """What is wrong with a judge, or with there being none; the place is where it is needed."""


class CriteriaSet:
    """A named list of criteria: where it stands, and what it was read as."""

    __slots__ = ("box", "broken", "name", "open", "r", "read", "used")

    def __init__(self, r: Reading, box: Map, name: str, *, broken: bool = False) -> None:
        self.r = r
        self.box = box
        self.name = name
        self.broken = broken
        self.used = False
        self.open = False
        """Whether it is being read, so that one that uses itself is found out."""
        self.read: tuple[Criterion, ...] | None = None
        """Its criteria, once they were used by a case without variables."""

    def has_places(self) -> bool:
        """Whether templates stand in it, or in a set that it uses."""
        from .filling import has_places

        return not self.broken and not self.open and (has_places(self.box[self.name]) or any(self._of_used()))

    def _of_used(self) -> Iterator[bool]:
        self.open = True
        try:
            for name in uses(self.box[self.name]):
                used = self.r.sets.get(name)
                yield used is not None and used.has_places()
        finally:
            self.open = False


def uses(node: Any) -> Iterator[str]:
    """The sets that criteria use."""
    if isinstance(node, Seq):
        for part in node:
            yield from uses(part)
    elif isinstance(node, Map):
        for key, part in node.items():
            if key == "use":
                yield from map(str, part) if isinstance(part, Seq) else [str(part)]
            else:
                yield from uses(part)


class Reading:
    """Collects every mistake of a file; what is read after one is a stand-in that causes no further message."""

    def __init__(self, source: Source, around: Surroundings | None = None) -> None:
        self.source = source
        self.specs = around.specs if around else {}
        self._around = around
        self._judged: dict[str, str] = {}
        # a mapping that is merged into many cases is wrong once
        self._problems: set[Problem] = set()
        self.count = 0
        """How many mistakes were noted so far, repeated ones included."""
        self.incomplete = False
        """Whether there are cases that could not be read, so that nothing can be said of all of them."""
        self.insertable: tuple[str, ...] = NAMES
        """What texts of ``http`` and ``command`` targets can insert."""
        self.prompts: dict[Path, Prompt] = {}
        """Prompts in files, each read once."""
        self.sets: dict[str, CriteriaSet] = {}
        """Named lists of criteria, of this file and of those it includes."""
        self.is_part = False
        """Whether this is another file than the suite's own."""
        self.variables: Mapping[str, Any] = {}
        """Of the case that is being read."""
        self.asked: dict[str, Any] = {}
        """By case id: the input before a prompt made it another one."""

    def part(self, source: Source) -> Reading:
        """For another file that is part of what is read; its mistakes are among those of this one."""
        other = Reading(source, self._around)
        other._judged, other._problems = self._judged, self._problems
        other.prompts, other.sets, other.is_part = self.prompts, self.sets, True
        return other

    def unheard(self) -> Reading:
        """For what is read once more, or has been told of often enough: its mistakes are not kept."""
        other = Reading(self.source, self._around)
        other._judged, other.sets, other.is_part = self._judged, self.sets, self.is_part
        return other

    def beside(self, source: Source) -> DataReading:
        """For a data file that this one names; its mistakes are among those of this one."""
        return DataReading(source, self)

    def unknown_scorer(self, name: str) -> str:
        """Why there is no scorer of this name; "" if there is one, or nobody can tell."""
        judge = self._around.unknown_scorer if self._around else None
        if name in self.specs or judge is None:
            return ""
        if name not in self._judged:
            self._judged[name] = judge(name)
        return self._judged[name]

    def check_judge(self, judge: ModelSpec | None, place: Place) -> None:
        """Note what is wrong with the judge of the suite, as far as that can be told without asking it."""
        check = self._around.check_judge if self._around else None
        for problem in check(judge, place) if check is not None else ():
            self.add(problem.place, problem.message)

    def check_target(self, target: TargetSpec) -> None:
        """Note what the surroundings find wrong with the target."""
        if self._around is not None and self._around.check_target is not None:
            for problem in self._around.check_target(target):
                self.add(problem.place, problem.message)

    def add(self, place: Place, message: str) -> None:
        """Note a mistake at a place."""
        self.count += 1
        self._problems.add(Problem(place, message))

    def report(self, offset: int, message: str) -> None:
        """Note a mistake at an offset of the text."""
        self.add(self.source.place(offset), message)

    def wrong(self, box: Map | Seq, key: str | int, message: str) -> None:
        """Note a mistake in a value of a mapping or list."""
        value = box.get(str(key)) if isinstance(box, Map) else box[int(key)]
        if value is not LOST:
            self.report(box.spot(key), message)

    def unknown_key(self, box: Map, key: str, known: Collection[str], hint: str = "", what: str = "key") -> None:
        """Note a key that nobody reads."""
        near = hint or did_you_mean(key, known) or f"; there are {', '.join(known)}"
        self.report(box.spot(key), f"unknown {what} {quoted(key)}{near}")

    def cut(self, box: Map | Seq, key: str | int) -> None:
        """Note a text that a `` #`` ends."""
        message = "the text ends at ' #', what follows is a comment; quote the text, or put the comment on its own line"
        self.wrong(box, key, message)

    def give_up(self, error: SuiteError) -> SuiteError:
        """An error after which nothing more can be read, with all mistakes before it."""
        self._problems.update(error.problems)
        return self.all()

    def all(self) -> SuiteError:
        """Every mistake so far, in the order of the file."""
        return SuiteError(sorted(self._problems))

    def finish(self) -> None:
        """Raise ``SuiteError`` if there was any mistake."""
        if self._problems:
            raise self.all()


class DataReading(Reading):
    """For a data file: of a mistake that is in many rows, the first ones are told."""

    def __init__(self, source: Source, main: Reading) -> None:
        super().__init__(source, main._around)
        self._judged = main._judged
        self._problems = main._problems
        self.sets = main.sets
        self._untold: Place | None = None
        self._told = 0
        self._more = 0

    def add(self, place: Place, message: str) -> None:
        """Note a mistake at a place; of those in the data file, ``MOST_TOLD``."""
        self.count += 1
        if place.path == self.source.shown:
            self._told += 1
            if self._told > MOST_TOLD:
                self._more += 1
                self._untold = self._untold or place
                return
        self._problems.add(Problem(place, message))

    def close(self) -> None:
        """Say how many mistakes were not told."""
        if self._untold is not None:
            more = f"{self._more:,} more mistakes" if self._more > 1 else "one more mistake"
            self._problems.add(Problem(self._untold, f"{more} from here on; mend those above first"))
