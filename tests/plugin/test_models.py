"""Models as targets, through pytest."""

from __future__ import annotations

import pytest
from fakellm import Fails, Says, fake_llm

SUITE = """
target: {model: anthropic/m-1, system: Be short., base_url: '${FAKE_URL}', max_tokens: 50}
defaults: {criteria: [contains], timeout: 10s}
cases:
  - {id: right, input: How long?, expected_output: 30 days}
  - {id: wrong, input: How long?, expected_output: 60 days}
  - id: talk
    input: [{role: user, content: Hello}, {role: assistant, content: Hi}, {role: user, content: How long?}]
    expected_output: 30 days
"""

SCRIPTED = """
from pytest_evals import Reply, ScriptedClient, ToolCall, Usage

client = ScriptedClient(lambda request: Reply("said " + request.messages[-1]["content"], usage=Usage(3, 2)))

def pytest_evals_llm_connect(endpoint, config):
    return client if endpoint.provider == "scripted" else None
"""


@pytest.fixture(scope="module", autouse=True)
def sdk():
    """Imported once, before pytester begins to forget what its runs import: each time takes a second."""
    import anthropic
    import genai_prices

    return anthropic, genai_prices


@pytest.fixture(autouse=True)
def keys(monkeypatch):
    for name in ("ANTHROPIC_AUTH_TOKEN", "ANTHROPIC_BASE_URL", "OPENAI_API_KEY", "OPENAI_BASE_URL"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-secret-1")


def test_a_model_answers_the_cases(project, monkeypatch):
    with fake_llm(default=Says("Within 30 days.", input=7, output=5)) as server:
        monkeypatch.setenv("FAKE_URL", server.url)
        ran = project({"a.eval.yaml": SUITE})
    assert ran.status == 1
    assert ran.outcomes == {"right": "passed", "wrong": "failed", "talk": "passed"}
    case = ran.case("right")
    assert case["target"] == "anthropic/m-1"
    assert case["trials"][0]["usage"] == {"input_tokens": 7, "output_tokens": 5, "cached_tokens": 0}
    assert {asked.json["system"] for asked in server.asked} == {"Be short."}
    assert sorted(len(asked.json["messages"]) for asked in server.asked) == [1, 1, 3]
    assert "sk-secret" not in ran.out


def test_a_refusal_of_the_service_is_waited_out_and_an_outage_says_nothing_of_the_model(alone, monkeypatch):
    busy = Fails(429, "slow down", {"Retry-After": "0.6"})
    cases = "defaults: {criteria: [{contains: 30 days}], retries: 1}\ncases: [{id: a, input: q}, {id: b, input: q}]\n"
    suite = f"target: {{model: anthropic/m-1, base_url: '${{FAKE_URL}}'}}\n{cases}"
    with fake_llm(busy, "Within 30 days.", Fails(500), Fails(500)) as server:
        monkeypatch.setenv("FAKE_URL", server.url)
        ran = alone.write({"a.eval.yaml": suite}).run("--evals-concurrency=1")
    assert ran.status == 75
    assert ran.outcomes == {"a": "passed", "b": "errored"}
    trial = ran.case("a")["trials"][0]
    assert [attempt["error"] is None for attempt in trial["attempts"]] == [False, True]
    assert trial["attempts"][1]["queue_ms"] >= 600
    assert trial["latency_ms"] < 600
    assert ran.case("b")["error"]["kind"] == "provider"
    assert f"anthropic at {server.url}: HTTP 500 Internal Server Error" in ran.out


def test_a_missing_key_is_an_error_of_the_case_in_one_line(alone, monkeypatch):
    monkeypatch.delenv("ANTHROPIC_API_KEY")
    suite = "target: {model: anthropic/m-1}\ncases: [{id: a, input: q, criteria: [{contains: x}]}]\n"
    ran = alone.write({"a.eval.yaml": suite}).run()
    assert ran.status == 1
    error = ran.case("a")["error"]
    assert error["kind"] == "target"
    assert error["message"] == "anthropic needs a key: set the environment variable ANTHROPIC_API_KEY"
    assert len(ran.case("a")["trials"][0]["attempts"]) == 1
    assert "Traceback" not in ran.out


def test_a_client_of_a_conftest_answers(project):
    suite = "target: {model: scripted/m-1}\ncases: [{id: a, input: Hello, criteria: [{contains: said Hello}]}]\n"
    ran = project({"a.eval.yaml": suite, "conftest.py": SCRIPTED})
    assert ran.outcomes == {"a": "passed"}
    assert ran.case("a")["trials"][0]["usage"]["input_tokens"] == 3


@pytest.mark.parametrize(
    ("target", "conftest", "message"),
    [
        ("{model: antropic/m-1}", "", "a.eval.yaml:1:10: unknown provider 'antropic'; did you mean 'anthropic'?"),
        ("{model: anthropic/m-1, seed: 7}", "", "a.eval.yaml:1:32: anthropic takes no seed; leave it out"),
        (
            "{model: mine/m-1}",
            "def pytest_evals_llm_connect(endpoint): return 'a client'\n",
            "a.eval.yaml:1:10: pytest_evals_llm_connect gave a str, which has no 'async def complete(request)'",
        ),
        (
            "{model: mine/m-1}",
            "def pytest_evals_llm_connect(endpoint): return 1 / 0\n",
            "a.eval.yaml:1:10: pytest_evals_llm_connect raised ZeroDivisionError: division by zero",
        ),
    ],
)
def test_what_cannot_be_asked_is_a_mistake_at_its_place(alone, target, conftest, message):
    suite = f"target: {target}\ncases: [{{id: a, input: q, criteria: [{{contains: x}}]}}]\n"
    ran = alone.write({"a.eval.yaml": suite, "conftest.py": conftest}).run(report=False)
    assert ran.status == 2
    assert message in ran.out.splitlines()
    assert "Traceback" not in ran.out


def test_nothing_is_imported_or_asked_before_the_first_case_runs(alone, monkeypatch):
    watch = (
        "import sys\n"
        "def pytest_unconfigure():\n"
        "    print('imported:', sorted({'anthropic', 'openai', 'genai_prices', 'httpx2'} & set(sys.modules)))\n"
    )
    monkeypatch.delenv("ANTHROPIC_API_KEY")
    suite = "target: {model: anthropic/m-1}\ncases: [{id: a, input: q, criteria: [{contains: x}]}]\n"
    alone.write({"a.eval.yaml": suite, "conftest.py": watch})
    assert "imported: []" in alone.run("--collect-only", subprocess=True, report=False).out


def test_a_dry_run_names_the_model(alone):
    suite = "target: {model: anthropic/m-1}\ncases: [{id: a, input: q, criteria: [{contains: x}]}]\n"
    ran = alone.write({"a.eval.yaml": suite}).run("--evals-dry-run", report=False)
    assert ran.status == 0
    assert any(line.split()[:2] == ["anthropic/m-1", "1"] for line in ran.out.splitlines())


BROKEN_SCORER = """
import pytest

@pytest.fixture
def broken_scorer():
    def broken(actual):
        return len(None)
    return broken
"""

FIVE = """
target: {model: anthropic/m-1, base_url: '${FAKE_URL}'}
defaults: {criteria: [contains], expected_output: 30 days, retries: 1}
cases:
  - {id: hangs, input: hang, timeout: 0.3s, retries: 0}
  - {id: down, input: down}
  - {id: bug, input: fine, criteria: [broken]}
  - {id: wrong, input: fine, expected_output: 60 days}
  - {id: right, input: fine}
"""


def test_what_goes_wrong_around_a_model_is_not_the_model_s_failure(alone, monkeypatch):
    def answer(asked):
        question = asked.json["messages"][0]["content"]
        return Fails(500) if question == "down" else Says(delay_s=0.9 if question == "hang" else 0.0)

    with fake_llm(default=answer) as server:
        monkeypatch.setenv("FAKE_URL", server.url)
        ran = alone.write({"a.eval.yaml": FIVE, "conftest.py": BROKEN_SCORER}).run()
    assert ran.status == 1
    assert ran.outcomes == {
        "hangs": "errored",
        "down": "errored",
        "bug": "errored",
        "wrong": "failed",
        "right": "passed",
    }
    assert [ran.case(case)["error"]["kind"] for case in ("hangs", "down", "bug")] == ["timeout", "provider", "scorer"]
    assert [ran.case(case)["score"] for case in ("hangs", "down", "bug", "wrong")] == [None, None, None, 0.0]
    assert "1 passed, 1 failed, 3 errored" in ran.out


def test_a_latency_is_neither_the_wait_for_a_turn_nor_the_attempt_before(alone, monkeypatch):
    cases = "".join(f"  - {{id: c{n}, input: q}}\n" for n in range(6))
    target = "{model: anthropic/m-1, base_url: '${FAKE_URL}'}"
    suite = f"target: {target}\ndefaults: {{criteria: [{{contains: 30}}]}}\ncases:\n{cases}"
    with fake_llm(default=lambda asked: Says(delay_s=0.3)) as server:
        monkeypatch.setenv("FAKE_URL", server.url)
        ran = alone.write({"a.eval.yaml": suite}).run("--evals-concurrency=2")
    attempts = [case["trials"][0]["attempts"][0] for case in ran.report["cases"]]
    assert max(attempt["latency_ms"] for attempt in attempts) < 600
    assert max(attempt["queue_ms"] for attempt in attempts) > 550
