"""What tokens cost: a price, a file of prices, and the cost of one reply."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fnmatch import fnmatchcase

from .response import Usage

MILLION = 1_000_000


@dataclass(frozen=True, slots=True)
class Cost:
    """What one reply cost, in US dollars."""

    input_usd: float
    """All input tokens, those read from and written to a cache included."""
    output_usd: float

    @property
    def total_usd(self) -> float:
        return self.input_usd + self.output_usd


FREE = Cost(0.0, 0.0)


@dataclass(frozen=True, slots=True)
class Price:
    """What a model costs, in US dollars a million tokens."""

    input: float
    output: float
    cached_input: float | None = None
    """Of input read from a prompt cache; ``None``: as other input."""
    cache_write: float | None = None
    """Of input written to a prompt cache; ``None``: as other input."""

    def cost(self, usage: Usage, cache_write_tokens: int | None = None) -> Cost | None:
        """The cost of these tokens; ``None`` when the tokens are not known.

        Cached and written tokens are part of the input; a service that says nothing of them has none.
        """
        if usage.input_tokens is None or usage.output_tokens is None:
            return None
        cached, written = usage.cached_tokens or 0, cache_write_tokens or 0
        plain = usage.input_tokens - cached - written
        if min(plain, cached, written, usage.output_tokens) < 0:
            return None
        cached_price = self.input if self.cached_input is None else self.cached_input
        write_price = self.input if self.cache_write is None else self.cache_write
        amount = plain * self.input + cached * cached_price + written * write_price
        return Cost(amount / MILLION, usage.output_tokens * self.output / MILLION)


@dataclass(frozen=True, slots=True)
class PriceFile:
    """Prices that a person wrote down; they go before the known ones."""

    path: str = ""
    """As shown to the person."""
    version: str = ""
    """What the file says of itself."""
    sha256: str = ""
    prices: Mapping[str, Price] = field(default_factory=dict)
    """By ``provider/model``; a key may be a pattern such as ``openai/gpt-*``."""

    def find(self, name: str) -> Price | None:
        """The price of ``provider/model``: under its own name, else of the first pattern it fits."""
        if name in self.prices:
            return self.prices[name]
        return next((price for pattern, price in self.prices.items() if fnmatchcase(name, pattern)), None)
