"""Reading gates.

    METRIC [(SCOPE, …)] OPERATOR BOUND               pass_rate(tag=smoke) >= 95%
    METRIC [(SCOPE, …)] drop|rise OPERATOR BOUND     latency.p95 rise <= 10%
    lower(METRIC [(SCOPE, …)]) OPERATOR BOUND        lower(pass_rate) >= 90%

The operator is the last one of the line, so that names and scope values may hold anything. A criterion's name is what
stands between ``score.`` and ``.mean``; a name or value that would be read otherwise is put in quotes.
"""

from __future__ import annotations

import re
from typing import Literal

from ..errors import GateError
from .gate import KAPPA, LOWER, METRICS, OPERATORS, SCOPES, Gate, Unit
from .place import Place, did_you_mean
from .text import one_line

_SHAPE = "a gate reads METRIC OPERATOR BOUND, such as 'pass_rate >= 95%'"
_MILLISECONDS = {"ms": 1.0, "s": 1000.0, "m": 60_000.0, "": 1000.0}


def parse_gate(text: str, *, suite: str | None = None, place: Place | None = None) -> Gate:
    """Read a gate as a person wrote it. Raises ``GateError``, whose one line says what to write instead."""
    try:
        return _parse(text.strip(), suite, place)
    except GateError as error:
        raise GateError(f"gate '{one_line(text, 120)}': {error}") from None


def milliseconds(text: str) -> float:
    """A time as gates write it: ``2s``, ``500ms``, ``1m``; a number alone is seconds. Raises ``GateError``."""
    match = _NUMBER.match(text.strip())
    factor = _MILLISECONDS.get(match["unit"].strip()) if match else None
    if match is None or factor is None or float(match["number"]) < 0:
        raise GateError(f"'{one_line(text, 40)}' is no time: write 2s, 500ms or 1m")
    return float(match["number"]) * factor


# the operator is a whole run of operator characters, so that `=>` and `!=` are named as they stand
_LINE = re.compile(r"""^(?P<left>.*?[^<>=!≥≤~\s])\s*(?P<op>[<>=!≥≤~]+)\s*(?P<bound>[^<>=!≥≤~()"']*)$""", re.DOTALL)
_SCOPE_ITEM = re.compile(
    r"""\s*(?P<key>\w+)\s*=\s*(?:"(?P<double>[^"]*)"|'(?P<single>[^']*)'|(?P<bare>[^,"'\s][^,]*?))\s*(?:,|$)""",
    re.DOTALL,
)
_QUOTED_NAME = re.compile(r"""^score\.(["'])(?P<name>.+?)\1\.mean\s*(?P<scope>\(.*\))?$""", re.DOTALL)
_CHANGE = re.compile(r"^(?P<left>.*\S)\s+(?P<change>drop|rise)$", re.DOTALL)
_NUMBER = re.compile(r"^(?P<number>[-+]?(?:[1-9]\d{0,2}(?:,\d{3})+|\d[\d_]*\.?\d*|\.\d+))\s*(?P<unit>\D*)$")


def _parse(text: str, suite: str | None, place: Place | None) -> Gate:
    line = _LINE.match(text)
    if line is None:
        raise GateError(_SHAPE)
    left, change = _change(line["left"])
    left, lower = _lower(left)
    metric, criterion, scope_text = _metric(left)
    op = line["op"]
    if op not in OPERATORS:
        meant = {"=>": ">=", "=<": "<=", "≥": ">=", "≤": "<=", "=": "=="}.get(op)
        hint = f"; did you mean '{meant}'?" if meant else ""
        raise GateError(f"unknown operator '{op}'; the operators are {' '.join(OPERATORS)}{hint}")
    scope = _scope(scope_text, suite) if scope_text else ()
    metric, criterion, scope = _of_criterion(metric, criterion, scope)
    if change and metric == "regressions":
        raise GateError(f"regressions are since the baseline already: write 'regressions {op} {line['bound'].strip()}'")
    if change and metric == KAPPA:
        raise GateError(f"{metric} is of a judge and not of a run: it has no {change}")
    if lower and metric not in LOWER:
        raise GateError(f"{metric} has no interval; lower(…) can ask about {', '.join(LOWER)}")
    if lower and change:
        raise GateError("lower(…) asks about this run alone, without drop and rise")
    bound, relative = _bound(metric, line["bound"].strip(), change)
    gate = Gate(text, metric, op, bound, criterion, scope, relative, suite, place, change, lower)
    if not change:
        _possible(gate)
    return gate


