"""What all built-in scorers have in common: a spec, option defaults, and what is looked for."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from ..errors import ScorerError
from ..model.criterion import Expectation, Option, OptionKind, ScorerSpec
from ..model.score import Score
from ..model.text import one_line, text_of
from .catalogue import SUMMARIES


class Asked(NamedTuple):
    """What a built-in scorer is asked."""

    actual: Any
    """The answer: text or a JSON value."""
    expected: Any
    """The option ``expected``, else the case's expected output."""
    references: Sequence[str]
    options: Mapping[str, Any]
    """All options of the spec."""


Function = Callable[[Asked], Score]

NO_OPTIONS: Mapping[str, Any] = {}


class BuiltInScorer:
    """A built-in scorer: called by keyword like any other, it fills in option defaults first.

    The option ``expected``, where a scorer has it, takes the place of the case's expected output.
    """

    __slots__ = ("_defaults", "_function", "_overrides", "spec")

    def __init__(self, spec: ScorerSpec, function: Function) -> None:
        self.spec = spec
        self._function = function
        self._defaults = {option.name: option.default for option in spec.options}
        self._overrides = "expected" in self._defaults

    def __repr__(self) -> str:
        return f"<scorer {self.spec.name}>"

    def __call__(
        self,
        actual: Any,
        expected: Any = None,
        references: Sequence[str] = (),
        options: Mapping[str, Any] = NO_OPTIONS,
    ) -> Score:
        chosen = {**self._defaults, **options} if options else self._defaults
        own = chosen["expected"] if self._overrides else None
        if own is not None:
            expected = own
        if self.spec.needs:
            self._require(expected, () if own is not None else references)
        return self._function(Asked(actual, expected, references, chosen))

    def _require(self, expected: Any, references: Sequence[str]) -> None:
        counts = references if "reference_outputs" in self.spec.needs else ()
        if expected is None and not counts:
            places = " or ".join(self.spec.needs)
            raise ScorerError(
                f"{self.spec.name} has nothing to look for; give {places}, or the option {self.spec.main!r}"
            )
        if self.spec.refuses_empty:
            wanted = (*texts(expected), *counts)
            if not wanted or "" in wanted:
                raise ScorerError(f"{self.spec.name} cannot look for an empty text: every answer holds it")


def define(
    name: str,
    function: Function,
    *options: Option,
    graded: bool,
    main: str | None = None,
    needs: tuple[Expectation, ...] = (),
    requires: tuple[str, ...] = (),
    refuses_empty: bool = False,
    check: Callable[[Mapping[str, Any]], Sequence[str]] | None = None,
) -> BuiltInScorer:
    """A built-in scorer with the summary of the catalogue."""
    spec = ScorerSpec(
        name=name,
        summary=SUMMARIES[name],
        graded=graded,
        options=options,
        main=main,
        needs=needs,
        requires=requires,
        refuses_empty=refuses_empty,
        check=check,
    )
    return BuiltInScorer(spec, function)


def named(*scorers: BuiltInScorer) -> Mapping[str, BuiltInScorer]:
    return {scorer.spec.name: scorer for scorer in scorers}


def expected_option(
    kind: OptionKind = "text", help: str = "What to look for; default: the case's expected output."
) -> Option:
    return Option("expected", kind, help)


CASE_SENSITIVE = Option("case_sensitive", "boolean", "Whether capitals and small letters differ.", default=False)

ALL_REFERENCES = Option(
    "all_references",
    "boolean",
    "Compare with the references too, not only with the expected output.",
    default=False,
)


def texts(value: Any) -> tuple[str, ...]:
    """One text or a list of them as texts: a text is one item, never its characters; other items as text."""
    if value is None:
        return ()
    if isinstance(value, (set, frozenset)):
        value = sorted(value, key=str)
    if isinstance(value, (list, tuple)):
        return tuple(text_of(item) for item in value)
    return (text_of(value),)


def compared(asked: Asked) -> list[str]:
    """What a graded measure compares with: the expected output, else the references; both with ``all_references``."""
    if asked.expected is None:
        return [text_of(reference) for reference in asked.references]
    if asked.options["all_references"]:
        return [text_of(asked.expected), *(text_of(reference) for reference in asked.references)]
    return [text_of(asked.expected)]


def best_of(scores: Sequence[Score]) -> Score:
    """The best of the scores against several texts; the first of equals."""
    number = max(range(len(scores)), key=lambda n: scores[n].value)
    best = scores[number]
    if len(scores) == 1:
        return best
    reason = f"{best.reason}; best of {len(scores)} texts, number {number + 1}"
    return Score(best.value, reason, {**best.detail, "number": number + 1})


def quote(text: str, limit: int = 40) -> str:
    """A piece of text as it stands in a reason: on one line, in quotes, cut."""
    piece = text[: 3 * limit]  # folding all of a long answer for 40 characters took longer than comparing it
    shown = one_line(piece, limit)
    return f"'{shown}…'" if len(piece) < len(text) and not shown.endswith("…") else f"'{shown}'"


def count(number: int, noun: str) -> str:
    """``1 word``, ``2 words``."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
