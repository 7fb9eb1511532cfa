"""The cases of a suite, with the defaults of the file and of the run applied."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from ..model.case import DRAFT, Case
from ..model.conversation import turns_of
from ..model.place import Place
from .criteria import check_names
from .datasets import DATASET_KEYS, FILE, SHARED_FIELDS, dataset_hint, read_dataset
from .defaults import RunDefaults
from .expectations import check_expectations
from .fields import CASE_FIELDS, STATUSES, read_fields
from .filling import Later, due, fill_case
from .ids import DIGITS_OF_ROWS, Ids, default_id
from .inherited import case_hint, check_warn, criteria_of, over, united, variables_of
from .reading import Reading
from .repeats import trials_of, with_named_trials
from .scalars import json_value
from .tree import Map, Seq, said

_ASKED = (
    *("input", "context", "expected_output", "reference_outputs", "criteria", "expected_tool_calls"),
    *("vars", "prompt"),
)
"""What makes a case the one it is: its id is made from these, so that skipping or tagging it keeps the id."""

_RAW = ("criteria", "expected_tool_calls", "prompt")


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
        "status": STATUSES[-1],
        "inherit_criteria": True,
        "tags": (),
        "criteria": (),
        "metadata": {},
        "vars": {},
        "prompt": None,
        "user": None,
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
        return read_fields(r, node, CASE_FIELDS, case_hint)
    r.variables = variables
    given = read_fields(r, fill_case(r, node, variables), CASE_FIELDS, case_hint)
    r.variables = {}
    return given


def _read_dataset(
    r: Reading, node: Map, suite: str, base: Mapping[str, Any], ids: Ids, needs_input: bool
) -> Iterator[Case]:
    """A case for each row of a data file. What stands beside ``file`` are defaults of its rows."""
    given = read_fields(r, node, SHARED_FIELDS, dataset_hint, skip=DATASET_KEYS, later=True)
    beside = {**over(base, given), "stated": tuple(given)}
    # a row that adds no criterion has names that were compared here
    if Later not in map(type, beside["criteria"]):
        check_names(r, beside["criteria"], len(beside["criteria"]) - len(given.get("criteria", ())))
    wanted = needs_input and all(beside.get(key) is None for key in ("input", "prompt", "user"))
    dataset = read_dataset(r, node, needs_input=wanted)
    if dataset is None:
        r.incomplete = True
        return
    for row in dataset.rows:
        dataset.r.variables = variables_of(beside["vars"], row.columns)  # for the sets of criteria that it uses
        given = read_fields(dataset.r, row.node, CASE_FIELDS, case_hint)
        if "id" not in given:
            # a row whose input is made of its columns is the one it is by all of them
            content = _content(ids.unheard, row.node, given) if given.get("input") is not None else row.columns
            given["id"] = default_id(given.get("name", ""), content, DIGITS_OF_ROWS)
        yield _make_case(dataset.r, row.node, suite, beside, given, ids, needs_input, row.columns)
    dataset.r.close()
    if dataset.r.count:
        r.incomplete = True


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
    variables = variables_of(base["vars"], columns or {}, given.get("vars", {}))
    case_id = given["id"]

    def where() -> str:
        return f"for the case at {place.path}:{place.line}"

    due(value, variables, where)
    inherited: tuple[Any, ...] = ()
    if value["inherit_criteria"] is not False:
        inherited = criteria_of(base["criteria"], variables, where)
    own = given.get("criteria", ())
    changed = bool(inherited) and inherited is not base["criteria"]
    if value["prompt"] is not None:
        _prompted(r, node, value, variables, where, asks=needs_input)
    elif needs_input and value.get("input") is None and value["user"] is None:
        _no_input(r, node)
    case = Case(
        id=case_id or "",
        input=value.get("input"),
        criteria=(*inherited, *own) if own else inherited,
        name=given.get("name") or case_id or "",
        suite=suite,
        category=value["category"],
        tags=united(base["tags"], given.get("tags", ())),
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
        user=value["user"],
        xfail=DRAFT if value["status"] == STATUSES[0] else value["xfail"],
        place=place,
        stated=ids.same((*given, *base.get("stated", ()))),
    )
    if case_id:
        ids.check(r, case_id, node)
        if "asked" in value:
            r.asked[case_id] = value["asked"]
    check_warn(r, node, given.get("warn"), value["threshold"])
    _check_criteria(r, node, case, len(inherited), place, names=columns is None or bool(own) or changed)
    return case


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
    if any(criterion.turn is not None for criterion in criteria):
        _check_turns(r, case, place)
    check_expectations(r, case, inherited)


def _check_turns(r: Reading, case: Case, place: Place) -> None:
    """A criterion about a turn is asked of a conversation that has it."""
    turns = len(turns_of(case.input)) if case.user is None else case.user.max_turns
    for criterion in case.criteria:
        if criterion.turn is None:
            continue
        if not turns:
            cure = "write it as a list of what the user says: [{user: …}, {user: …}]"
            r.add(place, f"{criterion.name} is about turn {criterion.turn}, and the input is no conversation; {cure}")
        elif isinstance(criterion.turn, int) and criterion.turn > turns:
            r.add(place, f"{criterion.name} is about turn {criterion.turn}, and the conversation has {turns}")