def _possible(gate: Gate) -> None:
    """Refuse a gate that can never hold."""
    above = gate.op == ">" and gate.unit in {"share", "score", "kappa"} and gate.bound >= 1
    if above or (gate.op == "<" and gate.bound <= 0 and gate.unit != "kappa"):
        end = "below 0" if gate.op == "<" else "above 100%" if gate.unit == "share" else "above 1"
        raise GateError(f"it can never hold, {gate.metric} is never {end}; did you mean '{gate.op}='?")


def _change(left: str) -> tuple[str, Literal["", "drop", "rise"]]:
    """Split ``drop`` or ``rise`` off the end of the left side."""
    found = _CHANGE.match(left)
    if found is None:
        return left, ""
    return found["left"], "drop" if found["change"] == "drop" else "rise"


def _lower(left: str) -> tuple[str, bool]:
    """Take the left side out of ``lower(…)``."""
    inner = left.removeprefix("lower(")
    return (inner[:-1].strip(), True) if inner != left and left.endswith(")") else (left, False)


def _of_criterion(
    metric: str, criterion: str | None, scope: tuple[tuple[str, str], ...]
) -> tuple[str, str | None, tuple[tuple[str, str], ...]]:
    """A scope ``criterion=`` is no scope of cases: it says which criterion's score or pass rate is meant."""
    named = next((value for key, value in scope if key == "criterion"), None)
    if named is None:
        return metric, criterion, scope
    if metric not in ("pass_rate", "score.mean", KAPPA):
        raise GateError(f"{metric} is not of a criterion; criterion= goes with pass_rate, score.mean and {KAPPA}")
    rest = tuple(item for item in scope if item[0] != "criterion")
    return ("score.<criterion>.mean" if metric == "score.mean" else metric), named, rest


def _metric(left: str) -> tuple[str, str | None, str]:
    """Split the left side into the metric's canonical name, the criterion and the scope in its parentheses."""
    if quoted := _QUOTED_NAME.match(left):
        return "score.<criterion>.mean", quoted["name"], quoted["scope"] or ""
    if left.startswith("score."):
        # the first `.mean` after which nothing but a scope follows ends the name: names may hold dots and parentheses
        for end in re.finditer(r"\.mean", left):
            rest = left[end.end() :].lstrip()
            if not rest or (rest.startswith("(") and rest.endswith(")")):
                if end.start() < len("score."):
                    return "score.mean", None, rest
                if name := left[len("score.") : end.start()].strip():
                    return "score.<criterion>.mean", name, rest
        raise GateError(f"a score's gate ends in '.mean': write '{one_line(left.partition('(')[0].strip(), 60)}.mean'")
    name, parenthesis, scope = left.partition("(")
    name = name.strip()
    if name not in METRICS or name == "score.<criterion>.mean":
        names = ", ".join(METRICS)
        raise GateError(f"unknown metric '{one_line(name, 60)}'; the metrics are {names}{did_you_mean(name, METRICS)}")
    if parenthesis and not scope.endswith(")"):
        raise GateError(f"the scope's parenthesis is not closed: write '{name}(tag=smoke)'")
    return name, None, parenthesis + scope


