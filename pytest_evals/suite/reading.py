"""What all parts of the reader share while one file is read: its source, the scorers, the mistakes so far."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass

from ..errors import SuiteError
from ..model.case import TargetSpec
from ..model.criterion import ScorerSpec
from ..model.place import Place, Problem, did_you_mean
from .source import Source
from .tree import LOST, Map, Seq, quoted


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What the reader is told of the world outside the file."""

    specs: Mapping[str, ScorerSpec]
    """The built-in scorers, by name."""
    unknown_scorer: Callable[[str], str] | None = None
    """Of another name: why there is no such scorer (``"; did you mean …?"``), "" if there is. ``None``: not judged."""
    check_target: Callable[[TargetSpec], Iterable[Problem]] | None = None
    """What is wrong with a target besides how it is written."""


class Reading:
    """Collects every mistake of a file; what is read after one is a stand-in that causes no further message."""

    def __init__(self, source: Source, around: Surroundings | None = None) -> None:
        self.source = source
        self.specs = around.specs if around else {}
        self._around = around
        self._judged: dict[str, str] = {}
        self.needing = {name: spec for name, spec in self.specs.items() if spec.needs}
        """The scorers that compare with something the case must give."""
        # a mapping that is merged into many cases is wrong once
        self._problems: set[Problem] = set()
        self.count = 0
        """How many mistakes were noted so far, repeated ones included."""

    def unknown_scorer(self, name: str) -> str:
        """Why there is no scorer of this name; "" if there is one, or nobody can tell."""
        judge = self._around.unknown_scorer if self._around else None
        if name in self.specs or judge is None:
            return ""
        if name not in self._judged:
            self._judged[name] = judge(name)
        return self._judged[name]

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
