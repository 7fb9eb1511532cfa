"""Criteria that compare a case with one of its variants: whether that variant can have answered before."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from ..model.case import Case, Variant
from ..model.criterion import Criterion, compared_variants
from ..model.place import Place, did_you_mean
from .reading import Reading
from .tree import quoted


def check_compared(r: Reading, cases: Iterable[Case], variants: Sequence[Variant]) -> None:
    """Note comparisons with variants that are not there, or come too late, and cases that ask nothing else."""
    checked: set[int] = set()
    for case in cases:
        named = compared_variants(case.criteria)
        fresh = [each for each in case.criteria if id(each) not in checked]
        checked.update(map(id, fresh))
        for criterion in fresh:
            for place, message in _wrong(criterion, variants):
                r.add(place, message)
        for variant in sorted(named):
            if all(variant in compared_variants((each,)) for each in case.criteria) and case.place is not None:
                message = f"nothing but better_than is asked, and variant {quoted(variant)} is not compared with itself"
                r.add(case.place, f"{message}; add a criterion that it has to fulfil, too")


def _wrong(criterion: Criterion, variants: Sequence[Variant]) -> Iterator[tuple[Place, str]]:
    for part in _parts(criterion):
        if part.place is not None and compared_variants((part,)):
            yield part.place, "better_than with a variant stands for itself, for that variant is not asked; take it out"
            return
    place, ids = criterion.place, [variant.id for variant in variants]
    for name in compared_variants((criterion,)) if place is not None else ():
        assert place is not None
        if not ids:
            yield place, f"the suite has no variants, and so none that is {quoted(name)}"
        elif name not in ids:
            near = did_you_mean(name, ids) or f"; there are {', '.join(ids)}"
            yield place, f"no variant is {quoted(name)}{near}"
        elif ids[0] != name:
            yield place, f"variant {quoted(name)} must be the first one: the others are compared with its answers"


def _parts(criterion: Criterion) -> Iterator[Criterion]:
    for part in criterion.parts:
        yield part
        yield from _parts(part)