def _scope(text: str, suite: str | None) -> tuple[tuple[str, str], ...]:
    inner = text[1:-1]
    scope: list[tuple[str, str]] = []
    position = 0
    while position < len(inner) or not scope:
        item = _SCOPE_ITEM.match(inner, position)
        if item is None:
            raise GateError(
                f"cannot read the scope '{one_line(text, 60)}'; write (tag=smoke) or (tag=smoke, category=refunds)"
            )
        key = item["key"]
        value = next(v for v in (item["double"], item["single"], item["bare"]) if v is not None)
        if key not in SCOPES:
            raise GateError(f"unknown scope '{key}'; the scopes are {', '.join(SCOPES)}{did_you_mean(key, SCOPES)}")
        if key != "tag" and any(key == other and value != before for other, before in scope):
            raise GateError(f"it covers nothing: a case has one {key}, not two")
        if key == "suite" and suite is not None and value != suite:
            raise GateError(f"it covers nothing: it is written in suite '{suite}', whose cases it is about")
        scope.append((key, value))
        position = item.end()
    return tuple(scope)


_EXAMPLES: dict[Unit, str] = {
    "share": "95% or 0.95",
    "points": "2pp",
    "score": "0.8 or 80%",
    "kappa": "0.6",
    "ms": "2s, 500ms or 1m",
    "usd": "$0.50",
    "tokens": "20000",
    "cases": "3 or 1%",
}


def _bound(metric: str, text: str, change: str) -> tuple[float, bool]:
    """The bound in the metric's own unit, and whether it is a share where a number could stand."""
    unit = METRICS[metric]
    if change and unit == "share":
        unit = "points"
    example = _EXAMPLES[unit]
    if change and unit in ("ms", "usd", "tokens"):
        example += " or 10%"
    if not text:
        raise GateError(f"the bound is missing: write {example}")
    match = _NUMBER.match(text.removeprefix("$") if unit == "usd" else text)
    if match is None:
        raise GateError(f"cannot read the bound '{one_line(text, 40)}': write {example}")
    digits, suffix = match["number"].replace(",", "").replace("_", ""), match["unit"].strip()
    number = float(digits)
    if number < 0:
        raise GateError(f"{metric} is never negative: write {example}")
    if change and suffix == "%" and unit != "score":
        return _share_of_baseline(metric, unit, number, example)
    if suffix not in _SUFFIXES[unit]:
        raise GateError(f"unknown unit '{one_line(suffix, 20)}' for {metric}: write {example}")
    if unit == "ms":
        return number * _MILLISECONDS[suffix], False
    if unit == "points":
        if not suffix:
            raise GateError(f"a change of a rate is in percentage points: write {digits}pp")
        return number / 100, False
    if suffix == "%":
        if number > 100:
            raise GateError(f"{match['number']}% is above 100%: write {example}")
        return number / 100, unit == "cases"
    if unit in ("cases", "tokens"):
        if number != int(number):
            what = "tokens are whole numbers" if unit == "tokens" else f"{metric} are whole cases or a share of them"
            raise GateError(f"{what}: write {example}")
        return number, False
    if number > 1 and unit == "kappa":
        raise GateError(f"kappa is at most 1: write {example}")
    if number > 1 and unit in ("share", "score"):
        percent = f"{number:g}%"
        raise GateError(
            f"pass_rate lies between 0 and 1: write {percent if number <= 100 else example}"
            if unit == "share"
            else f"a score lies between 0 and 1: write {example}"
        )
    return number, False


_SUFFIXES: dict[Unit, tuple[str, ...]] = {
    "share": ("%", ""),
    "points": ("pp", ""),
    "score": ("%", ""),
    "kappa": ("",),
    "ms": ("ms", "s", "m", ""),
    "usd": ("",),
    "tokens": ("",),
    "cases": ("%", ""),
}


def _share_of_baseline(metric: str, unit: Unit, number: float, example: str) -> tuple[float, bool]:
    if unit == "points":
        raise GateError(f"a change of {metric} is in percentage points: write {number:g}pp")
    if unit == "cases":
        raise GateError(f"a change of {metric} is a number of cases: write {example.partition(' ')[0]}")
    return number / 100, True
