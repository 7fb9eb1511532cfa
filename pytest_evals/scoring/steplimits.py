"""Bounds on what an agent did: its steps, its calls, loops, tools that failed, the cost of single steps."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from ..errors import ScorerError
from ..model.criterion import Option
from ..model.score import TOLERANCE, Score
from ..model.text import one_line, text_of
from ..model.wire import plain
from .builtin import Asked, count, define, named
from .call import NO_MONEY, dollars
from .steps import SUBAGENTS, Made, agent_steps, calls_made, texts_option, trajectories_of
from .toolargs import read_args


def max_steps(asked: Asked) -> Score:
    most, made = asked.options["max"], len(agent_steps(asked))
    return Score(made <= most, _bound(made, most, "step"), {"steps": made})


def max_tool_calls(asked: Asked) -> Score:
    most, name = asked.options["max"], asked.options["tool"]
    made = [one for one in calls_made(asked) if name is None or one.call.name == name]
    noun = "call" if name is None else f"call of {one_line(name, 40)}"
    detail = {"calls": dict(Counter(one.call.name for one in made).most_common(50))}
    plural = "" if name is None else f"calls of {one_line(name, 40)}"
    return Score(len(made) <= most, _bound(len(made), most, noun, plural), detail)


def _bound(made: int, most: int, noun: str, plural: str = "") -> str:
    shown = count(made, noun) if not plural or made == 1 else f"{made} {plural}"
    return f"{shown}, {'within' if made <= most else 'above'} {most}"


def no_repeated_calls(asked: Asked) -> Score:
    most, ignored = asked.options["max"], texts_option(asked.options, "ignore")
    seen: dict[str, list[Made]] = {}
    for one in calls_made(asked):
        if one.call.name not in ignored:
            seen.setdefault(_same(one), []).append(one)
    often = max(seen.values(), key=len, default=[])
    detail = {"repeated": {key[:200]: len(calls) for key, calls in seen.items() if len(calls) > most}}
    if len(often) <= most:
        return Score(True, "no call was made again" if most == 1 else f"no call was made more than {most}×", detail)
    steps = [str(one.step) for one in often if one.step is not None]
    where = f" (steps {', '.join(steps[:6])}{', …' if len(steps) > 6 else ''})" if steps else ""
    return Score(False, f"{one_line(_same(often[0]), 100)} was called {len(often)}×{where}", detail)


def _same(made: Made) -> str:
    """The call as text: equal texts are equal calls, whatever the order of their arguments."""
    args = read_args(made.call.args)
    if args.wrong:
        return f"{made.call.name} {text_of(made.call.args)}"
    return f"{made.call.name} {json.dumps(plain(args.values), sort_keys=True, ensure_ascii=False)}"


def no_tool_errors(asked: Asked) -> Score:
    trajectories_of(asked)
    most, ignored = asked.options["max"], texts_option(asked.options, "ignore")
    made = calls_made(asked)
    failed = [one for one in made if one.error and one.call.name not in ignored]
    detail = {"calls": len(made), "errors": [f"{one.call.name}: {one.error}"[:300] for one in failed[:20]]}
    if not failed:
        return Score(True, f"{count(len(made), 'call')}, none failed", detail)
    first = failed[0]
    said = f"{one_line(first.call.name, 40)}{first.where}: {one_line(first.error, 120)}"
    more = f"; and {len(failed) - 1} more" if len(failed) > 1 else ""
    return Score(len(failed) <= most, f"{said}{more}", detail)


def step_cost(asked: Asked) -> Score:
    most = dollars(text_of(asked.options["max"]))
    if most is None:
        raise ScorerError(f"step_cost: {NO_MONEY}")
    costs = []
    for _, step in agent_steps(asked):
        if step.model_calls == 0:
            continue
        paid = step.metrics.cost_usd if step.metrics is not None else None
        if paid is None:
            raise ScorerError(f"the cost of step {step.number} is unknown: the trajectory does not tell (cost_usd)")
        costs.append((paid, step.number))
    if not costs:
        return Score(True, "no step asked a model", {"steps": 0})
    worst, number = max(costs)
    within = worst <= most * (1 + TOLERANCE)
    reason = f"step {number} cost ${worst:.4g}, {'within' if within else 'above'} ${most:.4g}"
    return Score(within, reason, {"steps": len(costs), "max_usd": worst})


def _check_money(options: Mapping[str, Any]) -> Sequence[str]:
    given = text_of(options.get("max"))
    return [] if dollars(given) is not None else [f"{NO_MONEY}, not '{one_line(given, 40)}'"]


SCORERS = named(
    define(
        "max_steps",
        max_steps,
        Option("max", "integer", "The most steps of the agent.", minimum=0),
        SUBAGENTS,
        graded=False,
        main="max",
        requires=("max",),
    ),
    define(
        "max_tool_calls",
        max_tool_calls,
        Option("max", "integer", "The most calls.", minimum=0),
        Option("tool", "text", "The tool whose calls are counted; default: all."),
        SUBAGENTS,
        graded=False,
        main="max",
        requires=("max",),
    ),
    define(
        "no_repeated_calls",
        no_repeated_calls,
        Option("max", "integer", "How often the very same call may be made.", default=1, minimum=1),
        Option("ignore", "texts", "Tools that may be called again."),
        SUBAGENTS,
        graded=False,
        main="max",
    ),
    define(
        "no_tool_errors",
        no_tool_errors,
        Option("max", "integer", "How many calls may fail.", default=0, minimum=0),
        Option("ignore", "texts", "Tools that may fail."),
        SUBAGENTS,
        graded=False,
        main="max",
    ),
    define(
        "step_cost",
        step_cost,
        Option("max", "text", "The most that a single step may cost, in US dollars: 0.01, $0.01."),
        SUBAGENTS,
        graded=False,
        main="max",
        requires=("max",),
        check=_check_money,
    ),
)
