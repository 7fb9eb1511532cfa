"""Data sets of pydantic-evals, in YAML or JSON: ``name``, ``cases`` and ``evaluators``.

An evaluator is a name (``EqualsExpected``), a name with its first argument (``Contains: text``), or with its keyword
arguments (``Contains: {value: text, case_sensitive: false}``).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, NamedTuple

from ..errors import UsageError
from ..model.text import text_of
from .criteria import Draft, written
from .foreign import list_in, place_of
from .imported import CaseIds, Imported, Wishes, compact
from .judges import WHY, Judgement, judged
from .notes import Notes
from .unjudged import target_of, unjudged

EQUIVALENTS = {
    "EqualsExpected": "`exact_match` with `case_sensitive`; `json_equals` for a value that is no text",
    "Equals": "the same, with its own `expected`",
    "Contains": "`contains`; `json_equals` with `subset` for a mapping",
    "ContainsExpected": "the same, with the case's `expected_output`",
    "IsInstance": "`json_schema` with a `type`, for `str`, `int`, `float`, `bool`, `list`, `dict`",
    "MaxDuration": "`latency`",
    "LLMJudge": "kept under `x-not-imported`",
}
"""What becomes of each evaluator."""

WITHOUT = {
    "HasMatchingSpan": "spans are not recorded; ask for tool calls with tool_calls",
    "GEval": WHY,
}
"""Evaluators without an equivalent, and why."""

_TYPES = {
    "str": "string",
    "int": "integer",
    "float": "number",
    "bool": "boolean",
    "list": "array",
    "dict": "object",
    "NoneType": "null",
}
_DATASET = ("name", "cases", "evaluators", "report_evaluators", "$schema")
_CASE = ("name", "inputs", "metadata", "expected_output", "evaluators")


def convert(data: Any, wishes: Wishes, notes: Notes) -> Imported:
    """The suite of a data set. Raises ``UsageError`` when it is none."""
    cases = data.get("cases") if isinstance(data, Mapping) else None
    if not isinstance(cases, list):
        raise UsageError("this is no data set of pydantic-evals: it has no list of 'cases'")
    for key in data:
        if key not in _DATASET:
            notes.dropped(f"key {key}", "a suite has no such key", place_of(data, key), data[key])
    if data.get("report_evaluators"):
        why = "they look at the whole run; gates and reports do that here"
        notes.dropped("report_evaluators", why, place_of(data, "report_evaluators"), data["report_evaluators"])
    shared = list_in(data, "evaluators")
    ids = CaseIds()
    made = [_case(index, case, shared, ids, notes) for index, case in enumerate(cases, 1)]
    suite = compact(
        [
            ("suite", wishes.name or data.get("name")),
            ("target", target_of(wishes, notes)),
            ("cases", made),
        ]
    )
    return Imported(suite, notes)


def _case(index: int, case: Any, shared: list[Any], ids: CaseIds, notes: Notes) -> dict[str, Any]:
    if not isinstance(case, Mapping) or "inputs" not in case:
        where = f"{place_of(case)}: " if place_of(case) else ""
        raise UsageError(f"{where}case {index} has no 'inputs'")
    name = "" if case.get("name") is None else str(case["name"])
    notes = notes.of(ids.next(name))
    for key in case:
        if key not in _CASE:
            notes.dropped(f"key {key}", "a case has no such key", place_of(case, key), case[key])
    own = list_in(case, "evaluators")
    expected = case.get("expected_output")
    criteria = []
    for evaluators in (shared, own):
        for position, evaluator in enumerate(evaluators):
            criteria += _evaluator(evaluator, expected, place_of(evaluators, position), notes)
    metadata = case.get("metadata")
    inputs = case["inputs"]
    return {
        "id": notes.case,
        **compact([("name", name if name != notes.case else None)]),
        # a number or true is a text in a suite, so it is said what it was
        "input": inputs if isinstance(inputs, (str, list, dict)) else _scalar_input(inputs, place_of(case), notes),
        **compact(
            [
                ("expected_output", expected),
                ("metadata", metadata if isinstance(metadata, Mapping) or metadata is None else {"metadata": metadata}),
            ]
        ),
        **unjudged(written(criteria), asked=bool(shared or own)),
    }


def _scalar_input(value: Any, place: str, notes: Notes) -> str:
    text = "" if value is None else str(value).lower() if isinstance(value, bool) else str(value)
    notes.changed("inputs", f"the target is given the text '{text}', not {type(value).__name__}", place)
    return text


class _Seen(NamedTuple):
    """An evaluator of a case."""

    options: Mapping[str, Any]
    expected: Any
    """The expected output of the case."""
    original: Any
    place: str
    notes: Notes

    def dropped(self, what: str, why: str) -> list[Draft]:
        self.notes.dropped(f"evaluator {what}", why, self.place, self.original)
        return []


def _evaluator(evaluator: Any, expected: Any, place: str, notes: Notes) -> list[Draft]:
    """The criterion of an evaluator; none where it asks nothing of this case."""
    if isinstance(evaluator, Mapping) and len(evaluator) == 1:
        name, given = next(iter(evaluator.items()))
    else:
        name, given = str(evaluator), None
    if name not in _MAKERS:
        why = WITHOUT.get(name, "an evaluator in Python; write a criterion `python: module:function`")
        notes.dropped(f"evaluator {name}", why, place, evaluator)
        return []
    make, arguments = _MAKERS[name]
    options: Mapping[str, Any] = {}
    if isinstance(given, Mapping) and all(key in arguments for key in given):
        options = given
    elif given is not None:
        options = {arguments[0]: given}
    found = make(_Seen(options, expected, evaluator, place, notes))
    return [replace(asked, name=str(options.get("evaluation_name") or "")) for asked in found]


def _equals(seen: _Seen) -> list[Draft]:
    value = seen.options.get("value")
    if isinstance(value, str):
        return [Draft("exact_match", {"expected": value, "case_sensitive": True})]
    return [Draft("json_equals", {"expected": value})]


def _equals_expected(seen: _Seen) -> list[Draft]:
    if seen.expected is None:
        return []
    return [Draft("exact_match", {"case_sensitive": True}) if isinstance(seen.expected, str) else Draft("json_equals")]


def _contains(seen: _Seen) -> list[Draft]:
    value = seen.options.get("value")
    return _held(seen, value, {"expected": value})


def _contains_expected(seen: _Seen) -> list[Draft]:
    return [] if seen.expected is None else _held(seen, seen.expected, {})


def _held(seen: _Seen, value: Any, given: dict[str, Any]) -> list[Draft]:
    if isinstance(value, Mapping):
        return [Draft("json_equals", {**given, "subset": True})]
    if isinstance(value, list):
        return seen.dropped("Contains", "no scorer looks for a list in a list")
    if given and not isinstance(value, str):
        given = {"expected": text_of(value)}
    return [Draft("contains", {**given, "case_sensitive": True} if seen.options.get("case_sensitive", True) else given)]


def _is_instance(seen: _Seen) -> list[Draft]:
    kind = str(seen.options.get("type_name"))
    if kind == "str":
        seen.notes.changed("evaluator IsInstance: str", "every text is one, so any text passes", seen.place)
        return [Draft("length", {"min": 0})]
    if kind not in _TYPES:
        return seen.dropped(f"IsInstance: {kind}", "answers are texts and JSON values, of no class")
    seen.notes.changed(f"evaluator IsInstance: {kind}", "a text that is JSON of this type passes, too", seen.place)
    return [Draft("json_schema", {"schema": {"type": _TYPES[kind]}})]


def _max_duration(seen: _Seen) -> list[Draft]:
    seconds = seen.options.get("seconds")
    if not isinstance(seconds, (int, float)) or isinstance(seconds, bool):
        return seen.dropped("MaxDuration", "its duration is no number of seconds")
    return [Draft("latency", {"max": seconds})]


def _llm_judge(seen: _Seen) -> list[Draft]:
    options = seen.options
    criterion = judged(Judgement("LLMJudge", str(options.get("rubric", "")), model=str(options.get("model") or "")))
    return seen.dropped("LLMJudge", WHY) if criterion is None else [criterion]


_MAKERS: dict[str, tuple[Callable[[_Seen], list[Draft]], tuple[str, ...]]] = {
    "EqualsExpected": (_equals_expected, ("evaluation_name",)),
    "Equals": (_equals, ("value", "evaluation_name")),
    "Contains": (_contains, ("value", "case_sensitive", "as_strings", "evaluation_name")),
    "ContainsExpected": (_contains_expected, ("case_sensitive", "as_strings", "evaluation_name")),
    "IsInstance": (_is_instance, ("type_name", "evaluation_name")),
    "MaxDuration": (_max_duration, ("seconds",)),
    "LLMJudge": (
        _llm_judge,
        ("rubric", "model", "include_input", "include_expected_output", "model_settings", "score", "assertion"),
    ),
}
"""What makes the criterion of each evaluator, and its arguments; the first may stand alone."""
