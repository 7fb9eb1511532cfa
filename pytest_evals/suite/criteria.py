"""Criteria in their forms.

    contains                               a bare name
    levenshtein: {weight: 2}               one key: the scorer with options
    regex: '[0-9]+'                        one key with a scalar or list: the scorer's main option
    {scorer: llm_judge, name: tone}        the full form
    not: {contains: I cannot}              made of criteria; also all_of: […], any_of: […]
    python: my_checks:polite               a function, without a fixture; options stand beside it
    use: polite                            the criteria of a named set, in a list

``name``, ``weight``, ``threshold``, ``description`` and ``turn`` are the criterion's own wherever options stand; for a
combination they stand beside ``not``, ``all_of`` or ``any_of``, for a function beside ``python``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any, Literal

from ..model.criterion import COMBINATIONS, FUNCTION, Criterion
from ..model.place import Place, did_you_mean
from .filling import fill_criteria, scope
from .options import OWN_KEYS, describe, no_options, read_main, read_options
from .reading import CriteriaSet, Reading
from .scalars import json_value, names_callable, number, text, words
from .tree import LOST, Map, Node, Seq, is_null, quoted, said

PYTHON = "python"

USE = "use"
"""The key that puts a named set of criteria into a list."""

_FUNCTION = "write 'python: package.module:function' or 'python: file.py:function'"

_ONE = "'not' takes one criterion; for several write 'not: {any_of: [...]}'"

BROKEN = Criterion("", "")
"""Stands for a criterion that could not be read, so that its case is not told off for having none."""

_EXAMPLES = {
    "not": "not: {contains: sorry}",
    "all_of": "all_of: [contains, {regex: '[0-9]'}]",
    "any_of": "any_of: [contains, {regex: '[0-9]'}]",
}


def read_criteria(r: Reading, box: Map, key: str, node: Node) -> tuple[Criterion, ...]:
    """The criteria of a case, or of the defaults."""
    if is_null(node) and node is not LOST:
        return ()
    if not isinstance(node, Seq):
        r.wrong(box, key, f"{key} must be a list, not {said(node)}; write '{key}: [contains]'")
        return (BROKEN,)
    if any(isinstance(part, Map) and USE in part for part in node):
        return tuple(_with_sets(r, node, ""))
    return tuple([_criterion(r, node, index, part) for index, part in enumerate(node)])


def _with_sets(r: Reading, node: Seq, inside: str) -> Iterator[Criterion]:
    """The criteria of a list, those of the sets that it uses in their place."""
    for index, part in enumerate(node):
        if isinstance(part, Map) and USE in part:
            yield from _used(r, part, inside)
        else:
            yield _criterion(r, node, index, part, inside)


def _used(r: Reading, node: Map, inside: str) -> Iterator[Criterion]:
    for key in node:
        if key != USE:
            r.unknown_key(node, key, (USE,), f"; '{USE}' stands alone: write '- {USE}: NAME'")
    value: Node = node[USE]
    box, keys = (value, [*range(len(value))]) if isinstance(value, Seq) else (node, [USE])
    for key in keys:
        part: Node = box[key]  # type: ignore[index]
        before = r.count
        name = text(r, box, key, part, USE, prose=False)
        found = r.sets.get(name) if name is not None else None
        if r.count > before or part is LOST:
            yield BROKEN
        elif found is None:
            near = did_you_mean(name or "", r.sets) or (f"; there are {', '.join(r.sets)}" if r.sets else "")
            r.wrong(box, key, f"unknown criteria set {quoted(name or '')}{near or '; there are no criteria_sets'}")
            yield BROKEN
        elif found.open:
            r.wrong(box, key, f"the criteria set {quoted(found.name)} uses itself")
            yield BROKEN
        else:
            yield from _of_set(found, r.variables, inside)


def _of_set(found: CriteriaSet, variables: Mapping[str, Any], inside: str) -> tuple[Criterion, ...]:
    """The criteria of a set, for a case with these variables."""
    found.used = True
    if found.broken:
        return (BROKEN,)
    simple = not inside and not (variables and found.has_places())
    if simple and found.read is not None:
        return found.read  # the same objects for every case
    r, box, name = found.r, found.box, found.name
    node: Seq = box[name]
    found.open, outer = True, r.variables
    try:
        if variables:
            r.variables = variables
            node = fill_criteria(r, node, scope(variables))  # type: ignore[assignment]
        read = tuple(_with_sets(r, node, inside))
    finally:
        found.open, r.variables = False, outer
    if simple:
        found.read = read
    return read


def check_unused(r: Reading) -> None:
    """Read the file's own sets that no case uses, so that what is wrong with them is told, too."""
    for found in [*r.sets.values()]:
        if found.r is r and not found.used and not found.has_places():
            _of_set(found, {}, "")


