"""Two thousand cases of every temper: however many run at a time, the results are those of one at a time."""

from __future__ import annotations

import os
import random

import pytest
from projects import Project

BOT = """
import asyncio, os, random, time
async def answer(question, case):
    rng = random.Random(case.id)
    kind = question.split()[0]
    await asyncio.sleep(rng.random() / 200)
    if kind == "hang": await asyncio.sleep(60)
    if kind == "boom": raise ValueError(case.id)
    if kind == "cancel": raise asyncio.CancelledError
    if kind == "none": return None
    if kind == "die" and os.environ.get("DIE"): os._exit(9)
    return "wrong" if kind == "bad" else "ok " + case.id
def blocking(question, case):
    rng = random.Random(case.id)
    kind = question.split()[0]
    time.sleep(rng.random() / 500)
    if kind == "hang": time.sleep(1)
    if kind == "boom": raise SystemExit(3)
    if kind == "cancel": raise asyncio.CancelledError
    if kind == "none": return None
    if kind == "die" and os.environ.get("DIE"): os._exit(9)
    return "wrong" if kind == "bad" else "ok " + case.id
"""
KINDS = ["ok"] * 80 + ["bad"] * 9 + ["boom"] * 5 + ["none"] * 3 + ["cancel"] * 2


def suite(rng: random.Random, name: str, target: str, cases: int) -> str:
    kinds = [rng.choice(KINDS) for _ in range(cases)]
    for kind, number in (("hang", 6), ("die", 2)):
        for at in rng.sample(range(cases), number):
            kinds[at] = kind
    rows = "".join(f"  - {{id: {name}{i}, input: {kind} {i}, expected_output: ok}}\n" for i, kind in enumerate(kinds))
    defaults = "{criteria: [contains], retries: 0, timeout: 250ms}"
    return f"suite: {name}\ntarget: bot.py:{target}\ndefaults: {defaults}\ncases:\n{rows}"


@pytest.fixture(scope="module")
def seed() -> int:
    seed = int(os.environ.get("STRESS_SEED", random.randrange(10**6)))
    print("seed:", seed)  # shown when a test fails: STRESS_SEED=… repeats it
    return seed


def test_results_do_not_depend_on_how_many_run_at_a_time(pytester, monkeypatch, seed):
    rng = random.Random(seed)
    files = {
        "bot.py": BOT,
        "a.eval.yaml": suite(rng, "a", "answer", 1000),
        "b.eval.yaml": suite(rng, "b", "blocking", 1000),
    }
    quiet = ("-q", "--tb=no", "-rN")
    one = Project(pytester, [])(files, *quiet, "--evals-concurrency=1")
    assert len(one.outcomes) == 2000, f"seed {seed}"
    many = Project(pytester, []).run(*quiet, "--evals-concurrency=50")
    assert many.outcomes == one.outcomes, f"seed {seed}"
    monkeypatch.setenv("DIE", "1")
    workers = Project(pytester, ["-n2"]).run(*quiet, "--evals-concurrency=20")
    died = {case["id"] for case in workers.report["cases"] if (case["error"] or {}).get("kind") == "crash"}
    expected = {case["id"] for case in one.report["cases"] if case["input"].startswith("die")}
    assert died == expected, f"seed {seed}"
    survivors = {case: outcome for case, outcome in workers.outcomes.items() if case not in died}
    assert survivors == {case: outcome for case, outcome in one.outcomes.items() if case not in died}, f"seed {seed}"
    for ran in (one, many, workers):
        answers = {case["id"]: case["output"] for case in ran.report["cases"] if case["outcome"] == "passed"}
        assert all(output == f"ok {case}" for case, output in answers.items()), f"seed {seed}"
