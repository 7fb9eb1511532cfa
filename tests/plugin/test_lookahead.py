"""Many calls under way at a time, and everything pytest promises still true."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time

import pytest
from projects import Project

BOT = """
import asyncio, json, os, pathlib, time
running = most = 0
LOG = pathlib.Path(os.environ.get("EVENTS", "events.txt"))
def note(*words):
    with LOG.open("a") as file: file.write(" ".join(map(str, words)) + "\\n")
async def answer(question):
    global running, most
    running += 1; most = max(most, running)
    note("start", question)
    try:
        await asyncio.sleep(float(question.split()[1]) if " " in question else 0.05)
    except asyncio.CancelledError:
        note("cancelled", question); raise
    finally:
        running -= 1
        note("end", question, most)
    if question.startswith("bad"): return "wrong"
    if question.startswith("boom"): raise ValueError(question)
    return "ok " + question
def blocking(question):
    note("start", question); time.sleep(0.1); note("end", question, 0)
    return "ok " + question
"""


def suite(questions, target="bot.py:answer", extra="", name="s"):
    cases = "".join(f"  - {{id: c{i}, input: {q}, expected_output: ok}}\n" for i, q in enumerate(questions))
    return f"suite: {name}\ntarget: {target}\ndefaults: {{criteria: [contains], retries: 0}}\n{extra}cases:\n{cases}"


@pytest.fixture
def events(tmp_path, monkeypatch):
    """What the target noted: lists of words."""
    path = tmp_path / "events.txt"
    monkeypatch.setenv("EVENTS", str(path))
    return lambda: [line.split() for line in path.read_text().splitlines()] if path.exists() else []


@pytest.mark.parametrize("limit", [1, 4, 16])
def test_at_most_the_stated_number_of_calls_runs_and_reports_come_in_file_order(alone, events, limit):
    ran = alone({"bot.py": BOT, "s.eval.yaml": suite(f"q{i}" for i in range(40))}, f"--evals-concurrency={limit}", "-v")
    assert ran.counts() == {"passed": 40}
    assert max(int(words[-1]) for words in events() if words[0] == "end") == limit
    order = [line.split("::")[1].split(" ")[0] for line in ran.result.outlines if " PASSED" in line]
    assert order == [f"c{i}" for i in range(40)]


@pytest.mark.parametrize("target", ["bot.py:answer", "bot.py:blocking"])
def test_latency_is_the_calls_own_and_waiting_is_kept_apart(alone, events, target):
    waits = ["q 0.1"] * 12
    ran = alone({"bot.py": BOT, "s.eval.yaml": suite(waits, target)}, "--evals-concurrency=2")
    assert all(90 < case["latency_ms"] < 190 for case in ran.report["cases"])
    queued = [case["trials"][0]["attempts"][0]["queue_ms"] for case in ran.report["cases"]]
    assert max(queued) > 150


def test_N06_every_answer_stays_with_its_case(project, events):
    """Answers come in another order than they were asked for."""
    waits = [60, 10, 50, 20, 40, 30, 5, 45, 0, 55, 15, 35]
    ran = project({"bot.py": BOT, "s.eval.yaml": suite(f"q{i} {w / 1000}" for i, w in enumerate(waits))})
    assert [case["output"] for case in ran.report["cases"]] == [f"ok q{i} {w / 1000}" for i, w in enumerate(waits)]


def test_the_results_are_those_of_one_call_at_a_time(alone, events):
    rng = random.Random(7)
    questions = [f"{rng.choice(['q', 'bad', 'boom', 'q'])} {rng.random() / 20:.3f}" for _ in range(60)]
    files = {"bot.py": BOT, "s.eval.yaml": suite(questions)}
    one = alone(files, "--evals-concurrency=1")
    many = alone.run("--evals-concurrency=32")
    assert many.outcomes == one.outcomes
    assert many.status == one.status
    assert set(one.outcomes.values()) == {"passed", "failed", "errored"}


def test_x_cancels_what_is_under_way_and_starts_little_in_vain(alone, events):
    questions = ["q", "q", "bad", *["q 5"] * 60]
    started = time.monotonic()
    ran = alone({"bot.py": BOT, "s.eval.yaml": suite(questions)}, "-x", "--evals-concurrency=8")
    assert time.monotonic() - started < 4
    assert ran.status == 1
    assert list(ran.outcomes.values()) == ["passed", "passed", "failed"]
    noted = events()
    begun = [words for words in noted if words[0] == "start"]
    ended = [words for words in noted if words[0] == "end"]
    assert len(begun) == len(ended) <= 3 + 2 * 8


@pytest.mark.parametrize("ways", [[], ["-n2"]], ids=["alone", "n2"])
@pytest.mark.parametrize("target", ["bot.py:answer", "bot.py:blocking"])
def test_ctrl_c_ends_soon_and_keeps_what_was_finished(tmp_path, events, ways, target):
    (tmp_path / "bot.py").write_text(BOT.replace("time.sleep(0.1)", "time.sleep(float(question.split()[1]))"))
    (tmp_path / "s.eval.yaml").write_text(suite(["q 0.05"] * 4 + ["q 20"] * 30, target))
    quiet = ["-p", "no:cacheprovider", "-p", "no:randomly"]
    command = [sys.executable, "-m", "pytest", *quiet, *ways, "--evals-report=json:r.json"]
    child = subprocess.Popen(
        command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, start_new_session=True
    )
    deadline = time.monotonic() + 30
    while len([w for w in events() if w[0] == "end"]) < 4 and time.monotonic() < deadline:
        time.sleep(0.05)
    time.sleep(0.5)
    os.killpg(child.pid, signal.SIGINT)
    asked = time.monotonic()
    out, _ = child.communicate(timeout=30)
    took = time.monotonic() - asked
    assert child.returncode == 2, out
    assert took < 15, took  # the calls under way would have taken 20 s
    report = json.loads((tmp_path / "r.json").read_text())
    assert 1 <= len(report["cases"]) <= 4
    assert {case["outcome"] for case in report["cases"]} == {"passed"}
    assert report["stopped"]


def test_output_and_log_records_appear_under_their_own_case(project):
    bot = """