def check_names(r: Reading, criteria: Iterable[Criterion], inherited: int, case: Place | None = None) -> None:
    """Every criterion of a case has a name of its own. The first ``inherited`` ones come from the defaults.

    What two criteria of other files have in common is said at the ``case`` that has both.
    """
    seen: dict[str, int] = {}
    for index, criterion in enumerate(criteria):
        first = seen.setdefault(criterion.name, index)
        if first != index and criterion.name and criterion.place is not None:
            other = tuple(criteria)[first].place
            where = "in defaults, " if first < inherited <= index else ""
            line = "in defaults"
            if other is not None:
                same = other.path == criterion.place.path
                line = f"{where}in line {other.line}" if same else f"at {other.path}:{other.line}"
            spot, of = criterion.place, ""
            if case is not None and spot.path != case.path:
                spot, of = case, f" of {criterion.place.path}:{criterion.place.line}"
            message = f"{describe(criterion.name)}{of} is there already ({line}); give one of them another 'name'"
            if other == criterion.place:
                message = f"{describe(criterion.name)} comes twice from {other.path}:{other.line}; use its set once"
            r.add(spot, message)


def _criterion(r: Reading, box: Map | Seq, key: str | int, node: Node, inside: str = "") -> Criterion:
    """One criterion; ``inside`` names the combination it is a part of."""
    if isinstance(node, Map):
        if USE in node:
            r.report(node.at, f"'{USE}' stands in a list of criteria: write '[{USE}: NAME]'")
            return BROKEN
        if PYTHON in node:
            return _function(r, node, inside)
        if "scorer" in node:
            return _full(r, node, inside)
        made_of = [name for name in node if name in COMBINATIONS]
        if made_of:
            return _combination(r, node, made_of[0], made_of[0], inside)
        if len(node) == 1:
            return _keyed(r, node, next(iter(node)), inside)
        return _too_many(r, node)
    if isinstance(node, str) and not is_null(node):
        return _bare(r, box, key, str(node))
    r.wrong(box, key, f"a criterion names a scorer; {said(node)} does not")
    return BROKEN


def _bare(r: Reading, box: Map | Seq, key: str | int, name: str) -> Criterion:
    at = box.spot(key)
    if name in COMBINATIONS:
        r.report(at, f"'{name}' is made of criteria: write '{_EXAMPLES[name]}'")
        return BROKEN
    if name == PYTHON:
        r.report(at, f"'{PYTHON}' needs a function; {_FUNCTION}")
        return BROKEN
    if not _is_scorer(r, at, name):
        return BROKEN
    return Criterion(name, name, no_options(r, name, at), place=r.source.place(at))


def _keyed(r: Reading, node: Map, scorer: str, inside: str) -> Criterion:
    if not _is_scorer(r, node.at, scorer):
        return BROKEN
    value = node[scorer]
    if isinstance(value, Map):
        options = read_options(r, value, scorer)
        return Criterion(scorer, **_own(r, value, scorer, inside), options=options, place=r.source.place(node.at))
    blank = is_null(value) and value is not LOST
    options = no_options(r, scorer, node.at) if blank else read_main(r, node, scorer, value, scorer)
    return Criterion(scorer, scorer, options, place=r.source.place(node.at))


def _full(r: Reading, node: Map, inside: str) -> Criterion:
    scorer = text(r, node, "scorer", node["scorer"], prose=False)
    if scorer == PYTHON:
        r.wrong(node, "scorer", f"'{PYTHON}' is a key of its own: {_FUNCTION}, with the options beside it")
        return BROKEN
    if scorer in COMBINATIONS:
        if "criteria" in node:
            return _combination(r, node, scorer, "criteria", inside)
        r.wrong(node, "scorer", f"'{scorer}' is made of criteria: add 'criteria', or write '{_EXAMPLES[scorer]}'")
        return BROKEN
    if not _is_scorer(r, node.spot("scorer"), scorer or ""):
        return BROKEN
    assert scorer is not None
    options = read_options(r, node, scorer, (*OWN_KEYS, "scorer"))
    return Criterion(scorer, **_own(r, node, scorer, inside), options=options, place=r.source.place(node.at))


