"""What asking took: tokens and dollars, which add up, and stay unknown where they are."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ..model.price import Cost
from ..model.response import Usage

_DIGITS = 9
"""Of dollars in files: a token of the cheapest models costs more than the last one."""


@dataclass(frozen=True, slots=True)
class Spent:
    """Of one call, or of many. ``None`` is unknown, and what it is added to is then unknown too."""

    input_tokens: int | None = 0
    output_tokens: int | None = 0
    input_usd: float | None = 0.0
    output_usd: float | None = 0.0

    @classmethod
    def of(cls, usage: Usage | None, cost: Cost | None) -> Spent:
        """Of a reply."""
        return cls(
            None if usage is None else usage.input_tokens,
            None if usage is None else usage.output_tokens,
            None if cost is None else round(cost.input_usd, _DIGITS),
            None if cost is None else round(cost.output_usd, _DIGITS),
        )

    @classmethod
    def from_json(cls, usage: Any, cost: Any) -> Spent:
        """Of what a file says under ``usage`` and ``cost``; anything else is unknown."""
        return cls(
            _whole(usage, "input_tokens"),
            _whole(usage, "output_tokens"),
            _number(cost, "input_cost"),
            _number(cost, "output_cost"),
        )

    def __add__(self, other: Spent) -> Spent:
        return Spent(
            _sum(self.input_tokens, other.input_tokens),
            _sum(self.output_tokens, other.output_tokens),
            _rounded(_sum(self.input_usd, other.input_usd)),
            _rounded(_sum(self.output_usd, other.output_usd)),
        )

    @property
    def total_tokens(self) -> int | None:
        found: int | None = _sum(self.input_tokens, self.output_tokens)
        return found

    @property
    def total_usd(self) -> float | None:
        return _rounded(_sum(self.input_usd, self.output_usd))

    def usage_json(self) -> dict[str, int | None]:
        """Tokens as the files have them."""
        return {
            "input_tokens": self.input_tokens,
            "output_tokens": self.output_tokens,
            "total_tokens": self.total_tokens,
        }

    def cost_json(self) -> dict[str, float | None]:
        """Dollars as the files have them."""
        return {"input_cost": self.input_usd, "output_cost": self.output_usd, "total_cost": self.total_usd}


NOTHING = Spent()


def _sum(one: Any, other: Any) -> Any:
    return None if one is None or other is None else one + other


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, _DIGITS)


def _number(box: Any, key: str) -> float | None:
    value = box.get(key) if isinstance(box, Mapping) else None
    return float(value) if isinstance(value, (int, float)) and not isinstance(value, bool) else None


def _whole(box: Any, key: str) -> int | None:
    value = _number(box, key)
    return None if value is None or value != int(value) else int(value)
