"""The variants of a suite: those it lists, and the combinations of its matrix.

    variants:
      - {id: small, model: anthropic/claude-haiku-5-5}      # keys of a model target, or values for the application
      - {id: old, target: {responses: answers.jsonl}}       # another target
    matrix: {temperature: [0, 1]}                           # every variant once with each

What a variant says of a model target takes the place of what the suite's says, key by key, and is read by the same
reader, so that a mistake is found where it stands.
"""

from __future__ import annotations

import itertools
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePath
from typing import Any

from ..model.case import Case, TargetSpec, Variant
from ..model.template import NAMES, OF_VARIANT
from .core import core
from .environment import Environment
from .modeltarget import MODEL_KEYS
from .prompts import inputs
from .reading import Reading
from .scalars import json_value, text
from .target import read_target
from .tree import LOST, Map, Node, Plain, Seq, is_null, quoted, said

MAX_ID = 100
"""Characters of an id: it stands in the name of every test."""

NOT_VALUES = ("id", "target", "prompt")
"""Keys of a variant that an application is not told."""

_LIST = "write variants: [{id: small, …}, {id: large, …}]"
_ID = re.compile(r"[ -~]+")


@dataclass(frozen=True, slots=True)
class Stated:
    """A variant as it stands in the file."""

    id: str
    node: Map
    """Its keys, those of the matrix included."""


@dataclass(frozen=True, slots=True)
class Targets:
    """The target of a suite, and its variants with theirs."""

    suite: TargetSpec
    """That of the first variant when the suite names none itself."""
    variants: tuple[Variant, ...] = ()
    stated: tuple[Stated, ...] = ()

    def distinct(self) -> list[TargetSpec]:
        """Every target that is asked, once."""
        found: list[TargetSpec] = []
        for spec in [variant.target for variant in self.variants] or [self.suite]:
            if spec not in found:
                found.append(spec)
        return found

    @property
    def need_input(self) -> bool:
        """Whether a target is asked the input of a case: not where answers are recorded, or a prompt stands for it."""
        if not self.variants:
            return self.suite.kind != "responses"
        pairs = zip(self.variants, self.stated, strict=True)
        return any(variant.target.kind != "responses" and "prompt" not in each.node for variant, each in pairs)

    def prompted(self, r: Reading, cases: Sequence[Case]) -> tuple[Variant, ...]:
        """The variants, those that have a prompt with what it makes of each case."""
        return tuple(
            replace(variant, inputs=inputs(r, each.node, cases)) if "prompt" in each.node else variant
            for variant, each in zip(self.variants, self.stated, strict=True)
        )


def read_targets(r: Reading, root: Map, environment: Mapping[str, str] = os.environ) -> Targets:
    """The target and the variants of a suite. A suite whose variants all name a target needs none of its own."""
    stated = tuple(_stated(r, root))
    if not stated:
        return Targets(read_target(r, root, environment))
    r.insertable = (*NAMES, f"{OF_VARIANT}id", *(OF_VARIANT + key for key in _in_all(stated)))
    suite = read_target(r, root, environment) if "target" in root else None
    variants = []
    for each in stated:
        spec = _target(r, root, each.node, suite, environment)
        prompt = json_value(r.unheard(), each.node, "prompt", each.node["prompt"]) if "prompt" in each.node else None
        variants.append(Variant(each.id, _values(r, each.node, environment), spec, prompt=prompt))
    _check_ids(r, stated)
    return Targets(suite or variants[0].target, tuple(variants), stated)


def _in_all(stated: Sequence[Stated]) -> list[str]:
    """What every variant states, so that it can be inserted whichever it is."""
    return [key for key in stated[0].node if key not in NOT_VALUES and all(key in each.node for each in stated)]


def _stated(r: Reading, root: Map) -> Iterator[Stated]:
    """Every variant with every combination of the matrix."""
    listed = _listed(r, root) if "variants" in root else [_joined()]
    combinations = _combinations(r, root) if "matrix" in root else [_joined()]
    for variant, combination in itertools.product(listed, combinations):
        for key in variant:
            if key in combination:
                r.report(variant.spot(key), f"'{key}' is in the matrix too; leave it to one of them")
        node = _joined(variant, combination)
        if node:
            before = r.count
            made = _id(r, variant, combination)
            yield Stated(made if r.count == before else "", node)


def _listed(r: Reading, root: Map) -> list[Map]:
    node: Node = root["variants"]
    if not isinstance(node, Seq) or not node:
        wrong = "variants is empty" if node == [] or is_null(node) else f"variants must be a list, not {said(node)}"
        r.wrong(root, "variants", f"{wrong}; {_LIST}")
        return []
    variants = []
    for index, part in enumerate(node):
        if isinstance(part, Map) and part:
            variants.append(part)
        elif part is not LOST:
            what = "an empty mapping" if part == {} else said(part)
            r.wrong(node, index, f"a variant is a mapping with an 'id' and what it changes, not {what}; {_LIST}")
    return variants


