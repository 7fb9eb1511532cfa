"""``latency``, ``cost`` and ``tokens``: bounds on the call that gave the answer.

What is not known of a call is neither within a bound nor beyond it: it is an error of the scorer.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any

from ..errors import GateError, ScorerError
from ..model.criterion import Option
from ..model.gate_grammar import milliseconds
from ..model.response import Response
from ..model.score import TOLERANCE, Score
from ..model.text import one_line, text_of
from .builtin import Asked, count, define, named


def _response(asked: Asked, name: str) -> Response:
    if asked.response is None:
        raise ScorerError(f"{name} needs a Response, which knows of the call what the answer does not")
    return asked.response


def latency(asked: Asked) -> Score:
    most, took = _time(text_of(asked.options["max"])), _response(asked, "latency").latency_ms
    if took is None:
        raise ScorerError("the latency of the call is unknown: the target answers from memory, or a record without it")
    return _judged(took, most, _shown_ms, {"latency_ms": took})


@lru_cache(maxsize=100)
def _time(text: str) -> float:
    return milliseconds(text)


def _shown_ms(value: float) -> str:
    return f"{value:.4g} ms" if value < 1000 else f"{value / 1000:.4g} s"


_MONEY = re.compile(r"(?:\$|US\$|USD)?\s*(\d+\.?\d*(?:e-?\d{1,2})?|\.\d+)\s*(?:\$|USD)?", re.ASCII | re.IGNORECASE)


@lru_cache(maxsize=100)
def dollars(text: str) -> float | None:
    """The amount that a text such as ``$0.01`` says; ``None`` when it says none."""
    found = _MONEY.fullmatch(text.strip())
    return float(found[1]) if found else None


def cost(asked: Asked) -> Score:
    most, paid = dollars(text_of(asked.options["max"])), _response(asked, "cost").cost_usd
    if most is None:
        raise ScorerError(f"cost: {NO_MONEY}")
    if paid is None:
        raise ScorerError("the cost of the answer is unknown: let the target return Response(…, cost_usd=…)")
    return _judged(paid, most, lambda value: f"${value:.4g}", {"cost_usd": paid})


def tokens(asked: Asked) -> Score:
    most, which = asked.options["max"], asked.options["of"]
    usage = _response(asked, "tokens").usage
    known = {"input": usage.input_tokens, "output": usage.output_tokens} if usage is not None else {}
    wanted = ("input", "output") if which == "total" else (which,)
    counts = [known.get(name) for name in wanted]
    missing = [name for name, number in zip(wanted, counts, strict=True) if number is None]
    if missing:
        raise ScorerError(
            f"the number of {' and '.join(missing)} tokens is unknown: "
            "let the target return Response(…, usage=Usage(…))"
        )
    used = sum(number for number in counts if number is not None)
    kind = "" if which == "total" else f"{which} "
    return _judged(used, most, lambda value: count(int(value), f"{kind}token"), {"tokens": used})


def _judged(value: float, most: float, shown: Callable[[float], str], detail: Mapping[str, Any]) -> Score:
    within = value <= most * (1 + TOLERANCE)
    return Score(within, f"{shown(value)}, {'within' if within else 'above'} {shown(most)}", detail)


NO_MONEY = "max must be an amount of US dollars such as 0.01 or $0.01"


def _check_latency(options: Mapping[str, Any]) -> Sequence[str]:
    try:
        milliseconds(text_of(options.get("max")))
    except GateError as error:
        return [f"max: {error}"]
    return []


def _check_cost(options: Mapping[str, Any]) -> Sequence[str]:
    given = text_of(options.get("max"))
    return [] if dollars(given) is not None else [f"{NO_MONEY}, not '{one_line(given, 40)}'"]


SCORERS = named(
    define(
        "latency",
        latency,
        Option("max", "text", "The longest it may take: 2s, 500ms, 1m; a number alone is seconds."),
        graded=False,
        main="max",
        requires=("max",),
        check=_check_latency,
    ),
    define(
        "cost",
        cost,
        Option("max", "text", "The most it may cost, in US dollars: 0.01, $0.01."),
        graded=False,
        main="max",
        requires=("max",),
        check=_check_cost,
    ),
    define(
        "tokens",
        tokens,
        Option("max", "integer", "The most tokens it may take.", minimum=0),
        Option(
            "of",
            "choice",
            "Which tokens are counted; total is input and output.",
            default="total",
            choices=("total", "input", "output"),
        ),
        graded=False,
        main="max",
        requires=("max",),
    ),
)
