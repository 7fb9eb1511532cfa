"""Which cases of a session run: filters, the first so many, a sample. The same in every process and order of items."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Any, NamedTuple

from ..errors import UsageError
from ..model.case import Case
from ..model.place import did_you_mean
from ..model.text import one_line

KEYS = ("id", "suite", "category", "tag", "variant", "metadata.<key>")
"""What a filter can ask about."""

_METADATA = "metadata."


class Candidate(NamedTuple):
    """A case (of one variant) that may run."""

    suite: str
    case: Case
    variant_id: str = ""
    bracket: str = ""

    @property
    def key(self) -> tuple[str, str, str]:
        return (self.suite, self.case.id, self.bracket)

    @property
    def question(self) -> tuple[str, str]:
        """What variants have in common."""
        return (self.suite, self.case.id)


@dataclass(frozen=True, slots=True)
class Filter:
    """``category=refunds``: a key, and values of which a case must have one."""

    key: str
    values: tuple[str, ...]

    def holds(self, one: Candidate) -> bool:
        """Whether the case has one of the values. A blank value stands for having none."""
        found = [_text(value) for value in _values(self.key, one)]
        return any(_fits(wanted, found) for wanted in self.values)

    def __str__(self) -> str:
        return f"{self.key}={' or '.join(value or 'none' for value in self.values)}"

    def near(self, candidates: Sequence[Candidate]) -> str:
        """Why nothing fits: ``no case has category=refund; did you mean 'refunds'?``; "" if something does."""
        if any(self.holds(one) for one in candidates):
            return ""
        known = {_text(value): None for one in candidates for value in _values(self.key, one)}
        hint = next((found for wanted in self.values if (found := did_you_mean(wanted, known))), "")
        return f"no case has {self}{hint}"


def parse_filters(texts: Sequence[str], where: str = "--evals-filter") -> tuple[Filter, ...]:
    """The filters: those of one key are alternatives, all keys must hold. Raises ``UsageError``."""
    wanted: dict[str, dict[str, None]] = {}
    for text in texts:
        key, sign, value = text.partition("=")
        key = key.strip()
        if not sign:
            raise UsageError(f"{where}: {one_line(text, 60)!r} has no '='; write category=refunds")
        if not (key.startswith(_METADATA) and len(key) > len(_METADATA)) and key not in KEYS[:-1]:
            near = did_you_mean(key, KEYS) or f"; there are {', '.join(KEYS)}"
            raise UsageError(f"{where}: unknown key {one_line(key, 60)!r}{near}")
        wanted.setdefault(key, {})[value.strip()] = None
    return tuple(Filter(key, tuple(values)) for key, values in wanted.items())


@dataclass(frozen=True, slots=True)
class Selection:
    """What was asked for."""

    filters: tuple[Filter, ...] = ()
    chosen: Callable[[Candidate], bool] | None = None
    """Of ``--evals-from``."""
    source: str = ""
    """How ``chosen`` came about: ``failed in run v5w3…``."""
    sample: int | None = None
    seed: int = 0
    first: int | None = None

    def __bool__(self) -> bool:
        return bool(self.filters) or self.chosen is not None or self.sample is not None or self.first is not None

    def __str__(self) -> str:
        """``category=refunds, a sample of 100 (seed 7)``."""
        return ", ".join(self._parts())

    def _parts(self) -> Iterator[str]:
        yield from map(str, self.filters)
        if self.chosen is not None:
            yield self.source
        if self.sample is not None:
            yield f"a sample of {self.sample:,} (seed {self.seed})"
        if self.first is not None:
            yield f"the first {self.first:,}"

    def choose(self, candidates: Sequence[Candidate]) -> list[bool]:
        """Of each candidate whether it runs. A sample and the first so many are of cases, each with all variants.

        ``candidates`` are in the order of the files. Which cases a sample has depends on nothing but the seed, their
        suites and ids, so that cases beside them do not change who else is in it.
        """
        kept = [all(each.holds(one) for each in self.filters) for one in candidates]
        if self.chosen is not None:
            kept = [stays and self.chosen(one) for stays, one in zip(kept, candidates, strict=True)]
        for limit, rank in ((self.sample, self._drawn), (self.first, None)):
            if limit is None:
                continue
            left = list(dict.fromkeys(one.question for stays, one in zip(kept, candidates, strict=True) if stays))
            wanted = set((sorted(left, key=rank) if rank is not None else left)[:limit])
            kept = [stays and one.question in wanted for stays, one in zip(kept, candidates, strict=True)]
        return kept

    def _drawn(self, question: tuple[str, str]) -> bytes:
        text = "\0".join((str(self.seed), *question))
        return hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()


def _values(key: str, one: Candidate) -> Sequence[Any]:
    case = one.case
    match key:
        case "id":
            return [case.id]
        case "suite":
            return [one.suite]
        case "category":
            return [] if case.category is None else [case.category]
        case "tag":
            return case.tags
        case "variant":
            return [name for name in dict.fromkeys((one.variant_id, one.bracket)) if name]
    value = _inside(case.metadata, key.removeprefix(_METADATA))
    return value if isinstance(value, (list, tuple)) else [] if value is None else [value]


def _inside(value: Any, path: str) -> Any:
    """What stands under a key, or under keys with dots between them."""
    if not isinstance(value, Mapping):
        return None
    if path in value:
        return value[path]
    first, dot, rest = path.partition(".")
    return _inside(value.get(first), rest) if dot else None


def _text(value: Any) -> str:
    """As a suite file has it: true, 12, eu."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def _fits(wanted: str, found: Sequence[str]) -> bool:
    if not wanted:
        return not found
    if wanted in found:
        return True
    # brackets stand in names of variants; only these two are patterns
    pattern = wanted.replace("[", "[[]")
    return ("*" in wanted or "?" in wanted) and any(fnmatchcase(text, pattern) for text in found)
