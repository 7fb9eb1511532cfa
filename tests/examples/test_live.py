"""A real model, if its packages are installed (`make live`). Its words differ between machines and are not held to."""

from __future__ import annotations

import sys
from importlib.util import module_from_spec, spec_from_file_location

import pytest

from pytest_evals import JudgeError, LLMJudge

from .conftest import SUITES

SPEC = spec_from_file_location("serve", SUITES / "live" / "serve.py")
assert SPEC is not None
assert SPEC.loader is not None
serve = module_from_spec(SPEC)
SPEC.loader.exec_module(serve)

pytestmark = pytest.mark.skipif(bool(serve.missing()), reason=f"{serve.missing()} is not installed: make live")


@pytest.fixture(scope="module")
def url():
    running = serve.server()
    try:
        url = running.__enter__()
    except SystemExit as error:
        pytest.skip(str(error))
    yield url
    running.__exit__(None, None, None)


def test_a_small_model_answers_with_tokens_counted_and_a_schema_obeyed(example, url, monkeypatch):
    monkeypatch.setenv("LLAMACPP_BASE_URL", url)
    ran = example("live").run("-k", "capital or structured")
    assert {suite for suite, _ in ran.outcomes} == {"small-model", "small-model-structured"}
    assert len(ran.outcomes) == 5
    assert "errored" not in ran.outcomes.values(), ran.output
    for case in ran.report["cases"]:
        assert case["target"] == "llamacpp/smollm2-135m"
        (trial,) = case["trials"]
        assert 10 < trial["usage"]["input_tokens"] < 100
        assert 0 < trial["usage"]["output_tokens"] <= 40
        assert trial["cost_usd"] == 0
        assert trial["latency_ms"] > 10
        assert trial["metadata"]["model"] == "smollm2-135m"
        if case["suite"] == "small-model-structured":
            assert list(case["output"]) == ["sentiment"]
            assert case["output"]["sentiment"] in ("positive", "negative")


def test_a_small_model_judges_and_whatever_it_says_has_the_form_of_a_verdict(url):
    # the mechanics alone: nobody should ask what a model of this size thinks of an answer
    with LLMJudge(
        "llamacpp/smollm2-135m", rubric="It is polite", scale="yes/no", retries=0, max_tokens=120, base_url=url
    ) as judge:
        found = judge.batch([{"input": "Hello", "answer": answer} for answer in ("Hello, my friend!", "Go away.")])
    for each in found:
        # it may talk until it is cut off, which is an error with the reply, and no score
        assert isinstance(each, JudgeError) or each.value in (0, 1)
        took = each.facts if isinstance(each, JudgeError) else each.detail["judge"]
        assert took["answered_by"] == "smollm2-135m"
        assert took["input_tokens"] > 100
        assert took["output_tokens"] > 0
        assert took["cost_usd"] == 0
        assert took["latency_ms"] > 10


def test_the_server_ends_with_the_command_and_gives_its_status(url, monkeypatch):
    # a second server beside the first: ports are free ones
    code = "import os, sys; sys.exit(7 if os.environ['LLAMACPP_BASE_URL'].endswith('/v1') else 1)"
    monkeypatch.setattr(sys, "argv", ["serve.py", sys.executable, "-c", code])
    assert serve.main() == 7
