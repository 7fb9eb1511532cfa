"""Which rows of a data set become cases: ``where``, ``limit``, ``sample`` and ``seed``."""

from __future__ import annotations

import heapq
import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from hashlib import blake2b
from itertools import islice

from .columns import Column, column_of
from .reading import Reading
from .scalars import number, text
from .tree import NOTHING, Map, Node, Seq, is_null, quoted, said

DEFAULT_SEED = 0
_SHOWN = 8


@dataclass(frozen=True, slots=True)
class Condition:
    """What a column must hold: one of some texts, or nothing."""

    column: Column
    texts: frozenset[str | None]

    def holds(self, record: Map) -> bool:
        return self.text(record) in self.texts

    def text(self, record: Map) -> str | None:
        """The value as text; ``None`` for nothing, and for what is no single value."""
        node, _ = self.column.find(record)
        if node is None or not isinstance(node, str) or is_null(node) or not node.strip():
            return None
        return str(node)


@dataclass(frozen=True, slots=True)
class Choice:
    """How rows are chosen."""

    conditions: tuple[Condition, ...] = ()
    limit: int | None = None
    sample: int | None = None
    seed: int = DEFAULT_SEED

    @property
    def columns(self) -> list[Column]:
        return [condition.column for condition in self.conditions]

    def of(self, records: Iterable[Map]) -> Iterator[Map]:
        """The rows that are chosen, in their order."""
        if self.conditions:
            records = (record for record in records if all(each.holds(record) for each in self.conditions))
        if self.sample is not None:
            return self._sampled(records)
        return islice(records, self.limit)

    def _sampled(self, records: Iterable[Map]) -> Iterator[Map]:
        # by a hash of the row and not by its number: a row that is added or moved exchanges one of the sample at most,
        # and no version of Python draws others
        seed = f"{self.seed}:".encode()
        ranked = ((_rank(seed, record), index, record) for index, record in enumerate(records))
        first = heapq.nsmallest(self.sample or 0, ranked, key=lambda each: each[:2])
        return (record for _, _, record in sorted(first, key=lambda each: each[1]))

    def why_none(self, records: Iterable[Map]) -> str:
        """Why no row is chosen: what the columns hold instead."""
        all_records = [*records]
        parts = []
        for condition in self.conditions:
            values = sorted({value for record in all_records if (value := condition.text(record)) is not None})
            if not any(condition.holds(record) for record in all_records):
                shown = ", ".join(quoted(value, 30) for value in values[:_SHOWN])
                more = ", …" if len(values) > _SHOWN else ""
                parts.append(f"{quoted(condition.column.name, 30)} is {shown}{more}" if values else "nothing")
        return f": {'; '.join(parts)}" if parts else ": each condition holds somewhere, all together nowhere"


def _rank(seed: bytes, record: Map) -> bytes:
    return blake2b(seed + json.dumps(record, sort_keys=True).encode(), digest_size=8).digest()


def read_choice(r: Reading, node: Map) -> Choice:
    """What an entry says of its rows."""
    counts: dict[str, int | None] = {}
    for key, least in (("limit", 1), ("sample", 1), ("seed", None)):
        value = node.get(key, NOTHING)
        counts[key] = None if is_null(value) else number(r, node, key, value, least=least, whole=True)
    limit, sample, seed = counts["limit"], counts["sample"], counts["seed"]
    if limit is not None and sample is not None:
        r.wrong(node, "sample", "'limit' takes the first rows and 'sample' draws some; give one of them")
    if seed is not None and sample is None:
        r.wrong(node, "seed", "a seed needs a 'sample' that is drawn with it")
    return Choice(_conditions(r, node), limit, sample, DEFAULT_SEED if seed is None else seed)


def _conditions(r: Reading, node: Map) -> tuple[Condition, ...]:
    box = node.get("where", NOTHING)
    if not isinstance(box, Map):
        if not is_null(box):
            r.wrong(node, "where", f"where must be a mapping of columns to values, not {said(box)}")
        return ()
    return tuple(
        Condition(column_of(name, box.spot(name)), frozenset(_texts(r, box, name, value)))
        for name, value in box.items()
    )


def _texts(r: Reading, box: Map, name: str, node: Node) -> Iterator[str | None]:
    what = f"the value of {quoted(name)}"
    if not isinstance(node, Seq):
        yield text(r, box, name, node, what, prose=False)
        return
    if not node:
        r.wrong(box, name, f"{what} is an empty list; give at least one")
    for index, part in enumerate(node):
        yield text(r, node, index, part, what, prose=False)
