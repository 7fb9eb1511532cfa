"""Suites with variants, as a user runs them."""

from __future__ import annotations

BOT = """
import asyncio

async def answer(question, variant):
    await asyncio.sleep(0.01)
    return " ".join("Returns are accepted within 30 days.".split()[: variant.get("words", 99)])
"""

SUITE = """
suite: shop
target: bot.py:answer
variants:
  - {id: short, words: 2}
  - {id: long, words: 6}
gates:
  - pass_rate(variant=long) >= 100%
defaults:
  criteria: [contains]
cases:
  - {id: days, input: How long?, expected_output: 30 days}
  - {id: what, input: What?, expected_output: Returns}
"""
FILES = {"bot.py": BOT, "shop.eval.yaml": SUITE}


def outcomes(ran):
    return {(case["id"], case["variant"]): case["outcome"] for case in ran.report["cases"]}


def test_every_case_runs_once_with_every_variant(project):
    ran = project(FILES, "-v")
    assert ran.status == 1
    assert list(outcomes(ran).items()) == [
        (("days", "short"), "failed"),
        (("days", "long"), "passed"),
        (("what", "short"), "passed"),
        (("what", "long"), "passed"),
    ]
    variants = [
        {"id": "short", "target": "bot.py:answer", "settings": {"words": 2}},
        {"id": "long", "target": "bot.py:answer", "settings": {"words": 6}},
    ]
    assert ran.report["suites"] == [
        {"name": "shop", "path": "shop.eval.yaml", "defined": 4, "selected": 4, "variants": variants}
    ]
    by_variant = {part["name"]: (part["cases"], part["pass_rate"]) for part in ran.report["summary"]["by_variant"]}
    assert by_variant == {"short": (2, 0.5), "long": (2, 1)}
    (pair,) = ran.report["pairs"]
    assert (pair["first"], pair["second"], pair["cases"], pair["better"], pair["worse"]) == ("short", "long", 2, 1, 0)
    (gate,) = ran.report["gates"]
    assert (gate["verdict"], gate["observed"], gate["cases"]) == ("held", 1, 2)
    assert "shop.eval.yaml::days[short]" in ran.out
    assert "short → long" in ran.out


def test_a_miss_is_tolerated_only_in_the_variant_that_the_gate_is_about(project):
    gate = SUITE.replace("variant=long) >= 100%", "variant=short) >= 50%")
    ran = project({"bot.py": BOT, "shop.eval.yaml": gate})
    assert (ran.status, ran.counts()) == (0, {"passed": 3, "missed": 1})
    broken = project({"shop.eval.yaml": SUITE.replace("expected_output: 30 days", "expected_output: ten years")})
    assert broken.counts() == {"passed": 2, "missed": 1, "failed": 2}  # days[short], and the gate
    assert broken.report["gates"][0]["verdict"] == "broken"


def test_variants_are_selected_by_name_and_run_again_with_lf(alone):
    assert alone(FILES, "-k", "long").counts() == {"passed": 2, "deselected": 2}
    assert alone.run("-k", "short").counts() == {"passed": 1, "failed": 1, "deselected": 2}
    again = alone.run("--lf")
    assert outcomes(again) == {("days", "short"): "failed"}
    assert outcomes(alone.run("shop.eval.yaml::what[long]")) == {("what", "long"): "passed"}
    assert outcomes(alone.run("shop.eval.yaml::what")) == {("what", "short"): "passed", ("what", "long"): "passed"}


def test_parametrised_fixtures_join_in(project):
    conftest = """
import pytest

@pytest.fixture(params=["en", "de"])
def bot(request):
    return lambda question, variant: f"{request.param} {variant['words']}"
"""
    suite = SUITE.replace("bot.py:answer", "{fixture: bot}").replace(
        "expected_output: 30 days", "expected_output: en 2"
    )
    ran = project(
        {"conftest.py": conftest, "shop.eval.yaml": suite.replace("gates:\n  - pass_rate", "x-gates:\n  - p")}
    )
    brackets = {(case["variant"], case["variant_id"]) for case in ran.report["cases"]}
    assert brackets == {("en-short", "short"), ("de-short", "short"), ("en-long", "long"), ("de-long", "long")}
    assert outcomes(ran)["days", "en-short"] == "passed"
    assert [case["id"] for case in ran.report["cases"]] == ["days"] * 4 + ["what"] * 4
    (pair,) = ran.report["pairs"]
    assert (pair["cases"], pair["better"], pair["worse"]) == (4, 0, 1)


