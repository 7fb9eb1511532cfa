"""What a reply costs, by the price table of genai-prices and a file of the user's own.

genai-prices is imported when the first price is looked up (0.2 s). It never asks the network.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from ..model.llm import Endpoint, Reply
from ..model.price import FREE, MILLION, Cost, Price, PriceFile
from ..model.response import Usage

TABLE = "genai-prices"
"""The distribution that holds the known prices."""


class Prices:
    """Looks prices up; one a process."""

    def __init__(self, own: PriceFile | None = None) -> None:
        self._own = own or PriceFile()
        self._known: dict[tuple[Endpoint, str], Price | None] = {}

    def cost(self, endpoint: Endpoint, model: str, reply: Reply, *, local: bool = False) -> Cost | None:
        """What a reply cost; ``None`` when its price or its tokens are not known.

        Nothing for a reply kept from an earlier call, nothing for a ``local`` model: the client says that it is
        one. ``model`` is what was asked for; where its price is not known, that of the model that answered counts.
        """
        if reply.cached:
            return FREE
        own = self._own.find(f"{endpoint.provider}/{model}")
        if own is not None:
            return None if reply.usage is None else own.cost(reply.usage, reply.cache_write_tokens)
        if local:
            return FREE
        if reply.usage is None:
            return None
        for name in dict.fromkeys((model, reply.model)):
            if name and (found := self._find(endpoint, name)) is not None:
                provider, by_address = found
                return _cost(name, provider, by_address, reply.usage, reply)
        return None

    def known(self, endpoint: Endpoint, model: str, *, local: bool = False) -> bool:
        """Whether a reply of this model would have a price."""
        return self.price(endpoint, model, local=local) is not None

    def price(self, endpoint: Endpoint, model: str, *, local: bool = False) -> Price | None:
        """The price of short requests; ``None`` when it is not known. Long ones may cost more a token."""
        own = self._own.find(f"{endpoint.provider}/{model}")
        if own is not None:
            return own
        if local:
            return Price(0.0, 0.0)
        key = (endpoint, model)
        if key not in self._known:
            found = self._find(endpoint, model)
            self._known[key] = None if found is None else _price(model, *found)
        return self._known[key]

    def _find(self, endpoint: Endpoint, model: str) -> tuple[str, bool] | None:
        """Whose price counts: that of the vendor at the address if it is known, else that of the provider.

        An address that nobody knows is taken for a gateway to the provider.
        """
        for where, by_address in ((endpoint.base_url, True), (endpoint.provider, False)):
            if where and _calculated(model, where, by_address, input_tokens=1, output_tokens=1) is not None:
                return where, by_address
        return None


def table_version() -> str:
    """``genai-prices 0.2.3``; empty when it is not installed."""
    try:
        return f"{TABLE} {version(TABLE)}"
    except PackageNotFoundError:
        return ""


def describe(own: PriceFile | None = None) -> dict[str, Any]:
    """Which prices count, as a run keeps it: the table with its version, and the file with its own."""
    described: dict[str, Any] = {"table": table_version()}
    if own is not None and own.path:
        described["file"] = {"path": own.path, "version": own.version, "sha256": own.sha256}
    return described


def _cost(model: str, where: str, by_address: bool, usage: Usage, reply: Reply) -> Cost | None:
    if usage.input_tokens is None or usage.output_tokens is None:
        return None
    tokens = {
        "input_tokens": usage.input_tokens,  # in the table's sense too: all of them
        "output_tokens": usage.output_tokens,
        "cache_read_tokens": usage.cached_tokens,
        "cache_write_tokens": reply.cache_write_tokens,
    }
    hour = _written_for_an_hour(reply.raw_usage)
    if hour and _calculated(model, where, by_address, **(more := {**tokens, "cache_write_1h_tokens": hour})):
        tokens = more
    found = _calculated(model, where, by_address, **tokens)
    return None if found is None else Cost(float(found.input_price or 0), float(found.output_price or 0))


def _written_for_an_hour(raw_usage: Mapping[str, Any]) -> int | None:
    """Tokens written to Anthropic's cache for an hour, which costs more than the five minutes."""
    written = raw_usage.get("cache_creation")
    found = written.get("ephemeral_1h_input_tokens") if isinstance(written, Mapping) else None
    return found if isinstance(found, int) and found > 0 else None


def _price(model: str, where: str, by_address: bool) -> Price:
    def dollars(**tokens: int) -> float:
        found = _calculated(model, where, by_address, **{"input_tokens": 0, "output_tokens": 0, **tokens})
        return 0.0 if found is None else float(found.total_price)

    few = 1000
    per_million = MILLION / few
    return Price(
        input=dollars(input_tokens=few) * per_million,
        output=dollars(output_tokens=few) * per_million,
        cached_input=dollars(input_tokens=few, cache_read_tokens=few) * per_million,
        cache_write=dollars(input_tokens=few, cache_write_tokens=few) * per_million,
    )


def _calculated(model: str, where: str, by_address: bool, **tokens: int | None) -> Any:
    """What the table says; ``None`` for a model it does not know, or tokens that cannot be."""
    import warnings

    import genai_prices

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # older tables have no price for an hour of cache
        usage = genai_prices.Usage(**tokens)
        try:
            if by_address:
                return genai_prices.calc_price(usage, model, provider_api_url=where)
            return genai_prices.calc_price(usage, model, provider_id=where)
        except (LookupError, ValueError):
            return None
