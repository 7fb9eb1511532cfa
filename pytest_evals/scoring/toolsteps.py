"""``tool_called``, ``tool_not_called``, ``tool_order``, ``tool_arguments``: single questions about calls of tools."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from ..errors import ScorerError
from ..model.criterion import Option
from ..model.response import ToolCall
from ..model.score import Score
from ..model.text import one_line
from .builtin import Asked, count, define, named
from .steps import SUBAGENTS, Made, calls_made
from .toolargs import Compare, check_scorers, read_args, read_call, read_scorer


def _detail(made: Sequence[Made]) -> dict[str, Any]:
    return {"calls": dict(Counter(one.call.name for one in made).most_common(50))}


def _said(made: Sequence[Made]) -> str:
    """Which tools were called, in a few words."""
    names = Counter(one.call.name for one in made)
    shown = ", ".join(
        one_line(name, 40) if n == 1 else f"{one_line(name, 40)} {n}×" for name, n in names.most_common(8)
    )
    return f"called: {shown}{', …' if len(names) > 8 else ''}" if names else "no tool was called"


def tool_called(asked: Asked) -> Score:
    made, options = calls_made(asked), asked.options
    name, least, most = options["tool"], options["min"], options["max"]
    wanted = ToolCall(name, asked.given.get("args"))
    compare = Compare("subset", {})
    fits = [
        one for one in made if one.call.name == name and not compare.mismatch(read_call(wanted), read_call(one.call))
    ]
    number = len(fits)
    right = number >= least and (most is None or number <= most)
    with_args = " with these arguments" if wanted.args is not None else ""
    times = (
        f"{one_line(name, 40)} was called {number}×{with_args}"
        if number
        else f"{one_line(name, 40)} was not called{with_args}"
    )
    beyond = "" if right else f", {f'at most {most}' if number >= least else f'at least {least}'} wanted"
    return Score(right, f"{times}{beyond}{fits[0].where if number == 1 else ''}; {_said(made)}", _detail(made))


def tool_not_called(asked: Asked) -> Score:
    made = calls_made(asked)
    names = asked.options["tool"]
    unwanted = [names] if isinstance(names, str) else list(map(str, names))
    found = next((one for one in made if one.call.name in unwanted), None)
    shown = one_line(", ".join(unwanted), 80)
    if found is None:
        return Score(True, f"{shown} not called; {_said(made)}", _detail(made))
    return Score(False, f"{one_line(found.call.name, 40)} was called{found.where}", _detail(made))


def tool_order(asked: Asked) -> Score:
    made = calls_made(asked)
    wanted = list(
        map(str, asked.options["tools"] if not isinstance(asked.options["tools"], str) else [asked.options["tools"]])
    )
    at = 0
    for position, name in enumerate(wanted):
        later = next((n for n in range(at, len(made)) if made[n].call.name == name), None)
        if later is None:
            before = any(one.call.name == name for one in made[:at])
            why = (
                f"{one_line(name, 40)} was called, but not after {one_line(wanted[position - 1], 40)}"
                if before and position
                else f"{one_line(name, 40)} was not called"
            )
            return Score(False, f"{why}; {_said(made)}", _detail(made))
        at = later + 1
    return Score(True, f"{count(len(wanted), 'tool')} in their order", _detail(made))


def tool_arguments(asked: Asked) -> Score:
    made, options = calls_made(asked), asked.options
    name, which = options["tool"], options["which"]
    calls = [one for one in made if one.call.name == name]
    if not calls:
        return Score(False, f"{one_line(name, 40)} was not called; {_said(made)}", _detail(made))
    looked_at = {"first": calls[:1], "last": calls[-1:]}.get(which, calls)
    scorers = {key: read_scorer(written) for key, written in (options["arguments"] or {}).items()}
    wanted = read_call(ToolCall(name, asked.given.get("args", None if scorers else {})))
    if wanted.args.wrong:
        raise ScorerError(f"the expected arguments of {name} are {wanted.args.wrong}")
    own = {f"{name}.{key}": scorer for key, scorer in scorers.items()}
    compare = Compare(options["match"], own)
    wrong = [compare.mismatch(wanted, read_call(one.call)) for one in looked_at]
    right = not all(wrong) if which == "any" else not any(wrong)
    if right:
        return Score(True, f"the arguments of {one_line(name, 40)} are as expected", _detail(made))
    bad = next(n for n, said in enumerate(wrong) if said)
    return Score(False, f"{one_line(name, 40)}{looked_at[bad].where}: {wrong[bad]}", _detail(made))


def _check_called(options: Mapping[str, Any]) -> Sequence[str]:
    found = _check_args(options)
    if options.get("max") is not None and options["max"] < options.get("min", 1):
        found.append("max is below min")
    return found


def _check_args(options: Mapping[str, Any]) -> list[str]:
    args = options.get("args")
    if args is None:
        return []
    wrong = read_args(args).wrong
    return [f"args: {wrong}"] if wrong else []


def _check_arguments(options: Mapping[str, Any]) -> Sequence[str]:
    found = _check_args(options)
    if options.get("arguments") is not None:
        found += check_scorers(options["arguments"])
    if options.get("args") is None and options.get("arguments") is None:
        found.append("say what is expected of the arguments: args, or a scorer of single ones in arguments")
    return found


SCORERS = named(
    define(
        "tool_called",
        tool_called,
        Option("tool", "text", "The tool."),
        Option("args", "json", "Arguments that the call must have; others may stand beside them."),
        Option("min", "integer", "How often at least.", default=1, minimum=0),
        Option("max", "integer", "How often at most; default: any number of times.", minimum=0),
        SUBAGENTS,
        graded=False,
        main="tool",
        requires=("tool",),
        check=_check_called,
    ),
    define(
        "tool_not_called",
        tool_not_called,
        Option("tool", "texts", "The tool, or several."),
        SUBAGENTS,
        graded=False,
        main="tool",
        requires=("tool",),
    ),
    define(
        "tool_order",
        tool_order,
        Option("tools", "texts", "The tools in the order in which they must be called; others may stand between."),
        SUBAGENTS,
        graded=False,
        main="tools",
        requires=("tools",),
    ),
    define(
        "tool_arguments",
        tool_arguments,
        Option("tool", "text", "The tool whose arguments are looked at."),
        Option("args", "json", "The arguments that are expected."),
        Option(
            "match",
            "choice",
            "Whether there may be more arguments than the expected ones.",
            default="subset",
            choices=("exact", "subset"),
        ),
        Option("arguments", "json", "Scorers of single arguments, by name: `{query: levenshtein}`."),
        Option(
            "which",
            "choice",
            "Which of the tool's calls must have them.",
            default="any",
            choices=("any", "all", "first", "last"),
        ),
        SUBAGENTS,
        graded=False,
        main="tool",
        requires=("tool",),
        check=_check_arguments,
    ),
)
