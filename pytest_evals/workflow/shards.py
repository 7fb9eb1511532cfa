"""Which part of an evaluation a machine takes: stable by case, or balanced by a plan of what cases took before.

A case is in one shard with all its variants, and which one depends on nothing but its suite's name, its id and the
number of shards: other cases beside it, selections and machines change nothing. With a plan the cases that it knows are
dealt out so that every shard takes about as long; the others go where they would go without one.
"""

from __future__ import annotations

import hashlib
import heapq
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from math import isfinite
from pathlib import Path

from ..errors import UsageError

MOST = 1000
"""Shards of one evaluation."""


@dataclass(frozen=True, slots=True)
class Shard:
    """One of the parts: ``2/3``."""

    index: int
    """From 1."""
    of: int
    planned: Mapping[str, int] = field(default_factory=dict)
    """By ``suite::case``, the shard of the cases that a plan deals out."""
    plan: str = ""
    """The hash of that plan; empty without one."""

    def has(self, suite: str, case_id: str) -> bool:
        """Whether the case is in this shard."""
        name = f"{suite}::{case_id}"
        return self.planned.get(name, 0) == self.index if name in self.planned else self.has_file(name)

    def has_file(self, name: str) -> bool:
        """Whether what has this name is in this shard, as far as no plan says otherwise."""
        digest = hashlib.sha256(name.encode("utf-8", "surrogatepass")).digest()
        return int.from_bytes(digest[:8], "big") % self.of + 1 == self.index

    def __str__(self) -> str:
        return f"{self.index}/{self.of}"


def parse_shard(text: str, where: str) -> Shard:
    """``2/3``. Raises ``UsageError``, which names ``where`` it was said."""
    found = re.fullmatch(r"\s*(\d{1,6})\s*/\s*(\d{1,6})\s*", text)
    if found is None:
        raise UsageError(f"{where}: {text!r} is no shard such as 2/3, the second of three")
    index, of = int(found[1]), int(found[2])
    if not 1 <= of <= MOST:
        raise UsageError(f"{where}: {text!r}: there can be 1 to {MOST:,} shards")
    if not 1 <= index <= of:
        raise UsageError(f"{where}: {text!r}: the shards of {of} are 1/{of} to {of}/{of}")
    return Shard(index, of)


def with_plan(shard: Shard, path: Path, where: str) -> Shard:
    """The shard as the plan in a file deals the cases out. Raises ``UsageError`` for a file that is none."""
    from ..report.shardplan import PLAN_FORMAT

    try:
        data = json.loads(path.read_text("utf-8"))
        if data["format"] != PLAN_FORMAT:
            raise UsageError(f"{where}: {path} is a plan of format {data['format']!r}, not {PLAN_FORMAT}")
        seconds = {str(name): float(value) for name, value in data["seconds"].items()}
        if not all(isfinite(value) and value >= 0 for value in seconds.values()):
            raise ValueError("a time that is none")
    except OSError as error:
        raise UsageError(f"{where}: {path}: {error.strerror or error}") from None
    except (ValueError, KeyError, TypeError, AttributeError):
        raise UsageError(
            f"{where}: {path} is not a plan of shards, which pytest-evals merge writes with -o evals.plan.json"
        ) from None
    canonical = json.dumps(seconds, sort_keys=True)
    digest = hashlib.sha256(canonical.encode("utf-8", "surrogatepass")).hexdigest()
    return Shard(shard.index, shard.of, deal(seconds, shard.of), digest)


def deal(seconds: Mapping[str, float], of: int) -> dict[str, int]:
    """Deal names out to shards: the longest first, each to the shard that has least to do so far."""
    loads = [(0.0, 0, index) for index in range(1, of + 1)]
    dealt: dict[str, int] = {}
    for name, took in sorted(seconds.items(), key=lambda item: (-item[1], item[0])):
        load, number, index = heapq.heappop(loads)
        dealt[name] = index
        # by number, too: cases that took no time are dealt out as well
        heapq.heappush(loads, (load + took, number + 1, index))
    return dealt


def default_file(shard: Shard) -> str:
    """The name of the file that a shard is written to."""
    return f"evals-{shard.index}-of-{shard.of}.shard"
