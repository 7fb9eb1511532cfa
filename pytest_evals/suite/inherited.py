"""What holds for the cases of a suite before they say anything: the defaults of all files, one over the other."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from .datasets import DATASET_KEYS, FILE
from .fields import DEFAULT_FIELDS, read_fields
from .filling import Later
from .reading import Reading
from .repeats import trials_of, with_named_trials
from .reuse import DEFAULTS, Layer
from .tree import Map, Node, is_null, said

_ADDED = ("criteria", "tags", "metadata", "vars")
"""Keys whose values of several files are added up."""

_ELSEWHERE = (
    *("suite", "experiment", "target", "variants", "matrix"),
    *("include", "defaults", "criteria_sets", "gates", "cases"),
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
        check_warn(r, node, given.get("warn"), given["threshold"])
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
            total = over(total, given)
    return total, origins


def over(base: Mapping[str, Any], given: Mapping[str, Any]) -> dict[str, Any]:
    """Defaults with further ones over them."""
    inherited = base["criteria"] if given.get("inherit_criteria", base["inherit_criteria"]) is not False else ()
    return {
        **base,
        **with_named_trials(given),
        "inherit_criteria": True,
        "criteria": (*inherited, *given.get("criteria", ())),
        "tags": united(base["tags"], given.get("tags", ())),
        "metadata": {**base["metadata"], **given.get("metadata", {})},
        "vars": {**base["vars"], **given.get("vars", {})},
    }


def variables_of(*layers: Mapping[str, Any]) -> Mapping[str, Any]:
    """The variables of a case, the last ones the strongest; one object for all cases where only one layer has any."""
    given = [layer for layer in layers if layer]
    if len(given) < 2:
        return given[0] if given else {}
    return {name: value for layer in given for name, value in layer.items()}


def criteria_of(criteria: tuple[Any, ...], variables: Mapping[str, Any], where: Callable[[], str]) -> tuple[Any, ...]:
    """Criteria of defaults, those that were put off read for a case."""
    if Later not in map(type, criteria):
        return criteria  # one object for all cases
    read: list[Any] = []
    for each in criteria:
        read += each.of(variables, where) if each.__class__ is Later else (each,)
    return tuple(read)


def united(first: tuple[str, ...], second: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys((*first, *second))) if first or len(second) > 1 else second


def check_warn(r: Reading, node: Map, warn: float | None, threshold: object) -> None:
    if warn is None:
        return
    if not isinstance(threshold, float | int):
        r.wrong(node, "warn", "warn needs a threshold above it; add 'threshold'")
    elif warn >= threshold:
        r.wrong(node, "warn", f"warn ({warn:g}) must be below threshold ({threshold:g})")


def case_hint(key: str) -> str:
    if key in _ELSEWHERE or key.startswith("x-"):
        return "; it stands at the top of the file, not in a case"
    if key in DATASET_KEYS:
        return f"; it belongs to a data set, beside '{FILE}'"
    return ""


def _default_hint(key: str) -> str:
    if key in ("id", "name", "input"):
        return "; every case has its own"
    return case_hint(key).replace("in a case", "in defaults")
