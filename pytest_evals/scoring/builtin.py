"""What all built-in scorers have in common: a spec, option defaults, and what is looked for."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from ..errors import ScorerError
from ..model.criterion import Criterion, Expectation, Option, OptionKind, ScorerSpec
from ..model.response import Response, ToolCall
from ..model.score import Score
from ..model.text import one_line, text_of
from .catalogue import SUMMARIES
from .waiting import wait_for

if TYPE_CHECKING:
    from ..model.case import Case


class Asked(NamedTuple):
    """What a built-in scorer is asked."""

    actual: Any
    """The answer: text or a JSON value."""
    expected: Any
    """The option ``expected``, else the case's expected output."""
    references: Sequence[str]
    options: Mapping[str, Any]
    """All options of the spec."""
    given: Mapping[str, Any]
    """Those that the criterion states; a JSON value may be ``None`` there, which is no missing one."""
    response: Response | None = None
    """What is known of the answer; ``None`` when only the answer itself was given."""
    expected_tool_calls: Sequence[ToolCall] | None = None
    case: Case | None = None
    """``None`` outside suites."""
    criterion: Criterion | None = None
    trial: int = 1
    """Which of the case's trials gave the answer."""
    identity: Any = None
    """What the session knows of the case beyond its definition; ``None`` outside suites."""


Function = Callable[[Asked], Score]

NO_OPTIONS: Mapping[str, Any] = {}


class BuiltInScorer:
    """A built-in scorer: called by keyword like any other, it fills in option defaults first.

    The option ``expected``, where a scorer has it, takes the place of the case's expected output. Scorers that wait for
    something have no ``function``: they say when (``waits``) and answer in ``respond``.
    """

    __slots__ = ("_defaults", "_function", "_json", "_overrides", "spec")

    def __init__(self, spec: ScorerSpec, function: Function | None) -> None:
        self.spec = spec
        self._function = function
        self._defaults = {option.name: option.default for option in spec.options}
        self._overrides = "expected" in self._defaults
        self._json = any(option.name == "expected" and option.kind == "json" for option in spec.options)
        """Whether ``expected`` may be null and still be given."""

    def __repr__(self) -> str:
        return f"<scorer {self.spec.name}>"

    def __call__(
        self,
        actual: Any,
        expected: Any = None,
        references: Sequence[str] = (),
        options: Mapping[str, Any] = NO_OPTIONS,
        case: Case | None = None,
        response: Response | None = None,
        criterion: Criterion | None = None,
        trial: int = 1,
        identity: Any = None,
    ) -> Any:
        """The score, or what must be awaited for it. Raises ``ScorerError`` without an expectation."""
        chosen = {**self._defaults, **options} if options else self._defaults
        own = self._overrides and (chosen["expected"] is not None or (self._json and "expected" in options))
        if own:
            expected = chosen["expected"]
        calls = case.expected_tool_calls if case is not None else None
        if self.spec.needs and not own and not any(options.get(name) is not None for name in self.spec.instead):
            self._require(expected, references, calls)
        asked = Asked(actual, expected, references, chosen, options, response, calls, case, criterion, trial, identity)
        return self.respond(asked)

    def answer(self, *arguments: Any, **named: Any) -> Score:
        """The score, as a call gives it, waited for here."""
        found = self(*arguments, **named)
        return found if isinstance(found, Score) else wait_for(found)

    def waits(self, options: Mapping[str, Any]) -> bool:  # noqa: ARG002
        """Whether a call with these options must be awaited."""
        return False

    def respond(self, asked: Asked) -> Score | Awaitable[Score]:
        """The score of what is asked; to be awaited where the scorer waits."""
        assert self._function is not None, self.spec.name
        return self._function(asked)

    def _require(self, expected: Any, references: Sequence[str], calls: Sequence[ToolCall] | None) -> None:
        if "expected_tool_calls" in self.spec.needs and calls is not None:
            return
        counts = references if "reference_outputs" in self.spec.needs else ()
        if (expected is None or "expected_output" not in self.spec.needs) and not counts:
            places = " or ".join(self.spec.needs)
            raise ScorerError(f"{self.spec.name} has nothing to look for; give {places}, or the option 'expected'")
        if self.spec.refuses_empty:
            wanted = (*texts(expected), *counts)
            if not wanted or "" in wanted:
                raise ScorerError(f"{self.spec.name} cannot look for an empty text: every answer holds it")


def define(
    name: str,
    function: Function | None,
    *options: Option,
    graded: bool,
    main: str | None = None,
    needs: tuple[Expectation, ...] = (),
    requires: tuple[str, ...] = (),
    refuses_empty: bool = False,
    check: Callable[[Mapping[str, Any]], Sequence[str]] | None = None,
    mark: float | None = None,
    instead: tuple[str, ...] = (),
    lacks: Callable[[Mapping[str, Any], Case], str] | None = None,
    made: type[BuiltInScorer] = BuiltInScorer,
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
        own_mark=mark,
        instead=instead,
        lacks=lacks,
    )
    return made(spec, function)


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
