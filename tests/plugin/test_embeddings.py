"""Criteria of meaning in suites: the fixture ``embedder``, and models by name."""

from __future__ import annotations

import json

import pytest
from servers import Reply, serve

EMBEDDER = """
import pytest

class Letters:
    asked = []

    def __call__(self, texts):
        self.asked.append(len(texts))
        return [[text.lower().count(letter) + 0.0 for letter in "abcdefghijklmnopqrstuvwxyz"] for text in texts]

@pytest.fixture(scope="session")
def embedder():
    return Letters()
"""

BY_FIXTURE = """
target: {responses: answers.json}
defaults:
  criteria: [embedding_similarity]
cases:
  - {id: near, input: q, expected_output: abd}
  - {id: far, input: q, expected_output: xyz}
  - {id: none, input: q, expected_output: ""}
  - {id: by-method, input: q, expected_output: abd, criteria: [{semantic_similarity: {method: embedding, threshold: 0.6}}]}
"""


def test_the_fixture_embedder_takes_the_place_of_the_local_model(project):
    answers = json.dumps(dict.fromkeys(("near", "far", "none", "by-method"), "abc"))
    ran = project({"conftest.py": EMBEDDER, "s.eval.yaml": BY_FIXTURE, "answers.json": answers})
    assert ran.outcomes == {"near": "passed", "far": "failed", "none": "failed", "by-method": "passed"}
    [criterion] = ran.case("near")["trials"][0]["criteria"]
    assert (criterion["score"], criterion["mark"]) == (pytest.approx(2 / 3), 0.5)
    assert "embeddings hardly see negation, numbers and roles" in criterion["reason"]


BOT = """
import asyncio

async def answer(question):
    await asyncio.sleep(0.05)
    return question
"""


def test_answers_that_come_together_are_embedded_together(alone):
    cases = "".join(f"  - {{id: c{n}, input: answer {n} abc, expected_output: abc {n}}}\n" for n in range(30))
    suite = f"target: bot.py:answer\ndefaults: {{criteria: [embedding_similarity]}}\ncases:\n{cases}"
    spy = EMBEDDER + "\ndef pytest_sessionfinish():\n    print('asked', sum(Letters.asked), len(Letters.asked))\n"
    ran = alone({"conftest.py": spy, "s.eval.yaml": suite, "bot.py": BOT})
    assert set(ran.outcomes.values()) == {"passed"}
    [line] = [line for line in ran.out.splitlines() if "asked" in line]
    texts, questions = map(int, line.split("asked")[1].split())
    assert texts == 60
    assert questions < 20


def embed(asked):
    rows = [{"index": n, "embedding": [float(len(text)), 1]} for n, text in enumerate(asked.json["input"])]
    return {"data": rows}


SUITE = """
target: {responses: answers.json}
cases:
  - id: a
    input: q
    expected_output: abc
    criteria:
      - embedding_similarity: {model: openai/small, base_url: URL, threshold: 0.9}
      - semantic_similarity: {method: embedding, model: openai/small, base_url: URL, threshold: 0.9}
"""


@pytest.fixture
def openai_package():
    pytest.importorskip("openai", reason="the openai extra is not installed")


@pytest.mark.usefixtures("openai_package")
def test_a_suite_names_the_model_and_its_address(alone, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "key-of-a-test")
    with serve(embed) as server:
        ran = alone({"s.eval.yaml": SUITE.replace("URL", server.url), "answers.json": json.dumps({"a": "xyz"})})
    assert ran.outcomes == {"a": "passed"}
    assert [asked.json["input"] for asked in server.asked] == [["xyz", "abc"], ["xyz", "abc"]]


@pytest.mark.usefixtures("openai_package")
def test_a_service_that_is_down_makes_the_run_inconclusive(alone, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "key-of-a-test")
    down = Reply({"error": {"message": "down"}}, 503, {"x-should-retry": "false"})
    with serve(lambda _: down) as server:
        ran = alone({"s.eval.yaml": SUITE.replace("URL", server.url), "answers.json": json.dumps({"a": "xyz"})})
    assert ran.outcomes == {"a": "errored"}
    assert ran.status == 75
    assert "scorer 'embedding_similarity': openai at" in ran.out
