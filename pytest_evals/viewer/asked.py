"""What an address asks for: parameters read and checked, with one line for each that is wrong."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..errors import UsageError
from ..model.outcome import Outcome
from ..model.place import did_you_mean
from ..store.browse import SORTS, CaseFilter
from .data import MOST, NotFoundError

if TYPE_CHECKING:
    from collections.abc import Collection

    from starlette.datastructures import QueryParams
    from starlette.requests import Request

    from ..store.browse import CaseKey

OUTCOMES = tuple(outcome.value for outcome in Outcome)
GROUPS = {
    "failures": frozenset({"failed", "warned"}),
    "errors": frozenset({"errored"}),
    "not-passed": frozenset({"failed", "warned", "errored"}),
}
"""Words for several outcomes."""
MOST_OFFSET = 10_000_000
MOST_NUMBER = 2**63 - 1


def whole(asked: QueryParams, name: str, default: int, *, least: int = 0, most: int = MOST_OFFSET) -> int:
    """A whole number within bounds. Raises ``UsageError``."""
    text = asked.get(name, "")
    if not text:
        return default
    if not (text.isascii() and text.isdigit()) or len(text) > 12 or not least <= int(text) <= most:
        raise UsageError(f"{name} is a whole number from {least} to {most:,}, not {text[:40]!r}")
    return int(text)


def number_of(request: Request) -> int:
    """The number in the address. Raises ``NotFoundError`` for one that no database can give."""
    number: int = request.path_params["number"]
    if number > MOST_NUMBER:
        raise NotFoundError(f"there is no number {str(number)[:40]}")
    return number


def page_of(asked: QueryParams, default: int) -> tuple[int, int]:
    """Offset and limit."""
    return whole(asked, "offset", 0), whole(asked, "limit", default, least=1, most=MOST)


def sort_of(asked: QueryParams) -> str:
    """What the list is sorted by. Raises ``UsageError``."""
    sort = asked.get("sort", "") or "file"
    if sort.removeprefix("-") not in SORTS:
        raise UsageError(f"a list is sorted by {', '.join(SORTS)}, not {sort[:40]!r}{did_you_mean(sort, SORTS)}")
    return sort


def filter_of(asked: QueryParams, among: Collection[CaseKey] | None = None) -> CaseFilter:
    """Which results are meant. Raises ``UsageError`` for an outcome that is none."""
    outcomes: set[str] = set()
    for word in filter(None, ",".join(asked.getlist("outcome")).split(",")):
        if word not in GROUPS and word not in OUTCOMES:
            raise UsageError(f"there is no outcome {word[:40]!r}; {', '.join((*OUTCOMES, *GROUPS))}")
        outcomes |= GROUPS.get(word, frozenset({word}))
    return CaseFilter(
        outcomes=frozenset(outcomes),
        suite=asked.get("suite", ""),
        tag=asked.get("tag", ""),
        category=asked.get("category", ""),
        variant=asked.get("variant", ""),
        criterion=asked.get("criterion", ""),
        text=asked.get("text", ""),
        flaky=asked.get("flaky", "") in {"1", "true", "on"},
        among=among,
    )
