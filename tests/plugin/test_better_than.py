"""Answers that are compared with those of another run, and of another variant."""

from __future__ import annotations

import json

import pytest

JUDGE = """
import re
import pytest
from pytest_evals import ScriptedClient

def says(request):
    '''The longer answer is the better one.'''
    text = request.messages[0]["content"]
    first, second = re.findall(r"BEGIN ANSWER \\d>>>\\n(.*)\\n<<<", text)
    print("ASKED", first, "|", second)
    one = {"reason": "so long", "first": len(first) / 100, "second": len(second) / 100}
    keys = list(request.schema["properties"])
    return one if "first" in keys else dict.fromkeys(keys, one)

@pytest.fixture(scope="session")
def judge_model():
    return ScriptedClient(says)
"""

RUN = """
suite: bot
target: {responses: answers.json}
cases:
  - {id: a, input: q, criteria: [length: {min: 1, unit: characters}, better_than: last]}
  - {id: b, input: q, criteria: [length: {min: 1, unit: characters}, {better_than: {run: last, rubric: It is long}}]}
  - {id: c, input: q, criteria: [length: {min: 1, unit: characters}, {better_than: {run: last, threshold: 0.5}}]}
"""
BEFORE = (
    RUN.replace(", better_than: last", "")
    .replace(", {better_than: {run: last, rubric: It is long}}", "")
    .replace(", {better_than: {run: last, threshold: 0.5}}", "")
)

VARIANTS = """
suite: bot
variants:
  - {id: small, target: {responses: small.json}}
  - {id: large, target: {responses: large.json}}
  - {id: huge, target: {responses: huge.json}}
defaults:
  criteria:
    - length: {min: 1, unit: characters}
    - better_than: {variant: small, name: beats_small}
cases:
"""


def criterion(ran, case, name="better_than"):
    return next(each for each in ran.case(case)["trials"][0]["criteria"] if each["name"] == name)


def answers(**texts):
    return json.dumps(texts)


def test_an_answer_is_compared_with_that_of_another_run(alone):
    alone({"conftest.py": JUDGE, "a.eval.yaml": BEFORE, "answers.json": answers(a="x" * 20, b="x" * 50, c="x" * 30)})
    ran = alone({"a.eval.yaml": RUN, "answers.json": answers(a="y" * 40, b="y" * 20, c="y" * 31)})
    assert ran.outcomes == {"a": "passed", "b": "failed", "c": "passed"}
    assert [criterion(ran, case)["score"] for case in "abc"] == [1.0, 0.0, 0.5]
    better = criterion(ran, "a")
    assert better["reason"].startswith("standalone, no expected output; this is better in both orders: this 0.40, run ")
    assert better["detail"]["other_output"] == "x" * 20
    assert [order["winner"] for order in better["detail"]["orders"]] == ["a", "a"]
    assert ran.report["summary"]["judge"]["calls"] == 6
    assert "is better in both orders" in ran.out  # of b, that the earlier one is


def test_without_an_answer_to_compare_with_the_case_is_errored(alone):
    first = alone({"conftest.py": JUDGE, "a.eval.yaml": RUN, "answers.json": answers(a="x", b="x", c="x")})
    assert set(first.outcomes.values()) == {"errored"}
    assert "there is no history yet" in criterion(first, "a")["error"]["message"]
    cases = BEFORE.replace("{id: a, input: q,", "{id: a, input: another question,")
    cases = "\n".join(line for line in cases.splitlines() if "id: b" not in line)
    alone({"a.eval.yaml": cases})
    ran = alone({"a.eval.yaml": RUN})
    said = {case: criterion(ran, case).get("error") for case in "abc"}
    assert said["a"]["message"].endswith("answered another question under the id of this case")
    assert said["b"]["message"].endswith("has no answer to this case")
    assert said["c"] is None
    assert (ran.status, said["a"]["kind"]) == (1, "scorer")


def test_an_error_of_the_judge_is_no_winner(alone):
    judge = JUDGE.replace("return one", 'return "no idea" if first.startswith("y") else one')
    alone({"conftest.py": judge, "a.eval.yaml": BEFORE, "answers.json": answers(a="x", b="x", c="x")})
    ran = alone({"a.eval.yaml": RUN, "answers.json": answers(a="yy", b="yy", c="yy")})
    assert (ran.status, set(ran.outcomes.values())) == (75, {"errored"})
    assert criterion(ran, "a")["error"]["kind"] == "judge"
    assert criterion(ran, "a")["detail"]["judge"]["calls"] == 3


def test_variants_are_compared_with_the_first_of_them(project):
    cases = "".join(f"  - {{id: c{n}, input: q}}\n" for n in range(7))
    ids = [f"c{n}" for n in range(7)]
    ran = project(
        {
            "conftest.py": JUDGE,
            "a.eval.yaml": VARIANTS + cases,
            "small.json": answers(**dict.fromkeys(ids, "x" * 30)),
            "large.json": answers(**dict.fromkeys(ids, "y" * 40)),
            "huge.json": answers(**dict.fromkeys(ids, "z" * 20)),
        },
    )
    found = {}
    for case in ran.report["cases"]:
        scores = {each["name"]: each["score"] for each in case["trials"][0]["criteria"]}
        found.setdefault(case["variant"], []).append(scores.get("beats_small"))
    assert found == {"small": [None] * 7, "large": [1.0] * 7, "huge": [0.0] * 7}
    assert ran.report["summary"]["judge"]["calls"] == 7 * 2 * 2


