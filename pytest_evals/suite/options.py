"""The options of a criterion: checked against the scorer's spec, or taken as they are for a project's own scorer."""

from __future__ import annotations

from typing import Any

from ..model.criterion import Option, ScorerSpec
from .documents import read_document
from .reading import Reading
from .scalars import boolean, json_value, number, text
from .tree import Map, Node, Seq, is_null, quoted, said

OWN_KEYS = ("name", "weight", "threshold", "description", "turn")
"""Keys that are the criterion's own; all others are options of its scorer."""

CUSTOM_MAIN = "value"
"""The option that a bare scalar or list fills for a scorer of the project's own."""


def read_options(r: Reading, node: Map, scorer: str, skip: tuple[str, ...] = OWN_KEYS) -> dict[str, Any]:
    """The options in a mapping, without the keys to skip."""
    spec = r.specs.get(scorer)
    if spec is None:
        return {key: json_value(r, node, key, value) for key, value in node.items() if key not in skip}
    known = {option.name: option for option in spec.options}
    before = r.count
    options = {}
    for key, value in node.items():
        if key in skip:
            continue
        if key in known:
            options[key] = _read(r, node, key, value, known[key])
        else:
            r.unknown_key(node, key, (*known, *OWN_KEYS), what=f"option of {scorer}")
    if r.count == before:
        _check(r, node, spec, options, node.at)
    return options


def read_main(r: Reading, box: Map, key: str, node: Node, scorer: str) -> dict[str, Any]:
    """The options of a criterion written with a bare scalar or list: ``regex: '[0-9]+'``."""
    spec = r.specs.get(scorer)
    if spec is None:
        return {CUSTOM_MAIN: json_value(r, box, key, node)}
    if spec.main is None:
        names = ", ".join(option.name for option in spec.options)
        cure = f"its options are {names}" if names else "it has no options: write the bare name"
        r.wrong(box, key, f"{scorer} takes no bare value, here {said(node)}; {cure}")
        return {}
    option = next(option for option in spec.options if option.name == spec.main)
    before = r.count
    options = {spec.main: _read(r, box, key, node, option)}
    if r.count == before:
        _check(r, box, spec, options, box.spot(key))
    return options


def no_options(r: Reading, scorer: str, at: int) -> dict[str, Any]:
    """The options of a criterion that gives none, which some scorers refuse."""
    spec = r.specs.get(scorer)
    if spec is not None and (spec.requires or spec.check):
        _check(r, None, spec, {}, at)
    return {}


def _check(r: Reading, node: Map | None, spec: ScorerSpec, options: dict[str, Any], at: int) -> None:
    missing = [name for name in spec.requires if name not in options]
    for name in missing:
        r.report(at, f"{spec.name} needs the option '{name}': write {spec.name}: {{{name}: …}}")
    if spec.refuses_empty and spec.main in options and is_empty(options[spec.main]):
        at = node.spot(spec.main) if node is not None and spec.main in node else at
        r.report(at, f"{spec.main} of {spec.name} is an empty text, which tells no answer from another; give a text")
    elif not missing and spec.check is not None:
        for message in spec.check(options):
            r.report(at, f"{spec.name}: {message}")


def is_empty(value: Any) -> bool:
    """Whether a text, or one of several, is empty."""
    return value == "" or (isinstance(value, list | tuple) and (not value or "" in value))


def _read(r: Reading, box: Map, key: str, node: Node, option: Option) -> Any:
    """One option by its kind; ``None`` after a mistake."""
    match option.kind:
        case "json":
            return json_value(r, box, key, node)
        case "document":
            return read_document(r, box, key, node)
        case "boolean":
            return boolean(r, box, key, node)
        case "number" | "integer":
            whole = option.kind == "integer"
            return number(r, box, key, node, least=option.minimum, most=option.maximum, whole=whole)
        case "choice":
            return _choice(r, box, key, node, option)
        case "texts" if isinstance(node, Seq):
            return _several(r, box, key, node)
    value = text(r, box, key, node)
    if value is None and is_null(node):
        r.wrong(box, key, f"{key} is blank; give a text ('\"\"' for the empty one) or leave it out")
    return value


def _choice(r: Reading, box: Map, key: str, node: Node, option: Option) -> str | None:
    value = str(node) if isinstance(node, str) and not is_null(node) else None
    if value not in option.choices:
        r.wrong(box, key, f"{key} must be one of {', '.join(option.choices)}, not {said(node)}")
        return None
    return value


def _several(r: Reading, box: Map, key: str, node: Seq) -> list[str]:
    found = []
    if not node:
        r.wrong(box, key, f"{key} is an empty list; give at least one text")
    for index, part in enumerate(node):
        value = text(r, node, index, part, f"each of {key}")
        if value is None and is_null(part):
            r.wrong(node, index, f"an empty place in {key}; write '\"\"' for the empty text, or remove it")
        found.append(value or "")
    return found


def describe(name: str) -> str:
    """A criterion's name inside a message."""
    return f"criterion {quoted(name)}"
