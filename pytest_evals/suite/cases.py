"""The cases of a suite, with the defaults of the file and of the run applied."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from ..model.case import Case
from ..model.place import Place
from .criteria import check_names
from .datasets import DATASET_KEYS, FILE, SHARED_FIELDS, dataset_hint, read_dataset
from .defaults import RunDefaults
from .expectations import check_expectations
from .fields import CASE_FIELDS, DEFAULT_FIELDS, read_fields
from .filling import Later, due, fill_case
from .ids import DIGITS_OF_ROWS, Ids, default_id
from .reading import Reading
from .repeats import trials_of, with_named_trials
from .reuse import DEFAULTS, Layer
from .scalars import json_value
from .tree import Map, Node, Seq, is_null, said

_ASKED = (
    *("input", "context", "expected_output", "reference_outputs", "criteria", "expected_tool_calls"),
    *("vars", "prompt"),
)
"""What makes a case the one it is: its id is made from these, so that skipping or tagging it keeps the id."""

_RAW = ("criteria", "expected_tool_calls", "prompt")

_ADDED = ("criteria", "tags", "metadata", "vars")
"""Keys whose values of several files are added up."""

_ELSEWHERE = (
    "include",
    "criteria_sets",
    "suite",
    "experiment",
    "target",
    "variants",
    "matrix",
    "defaults",
    "gates",
    "cases",
)


def read_defaults(r: Reading, node: Node, box: Map) -> dict[str, Any]:
    """The values under ``defaults``."""
    if is_null(node):
        return {}
    if not isinstance(node, Map):
        r.wrong(box, "defaults", f"defaults must be a mapping of the keys of cases, not {said(node)}")
        return {}
    given = read_fields(r, node, DEFAULT_FIELDS, _default_hint, later=True)
    if "threshold" in given:
        _check_warn(r, node, given.get("warn"), given["threshold"])
    given = with_named_trials(given)
    if "pass_if" in given and "trials" in given:
        given["trials"] = trials_of(r, node, given)
    return given


def read_all_defaults(layers: Iterable[Layer]) -> tuple[dict[str, Any], dict[str, str]]:
    """What the defaults of all files come to, and by key in which file it was said; several add up with commas."""
    total: dict[str, Any] = {"inherit_criteria": True, "criteria": (), "tags": (), "metadata": {}, "vars": {}}
    origins: dict[str, str] = {}
    for layer in layers:
        if DEFAULTS in layer.root:
            given = read_defaults(layer.r, layer.root[DEFAULTS], layer.root)
            adds = given.get("inherit_criteria") is not False
            for key in given:
                added = key in origins and key in _ADDED and (adds or key != "criteria")
                origins[key] = f"{origins[key]}, {layer.r.source.shown}" if added else layer.r.source.shown
            total = _over(total, given)
    return total, origins


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
        "trials": run.trials,
        "pass_if": run.pass_if,
        "only_trials": run.only_trials,
        "skip": None,
        "xfail": None,
        "inherit_criteria": True,
        "tags": (),
        "criteria": (),
        "metadata": {},
        "vars": {},
        "prompt": None,
        **defaults,
    }
    ids = Ids(r)
    cases: list[Case] = []
    for index, part in enumerate(node):
        if not isinstance(part, Map):
            r.wrong(node, index, f"a case is a mapping with 'input' and 'criteria', not {said(part)}")
        elif FILE in part:
            cases += _read_dataset(r, part, suite, base, ids, needs_input)
        else:
            cases.append(_read_case(r, part, suite, base, ids, needs_input))
    return tuple(cases)


def _read_case(r: Reading, node: Map, suite: str, base: Mapping[str, Any], ids: Ids, needs_input: bool) -> Case:
    given = _read_own(r, node, base)
    if "id" not in given:
        given["id"] = default_id(given.get("name", ""), _content(ids.unheard, node, given))
    return _make_case(r, node, suite, base, given, ids, needs_input)


def _read_own(r: Reading, node: Map, base: Mapping[str, Any]) -> dict[str, Any]:
    """What a case states itself, its templates filled with its variables."""
    own = CASE_FIELDS["vars"](r.unheard(), node, "vars", node["vars"]) if "vars" in node else {}
    variables = {**base["vars"], **own} if own else base["vars"]
    if not variables:
        return read_fields(r, node, CASE_FIELDS, _case_hint)
    r.variables = variables
    given = read_fields(r, fill_case(r, node, variables), CASE_FIELDS, _case_hint)
    r.variables = {}
    return given


def _read_dataset(
    r: Reading, node: Map, suite: str, base: Mapping[str, Any], ids: Ids, needs_input: bool
) -> Iterator[Case]:
    """A case for each row of a data file. What stands beside ``file`` are defaults of its rows."""
    given = read_fields(r, node, SHARED_FIELDS, dataset_hint, skip=DATASET_KEYS, later=True)
    beside = _over(base, given)
    # a row that adds no criterion has names that were compared here
    if Later not in map(type, beside["criteria"]):
        check_names(r, beside["criteria"], len(beside["criteria"]) - len(given.get("criteria", ())))
    wanted = needs_input and beside.get("input") is None and beside.get("prompt") is None
    dataset = read_dataset(r, node, needs_input=wanted)
    if dataset is None:
        r.incomplete = True
        return
    for row in dataset.rows:
        dataset.r.variables = _variables(beside["vars"], row.columns)  # for the sets of criteria that it uses
        given = read_fields(dataset.r, row.node, CASE_FIELDS, _case_hint)
        if "id" not in given:
            # a row whose input is made of its columns is the one it is by all of them
            content = _content(ids.unheard, row.node, given) if given.get("input") is not None else row.columns
            given["id"] = default_id(given.get("name", ""), content, DIGITS_OF_ROWS)
        yield _make_case(dataset.r, row.node, suite, beside, given, ids, needs_input, row.columns)
    dataset.r.close()
    if dataset.r.count:
        r.incomplete = True


def _over(base: Mapping[str, Any], given: Mapping[str, Any]) -> dict[str, Any]:
    """Defaults with further ones over them."""
    inherited = base["criteria"] if given.get("inherit_criteria", base["inherit_criteria"]) is not False else ()
    return {
        **base,
        **with_named_trials(given),
        "inherit_criteria": True,
        "criteria": (*inherited, *given.get("criteria", ())),
        "tags": _united(base["tags"], given.get("tags", ())),
        "metadata": {**base["metadata"], **given.get("metadata", {})},
        "vars": {**base["vars"], **given.get("vars", {})},
    }


def _make_case(
    r: Reading,
    node: Map,
    suite: str,
    base: Mapping[str, Any],
    given: Mapping[str, Any],
    ids: Ids,
    needs_input: bool,
    columns: Mapping[str, Any] | None = None,
) -> Case:
    """The case of what is given, over what holds for all. With ``columns`` it is given by a row of a data set."""
    place = r.source.place(node.at)
    value = {**base, **(with_named_trials(given) if "pass_if" in given else given)}
    variables = _variables(base["vars"], columns or {}, given.get("vars", {}))
    case_id = given["id"]

    def where() -> str:
        return f"for the case at {place.path}:{place.line}"

    due(value, variables, where)
    inherited: tuple[Any, ...] = ()
    if value["inherit_criteria"] is not False:
        inherited = _of_case(base["criteria"], variables, where)
    own = given.get("criteria", ())
    changed = bool(inherited) and inherited is not base["criteria"]
    if value["prompt"] is not None:
        _prompted(r, node, value, variables, where, asks=needs_input)
    elif needs_input and value.get("input") is None:
        _no_input(r, node)
    case = Case(
        id=case_id or "",
        input=value.get("input"),
        criteria=(*inherited, *own) if own else inherited,
        name=given.get("name") or case_id or "",
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
        trials=trials_of(r, node, value, base["only_trials"]),
        pass_if=value["pass_if"],
        metadata={**base["metadata"], **given.get("metadata", {})},
        vars=variables,
        skip=value["skip"],
        xfail=value["xfail"],
        place=place,
        stated=ids.same(tuple(given)),
    )
    if case_id:
        ids.check(r, case_id, node)
        if "asked" in value:
            r.asked[case_id] = value["asked"]
    _check_warn(r, node, given.get("warn"), value["threshold"])
    _check_criteria(r, node, case, len(inherited), place, names=columns is None or bool(own) or changed)
    return case


def _variables(*layers: Mapping[str, Any]) -> Mapping[str, Any]:
    """The variables of a case, the last ones the strongest; one object for all cases where only one layer has any."""
    given = [layer for layer in layers if layer]
    if len(given) < 2:
        return given[0] if given else {}
    return {name: value for layer in given for name, value in layer.items()}


def _of_case(criteria: tuple[Any, ...], variables: Mapping[str, Any], where: Callable[[], str]) -> tuple[Any, ...]:
    """Criteria of defaults, those that were put off read for a case."""
    if Later not in map(type, criteria):
        return criteria  # one object for all cases
    read: list[Any] = []
    for each in criteria:
        read += each.of(variables, where) if each.__class__ is Later else (each,)
    return tuple(read)


def _prompted(
    r: Reading, node: Map, value: dict[str, Any], variables: Mapping[str, Any], where: Callable[[], str], *, asks: bool
) -> None:
    """Put the rendered prompt in the place of the input."""
    prompt, question = value["prompt"], value.get("input")
    if asks and question is not None and not prompt.inserts_input(variables):
        cure = "put {{ input }} into it, or leave the input out"
        r.report(node.spot("input"), f"the prompt does not insert the input, which would not be sent; {cure}")
    value["asked"] = question
    value["input"] = prompt.of(question, value["context"], variables, where)


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


def _check_criteria(r: Reading, node: Map, case: Case, inherited: int, place: Place, *, names: bool) -> None:
    criteria = case.criteria
    if not criteria:
        at = node.spot("criteria")  # of the case, when it has no such key
        r.report(at, "the case has no criterion; add 'criteria' to it or to 'defaults'")
        return
    if not any(criterion.weight for criterion in criteria):
        r.add(place, "the weights of all criteria of the case are 0; give one a weight above 0")
    if names and len(criteria) > 1:
        check_names(r, criteria, inherited, place)
    check_expectations(r, case, inherited)


def _case_hint(key: str) -> str:
    if key in _ELSEWHERE or key.startswith("x-"):
        return "; it stands at the top of the file, not in a case"
    if key in DATASET_KEYS:
        return f"; it belongs to a data set, beside '{FILE}'"
    return ""


def _default_hint(key: str) -> str:
    if key in ("id", "name", "input"):
        return "; every case has its own"
    return _case_hint(key).replace("in a case", "in defaults")