SLOW = """
import asyncio

async def answer(question, variant):
    if variant["id"] == "small":
        for _ in range(20):
            await asyncio.sleep(0)
    return variant["id"] * 5
"""


@pytest.mark.parametrize("concurrency", [1, 2])
def test_a_slow_answer_is_waited_for_without_a_place_among_the_calls(alone, concurrency):
    suite = VARIANTS + "  - {id: a, input: q}\n  - {id: b, input: q}\n  - {id: c, input: q}\n"
    for name in ("small", "large", "huge"):
        suite = suite.replace(f"{{responses: {name}.json}}", "bot.py:answer")
    ran = alone({"conftest.py": JUDGE, "bot.py": SLOW, "a.eval.yaml": suite}, f"--evals-concurrency={concurrency}")
    assert ran.counts() == {"passed": 3, "failed": 6}  # 25 characters against 25 are a tie, 20 are less


SHUFFLED = """
import pytest

@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items):
    items.sort(key=lambda item: item.name[::-1])  # large, huge, small
    items.reverse()
    items.sort(key=lambda item: "small" in item.name)
"""


def test_whatever_shuffles_tests_what_is_compared_with_comes_first(alone):
    ids = ["a", "b", "c"]
    ran = alone(
        {
            "conftest.py": JUDGE + SHUFFLED,
            "a.eval.yaml": VARIANTS.replace("beats_small", "beats_small, threshold: 0")
            + "".join(f"  - {{id: {name}, input: q}}\n" for name in ids),
            **{f"{name}.json": answers(**dict.fromkeys(ids, name)) for name in ("small", "large", "huge")},
        },
        "-v",
    )
    assert ran.counts() == {"passed": 9}
    order = [line.split("::")[1].split()[0] for line in ran.out.splitlines() if "PASSED" in line]
    assert [name[2:-1] for name in order[::3]] == ["small"] * 3
    assert [{name[0] for name in order[at : at + 3]} for at in (0, 3, 6)] == [{name[0]} for name in order[::3]]


def test_a_variant_that_is_left_out_or_gives_no_answer_is_said(alone):
    bot = SLOW.replace("    return", '    if variant["id"] == "small":\n        raise ValueError\n    return')
    suite = VARIANTS + "  - {id: a, input: q}\n"
    for name in ("small", "large", "huge"):
        suite = suite.replace(f"{{responses: {name}.json}}", "bot.py:answer")
    ran = alone({"conftest.py": JUDGE, "bot.py": bot, "a.eval.yaml": suite})
    assert "variant 'small' gave no answer to this case" in ran.out
    ran = alone.run("-k", "large")
    assert "variant 'small' of this case was not asked before it in this process" in ran.out


def test_a_dry_run_counts_both_orders(alone):
    suite = VARIANTS.replace("suite: bot", "suite: bot\njudge: openai/gpt-5-mini") + "  - {id: a, input: q}\n"
    files = {"a.eval.yaml": suite, **{f"{name}.json": '{"a": "x"}' for name in ("small", "large", "huge")}}
    ran = alone(files, "--evals-dry-run")
    ran.result.stdout.re_match_lines([r"  judge openai/gpt-5-mini +3 +4 +8 .*"])


def test_it_works_without_pytest(tmp_path, monkeypatch):
    from pytest_evals import ScriptedClient, run_suite

    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("PYTEST_EVALS_HISTORY", raising=False)
    scope = {}
    exec(JUDGE, scope)
    cases = [{"id": "a", "input": "q", "criteria": [{"length": {"min": 1}}, {"better_than": "last"}]}]
    run_suite([{**cases[0], "criteria": [{"length": {"min": 1}}]}], lambda _: "x" * 20)
    run = run_suite(cases, lambda _: "y" * 40, judge=ScriptedClient(scope["says"]))
    assert [each.score for each in run.results[0].criteria] == [1.0, 1.0]
    assert len(run.runs) == 1
    again = run_suite(cases, lambda _: "z" * 40, judge=ScriptedClient(scope["says"]), history=False)
    assert "there is no history" in again.results[0].error.message


def test_an_answer_that_is_taken_over_is_compared_with_all_the_same(alone):
    bot = SLOW.replace("    return", '    if variant["id"] == "huge" and BROKEN:\n        raise ValueError\n    return')
    suite = VARIANTS + "  - {id: a, input: q}\n"
    for name in ("small", "large", "huge"):
        suite = suite.replace(f"{{responses: {name}.json}}", "bot.py:answer")
    suite = suite.replace("beats_small}", "beats_small, threshold: 0}")
    ran = alone({"conftest.py": JUDGE, "flag.py": "BROKEN = True\n", "bot.py": f"from flag import BROKEN\n{bot}",
                 "pytest.ini": "[pytest]\npythonpath = .\n", "a.eval.yaml": suite})  # fmt: skip
    assert ran.counts() == {"passed": 2, "errors": 1}
    ran = alone({"flag.py": "BROKEN = False\n"}, "--evals-retry-errors")
    assert ran.counts() == {"passed": 3}
    huge = next(case for case in ran.report["cases"] if case["variant"] == "huge")
    assert "variant small 0.25" in huge["trials"][0]["criteria"][1]["reason"]
