"""The providers that are built in: addresses, keys, packages, and what they take."""

from __future__ import annotations

import pytest

from pytest_evals.errors import RejectedError, TargetError
from pytest_evals.llm import providers
from pytest_evals.llm.providers import NO_KEY, PROVIDERS, connect, known, not_taken
from pytest_evals.model.llm import Endpoint, ModelSpec


def url(provider, endpoint_url="", **environment):
    return PROVIDERS[provider].base_url(Endpoint(provider, endpoint_url), environment)


def key(provider, endpoint_url="", api_key="", **environment):
    return PROVIDERS[provider].key(Endpoint(provider, endpoint_url, api_key), environment)


def test_the_suite_goes_before_the_environment_and_that_before_the_default():
    assert url("vllm") == "http://127.0.0.1:8000/v1"
    assert url("vllm", VLLM_BASE_URL=" http://box:1/v1/ ") == "http://box:1/v1"
    assert url("vllm", "http://other:2/v1", VLLM_BASE_URL="http://box:1/v1") == "http://other:2/v1"
    assert url("anthropic") == url("openai") == ""  # their SDKs know


def test_lemonade_without_an_address_names_both_ports_it_has_had():
    with pytest.raises(RejectedError) as caught:
        url("lemonade")
    message = str(caught.value)
    assert "LEMONADE_BASE_URL" in message
    assert "localhost:8000" in message
    assert "localhost:13305" in message
    assert "\n" not in message
    assert url("lemonade", LEMONADE_BASE_URL="http://localhost:13305/api/v1") == "http://localhost:13305/api/v1"


@pytest.mark.parametrize(
    ("host", "address"),
    [
        ("0.0.0.0:11434", "http://127.0.0.1:11434/v1"),
        ("box", "http://box:11434/v1"),
        ("http://box:80/", "http://box:80/v1"),
        ("https://box/ollama/v1", "https://box:443/ollama/v1"),
        ("[::1]:11434", "http://[::1]:11434/v1"),
    ],
)
def test_the_host_of_ollama_is_understood_as_ollama_writes_it(host, address):
    assert url("ollama", OLLAMA_HOST=host) == address
    assert url("ollama") == "http://127.0.0.1:11434/v1"


def test_a_key_is_only_needed_at_the_provider_s_own_address():
    with pytest.raises(RejectedError, match="set the environment variable ANTHROPIC_API_KEY"):
        key("anthropic")
    with pytest.raises(RejectedError, match="set the environment variable OPENAI_API_KEY"):
        key("openai", OPENAI_API_KEY=" ")
    assert key("openai", "http://127.0.0.1:1/v1") == (NO_KEY, "OPENAI_API_KEY")
    assert key("ollama") == (NO_KEY, "")
    assert key("openai", OPENAI_API_KEY="sk-1") == ("sk-1", "OPENAI_API_KEY")
    assert key("anthropic", ANTHROPIC_AUTH_TOKEN="t") == ("t", "ANTHROPIC_AUTH_TOKEN")
    assert key("anthropic", api_key="mine", ANTHROPIC_API_KEY="sk-1") == ("mine", "api_key")


def test_a_missing_package_is_said_in_one_line(monkeypatch):
    monkeypatch.setattr(providers, "has_module", lambda name: False)
    with pytest.raises(RejectedError) as caught:
        connect(Endpoint("vllm"), {})
    assert str(caught.value) == "vllm needs the openai package: pip install 'pytest-evals-suite[openai]'"


def test_an_unknown_provider_is_said_with_the_nearest_or_all():
    with pytest.raises(TargetError, match="did you mean 'anthropic'"):
        known("antropic")
    with pytest.raises(TargetError, match=r"there are anthropic, openai, lemonade.*pytest_evals_llm_connect"):
        known("zzz")


def refused(version, provider="anthropic", **settings):
    return dict(not_taken(ModelSpec(Endpoint(provider), "m-1", **settings), lambda name: version))


def test_settings_that_the_installed_anthropic_does_not_take_are_mistakes():
    assert refused(0, temperature=0, top_p=0.5) == {}
    found = refused(2, temperature=0, top_p=0.5, extra={"top_k": 5})
    assert list(found) == ["temperature", "top_p", "extra"]
    assert "anthropic package 2.x takes no temperature" in found["temperature"]
    assert "takes no top_k" in found["extra"]
    assert "takes no seed" in refused(0, seed=1)["seed"]
    assert refused(2, provider="openai", temperature=0, seed=1) == {}


def test_servers_of_one_s_own_are_local_because_their_provider_says_so():
    assert {name for name, provider in PROVIDERS.items() if provider.local} == {
        *("lemonade", "ollama", "vllm", "llamacpp"),
    }
