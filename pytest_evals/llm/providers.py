"""The providers that are built in: where each is asked, with which key, and what it takes."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from urllib.parse import urlsplit

from ..errors import RejectedError, TargetError
from ..model.llm import Endpoint, LlmClient, ModelSpec
from ..model.place import did_you_mean
from .sdk import has_module, major_version

NO_KEY = "none"
"""Sent to servers that want no key: the SDKs insist on one."""

_LEMONADE = (
    "lemonade needs the address of its server: set LEMONADE_BASE_URL to http://localhost:13305/api/v1, "
    "or to http://localhost:8000/api/v1 for older versions"
)


@dataclass(frozen=True, slots=True)
class Provider:
    """A service, or a kind of server, that models are asked through."""

    name: str
    sdk: str
    """The package that speaks its protocol: ``anthropic`` or ``openai``."""
    keys: tuple[str, ...] = ()
    """Environment variables that hold its key, the first one that is set; none: it needs no key."""
    address: str = ""
    """The environment variable with the address of a server."""
    default: str = ""
    """The address when nothing else says one. Empty: the provider's own, which the SDK knows."""
    no_address: str = ""
    """What to say when there is no address: it cannot be guessed."""
    local: bool = False
    """Whether its models run on the user's own machines and cost nothing."""
    health: str = ""
    """The path that answers when the server is up."""
    warm_up: bool = False
    """Whether the first question to a model makes the server load it."""

    def base_url(self, endpoint: Endpoint, environment: Mapping[str, str] = os.environ) -> str:
        """The address; empty for the provider's own. Raises ``RejectedError`` when there is none."""
        url = endpoint.base_url or environment.get(self.address, "").strip().rstrip("/")
        if self.name == "ollama" and not endpoint.base_url and url:
            url = _of_ollama(url)
        if not url and self.no_address:
            raise RejectedError(self.no_address)
        return url or self.default

    def key(self, endpoint: Endpoint, environment: Mapping[str, str] = os.environ) -> tuple[str, str]:
        """The key, and the variable that has it. Raises ``RejectedError`` when the provider's own address needs one."""
        if endpoint.api_key:
            return endpoint.api_key, "api_key"
        for name in self.keys:
            if found := environment.get(name, "").strip():
                return found, name
        if self.keys and not self.base_url(endpoint, environment):
            raise RejectedError(f"{self.name} needs a key: set the environment variable {self.keys[0]}")
        return NO_KEY, self.keys[0] if self.keys else ""


PROVIDERS: Mapping[str, Provider] = {
    provider.name: provider
    for provider in (
        Provider("anthropic", "anthropic", ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN"), "ANTHROPIC_BASE_URL"),
        Provider("openai", "openai", ("OPENAI_API_KEY",), "OPENAI_BASE_URL"),
        Provider(
            "lemonade",
            "openai",
            ("LEMONADE_API_KEY",),
            "LEMONADE_BASE_URL",
            no_address=_LEMONADE,
            local=True,
            health="/health",
            warm_up=True,
        ),
        Provider(
            "ollama",
            "openai",
            address="OLLAMA_HOST",
            default="http://127.0.0.1:11434/v1",
            local=True,
            health="/models",
            warm_up=True,
        ),
        Provider(
            "vllm",
            "openai",
            ("VLLM_API_KEY",),
            "VLLM_BASE_URL",
            default="http://127.0.0.1:8000/v1",
            local=True,
            health="/models",
        ),
        Provider(
            "llamacpp",
            "openai",
            ("LLAMA_API_KEY",),
            "LLAMACPP_BASE_URL",
            default="http://127.0.0.1:8080/v1",
            local=True,
            health="/models",
        ),
    )
}
"""By name."""


def connect(endpoint: Endpoint, environment: Mapping[str, str] = os.environ) -> LlmClient:
    """A client of a built-in provider. Imports its SDK. Raises ``RejectedError`` without key, address or package."""
    provider = PROVIDERS[endpoint.provider]
    if missing := missing_package(provider):
        raise RejectedError(missing)
    url = provider.base_url(endpoint, environment)
    key, key_name = provider.key(endpoint, environment)
    who = f"{provider.name} at {url}" if url else provider.name
    if provider.sdk == "anthropic":
        from .anthropic import AnthropicClient

        as_token = key_name == "ANTHROPIC_AUTH_TOKEN"
        return AnthropicClient(
            base_url=url,
            api_key="" if as_token else key,
            auth_token=key if as_token else "",
            who=who,
            key_name=key_name,
        )
    from .openai import OpenAIClient

    return OpenAIClient(
        base_url=url,
        api_key=key,
        who=who,
        key_name=key_name,
        own=provider.name == "openai" and not url,
        local=provider.local,
        health=provider.health,
        warm_up=provider.warm_up,
    )


def known(name: str) -> Provider:
    """The provider of this name. Raises ``TargetError`` when none is built in."""
    provider = PROVIDERS.get(name)
    if provider is None:
        hint = did_you_mean(name, PROVIDERS) or (
            f"; there are {', '.join(PROVIDERS)}, and others through the hook pytest_evals_llm_connect"
        )
        raise TargetError(f"unknown provider {name!r}{hint}")
    return provider


def missing_package(provider: Provider) -> str:
    """What to install for it; empty when all is there."""
    if has_module(provider.sdk):
        return ""
    extra = "" if provider.sdk == "anthropic" else f"[{provider.sdk}]"
    return f"{provider.name} needs the {provider.sdk} package: pip install 'pytest-evals-suite{extra}'"


def not_taken(spec: ModelSpec, version_of: Callable[[str], int | None] = major_version) -> Iterator[tuple[str, str]]:
    """The settings that a built-in provider does not take: each with what is wrong with it."""
    if PROVIDERS[spec.endpoint.provider].sdk != "anthropic":
        return
    if spec.seed is not None:
        yield "seed", "anthropic takes no seed; leave it out"
    version = version_of("anthropic")
    if version is None or version < 1:
        return
    given = [key for key in ("temperature", "top_p") if getattr(spec, key) is not None]
    given += [key for key in ("temperature", "top_p", "top_k") if key in spec.extra]
    for key in given:
        where = "extra" if key in spec.extra else key
        yield (
            where,
            f"the anthropic package {version}.x takes no {key}; leave it out "
            "(repeat the case with trials to see how much answers differ), or install 'anthropic<1'",
        )


def _of_ollama(host: str) -> str:
    """The address that a value of ``OLLAMA_HOST`` means: ``0.0.0.0:11434``, ``box``, ``https://box/ollama``."""
    url = host if "://" in host else f"http://{host}"
    parts = urlsplit(url)
    name = "127.0.0.1" if parts.hostname in (None, "0.0.0.0") else parts.hostname
    port = parts.port or (443 if parts.scheme == "https" else 11434)
    path = parts.path.rstrip("/")
    return f"{parts.scheme}://{f'[{name}]' if ':' in str(name) else name}:{port}{path or '/v1'}"
