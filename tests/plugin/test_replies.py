"""Replies of models through a whole session: what they cost, kept ones, recorded ones."""

from __future__ import annotations

import json

import pytest

MODELS = """
import os
from pytest_evals import Reply, ScriptedClient, Usage

class Client(ScriptedClient):
    async def complete(self, request):
        with open("asked", "a") as file:
            file.write(str(request.messages[0]["content"]) + "\\n")
        return await super().complete(request)

def say(request):
    said = request.messages[0]["content"]
    usage = Usage(1000, 100, 400)
    if said == "cut":
        return Reply("cut sh", usage=usage, stop_reason="max_tokens")
    return Reply(os.environ.get("SAYS", "30 days"), usage=usage)

def pytest_evals_llm_connect(endpoint, config):
    return Client(say, delay_s=0.03, local=endpoint.provider == "home")
"""


def suite(name, model, *cases, criteria="[{contains: 30 days}]", more=""):
    lines = "".join(f"  - {{id: {case}, input: {case}}}\n" for case in cases)
    return f"suite: {name}\ntarget: {{model: {model}{more}}}\ndefaults: {{criteria: {criteria}}}\ncases:\n{lines}"


FILES = {"conftest.py": MODELS, "a.eval.yaml": suite("a", "openai/gpt-5", "one", "two")}


def asked(ran):
    path = ran.path / "asked"
    return sorted(path.read_text("utf-8").split()) if path.exists() else []


# -- what they cost ----------------------------------------------------------------------------------------------------


def test_what_models_cost_is_told_and_those_without_a_price_are_named(alone):
    files = {
        **FILES,
        "b.eval.yaml": suite("b", "nobody/knows", "one"),
        "c.eval.yaml": suite("c", "home/qwen", "one"),
    }
    ran = alone(files)
    assert ran.status == 0
    costs = {case["suite"]: case["cost_usd"] for case in ran.report["cases"]}
    each = (600 * 1.25 + 400 * 0.125 + 100 * 10) / 1e6
    assert costs["a"] == pytest.approx(each)
    assert (costs["b"], costs["c"]) == (None, 0)
    assert ran.report["summary"]["unpriced"] == ["nobody/knows"]
    assert ran.report["summary"]["cost_usd"]["total"] == pytest.approx(2 * each)
    assert ran.report["params"]["prices"]["table"].startswith("genai-prices ")
    ran.result.stdout.re_match_lines(
        [r"  cost +\$0\.0036, partial: unknown for 1 case,", r" +no price is known for nobody/knows"]
    )


def test_prices_of_ones_own_go_first_and_are_kept_with_the_run(alone):
    prices = 'version = "contract"\n[models."openai/*"]\ninput = 100\noutput = 0\n'
    ran = alone({**FILES, "prices.toml": prices}, "--evals-prices=prices.toml")
    assert ran.case("one")["cost_usd"] == pytest.approx(0.1)
    file = ran.report["params"]["prices"]["file"]
    assert (file["path"], file["version"], len(file["sha256"])) == ("prices.toml", "contract", 64)


def test_a_mistake_in_a_file_of_prices_ends_the_session_before_it_starts(alone):
    files = {**FILES, "prices.yaml": "models:\n  openai/gpt-5: {input: 1}\n"}
    ran = alone(files, "--evals-prices=prices.yaml")
    assert ran.status == 4
    assert "prices.yaml:2:3: 'openai/gpt-5' has no price for output; give dollars a million tokens" in ran.out
    assert asked(ran) == []


def test_a_dry_run_shows_the_known_prices(alone):
    files = {
        **FILES,
        "b.eval.yaml": suite("b", "nobody/knows", "one"),
        "c.eval.yaml": suite("c", "home/qwen", "one"),
    }
    ran = alone(files, "--evals-dry-run")
    assert "4 calls, up to 8 with retries, partly at a price that is not known" in ran.out
    for row in (
        r"  openai/gpt-5 +2 +2 +4  \$1\.25 in, \$10\.00 out per 1M",
        r"  nobody/knows +1 +1 +2  unknown",
        r"  home/qwen +1 +1 +2  nothing: the model is local",
    ):
        ran.result.stdout.re_match_lines([row])
    assert asked(ran) == []
    assert not (ran.path / ".evals").exists()


@pytest.mark.parametrize(("model", "said"), [("openai/gpt-5", "paid by the token"), ("home/qwen", "nothing to pay")])
def test_a_dry_run_says_whether_there_is_something_to_pay(alone, model, said):
    ran = alone({"conftest.py": MODELS, "a.eval.yaml": suite("a", model, "one")}, "--evals-dry-run")
    assert f"1 call, up to 2 with retries, {said}" in ran.out