import asyncio, logging, random, sys
async def answer(question):
    print("out", question); print("err", question, file=sys.stderr)
    await asyncio.sleep(random.random() / 20)
    logging.getLogger("bot").warning("log %s", question); print("more", question)
    return "wrong"
def blocking(question):
    import time
    print("out", question); print("err", question, file=sys.stderr); time.sleep(random.random() / 20)
    logging.getLogger("bot").warning("log %s", question); print("more", question)
    return "wrong"
"""
    cases = [f"<{i}>" for i in range(12)]
    files = {
        "bot.py": bot,
        "a.eval.yaml": suite([f'"{c}"' for c in cases], name="a"),
        "b.eval.yaml": suite([f'"{c}"' for c in cases], "bot.py:blocking", name="b"),
        "test_x.py": "def test_x(capsys): print('mine'); assert capsys.readouterr().out == 'mine\\n'\n",
    }
    ran = project(files)
    blocks = ran.out.split("\n____")[1:]
    assert len(blocks) >= 24
    for block in blocks:
        own = [f"<{i}>" for i in range(12) if f" c{i} ___" in block.split("\n")[0]]
        if own:
            for word in ("out", "err", "log", "more"):
                assert f"{word} {own[0]}" in block, block
            assert not [c for c in cases if c != own[0] and f"out {c}" in block.split("= evaluation =")[0]]


def test_targets_of_function_scope_run_in_their_turn(alone):
    conftest = """
import pytest
alive = set()
@pytest.fixture
def bot(request):
    alive.add(request.node.name)
    async def answer(q):
        assert request.node.name in alive and len(alive) == 1
        return "ok"
    yield answer
    alive.discard(request.node.name)
