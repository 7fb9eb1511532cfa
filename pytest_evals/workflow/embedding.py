"""The scorers of meaning, with the models that their criteria name."""

from __future__ import annotations

from ..model.embedding import Embedder
from ..scoring import scorer
from ..scoring.builtin import BuiltInScorer


def scorer_with_models(name: str, embedder: Embedder | None = None) -> BuiltInScorer:
    """The built-in scorer of this name; one that asks an embedder gets it, and what connects to other models."""
    found = scorer(name)
    with_embedder = getattr(found, "with_embedder", None)
    if with_embedder is None:
        return found
    made: BuiltInScorer = with_embedder(embedder, _connect)
    return made


def _connect(model: str, base_url: str) -> Embedder:
    from ..llm.embeddings import connect_embedder

    return connect_embedder(model, base_url)
