"""``trajectory_match``: the way an agent went against the expected one, call by call."""

from __future__ import annotations

from functools import cache

from ..model.criterion import Option
from ..model.score import Score
from .builtin import Asked, count, define, expected_option, named
from .steps import SUBAGENTS, calls_made
from .toolargs import Compare, read_call, read_scorer
from .toolmatch import align
from .tools import calls_of, check_calls, written


def trajectory_match(asked: Asked) -> Score:
    expected = asked.expected_tool_calls
    if asked.given.get("expected") is not None or expected is None:
        expected = calls_of(asked.expected)
    made = [one.call for one in calls_made(asked)]
    options = asked.options
    scorers = {name: read_scorer(given) for name, given in (options["arguments"] or {}).items()}
    compare = Compare(options["args"], scorers)
    wanted, called = [read_call(call) for call in expected], [read_call(call) for call in made]

    @cache
    def fits(i: int, j: int) -> bool:
        return not compare.mismatch(wanted[i], called[j])

    pairs = align(len(expected), len(made), fits, options["order"])
    both = len(expected) + len(made)
    f1 = 2 * len(pairs) / both if both else 1.0
    value = float(len(pairs) == len(expected) == len(made)) if options["order"] == "exact" else f1
    missing = [written(call) for i, call in enumerate(expected) if i not in pairs]
    added = [written(call) for j, call in enumerate(made) if j not in pairs.values()]
    detail = {
        "matched": len(pairs),
        "expected": len(expected),
        "made": len(made),
        "f1": f1,
        "missing": missing[:20],
        "extra": added[:20],
    }
    ordered = {"any": "in any order", "in_order": "in their order", "exact": "in their places"}[options["order"]]
    said = f"{len(pairs)} of {count(len(expected), 'expected call')} {ordered}, {len(made)} made"
    if missing:
        said += f"; missing: {missing[0]}"
    if added:
        said += f"; beside: {added[0]}"
    return Score(value, said, detail)


SCORERS = named(
    define(
        "trajectory_match",
        trajectory_match,
        expected_option("json", "The calls, as names or with args; default: the case's expected tool calls."),
        Option(
            "order",
            "choice",
            "`exact`: the very same calls in the same places, 1 or 0; `in_order`: F1 of the longest common "
            "subsequence; `any`: F1 of the calls that both have, whatever their order.",
            default="in_order",
            choices=("exact", "in_order", "any"),
        ),
        Option(
            "args",
            "choice",
            "Whether arguments are compared exactly, may be more than expected, or do not count.",
            default="exact",
            choices=("exact", "subset", "ignore"),
        ),
        Option("arguments", "json", "Scorers of single arguments, by name or `tool.name`: `{query: levenshtein}`."),
        SUBAGENTS,
        graded=True,
        main="expected",
        needs=("expected_tool_calls",),
        check=check_calls,
    ),
)
