"""Whether a case gives what its criteria compare answers with."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ..model.case import Case
from ..model.conversation import turns_of
from ..model.criterion import Criterion, ScorerSpec
from .options import describe, is_empty
from .reading import Reading

_GIVEN = {
    "expected_output": lambda case: case.expected_output is not None,
    "reference_outputs": lambda case: bool(case.reference_outputs),
    "expected_tool_calls": lambda case: case.expected_tool_calls is not None,
    "context": lambda case: case.context is not None,
}


def check_expectations(r: Reading, case: Case, inherited: int) -> None:
    """Note each criterion whose scorer lacks its expectation. The first ``inherited`` ones come from the defaults."""
    specs = r.specs
    for index, criterion in enumerate(case.criteria):
        asked = case if criterion.turn is None else _of_turn(case, criterion)
        for leaf in _leaves(criterion) if criterion.parts else (criterion,):
            spec = specs.get(leaf.scorer)
            if spec is None or not (spec.needs or spec.lacks):
                continue
            if message := _wrong(asked, leaf, spec):
                # what a case lacks is mended there, not in the defaults
                place = case.place if index < inherited else leaf.place or case.place
                assert place is not None
                r.add(place, message)


def _of_turn(case: Case, criterion: Criterion) -> Case:
    """The case with what the criterion's turn expects; where it is about all turns, with what one of them lacks."""
    turns = turns_of(case.input)
    chosen = turns if criterion.turn == "all" else turns[-1:]
    if isinstance(criterion.turn, int):
        chosen = turns[criterion.turn - 1 : criterion.turn]
    expected = [turn.expected_output for turn in chosen]
    return case if not expected or None in expected else replace(case, expected_output=expected[0])


def _has_its_own(spec: ScorerSpec, criterion: Criterion) -> bool:
    """Whether the criterion itself gives what it compares with."""
    return any(name in criterion.options for name in spec.instead or (spec.main,))


def _leaves(criterion: Criterion) -> Iterator[Criterion]:
    if criterion.parts:
        for part in criterion.parts:
            yield from _leaves(part)
    else:
        yield criterion


def _wrong(case: Case, criterion: Criterion, spec: ScorerSpec) -> str:
    if spec.lacks is not None and (lacking := spec.lacks(criterion.options, case)):
        return f"{describe(criterion.name)}: {lacking}"
    if not spec.needs:
        return ""
    if _has_its_own(spec, criterion):
        return ""
    for need in spec.needs:
        if _GIVEN[need](case):
            break
    else:
        here = f"{{{spec.instead[0]}: …}}" if spec.instead else "…"
        cure = f", or name it here: '{spec.name}: {here}'" if spec.main else ""
        return f"{describe(criterion.name)} needs {' or '.join(spec.needs)}; add it to the case{cure}"
    if spec.refuses_empty:
        for need in ("expected_output", "reference_outputs"):
            if need in spec.needs and is_empty(getattr(case, need)) and _GIVEN[need](case):
                return f"{describe(criterion.name)}: {need} is an empty text, which tells no answer from another"
    return ""
