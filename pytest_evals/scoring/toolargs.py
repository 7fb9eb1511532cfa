"""The arguments of tool calls: read as what they stand for, and compared as the criterion says."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

from ..errors import ScorerError
from ..model.place import did_you_mean
from ..model.response import ToolCall
from ..model.score import as_score, reaches
from ..model.text import one_line
from .catalogue import SUMMARIES
from .check import problems
from .jsoncompare import How, differences, shown
from .jsonvalue import NotJsonError, json_of, read_json

ArgsMode = Literal["exact", "subset", "ignore"]

IGNORE = "ignore"
"""What stands for a scorer when an argument does not count."""

THRESHOLD = "threshold"

NO_VALUE = (
    *("tool_calls", "tool_called", "tool_not_called", "tool_order", "tool_arguments", "trajectory_match"),
    *("max_steps", "max_tool_calls", "no_repeated_calls", "no_tool_errors", "step_cost"),
    *("latency", "cost", "tokens"),
)
"""Scorers that look at the call, not at a value."""


@dataclass(frozen=True, slots=True)
class Args:
    """The arguments of one call."""

    values: Any
    """A mapping, or any JSON value where a tool takes no names."""
    wrong: str = ""
    """Why they could not be read: the text as it was sent."""


def read_args(given: Any) -> Args:
    """The arguments: JSON text is decoded; nothing, ``null``, ``""`` and ``{}`` all mean that there are none."""
    try:
        value = read_json(given) if isinstance(given, str) and given.strip() else given
        if value is None or (isinstance(value, str) and not value.strip()):
            return Args({})
        return Args(json_of(value))
    except NotJsonError as error:
        return Args({}, f"arguments that are not JSON ({error}): {one_line(given, 100)}")


class ReadCall(NamedTuple):
    """A call with its arguments read."""

    name: str
    args: Args
    free: bool
    """Whether nothing is said of arguments."""


def read_call(call: ToolCall) -> ReadCall:
    return ReadCall(call.name, read_args(call.args), call.args is None)


@dataclass(frozen=True, slots=True)
class ArgScorer:
    """How one argument is scored; ``name`` is ``ignore`` when it does not count."""

    name: str
    options: Mapping[str, Any] = field(default_factory=dict)
    threshold: float | None = None


def read_scorer(value: Any) -> ArgScorer:
    """``levenshtein``, or ``{levenshtein: {threshold: 0.8}}``, or ``{regex: '[0-9]+'}``. Raises ``ScorerError``."""
    if isinstance(value, Mapping) and len(value) == 1:
        [(name, options)] = value.items()
    else:
        name, options = value, {}
    if not isinstance(name, str) or (name != IGNORE and (name not in SUMMARIES or name in NO_VALUE)):
        near = did_you_mean(name, [*SUMMARIES, IGNORE]) if isinstance(name, str) else ""
        raise ScorerError(f"{one_line(name, 40)!r} is no scorer of arguments; name a built-in one, or ignore{near}")
    if name == IGNORE:
        return ArgScorer(IGNORE)
    from . import scorer

    spec = scorer(name).spec
    if not isinstance(options, Mapping):
        options = {} if options is None else {spec.main: options}
    given = {key: option for key, option in options.items() if key != THRESHOLD}
    threshold = options.get(THRESHOLD)
    if threshold is not None and (
        isinstance(threshold, bool) or not isinstance(threshold, (int, float)) or not 0 <= threshold <= 1
    ):
        raise ScorerError(f"threshold must be a number from 0 to 1, not {one_line(threshold, 40)}")
    found = problems(spec, given)
    if found:
        raise ScorerError("; ".join(found))
    return ArgScorer(name, given, threshold)


@dataclass(frozen=True, slots=True)
class Compare:
    """How the arguments of calls are compared."""

    mode: ArgsMode
    scorers: Mapping[str, ArgScorer]
    """By the name of the argument, or ``tool.argument``."""

    def mismatch(self, expected: ReadCall, made: ReadCall) -> str:
        """What keeps a call from being the expected one, in a few words; empty if it is that one."""
        if expected.name != made.name:
            return f"{made.name} where {expected.name} is expected"
        if self.mode == "ignore":
            return ""
        if expected.args.wrong:
            raise ScorerError(f"the expected call of {expected.name} has {expected.args.wrong}")
        # of a call without expected arguments, only those with a scorer of their own count
        if made.args.wrong:
            return "" if expected.free and not self._own(expected.name) else made.args.wrong
        return next(self._wrong(expected.name, made.args.values, expected.args.values, expected.free), "")

    def _own(self, tool: str) -> list[str]:
        """The arguments that a scorer asks for by the name of the tool."""
        start = f"{tool}."
        return [name.removeprefix(start) for name in self.scorers if name.startswith(start)]

    def _wrong(self, tool: str, mine: Any, theirs: Any, free: bool) -> Iterator[str]:
        how = How(subset=self.mode == "subset")
        if not (isinstance(mine, Mapping) and isinstance(theirs, Mapping)):
            if not free:
                yield from map(str, differences(mine, theirs, how))
            return
        names = dict.fromkeys([*theirs, *mine, *self._own(tool)])
        scorers = {name: self.scorers.get(f"{tool}.{name}") or self.scorers.get(name) for name in names}
        for name, scorer in scorers.items():
            if scorer is not None:
                yield from _scored(name, scorer, mine, theirs, free or how.subset)
        if not free:
            my_rest = {key: value for key, value in mine.items() if scorers[key] is None}
            their_rest = {key: value for key, value in theirs.items() if scorers[key] is None}
            for difference in differences(my_rest, their_rest, how):
                yield difference.told("").removeprefix(".")


def _scored(
    name: str, chosen: ArgScorer, mine: Mapping[str, Any], theirs: Mapping[str, Any], more: bool
) -> Iterator[str]:
    """Why an argument does not satisfy its scorer; ``more``: arguments that nothing is expected of may be there."""
    if chosen.name == IGNORE:
        return
    if name not in mine:
        yield f"{name}: missing" + (f", {shown(theirs[name])} is expected" if name in theirs else "")
        return
    from . import scorer

    called = scorer(chosen.name)
    if name not in theirs and called.spec.needs and called.spec.main not in chosen.options:
        if not more:
            yield f"{name}: not expected, here {shown(mine[name])}"
        return
    score = as_score(called.answer(mine[name], theirs.get(name), (), chosen.options), chosen.name)
    mark = called.spec.mark if chosen.threshold is None else chosen.threshold
    if not reaches(float(score.value), mark):
        yield f"{name}: {shown(mine[name])} scores {float(score.value):.2g} by {chosen.name}, {score.reason}"


def check_scorers(value: Any) -> Sequence[str]:
    """What is wrong with the option ``arguments``."""
    if not isinstance(value, Mapping):
        return ["arguments must be a mapping of an argument's name to its scorer: {query: levenshtein}"]
    found = []
    for name, written in value.items():
        try:
            read_scorer(written)
        except ScorerError as error:
            found.append(f"arguments.{one_line(name, 40)}: {error}")
    return found
