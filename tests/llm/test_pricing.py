"""What replies cost."""

from __future__ import annotations

import subprocess
import sys

import pytest

from pytest_evals.llm.pricing import Prices, describe, table_version
from pytest_evals.model.llm import Endpoint, Reply
from pytest_evals.model.price import Price, PriceFile
from pytest_evals.model.response import Usage

ANTHROPIC, OPENAI = Endpoint("anthropic"), Endpoint("openai")


def dollars(endpoint, asked, usage, prices=None, local=False, **reply):
    cost = (prices or Prices()).cost(endpoint, asked, Reply("x", usage=usage, **reply), local=local)
    return None if cost is None else round(cost.total_usd, 9)


def test_tokens_read_from_and_written_to_anthropics_cache_have_their_own_prices():
    # a million tokens: 1 $ in, 5 $ out, 0.1 $ from the cache, 1.25 $ into it; 3,000 of the 10,000 were neither
    usage = Usage(10_000, 1_000, 6_000)
    assert dollars(ANTHROPIC, "claude-haiku-4-5", usage, cache_write_tokens=1_000) == 0.00985
    assert dollars(ANTHROPIC, "claude-haiku-4-5", Usage(10_000, 1_000)) == 0.015


def test_an_hour_in_anthropics_cache_costs_more_than_five_minutes():
    raw = {"cache_creation": {"ephemeral_5m_input_tokens": 0, "ephemeral_1h_input_tokens": 1_000}}
    found = dollars(ANTHROPIC, "claude-haiku-4-5", Usage(10_000, 1_000, 6_000), cache_write_tokens=1_000, raw_usage=raw)
    assert found == 0.0106


def test_openais_cached_tokens_are_cheaper():
    # a million tokens: 1.25 $ in, 10 $ out, 0.125 $ from the cache
    assert dollars(OPENAI, "gpt-5", Usage(1_000, 100, 400)) == round((600 * 1.25 + 400 * 0.125 + 100 * 10) / 1e6, 9)
    assert dollars(OPENAI, "gpt-5", Usage(1_000, 100)) == round((1_000 * 1.25 + 100 * 10) / 1e6, 9)


def test_input_and_output_are_told_apart():
    cost = Prices().cost(OPENAI, "gpt-5", Reply("x", usage=Usage(1_000, 100)))
    assert (round(cost.input_usd, 9), round(cost.output_usd, 9)) == (0.00125, 0.001)


@pytest.mark.parametrize(
    ("endpoint", "model"), [(OPENAI, "gpt-of-nobody"), (Endpoint("nobody"), "gpt-5"), (ANTHROPIC, "")]
)
def test_a_model_that_nobody_knows_has_an_unknown_cost(endpoint, model):
    assert dollars(endpoint, model, Usage(10, 10)) is None
    assert not Prices().known(endpoint, model)


@pytest.mark.parametrize("usage", [None, Usage(), Usage(10), Usage(None, 10), Usage(10, 10, 20)])
def test_without_the_tokens_the_cost_is_unknown(usage):
    assert dollars(OPENAI, "gpt-5", usage) is None
    own = PriceFile("p", prices={"openai/gpt-5": Price(1, 1)})
    assert dollars(OPENAI, "gpt-5", usage, Prices(own)) is None


def test_the_price_of_the_model_that_answered_counts_where_that_of_the_asked_one_is_unknown():
    assert dollars(ANTHROPIC, "haiku-of-the-house", Usage(1_000, 0), model="claude-haiku-4-5") == 0.001


def test_a_model_is_free_when_its_client_says_that_it_is_local_and_never_by_its_name():
    assert dollars(Endpoint("mine"), "qwen", Usage(10, 10), local=True) == 0
    assert dollars(Endpoint("mine"), "qwen", None, local=True) == 0
    for name in ("lemonade", "ollama", "local", "vllm"):
        assert dollars(Endpoint(name), "qwen", Usage(10, 10)) is None


def test_a_kept_reply_costs_nothing():
    assert dollars(OPENAI, "gpt-5", Usage(1_000, 100), cached=True) == 0


def test_an_address_that_the_table_knows_has_its_own_prices():
    router = Endpoint("openai", "https://openrouter.ai/api/v1")
    assert Prices().price(router, "anthropic/claude-haiku-4.5") == Price(1.0, 5.0, 0.1, 1.25)


def test_an_address_that_nobody_knows_is_taken_for_a_gateway():
    gateway = Endpoint("openai", "http://127.0.0.1:9/v1")
    assert dollars(gateway, "gpt-5", Usage(1_000, 100)) == dollars(OPENAI, "gpt-5", Usage(1_000, 100))


def test_a_price_of_ones_own_goes_before_all_others():
    own = PriceFile("p", prices={"openai/gpt-5": Price(2.0, 4.0, cached_input=1.0, cache_write=3.0)})
    prices = Prices(own)
    cost = dollars(OPENAI, "gpt-5", Usage(1_000, 100, 400), prices, cache_write_tokens=100)
    assert cost == round((500 * 2 + 400 * 1 + 100 * 3 + 100 * 4) / 1e6, 9)
    assert prices.price(OPENAI, "gpt-5") == Price(2.0, 4.0, 1.0, 3.0)
    # also for a model that runs at home: electricity is not free
    assert dollars(OPENAI, "gpt-5", Usage(1_000, 0), prices, local=True) == 0.002


def test_cached_and_written_tokens_cost_as_others_where_their_price_is_not_given():
    own = PriceFile("p", prices={"mine/m": Price(2.0, 4.0)})
    assert dollars(Endpoint("mine"), "m", Usage(1_000, 0, 400), Prices(own), cache_write_tokens=100) == 0.002


def test_a_pattern_prices_every_model_it_fits_but_a_name_goes_first():
    own = PriceFile("p", prices={"mine/*": Price(1, 1), "mine/big*": Price(9, 9), "mine/big": Price(2, 2)})
    assert own.find("mine/big") == Price(2, 2)
    assert own.find("mine/bigger") == Price(1, 1)
    assert own.find("yours/big") is None


def test_a_run_can_tell_which_prices_counted():
    assert table_version().startswith("genai-prices ")
    assert describe() == {"table": table_version()}
    own = PriceFile("prices.toml", "2026-11", "ab12", {})
    assert describe(own)["file"] == {"path": "prices.toml", "version": "2026-11", "sha256": "ab12"}


def test_the_table_is_imported_when_a_price_is_looked_up():
    probe = (
        "import sys; from pytest_evals.llm.pricing import Prices, describe; from pytest_evals.model.llm import *;"
        "p = Prices(); describe(); p.cost(Endpoint('x'), 'y', Reply('z'), local=True);"
        "print('genai_prices' in sys.modules, 'pydantic' in sys.modules)"
    )
    ran = subprocess.run([sys.executable, "-c", probe], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == "False False"
