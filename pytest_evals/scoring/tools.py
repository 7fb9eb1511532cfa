"""``tool_calls``: the calls that the application made of its tools against those that were expected."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from ..errors import ScorerError
from ..model.criterion import Option
from ..model.response import ToolCall
from ..model.score import Score
from ..model.text import one_line
from .builtin import Asked, count, define, expected_option, named
from .jsoncompare import shown
from .steps import tool_calls_of
from .toolargs import Compare, check_scorers, read_args, read_call, read_scorer
from .toolmatch import align

SHOWN = 3

_FORM = "expected must be a list of tool names, or of {name: a_tool, args: {…}}"


def calls_of(value: Any) -> tuple[ToolCall, ...]:
    """The calls that the option ``expected`` writes. Raises ``ScorerError``."""
    if isinstance(value, (str, Mapping, ToolCall)):
        value = [value]
    if not isinstance(value, (list, tuple)):
        raise ScorerError(_FORM)
    calls = []
    for item in value:
        if isinstance(item, ToolCall):
            calls.append(item)
        elif isinstance(item, str) and item.strip():
            calls.append(ToolCall(item))
        elif isinstance(item, Mapping) and isinstance(item.get("name"), str) and set(item) <= {"name", "args"}:
            # args: null says that there are none
            calls.append(
                ToolCall(item["name"], ({} if item["args"] is None else item["args"]) if "args" in item else None)
            )
        else:
            raise ScorerError(f"{_FORM}; {one_line(item, 60)} is neither")
    return tuple(calls)


def tool_calls(asked: Asked) -> Score:
    if asked.response is None:
        raise ScorerError("tool_calls needs a Response, which has the calls beside the answer")
    expected = asked.expected_tool_calls
    if asked.given.get("expected") is not None or expected is None:
        expected = calls_of(asked.expected)
    made = tool_calls_of(asked.response)
    options = asked.options
    scorers = options["arguments"] or {}
    compare = Compare(options["args"], {name: read_scorer(written) for name, written in scorers.items()})
    wanted, called = [read_call(call) for call in expected], [read_call(call) for call in made]

    @cache
    def mismatch(i: int, j: int) -> str:
        return compare.mismatch(wanted[i], called[j])

    pairs = align(len(expected), len(made), lambda i, j: not mismatch(i, j), options["order"])
    # no expected call means that none is wanted, whatever `extra` says
    extra = options["extra"] and bool(expected)
    possible = len(expected) if extra else max(len(expected), len(made))
    value = len(pairs) / possible if possible else 1.0
    missing = [i for i in range(len(expected)) if i not in pairs]
    added = [j for j in range(len(made)) if j not in pairs.values()]
    precision, recall, f1 = _rates(len(pairs), len(expected), len(made))
    detail = {
        "matched": len(pairs),
        "expected": len(expected),
        "made": len(made),
        "precision": precision,
        "recall": recall,
        "f1": f1,
        "missing": [written(expected[i]) for i in missing[:20]],
        "extra": [written(made[j]) for j in added[:20]],
    }
    told, near = [], set()
    for i in missing:
        says, j = _missing(expected, made, i, added, mismatch)
        told.append(says)
        near.add(j)
    if added and not extra:
        told += [f"not expected: {written(made[j])}" for j in added if j not in near]
    elif not told and added:
        told = [f"{count(len(added), 'more call')} beside"]
    if not told:
        ordered = {"any": "in any order", "in_order": "in their order", "exact": "in their places"}[options["order"]]
        return Score(value, f"{count(len(expected), 'call')} as expected, {ordered}" if expected else "no call", detail)
    more = f"; and {len(told) - SHOWN} more" if len(told) > SHOWN else ""
    share = f"{len(pairs)} of {count(len(expected), 'call')}" if expected else "no call is expected"
    return Score(value, f"{share}: {'; '.join(told[:SHOWN])}{more}", detail)


def _rates(matched: int, expected: int, made: int) -> tuple[float | None, float | None, float | None]:
    """Precision, recall and F1; ``None`` where there is nothing to take a share of."""
    precision = matched / made if made else None
    recall = matched / expected if expected else None
    f1 = 2 * matched / (expected + made) if expected + made else None
    return precision, recall, f1


def _missing(
    expected: Sequence[ToolCall], made: Sequence[ToolCall], i: int, added: Sequence[int], mismatch: Any
) -> tuple[str, int | None]:
    """Why an expected call was not found, and the call that was made in its stead, if there is one."""
    name = expected[i].name
    same_name = [j for j in added if made[j].name == name]
    near = next((j for j in same_name if mismatch(i, j)), None)
    if near is not None:
        return f"{name}, {mismatch(i, near)}", near
    if same_name:
        return f"{written(expected[i], 60)} was called, but not in its place", same_name[0]
    return f"{written(expected[i], 60)} was not called", None


def written(call: ToolCall, limit: int = 100) -> str:
    """The call as it stands in a reason."""
    args = read_args(call.args)
    if args.wrong:
        return f"{one_line(call.name, 60)}({one_line(call.args, limit)})"
    if not isinstance(args.values, Mapping):
        return f"{one_line(call.name, 60)}({shown(args.values, limit)})"
    pairs = ", ".join(f"{one_line(name, 30)}={shown(value, 30)}" for name, value in list(args.values.items())[:10])
    return f"{one_line(call.name, 60)}({one_line(pairs, limit)})" if pairs else one_line(call.name, 60)


def check_calls(options: Mapping[str, Any]) -> Sequence[str]:
    """What is wrong with expected calls, and with the scorers of their arguments."""
    found: list[str] = []
    if "expected" in options:
        try:
            calls = calls_of(options["expected"])
        except ScorerError as error:
            return [str(error)]
        read = [(call.name, read_args(call.args).wrong) for call in calls]
        found += [f"the expected call of {one_line(name, 40)} has {wrong}" for name, wrong in read if wrong]
    if options.get("arguments") is not None:
        found += check_scorers(options["arguments"])
        if options.get("args") == "ignore":
            found.append("arguments says how arguments are scored, and args: ignore that they do not count")
    return found


SCORERS = named(
    define(
        "tool_calls",
        tool_calls,
        expected_option("json", "The calls, as names or with args; default: the case's expected tool calls."),
        Option(
            "order",
            "choice",
            "Whether the calls may come in any order, must come in order (others may stand between), or stand in the "
            "very same places.",
            default="any",
            choices=("any", "in_order", "exact"),
        ),
        Option(
            "args",
            "choice",
            "Whether arguments are compared exactly, may be more than expected, or do not count.",
            default="exact",
            choices=("exact", "subset", "ignore"),
        ),
        Option("arguments", "json", "Scorers of single arguments, by name or `tool.name`: `{query: levenshtein}`."),
        Option("extra", "boolean", "Whether calls may be made beside the expected ones.", default=False),
        graded=True,
        mark=1,
        main="expected",
        needs=("expected_tool_calls",),
        check=check_calls,
    ),
)