def test_a_fixture_is_told_of_the_variant(project):
    conftest = """
import pytest

@pytest.fixture
def bot(evals_variant):
    return lambda question: f"{evals_variant['id']} {evals_variant['words']}"

@pytest.fixture
def plain(evals_variant):
    return lambda question: f"told {len(evals_variant)} things"
"""
    suite = SUITE.replace("bot.py:answer", "{fixture: bot}").replace(
        "expected_output: 30 days", "expected_output: long 6"
    )
    without = "target: {fixture: plain}\ncases: [{id: a, input: q, criteria: [exact_match: told 0 things]}]"
    ran = project({"conftest.py": conftest, "shop.eval.yaml": suite, "plain.eval.yaml": without})
    assert outcomes(ran)["days", "long"] == "passed"
    assert outcomes(ran)["a", ""] == "passed"


def test_each_variant_can_have_a_target_of_its_own(project):
    conftest = """
import pytest

@pytest.fixture(scope="session")
def bot():
    return lambda question: "from the fixture"
"""
    suite = """
variants:
  - {id: fixture, target: {fixture: bot}}
  - {id: recorded, target: {responses: answers.jsonl}}
  - {id: function, target: 'bot.py:answer'}
  - {id: echoed, target: echo}
  - {id: prompted, target: echo, prompt: 'Please: {{ input }}'}
defaults: {threshold: unset, criteria: [length: {min: 1}]}
cases:
  - {id: a, input: Hello}
  - {id: b, input: Hello}
"""
    answers = '{"id": "a", "output": "recorded"}\n{"id": "b", "output": "recorded"}\n'
    files = {"conftest.py": conftest, "bot.py": BOT, "answers.jsonl": answers, "mixed.eval.yaml": suite}
    ran = project(files)
    assert ran.status == 0, ran.out
    answered = [(case["variant"], case["output"], case["target"]) for case in ran.report["cases"] if case["id"] == "b"]
    assert answered == [
        ("fixture", "from the fixture", "fixture: bot"),
        ("recorded", "recorded", "responses: answers.jsonl"),
        ("function", "Returns are accepted within 30 days.", "bot.py:answer"),
        ("echoed", "Hello", "echo"),
        ("prompted", "Please: Hello", "echo"),
    ]
    assert [case["input"] for case in ran.report["cases"][:5]] == ["Hello"] * 4 + ["Please: Hello"]


def test_a_program_is_told_of_the_variant(alone):
    suite = """
target:
  command: [python, -c, 'import sys; print(sys.argv[1:])', '{{ input }}', '{{ variant.words }}', '{{ variant.id }}']
matrix: {words: [2, 6]}
cases: [{id: a, input: q, criteria: [contains: "['q', '6', 'words-6']"]}]
"""
    assert outcomes(alone({"a.eval.yaml": suite})) == {("a", "words-2"): "failed", ("a", "words-6"): "passed"}


def test_calls_of_all_variants_are_under_way_together(alone):
    slow = "import asyncio\n\nasync def answer(q, variant):\n    await asyncio.sleep(0.3)\n    return q\n"
    suite = """
target: bot.py:answer
matrix: {n: [1, 2, 3, 4, 5]}
defaults: {criteria: [length: {min: 1}]}
cases: [{id: a, input: x}, {id: b, input: x}]
"""
    ran = alone({"bot.py": slow, "a.eval.yaml": suite})
    assert ran.counts() == {"passed": 10}
    assert ran.report["duration_s"] < 2  # one after the other: 3 s


def test_a_worker_that_dies_is_charged_to_the_variant(pytester):
    from projects import Project

    bot = """
import os

def answer(question, variant):
    if variant["id"] == "deadly":
        os._exit(3)
    return question
"""
    suite = """
target: bot.py:answer
variants: [{id: harmless}, {id: deadly}]
cases: [{id: a, input: q, criteria: [exact_match: q]}]
"""
    ran = Project(pytester, ["-n1"])({"bot.py": bot, "a.eval.yaml": suite}, "--evals-concurrency=1")
    assert outcomes(ran) == {("a", "harmless"): "passed", ("a", "deadly"): "errored"}
    crashed = ran.report["cases"][1]
    assert (crashed["variant_id"], crashed["error"]["kind"]) == ("deadly", "crash")


def test_a_variant_that_cannot_be_read_is_one_line_with_its_place(project):
    suite = SUITE.replace("{id: long, words: 6}", "{id: 'lo[ng', words: 6}").replace("variant=long", "variant=short")
    ran = project({"bot.py": BOT, "shop.eval.yaml": suite})
    assert ran.status == 2
    assert "shop.eval.yaml:6:6: the id 'lo[ng' holds" in ran.out
    assert "Traceback" not in ran.out


def test_the_dry_run_counts_the_calls_of_every_variant(alone):
    ran = alone(FILES, "--evals-dry-run", report=False)
    assert "4 calls, up to 8 with retries" in ran.out


