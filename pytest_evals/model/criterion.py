"""What a case asks of an answer, and what scorers tell about themselves beforehand."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Protocol

from .judge import BETTER
from .place import Place
from .score import GRADED_MARK, YES_NO_MARK

if TYPE_CHECKING:
    from .case import Case

COMBINATIONS = ("not", "all_of", "any_of")
"""Criteria made of criteria: 1 − s, the least, the greatest."""

FUNCTION = "python:"
"""How the scorer is named that is a function and no fixture: ``python:pkg.mod:function``."""


@dataclass(frozen=True, slots=True)
class Criterion:
    """One thing a case asks of an answer."""

    scorer: str
    """A scorer (fixture ``<scorer>_scorer``), a function (``python:…``), or one of ``not``, ``all_of``, ``any_of``."""
    name: str
    """Unique within a case; the scorer's name unless the suite gives one."""
    options: Mapping[str, Any] = field(default_factory=dict)
    weight: float = 1.0
    threshold: float | None = None
    """The stated mark; ``None``: 1 for yes/no scorers, 0.7 for graded ones."""
    description: str = ""
    turn: int | Literal["last", "all"] | None = None
    """Of a conversation: the turn whose reply is scored, from 1 on; ``None`` scores all that was said."""
    parts: tuple[Criterion, ...] = ()
    """The criteria a combination is made of."""
    place: Place | None = field(default=None, compare=False)
    base: Path | None = field(default=None, compare=False)
    """The folder that the file of a function starts from."""

    def scorers(self) -> Iterator[str]:
        """The scorers that answer it by name, without combinations and functions."""
        if self.parts:
            for part in self.parts:
                yield from part.scorers()
        elif not self.scorer.startswith(FUNCTION):
            yield self.scorer


def compared_variants(criteria: Iterable[Criterion]) -> set[str]:
    """The variants whose answers criteria compare with."""
    return {str(c.options["variant"]) for c in criteria if c.scorer == BETTER and c.options.get("variant")}


OptionKind = Literal["text", "texts", "number", "integer", "boolean", "choice", "json", "document"]


@dataclass(frozen=True, slots=True)
class Option:
    """An option of a built-in scorer, checked when the suite is read."""

    name: str
    kind: OptionKind
    """``text``: the scalar as written; ``texts``: one text or a list of them; ``json``: any value.

    ``document``: a JSON value, or the name of a JSON or YAML file beside the suite, whose content takes its place.
    """
    help: str
    default: Any = None
    choices: tuple[str, ...] = ()
    """For ``choice``."""
    minimum: float | None = None
    maximum: float | None = None


Expectation = Literal["expected_output", "reference_outputs", "expected_tool_calls", "context"]


@dataclass(frozen=True, slots=True)
class ScorerSpec:
    """What the suite reader must know of a built-in scorer to check a criterion."""

    name: str
    summary: str
    """One sentence, as the documentation shows it."""
    graded: bool
    """True: fractions, mark 0.7. False: yes or no, mark 1."""
    options: tuple[Option, ...] = ()
    main: str | None = None
    """The option that a bare scalar or list fills: ``regex: '[0-9]+'`` is ``regex: {pattern: '[0-9]+'}``."""
    needs: tuple[Expectation, ...] = ()
    """The case must give at least one of these, unless the ``main`` option is given."""
    requires: tuple[str, ...] = ()
    """Options that must be given."""
    refuses_empty: bool = False
    """True: an empty text is no expectation; refused at collection, in the ``main`` option and in the case alike.

    With several texts (a list in the option, references) each of them must hold something.
    """
    check: Callable[[Mapping[str, Any]], Sequence[str]] | None = None
    """Further checks of the options: returns what is wrong, a sentence each."""
    own_mark: float | None = None
    """The mark of a criterion that states no threshold, where it is not the usual one of ``graded``."""
    instead: tuple[str, ...] = ()
    """The options that make up for what ``needs`` names, where it is not ``main``."""

    lacks: Callable[[Mapping[str, Any], Case], str] | None = None
    """What a case lacks for a criterion with these options, in a sentence; an empty text when it lacks nothing."""

    @property
    def mark(self) -> float:
        """The score to reach when the criterion states no threshold."""
        if self.own_mark is not None:
            return self.own_mark
        return GRADED_MARK if self.graded else YES_NO_MARK


class Scorer(Protocol):
    """Anything callable with some of ``actual, expected, references, case, response, options, criterion, trial``.

    Sync or async; returns a number from 0 to 1, a bool or a ``Score``.
    A scorer made by this package also carries its ``spec``.
    """

    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...