# -- kept replies ------------------------------------------------------------------------------------------------------


def test_the_second_session_asks_only_what_is_new(project, monkeypatch):
    first = project(FILES, "--evals-cache")
    assert asked(first) == ["one", "two"]
    assert first.report["summary"]["cached"] == 0
    monkeypatch.setenv("SAYS", "something else")
    files = {"a.eval.yaml": suite("a", "openai/gpt-5", "one", "two", "three", criteria="[length: {max: 99}]")}
    second = project(files, "--evals-cache")
    assert asked(second) == ["one", "three", "two"]
    one, three = second.case("one"), second.case("three")
    assert (one["output"], three["output"]) == ("30 days", "something else")
    assert (one["cost_usd"], one["latency_ms"]) == (0, None)
    before = one["trials"][0]["metadata"]["cached"]
    assert before["latency_ms"] >= 30
    assert before["cost_usd"] == pytest.approx(0.0018)
    assert one["trials"][0]["attempts"][0]["latency_ms"] is None
    assert "cached" not in three["trials"][0]["metadata"]
    summary = second.report["summary"]
    assert (summary["cached"], summary["latency_ms"]["n"]) == (2, 1)
    second.result.stdout.re_match_lines([r"  cached +2 answers kept from earlier calls, without latency or cost"])


def test_every_trial_has_its_own_kept_reply(alone):
    counting = """
from pytest_evals import ScriptedClient

def pytest_evals_llm_connect(endpoint, config):
    return ScriptedClient(["one", "two", "three"])
"""
    case = suite("a", "mine/m", "one", criteria="[{length: {max: 99}}]").replace("cases:", "  trials: 3\ncases:")
    case = case.replace("defaults: {criteria: [{length: {max: 99}}]}", "defaults:\n  criteria: [{length: {max: 99}}]")
    files = {"conftest.py": counting, "a.eval.yaml": case}
    first = alone(files, "--evals-cache", "--evals-concurrency=1")
    second = alone.run("--evals-cache")
    outputs = [[trial["output"] for trial in ran.case("one")["trials"]] for ran in (first, second)]
    assert outputs == [["one", "two", "three"]] * 2
    assert second.report["summary"]["cached"] == 3


def test_kept_replies_wait_for_no_limit_and_use_no_budget(alone):
    alone({**FILES, "pytest.ini": "[pytest]\nevals_cache = true\nevals_limits =\n    openai/gpt-5: 1 rpm, 100 in flight\n"},
          "--evals-max-cost=5", "-k", "one")  # fmt: skip
    ran = alone.run("--evals-max-cost=0.0001", "--evals-max-tokens=1", "-k", "one")
    assert ran.status == 0
    assert ran.report["summary"]["cached"] == 1
    assert [limit["spent"] for limit in ran.report["budget"]] == [0, 0]


def test_a_latency_criterion_judges_what_the_call_took(alone):
    files = {**FILES, "a.eval.yaml": suite("a", "openai/gpt-5", "one", criteria="[{latency: 20ms}]")}
    first = alone(files, "--evals-cache")
    second = alone.run("--evals-cache")
    assert first.outcomes == second.outcomes == {"one": "failed"}


def test_an_answer_that_was_cut_off_is_asked_for_again(alone):
    files = {**FILES, "a.eval.yaml": suite("a", "openai/gpt-5", "cut", criteria="[{contains: cut}]")}
    alone(files, "--evals-cache")
    assert asked(alone.run("--evals-cache")) == ["cut", "cut"]


def test_without_the_option_nothing_is_kept(alone):
    ran = alone(FILES, "--evals-no-history")
    assert not (ran.path / ".evals").exists()


def test_a_damaged_file_of_kept_replies_is_an_error_of_each_case_and_asks_nobody(alone):
    ran = alone({**FILES, ".evals/replies.db": "no database" * 100}, "--evals-cache", "--evals-no-history")
    assert ran.outcomes == {"one": "errored", "two": "errored"}
    assert "kept replies cannot be used" in ran.case("one")["error"]["message"]
    assert len(ran.case("one")["trials"][0]["attempts"]) == 1
    assert asked(ran) == []


BUSY_AT_FIRST = """
import asyncio
from pytest_evals import ProviderError, Reply, Usage

class Busy:
    refused = False
    async def complete(self, request):
        if not self.refused:
            self.refused = True
            raise ProviderError("busy", retry_after_s=0.5)
        await asyncio.sleep(0.05)
        return Reply("30 days", usage=Usage(10, 10))

def pytest_evals_llm_connect(endpoint, config):
    return Busy()
"""