def test_explain_tells_of_the_variant(alone):
    ran = alone(FILES, "--evals-explain", "days[[]long]", report=False)
    assert "variant    long: words 6" in ran.out
    assert "short" not in ran.out
    both = alone.run("--evals-explain", "days", report=False)
    assert "variant    long: words 6" in both.out
    assert "variant    short: words 2" in both.out


def test_a_secret_of_a_variant_is_not_shown(alone, monkeypatch):
    monkeypatch.setenv("SHOP_API_KEY", "s3cret-s3cret-s3cret")
    suite = SUITE.replace("{id: long, words: 6}", "{id: long, words: 6, login: '${SHOP_API_KEY}'}")
    ran = alone({"bot.py": BOT, "shop.eval.yaml": suite}, "--evals-explain", "days", report=False)
    assert "variant    long: words 6" in ran.out
    assert "s3cret" not in ran.out
    settings = [variant["settings"] for variant in alone.run().report["suites"][0]["variants"]]
    assert settings == [{"words": 2}, {"words": 6, "login": "***"}]


def test_the_history_keeps_variants_apart(project):
    from pytest_evals.store.connect import reading
    from pytest_evals.store.location import locate
    from pytest_evals.store.results import case_results, case_rows
    from pytest_evals.store.runs import find_run

    project(FILES)
    with reading(locate(None, project.pytester.path)) as connection:
        run = find_run(connection, "last")
        rows, results = case_rows(connection, run), list(case_results(connection, run))
    expected = [("days", "short"), ("days", "long"), ("what", "short"), ("what", "long")]
    assert (run.defined_cases, run.selected_cases, run.total_cases) == (4, 4, 4)
    kept = run.params["variants"]["shop"]
    assert [(variant["id"], variant["settings"]) for variant in kept] == [
        ("short", {"words": 2}),
        ("long", {"words": 6}),
    ]
    assert [(row.case_id, row.variant) for row in rows] == expected
    assert [(row.case_id, row.variant_id) for row in rows] == expected
    assert [(result.case_id, result.variant_id) for result in results] == expected


def test_a_budget_stops_the_variants_that_are_left(alone):
    bot = """
from pytest_evals import Response

def answer(question, variant):
    return Response(question, cost_usd=1.0)
"""
    suite = """
target: bot.py:answer
matrix: {n: [1, 2, 3]}
cases: [{id: a, input: q, criteria: [exact_match: q]}]
"""
    ran = alone({"bot.py": bot, "a.eval.yaml": suite}, "--evals-max-cost=2", "--evals-concurrency=1")
    assert list(outcomes(ran).values()) == ["passed", "passed", "skipped"]
    assert [(pair["cases"], pair["left_out"]) for pair in ran.report["pairs"]] == [(1, 0), (0, 1), (0, 1)]


MODELS = """
from pytest_evals import Reply, ScriptedClient, Usage

def reply(request):
    text = f"{request.model} {request.temperature:g} {request.system} {request.messages[-1]['content']}"
    return Reply(text, usage=Usage(3, 2))

client = ScriptedClient(reply)

def pytest_evals_llm_connect(endpoint, config):
    return client if endpoint.provider == "scripted" else None
"""


def test_models_prompts_and_settings_are_compared_in_one_suite(project):
    suite = """
target: {model: scripted/base, system: Be short., temperature: 0}
variants:
  - {id: plain}
  - {id: other, model: scripted/other, system: Be kind.}
  - {id: prompted, prompt: 'Please: {{ input }}'}
matrix: {temperature: [0, 1]}
defaults: {threshold: unset, criteria: [length: {min: 1}]}
cases:
  - {id: a, input: Hello}
"""
    ran = project({"conftest.py": MODELS, "models.eval.yaml": suite})
    assert ran.status == 0, ran.out
    (counted,) = ran.report["suites"]
    assert [variant["id"] for variant in counted["variants"]] == [case["variant"] for case in ran.report["cases"]]
    assert counted["variants"][1]["settings"] == {"model": "scripted/base", "system": "Be short.", "temperature": 1}
    assert counted["variants"][2]["settings"] == {"model": "scripted/other", "system": "Be kind.", "temperature": 0}
    assert counted["variants"][4]["settings"]["prompt"] == "Please: {{ input }}"
    assert {case["variant"]: (case["target"], case["output"]) for case in ran.report["cases"]} == {
        "plain-temperature-0": ("scripted/base", "base 0 Be short. Hello"),
        "plain-temperature-1": ("scripted/base", "base 1 Be short. Hello"),
        "other-temperature-0": ("scripted/other", "other 0 Be kind. Hello"),
        "other-temperature-1": ("scripted/other", "other 1 Be kind. Hello"),
        "prompted-temperature-0": ("scripted/base", "base 0 Be short. Please: Hello"),
        "prompted-temperature-1": ("scripted/base", "base 1 Be short. Please: Hello"),
    }
