"""Templates in the keys of a case: filled in the tree, before anything reads them.

A place that is the whole of a value stands for the value itself, so that ``tolerance: '{{ tolerance }}'`` can be a
number. Where no variable is in scope nothing is a template, and ``{{ name }}`` is a text like any other.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

from ..model.criterion import COMBINATIONS
from .reading import Reading, uses
from .templates import OPEN, TemplateMistakes, template
from .tree import LOST, Cut, Map, Node, Plain, Seq

TEMPLATED = (*("name", "input", "context", "expected_output", "reference_outputs", "expected_tool_calls", "criteria"),)
"""The keys of a case whose texts are templates when the case has variables."""

MOST_TOLD = 3
"""Mistakes of one template in defaults, which may be wrong for every case."""

Read = Callable[[Reading, Map, str, Node], Any]

_NAMES = ("scorer", "python", "use")
"""Keys of a criterion that name code; data never chooses what is run."""


def scope(variables: Mapping[str, Any]) -> Mapping[str, Any]:
    """The variables by name, and all of them as ``vars``, for names that are no words: ``vars['my column']``."""
    return variables if "vars" in variables else {**variables, "vars": variables}


def has_places(node: Node) -> bool:
    """Whether a text in it holds ``{{``."""
    if isinstance(node, str):
        return OPEN in node
    return any(map(has_places, node.values() if isinstance(node, Map) else node))


def varies(r: Reading, node: Node) -> bool:
    """Whether it is another value for each case: it holds places, or uses criteria that do."""
    return has_places(node) or (
        bool(r.sets) and any(r.sets[name].has_places() for name in uses(node) if name in r.sets)
    )


def filled(r: Reading, box: Map, key: str, values: Mapping[str, Any], about: str = "") -> Map:
    """The mapping with the value of one key filled. Notes mistakes, with ``about`` behind them."""
    copy = Map(box)
    copy.at, copy.spots = box.at, box.spots
    node = box[key]
    if key == "criteria":
        copy[key] = fill_criteria(r, node, values, about)
    else:
        copy[key] = fill_value(r, box, key, node, values, about)
    return copy


def fill_case(r: Reading, node: Map, variables: Mapping[str, Any]) -> Map:
    """A case with the templates in it filled."""
    values = scope(variables)
    for key in TEMPLATED:
        if key in node and has_places(node[key]):
            node = filled(r, node, key, values)
    return node


def fill_value(
    r: Reading, box: Map | Seq, key: str | int, node: Node, values: Mapping[str, Any], about: str = ""
) -> Node:
    """A value with every text in it filled."""
    if isinstance(node, str):
        # a text that may be cut off is told of by what reads it
        return _text(r, box, key, node, values, about) if OPEN in node and not isinstance(node, Cut) else node
    if not has_places(node):
        return node
    if isinstance(node, Seq):
        parts = Seq(fill_value(r, node, index, part, values, about) for index, part in enumerate(node))
        parts.at, parts.spots = node.at, node.spots
        return parts
    made = Map({name: fill_value(r, node, name, part, values, about) for name, part in node.items()})
    made.at, made.spots = node.at, node.spots
    if "role" in made and made.get("content").__class__ is Plain:  # a message says a text, whatever its value was
        made["content"] = str(made["content"])
    return made


def fill_criteria(r: Reading, node: Node, values: Mapping[str, Any], about: str = "") -> Node:
    """Criteria with their options filled. Names of scorers and functions are left as they are."""
    if isinstance(node, str) or not has_places(node):
        return node
    if isinstance(node, Seq):
        parts = Seq(fill_criteria(r, part, values, about) for part in node)
        parts.at, parts.spots = node.at, node.spots
        return parts
    made = Map()
    made.at, made.spots = node.at, node.spots
    for name, part in node.items():
        if name in _NAMES:
            made[name] = part
        else:
            made_of = name in COMBINATIONS or (name == "criteria" and "scorer" in node)
            made[name] = (
                fill_criteria(r, part, values, about) if made_of else fill_value(r, node, name, part, values, about)
            )
    return made


def _text(r: Reading, box: Map | Seq, key: str | int, node: str, values: Mapping[str, Any], about: str) -> Node:
    try:
        return node_of(template(str(node)).value(values), box.spot(key))
    except TemplateMistakes as mistakes:
        for at, message in mistakes.found:
            line = node.count("\n", 0, at) + 1
            r.wrong(box, key, f"{message}{f' (line {line} of the text)' if line > 1 else ''}{about}")
        return LOST


def node_of(value: Any, at: int) -> Node:
    """A JSON value as it would have been read from a file, at one place."""
    if isinstance(value, str):
        return value
    if isinstance(value, Mapping):
        made = Map({str(key): node_of(part, at) for key, part in value.items()})
        made.at, made.spots = at, [at] * len(made)
        return made
    if isinstance(value, (list, tuple)):
        parts = Seq(node_of(part, at) for part in value)
        parts.at, parts.spots = at, [at] * len(parts)
        return parts
    return Plain(json.dumps(value))


def put_off(r: Reading, box: Map, key: str, read: Read) -> Any:
    """The value under a key of defaults, to be read for each case; criteria without a place are read now."""
    node = box[key]
    if key != "criteria":
        return Later(r, box, key, read)
    if not isinstance(node, Seq):
        return read(r, box, key, node)  # a mistake, whatever the case
    found: list[Any] = []
    for part, spot in zip(node, node.spots, strict=True):
        one = Seq([part])
        one.at, one.spots = spot, [spot]
        alone = Map({key: one})
        alone.at, alone.spots = spot, [spot]
        found += [Later(r, alone, key, read)] if varies(r, part) else read(r, alone, key, one)
    return tuple(found)


class Later:
    """A value of defaults that is read for each case, because it holds places."""

    __slots__ = ("_box", "_key", "_literal", "_r", "_read", "_told")

    def __init__(self, r: Reading, box: Map, key: str, read: Read) -> None:
        self._r = r
        self._box = box
        self._key = key
        self._read = read
        self._told = 0
        self._literal: list[Any] = []

    def of(self, variables: Mapping[str, Any], where: Callable[[], str]) -> Any:
        """The value for a case. ``where`` says which case, for messages."""
        if not variables:
            if not self._literal:
                self._literal.append(self._read(self._r, self._box, self._key, self._box[self._key]))
            return self._literal[0]
        before = self._r.count
        # said of the first cases only: what is wrong in a default is mostly wrong for all of them
        r = self._r if self._told < MOST_TOLD else self._r.unheard()
        box = filled(r, self._box, self._key, scope(variables), f" ({where()})")
        r.variables = variables
        value = self._read(r, box, self._key, box[self._key])
        r.variables = {}
        self._told += self._r.count > before
        return value


def due(values: dict[str, Any], variables: Mapping[str, Any], where: Callable[[], str]) -> None:
    """Read what was put off among the values of a case, in their place."""
    for key in TEMPLATED:
        value = values.get(key)
        if value.__class__ is Later:
            values[key] = value.of(variables, where)
