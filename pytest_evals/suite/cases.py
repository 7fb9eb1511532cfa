"""The cases of a suite, with the defaults of the file and of the run applied."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..model.case import Case
from ..model.place import Place
from .criteria import check_names
from .defaults import RunDefaults
from .expectations import check_expectations
from .fields import CASE_FIELDS, DEFAULT_FIELDS, read_fields
from .ids import Ids, default_id
from .reading import Reading
from .scalars import json_value
from .tree import Map, Node, Seq, is_null, said

_ASKED = ("input", "context", "expected_output", "reference_outputs", "criteria", "expected_tool_calls")
"""What makes a case the one it is: its id is made from these, so that skipping or tagging it keeps the id."""

_RAW = ("criteria", "expected_tool_calls")

_ELSEWHERE = ("suite", "experiment", "target", "defaults", "gates", "cases")


def read_defaults(r: Reading, node: Node, box: Map) -> dict[str, Any]:
    """The values under ``defaults``."""
    if is_null(node):
        return {}
    if not isinstance(node, Map):
        r.wrong(box, "defaults", f"defaults must be a mapping of the keys of cases, not {said(node)}")
        return {}
    given = read_fields(r, node, DEFAULT_FIELDS, _default_hint)
    if "threshold" in given:
        _check_warn(r, node, given.get("warn"), given["threshold"])
    return given


def read_cases(
    r: Reading, node: Seq, suite: str, defaults: Mapping[str, Any], run: RunDefaults, *, needs_input: bool
) -> tuple[Case, ...]:
    """The cases of a file. ``needs_input``: whether the target is asked at all."""
    base = {
        "category": None,
        "context": None,
        "expected_output": None,
        "reference_outputs": (),
        "expected_tool_calls": None,
        "threshold": run.threshold,
        "warn": run.warn,
        "timeout": run.timeout_s,
        "retries": run.retries,
        "skip": None,
        "xfail": None,
        "inherit_criteria": True,
        "tags": (),
        "criteria": (),
        "metadata": {},
        **defaults,
    }
    ids = Ids(r)
    cases = []
    for index, part in enumerate(node):
        if not isinstance(part, Map):
            r.wrong(node, index, f"a case is a mapping with 'input' and 'criteria', not {said(part)}")
            continue
        cases.append(_read_case(r, part, suite, base, ids, needs_input))
    return tuple(cases)


def _read_case(r: Reading, node: Map, suite: str, base: Mapping[str, Any], ids: Ids, needs_input: bool) -> Case:
    place = r.source.place(node.at)
    given = read_fields(r, node, CASE_FIELDS, _case_hint)
    value = {**base, **given}
    inherited: tuple[Any, ...] = base["criteria"] if value["inherit_criteria"] is not False else ()
    own = given.get("criteria", ())
    name = given.get("name", "")
    case_id = given.get("id")
    if "id" not in given:
        case_id = default_id(name, _content(ids.unheard, node, given))
    if needs_input and value.get("input") is None:
        _no_input(r, node)
    case = Case(
        id=case_id or "",
        input=value.get("input"),
        criteria=(*inherited, *own),
        name=name or case_id or "",
        suite=suite,
        category=value["category"],
        tags=_united(base["tags"], given.get("tags", ())),
        context=value["context"],
        expected_output=value["expected_output"],
        reference_outputs=value["reference_outputs"],
        expected_tool_calls=value["expected_tool_calls"],
        threshold=value["threshold"],
        warn=value["warn"],
        timeout_s=value["timeout"],
        retries=value["retries"],
        metadata={**base["metadata"], **given.get("metadata", {})},
        skip=value["skip"],
        xfail=value["xfail"],
        place=place,
    )
    if case_id:
        ids.check(r, case_id, node)
    _check_warn(r, node, given.get("warn"), value["threshold"])
    _check_criteria(r, node, case, len(inherited), place)
    return case


def _united(first: tuple[str, ...], second: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys((*first, *second))) if first or len(second) > 1 else second


def _content(r: Reading, node: Map, given: Mapping[str, Any]) -> dict[str, Any]:
    """What an id is made from; what is wrong in it was said already."""
    content = {}
    for key in _ASKED:
        value = given.get(key)
        # an empty list of these is none; no tool call is an expectation
        if value is not None and (value or key not in ("reference_outputs", "criteria")):
            content[key] = json_value(r, node, key, node[key]) if key in _RAW else value
    return content


def _no_input(r: Reading, node: Map) -> None:
    cure = "give what the target is asked ('\"\"' for the empty text)"
    if "input" in node:
        r.wrong(node, "input", f"input is blank; {cure}")
    else:
        r.report(node.at, f"the case has no input; {cure}")


def _check_warn(r: Reading, node: Map, warn: float | None, threshold: object) -> None:
    if warn is None:
        return
    if not isinstance(threshold, float | int):
        r.wrong(node, "warn", "warn needs a threshold above it; add 'threshold'")
    elif warn >= threshold:
        r.wrong(node, "warn", f"warn ({warn:g}) must be below threshold ({threshold:g})")


def _check_criteria(r: Reading, node: Map, case: Case, inherited: int, place: Place) -> None:
    criteria = case.criteria
    if not criteria:
        at = node.spot("criteria")  # of the case, when it has no such key
        r.report(at, "the case has no criterion; add 'criteria' to it or to 'defaults'")
        return
    if not any(criterion.weight for criterion in criteria):
        r.add(place, "the weights of all criteria of the case are 0; give one a weight above 0")
    if len(criteria) > 1:
        check_names(r, criteria, inherited)
    check_expectations(r, case, inherited)


def _case_hint(key: str) -> str:
    if key in _ELSEWHERE or key.startswith("x-"):
        return "; it stands at the top of the file, not in a case"
    return ""


def _default_hint(key: str) -> str:
    if key in ("id", "name", "input"):
        return "; every case has its own"
    return _case_hint(key).replace("in a case", "in defaults")
