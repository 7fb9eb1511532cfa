"""``embedding_similarity`` and ``semantic_similarity``: closeness of meaning, as far as embeddings see it."""

from __future__ import annotations

from collections.abc import Awaitable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ..errors import ScorerError
from ..model.criterion import Option, ScorerSpec
from ..model.embedding import Connect, Embedder
from ..model.score import Score
from ..model.text import text_of
from .builtin import (
    ALL_REFERENCES,
    Asked,
    BuiltInScorer,
    Function,
    compared,
    define,
    expected_option,
    named,
)
from .localmodel import LocalModel
from .overlap import word_overlap

if TYPE_CHECKING:
    from .vectors import Vectors

MARK = 0.5
"""Of ``embedding_similarity``: the local model puts what means the same above 0.45 and what does not below 0.33."""

MODEL = Option(
    "model", "text", "A provider's model, such as `openai/text-embedding-3-small`; default: the fixture `embedder`."
)
BASE_URL = Option("base_url", "text", "The address of the model's server; default: the provider's.")


class _Models:
    """The vectors of each embedder, made when they are first asked for."""

    def __init__(self, embedder: Embedder | None, connect: Connect | None) -> None:
        self._embedder = embedder
        self._connect = connect
        self._found: dict[tuple[str, str], Vectors] = {}

    def get(self, model: str, base_url: str) -> Vectors:
        found = self._found.get((model, base_url))
        if found is None:
            from .vectors import Vectors  # asyncio takes 12 ms, which no session without embeddings should pay

            found = self._found[model, base_url] = Vectors(self._make(model, base_url))
        return found

    def _make(self, model: str, base_url: str) -> Embedder:
        if not model:
            return self._embedder or LocalModel()
        if self._connect is None:
            raise ScorerError("a model is asked from suites and run_suite; here give an embedder")
        return self._connect(model, base_url)


class EmbeddingScorer(BuiltInScorer):
    """A scorer that asks an embedder, unless its options say that it need not; then it is a plain one."""

    __slots__ = ("_models",)

    def __init__(self, spec: ScorerSpec, function: Function | None) -> None:
        super().__init__(spec, function)
        self._models = _Models(None, None)

    def with_embedder(self, embedder: Embedder | None, connect: Connect | None = None) -> EmbeddingScorer:
        """The same scorer with another embedder, and with what connects to the models that criteria name."""
        made = type(self)(self.spec, self._function)
        made._models = _Models(embedder, connect)
        return made

    def waits(self, options: Mapping[str, Any]) -> bool:
        return bool(options.get("method", self._defaults.get("method", "embedding")) == "embedding")

    def respond(self, asked: Asked) -> Score | Awaitable[Score]:
        return self._similarity(asked) if self.waits(asked.given) else super().respond(asked)

    async def _similarity(self, asked: Asked) -> Score:
        options = asked.options
        answer, wanted = text_of(asked.actual), compared(asked)
        method = {"method": "embedding"} if "method" in options else {}
        told = "method embedding: " if method else ""
        if answer in wanted:
            return Score(1.0, f"{told}the texts are equal", method)
        filled = [text for text in wanted if text.strip()]
        if not answer.strip() or not filled:
            return Score(0.0, f"{told}one of the texts is empty", method)
        from .vectors import cosine

        vectors = self._models.get(options["model"] or "", options["base_url"] or "")
        limit = vectors.most_characters
        mine, *theirs = await vectors.of([text[:limit] for text in (answer, *filled)])
        best = max(cosine(mine, other) for other in theirs)
        cut = limit is not None and any(len(text) > limit for text in (answer, *filled))
        note = f"; only the first {limit} characters count" if cut else ""
        several = f", best of {len(filled)} texts" if len(filled) > 1 else ""
        reason = f"{told}cosine {best:.3f}{several}; embeddings hardly see negation, numbers and roles{note}"
        return Score(min(1.0, max(0.0, best)), reason, {**method, "cosine": best})


def _words(asked: Asked) -> Score:
    score = word_overlap(asked)
    return Score(score.value, f"method words: {score.reason}", {**score.detail, "method": "words"})


def _check_model(options: Mapping[str, Any]) -> Sequence[str]:
    model, base_url = options.get("model"), options.get("base_url")
    if model is not None and not all(part.strip() for part in [*model.partition("/")[::2]]):
        return [f"model is written provider/name, such as openai/text-embedding-3-small, not {model!r}"]
    if base_url is not None and model is None:
        return ["base_url is the address of a model; give model too"]
    if base_url is not None and not base_url.startswith(("http://", "https://")):
        return ["base_url must start with http:// or https://"]
    return []


def _check_method(options: Mapping[str, Any]) -> Sequence[str]:
    if options.get("method", "words") == "words":
        given = [name for name in ("model", "base_url", "all_references") if options.get(name)]
        if given:
            return [f"{given[0]} is for `method: embedding`"]
    return _check_model(options)


SCORERS = named(
    define(
        "embedding_similarity",
        None,
        expected_option(help="The text to compare with; default: the case's expected output, else its references."),
        ALL_REFERENCES,
        MODEL,
        BASE_URL,
        graded=True,
        mark=MARK,
        main="expected",
        needs=("expected_output", "reference_outputs"),
        check=_check_model,
        made=EmbeddingScorer,
    ),
    define(
        "semantic_similarity",
        _words,
        expected_option(
            help="The text to compare with; default: the case's expected output, else its first reference."
        ),
        Option(
            "method",
            "choice",
            "How closeness is measured: as `word_overlap` or as `embedding_similarity` does.",
            default="words",
            choices=("words", "embedding"),
        ),
        ALL_REFERENCES,
        MODEL,
        BASE_URL,
        graded=True,
        main="expected",
        needs=("expected_output", "reference_outputs"),
        check=_check_method,
        made=EmbeddingScorer,
    ),
)
