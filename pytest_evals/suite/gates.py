"""The gates of a suite, each about something that its cases have."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from ..errors import GateError
from ..model.case import Case, Variant
from ..model.gate import Gate
from ..model.gate_grammar import parse_gate
from ..model.place import did_you_mean
from ..model.text import one_line
from .reading import Reading
from .tree import Map, Seq, is_null, quoted, said


def read_gates(
    r: Reading, root: Map, suite: str, cases: Iterable[Case], variants: Iterable[Variant] = ()
) -> tuple[Gate, ...]:
    """The gates of a file."""
    node = root.get("gates")
    if node is None or is_null(node):
        return ()
    if not isinstance(node, Seq):
        r.wrong(root, "gates", f"gates must be a list, not {said(node)}; write each as '- pass_rate >= 95%'")
        return ()
    gates = []
    for index, part in enumerate(node):
        if not isinstance(part, str) or is_null(part):
            r.wrong(node, index, f"a gate is a text such as 'pass_rate >= 95%', not {said(part)}")
            continue
        place = r.source.place(node.spot(index))
        try:
            gates.append(parse_gate(str(part), suite=suite, place=place))
        except GateError as error:
            r.add(place, str(error))
    _check_scopes(r, gates, tuple(cases), {variant.id for variant in variants})
    return tuple(gates)


def _check_scopes(r: Reading, gates: Sequence[Gate], cases: tuple[Case, ...], variants: set[str]) -> None:
    """A gate over cases that do not exist would never be decided."""
    if not gates or r.incomplete:
        return
    known: dict[str, set[str]] = {
        "tag": {tag for case in cases for tag in case.tags},
        "variant": variants,
        "category": {case.category for case in cases if case.category is not None},
        "criterion": {criterion.name for case in cases for criterion in case.criteria if criterion.name},
    }
    for gate in gates:
        assert gate.place is not None
        named = [*gate.scope, *([("criterion", gate.criterion)] if gate.criterion is not None else [])]
        for kind, value in named:
            if kind in known and value not in known[kind]:
                r.add(gate.place, _nowhere(gate, kind, value, known[kind]))


def _nowhere(gate: Gate, kind: str, value: str, known: Collection[str]) -> str:
    there = sorted(known)
    plural = {"tag": "tags", "category": "categories", "criterion": "criteria", "variant": "variants"}[kind]
    listed = f"; the {plural} are {', '.join(one_line(name, 30) for name in there[:10])}" if there else ""
    more = ", …" if len(there) > 10 else ""
    near = did_you_mean(value, there) or listed + more or f"; they have no {plural}"
    if kind == "variant":
        near = near if there else "; the suite has no variants"
        return f"gate '{one_line(gate.text, 120)}': no variant is {quoted(value)}{near}"
    return f"gate '{one_line(gate.text, 120)}': no case has the {kind} {quoted(value)}{near}"