def test_fault_N03_neither_waiting_nor_a_kept_reply_is_latency(alone):
    cases = ["a", "b", "c"]
    files = {"conftest.py": BUSY_AT_FIRST, "a.eval.yaml": suite("a", "mine/m", *cases)}
    first = alone(files, "--evals-cache", "--evals-concurrency=2")
    figures = first.report["summary"]["latency_ms"]
    assert figures["n"] == 3
    assert 50 <= figures["p50"] <= figures["max"] < 450, "no wait for the service, nor for a turn"
    waited = [attempt for case in first.report["cases"] for attempt in case["trials"][0]["attempts"]]
    assert len(waited) == 4
    assert max(attempt["queue_ms"] for attempt in waited) >= 450, "which is kept apart"
    second = alone.run("--evals-cache", "--evals-concurrency=2")
    assert second.report["summary"]["latency_ms"] == {
        "n": 0, "mean": None, "p50": None, "p95": None, "p99": None, "max": None
    }  # fmt: skip
    assert second.report["summary"]["cached"] == 3


# -- recorded replies --------------------------------------------------------------------------------------------------


def test_what_was_recorded_is_replayed_without_any_model(alone):
    first = alone(FILES, "--evals-record=recorded")
    assert first.status == 0
    files = sorted(path.relative_to(first.path).as_posix() for path in first.path.glob("recorded/**/*.json"))
    assert [name.rpartition("-")[0] for name in files] == ["recorded/openai/gpt-5/one", "recorded/openai/gpt-5/two"]
    second = alone.run("--evals-replay=recorded")
    assert second.status == 0
    assert asked(second) == ["one", "two"], "only the first session asked"
    summary = second.report["summary"]
    assert (summary["cached"], summary["cost_usd"]["total"], summary["latency_ms"]["n"]) == (2, 0, 0)


def test_what_was_not_recorded_is_a_loud_error_with_the_nearest_request(alone):
    alone(FILES, "--evals-record=recorded")
    ran = alone({"a.eval.yaml": suite("a", "openai/gpt-5", "one", "too")}, "--evals-replay=recorded")
    assert ran.status == 1
    assert ran.outcomes == {"one": "passed", "too": "errored"}
    error = ran.case("too")["error"]
    assert error["kind"] == "target"
    assert (
        "differs in messages[0].content: recorded 'two', asked 'too'; record it with --evals-record" in error["message"]
    )
    assert len(ran.case("too")["trials"][0]["attempts"]) == 1, "asking again changes nothing"
    assert asked(ran) == ["one", "two"]


def test_both_options_record_what_is_missing(alone):
    alone(FILES, "--evals-record=recorded")
    files = {"a.eval.yaml": suite("a", "openai/gpt-5", "one", "too")}
    ran = alone(files, "--evals-record=recorded", "--evals-replay=recorded")
    assert ran.status == 0
    assert asked(ran) == ["one", "too", "two"]
    assert alone.run("--evals-replay=recorded").status == 0


def test_a_folder_that_is_not_there_ends_the_session_before_it_starts(alone):
    ran = alone(FILES, "--evals-replay=recorded")
    assert ran.status == 4
    assert (
        f"--evals-replay: there is no folder {ran.path}/recorded; record replies there with --evals-record" in ran.out
    )


def test_a_dry_run_of_a_replay_costs_nothing(alone):
    alone(FILES, "--evals-record=recorded")
    ran = alone.run("--evals-replay=recorded", "--evals-dry-run")
    assert "2 calls, up to 4 with retries, nothing to pay" in ran.out
    assert "nothing: recorded replies answer" in ran.out


def test_no_secret_reaches_a_file_of_the_project(alone, monkeypatch):
    monkeypatch.setenv("SHOP_TOKEN", "planted-in-the-environment")
    monkeypatch.setenv("SAYS", "30 days, Authorization: Bearer planted-bearer-0123")
    settings = ", system: planted-in-the-environment, api_key: '${SHOP_TOKEN}'"
    files = {**FILES, "a.eval.yaml": suite("a", "openai/gpt-5", "one", more=settings)}
    for options in (["--evals-record=recorded"], ["--evals-cache"]):
        ran = alone(files, "--evals-no-history", *options, report=False)
        assert ran.status == 0
    for file in [*ran.path.glob("recorded/**/*"), *ran.path.glob(".evals/*")]:
        if file.is_file():
            assert b"planted" not in file.read_bytes(), file
    (recorded,) = ran.path.glob("recorded/**/*.json")
    assert json.loads(recorded.read_text("utf-8"))["request"]["system"] == "***"