def _combinations(r: Reading, root: Map) -> list[Map]:
    node: Node = root["matrix"]
    example = "write matrix: {temperature: [0, 1]}"
    if not isinstance(node, Map) or not node:
        what = "an empty mapping" if node == {} else said(node)
        r.wrong(root, "matrix", f"matrix must be a mapping of keys to lists of values, not {what}; {example}")
        return []
    dimensions: list[list[Map]] = []
    for key, values in node.items():
        if key in ("id", "target"):
            r.report(node.spot(key), f"'{key}' cannot be a dimension of a matrix; list the variants under 'variants'")
        elif not isinstance(values, Seq) or not values:
            what = "an empty list" if values == [] else said(values)
            r.wrong(node, key, f"'{key}' of the matrix must be a list of values, not {what}; {example}")
        else:
            dimensions.append([_one(key, value, values.spot(index)) for index, value in enumerate(values)])
    return [_joined(*parts) for parts in itertools.product(*dimensions)] if dimensions else []


def _one(key: str, value: Node, at: int) -> Map:
    made = Map({key: value})
    made.at, made.spots = at, [at]
    return made


def _joined(*parts: Map) -> Map:
    """One mapping of several, each key where it stands in the file; the first that has a key gives it."""
    made = Map()
    made.at, made.spots = (parts[0].at if parts else 0), []
    for part in parts:
        for key in part:
            if key not in made:
                made[key] = part[key]
                made.spots.append(part.spot(key))
    return made


def _id(r: Reading, variant: Map, combination: Map) -> str:
    """The id that a variant states, or one made of its values; with what the matrix adds."""
    parts = []
    if "id" in variant:
        before = r.count
        given = text(r, variant, "id", variant["id"], prose=False)
        if r.count > before:
            return ""
        if not (given or "").strip():
            r.wrong(variant, "id", "id is blank; give one, or leave the key out to have it made of the values")
            return ""
        parts.append(str(given).strip())
    for node in (combination,) if parts else (variant, combination):
        for key, value in node.items():
            part = _part_of_id(key, value)
            if not part:
                cure = "give the variant an 'id'" if node is variant else "list the variants under 'variants'"
                r.report(node.spot(key), f"no id can be made of '{key}'; {cure}")
                return ""
            parts.append(part)
    made = "-".join(parts)
    if why := _unfit(made):
        box, key = (variant, "id") if "id" in variant else (combination or variant, "")
        r.report(box.spot(key), f"the id {quoted(made)} {why}; give the variant another 'id'")
    return made


def _part_of_id(key: str, value: Node) -> str:
    """A text as it is, a number with its key, a file without folder and suffix; "" for what makes no id."""
    if isinstance(value, Map) and list(value) == ["file"] and isinstance(value["file"], str):
        return PurePath(value["file"]).stem
    if not isinstance(value, str):
        return ""
    plain = isinstance(value, Plain) and not isinstance(core(value), str)
    if plain:
        return f"{key}-{value}" if not is_null(value) else f"{key}-none"
    return "" if key == "prompt" else value.strip()


def _unfit(made: str) -> str:
    """Why a text cannot stand in the bracket of a test's name; "" if it can."""
    if not _ID.fullmatch(made):
        return "holds characters beyond printable ASCII, which pytest would show escaped"
    if "::" in made or set(made) & set("[]\\"):
        return "holds '::', '[', ']' or '\\', by which pytest would not find the test"
    return f"is longer than {MAX_ID} characters" if len(made) > MAX_ID else ""


def _check_ids(r: Reading, stated: Sequence[Stated]) -> None:
    seen: dict[str, Stated] = {}
    for each in stated:
        first = seen.setdefault(each.id, each)
        if each.id and first is not each:
            line = r.source.place(first.node.spot("id")).line
            where = f"line {line}" if line != r.source.place(each.node.spot("id")).line else "the same line"
            r.report(
                each.node.spot("id"), f"duplicate id {quoted(each.id)}, which a variant in {where} has; change one"
            )


def _target(r: Reading, root: Map, node: Map, suite: TargetSpec | None, environment: Mapping[str, str]) -> TargetSpec:
    """The suite's target with what the variant changes of it."""
    box, key = (node, "target") if "target" in node else (root, "target")
    base: Node | None = box.get(key)
    made = base is None and "model" in node
    if made:
        base = _joined()
        base.at = node.at
    if isinstance(base, Map) and (made or "model" in base):
        own = _only(node, MODEL_KEYS)
        merged = _joined(own, base)
        merged.at = base.at
        for name in node:
            if name not in own and name not in NOT_VALUES:
                r.unknown_key(node, name, (*NOT_VALUES, *MODEL_KEYS))
        return read_target(r, _one("target", merged, box.spot(key) if key in box else node.at), environment)
    if box is node:
        return read_target(r, node, environment)
    if suite is None:
        r.report(node.at, "the variant names no target; give it a 'target' or a 'model', or give the suite a target")
        return TargetSpec("echo", "", r.source.path.absolute().parent)
    return suite


def _only(node: Map, keys: Sequence[str]) -> Map:
    kept = Map({key: value for key, value in node.items() if key in keys})
    kept.at, kept.spots = node.at, [node.spot(key) for key in kept]
    return kept


def _values(r: Reading, node: Map, environment: Mapping[str, str]) -> dict[str, Any]:
    """What an application is told, with environment variables inserted in texts."""
    env = Environment(r, environment)
    return {key: _expanded(r, node, key, env) for key in node if key not in NOT_VALUES}


def _expanded(r: Reading, box: Map | Seq, key: Any, env: Environment) -> Any:
    value = box[key]
    if isinstance(value, Map):
        return {name: _expanded(r, value, name, env) for name in value}
    if isinstance(value, Seq):
        return [_expanded(r, value, index, env) for index in range(len(value))]
    read = json_value(r, box, key, value)
    return env.expand(box, key, read) if isinstance(read, str) else read
