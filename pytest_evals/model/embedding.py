"""Texts as vectors: the protocol of all that make them."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import Any, Protocol

Vectors = Sequence[Sequence[float]]
"""One vector a text, in their order, all of one length."""


class Embedder(Protocol):
    """Anything that is called with a list of texts and gives a vector for each; sync or async.

    What it takes for the same text is the same vector: it is asked about every text once in a session. An attribute
    ``most_characters`` says that it reads no more of a text.
    """

    def __call__(self, texts: Sequence[str], /) -> Vectors | Awaitable[Vectors] | Any: ...


Connect = Callable[[str, str], Embedder]
"""The embedder of a model (``openai/text-embedding-3-small``) at an address (empty: the provider's own)."""
