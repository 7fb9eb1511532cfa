"""What is alike in the SDKs of the providers."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from typing import Any
from urllib.parse import urlsplit

_HERE = frozenset({"localhost", "127.0.0.1", "::1"})


def is_here(url: str) -> bool:
    """Whether an address is this machine's own."""
    return (urlsplit(url).hostname or "") in _HERE


def http_client(sdk: Any, base_url: str) -> dict[str, Any]:
    """The argument that keeps an SDK from asking a proxy for this machine's own addresses."""
    return {"http_client": sdk.DefaultAsyncHttpxClient(trust_env=False)} if is_here(base_url) else {}


def has_module(name: str) -> bool:
    """Whether a package is installed, without importing it."""
    try:
        return find_spec(name) is not None
    except (ImportError, ValueError):
        return False


def major_version(distribution: str) -> int | None:
    """The first number of an installed version; ``None`` when it is not known."""
    try:
        return int(version(distribution).partition(".")[0])
    except (PackageNotFoundError, ValueError):
        return None