def _function(r: Reading, node: Map, inside: str) -> Criterion:
    """A criterion that a function answers. Its options are not checked, as those of a project's own scorers."""
    before = r.count
    given = text(r, node, PYTHON, node[PYTHON], f"'{PYTHON}'", prose=False)
    reference = (given or "").strip()
    if r.count == before and node[PYTHON] is not LOST:
        if not names_callable(reference):
            r.wrong(node, PYTHON, f"{quoted(reference)} names no function; {_FUNCTION}")
        elif why := r.unknown_scorer(FUNCTION + _from_suite(r, reference)):
            r.wrong(node, PYTHON, why)
    options = {key: json_value(r, node, key, value) for key, value in node.items() if key not in (PYTHON, *OWN_KEYS)}
    own = _own(r, node, reference.rpartition(":")[2].rpartition(".")[2], inside)
    base = r.source.path.absolute().parent
    return Criterion(FUNCTION + reference, **own, options=options, place=r.source.place(node.at), base=base)


def _from_suite(r: Reading, reference: str) -> str:
    """A function as the suite would name it: files in an included file start at that file's folder."""
    where, _, name = reference.rpartition(":")
    if not r.is_part or not where.endswith(".py"):
        return reference
    return f"{r.source.path.absolute().parent / where}:{name}"


def _combination(r: Reading, node: Map, scorer: str, under: str, inside: str) -> Criterion:
    """A criterion made of criteria, which stand under one key of the mapping."""
    for key in node:
        if key not in OWN_KEYS and key not in (under, "scorer" if under == "criteria" else under):
            r.unknown_key(node, key, (under, *OWN_KEYS))
    parts = _parts(r, node, under, scorer)
    own = _own(r, node, f"not_{parts[0].name}" if scorer == "not" else scorer, inside)
    return Criterion(scorer, **own, parts=parts, place=r.source.place(node.at))


def _parts(r: Reading, node: Map, under: str, scorer: str) -> tuple[Criterion, ...]:
    value = node[under]
    if scorer == "not":
        if not isinstance(value, Seq):
            return (_criterion(r, node, under, value, scorer),)
        if len(value) != 1:
            r.wrong(node, under, _ONE)
            return (BROKEN,)
    elif not isinstance(value, Seq) or not value:
        r.wrong(node, under, f"'{scorer}' takes a list of criteria: write '{_EXAMPLES[scorer]}'")
        return (BROKEN,)
    read = [*_with_sets(r, value, scorer)]
    if scorer == "not" and len(read) != 1:
        r.wrong(node, under, _ONE)
        return (BROKEN,)
    # results show parts by name
    names: dict[str, int] = {}
    parts = []
    for part in read:
        names[part.name] = names.get(part.name, 0) + 1
        parts.append(part if names[part.name] == 1 else replace(part, name=f"{part.name}_{names[part.name]}"))
    return tuple(parts)


def _too_many(r: Reading, node: Map) -> Criterion:
    first = next((key for key in node if key not in OWN_KEYS), None)
    if first is None:
        r.report(node.at, "a criterion names a scorer: write 'contains', 'regex: …' or 'scorer: …'")
    else:
        cure = f"indent the options below '{first}:', or write 'scorer: {first}'"
        r.report(node.at, f"a criterion is one scorer, here are {len(node)} keys; {cure}")
    return BROKEN


def _is_scorer(r: Reading, at: int, name: str) -> bool:
    """A scorer is a fixture, so its name is one."""
    if name.isidentifier():
        why = r.unknown_scorer(name)
        if why:
            r.report(at, f"unknown criterion {quoted(name)}{why}")
        return not why
    near = did_you_mean(name.replace("-", "_"), r.specs) or "; it has letters, digits and _ only"
    r.report(at, f"{quoted(name)} cannot be the name of a scorer{near}")
    return False


def _own(r: Reading, node: Map, name: str, inside: str) -> dict[str, Any]:
    """The criterion's own keys in a mapping, with their defaults."""
    own: dict[str, Any] = {"name": name}
    for key in OWN_KEYS:
        if key not in node:
            continue
        value = node[key]
        if inside and key in ("weight", "threshold", "turn"):
            r.wrong(node, key, f"'{key}' cannot stand on a part of '{inside}'; put it on the combination")
        elif key == "weight":
            own[key] = float(number(r, node, key, value, least=0, stand_in=1))
        elif key == "threshold":
            own[key] = number(r, node, key, value, least=0, most=1)
        elif key == "turn":
            own[key] = _turn(r, node, key, value)
        elif key == "name":
            own[key] = words(r, node, key, value) or name
        else:
            own[key] = text(r, node, key, value) or ""
    return own


def _turn(r: Reading, node: Map, key: str, value: Node) -> int | Literal["last", "all"] | None:
    """Which turn of a conversation is scored."""
    word = str(value)
    if word == "last":
        return "last"
    if word == "all":
        return "all"
    if word.isdecimal() and int(word) >= 1:
        return int(word)
    if value is not LOST:
        r.wrong(node, key, f"turn is the number of a turn from 1 on, 'last' or 'all', not {said(value)}")
    return None