"""
    ran = alone({"conftest.py": conftest, "s.eval.yaml": suite(["a", "b", "c"], "{fixture: bot}")})
    assert ran.counts() == {"passed": 3}


@pytest.mark.parametrize("scope", ["module", "session", "package"])
def test_a_fixture_is_never_torn_down_while_a_call_uses_it(project, events, scope):
    conftest = f"""
import asyncio, pytest
@pytest.fixture(scope="{scope}", params=["x", "y"])
def bot(request):
    state = {{"open": True, "running": 0}}
    async def answer(q):
        assert state["open"]
        state["running"] += 1
        await asyncio.sleep(0.05)
        assert state["open"], "torn down under way"
        state["running"] -= 1
        return "ok"
    yield answer
    assert state["running"] == 0
    state["open"] = False
"""
    files = {"conftest.py": conftest}
    for name in "ab":
        files[f"{name}.eval.yaml"] = suite(["a"] * 6, "{fixture: bot}", name=name)
    assert project(files).counts() == {"passed": 24}


def test_autouse_fixtures_of_function_scope_hold_calls_back_unless_told_otherwise(alone, events):
    conftest = "import pytest\n@pytest.fixture(autouse=True)\ndef around(): yield\n"
    files = {"bot.py": BOT, "conftest.py": conftest, "s.eval.yaml": suite(["q"] * 8)}
    alone(files)
    assert max(int(words[-1]) for words in events() if words[0] == "end") == 1
    alone.run("-o", "evals_ignore_fixtures=around")
    assert max(int(words[-1]) for words in events() if words[0] == "end") > 4


def test_reruns_ask_again_and_skipped_cases_are_never_asked(alone, events):
    files = {"bot.py": BOT, "s.eval.yaml": suite(["bad", "q", "bad"]).replace("id: c1,", "id: c1, skip: no,")}
    files["s.eval.yaml"] = files["s.eval.yaml"].replace("skip: no,", "skip: 'not now',")
    alone(files, "--reruns=2", plugins=True)
    assert len([words for words in events() if words[0] == "start"]) == 6


CRASH = """
import asyncio, os, time
async def answer(question):
    await asyncio.sleep(0.02)
    if question == "die":
        await asyncio.sleep(0.05); os._exit(9)
    return "ok"
"""


@pytest.mark.parametrize("dist", ["load", "worksteal", "loadfile"])
@pytest.mark.parametrize("culprit", [3, 30])
def test_exactly_the_culprit_is_blamed_for_a_dead_worker(pytester, dist, culprit):
    questions = ["die" if i == culprit else "q" for i in range(40)]
    ran = Project(pytester, ["-n2", f"--dist={dist}"])({"bot.py": CRASH, "s.eval.yaml": suite(questions)})
    if dist == "worksteal" and "send_steal" in ran.out:
        pytest.skip("xdist asked the dead worker to give work away, and fell over it")
    errored = [case for case, outcome in ran.outcomes.items() if outcome == "errored"]
    if dist != "loadfile":  # xdist itself hands out the crashing item of these again and again
        # a case whose end the dead worker could not tell is run again, and pytest then counts it twice
        counts = ran.counts()
        assert (counts["failed"], counts["passed"] - 39) in ((1, 0), (1, 1))
        assert len(ran.outcomes) == 40
        assert errored == [f"c{culprit}"]
        assert ran.case(errored[0])["error"]["kind"] == "crash"
    assert ran.status == 1


def test_two_culprits_are_both_found(pytester):
    questions = ["die" if i in (5, 25) else "q" for i in range(40)]
    ran = Project(pytester, ["-n2"])({"bot.py": CRASH, "s.eval.yaml": suite(questions)})
    assert sorted(case for case, outcome in ran.outcomes.items() if outcome == "errored") == ["c25", "c5"]
    assert len(ran.outcomes) == 40
